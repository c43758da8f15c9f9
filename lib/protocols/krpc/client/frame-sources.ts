// The value of a call in each frame: read from the frame, or asked of a procedure, one question at a time.
import { Reason } from '../../../model/frame/header.js';
import { Lease } from '../../../model/frame/lease.js';
import type { Frame } from '../../../model/frame/reader.js';
import { Held } from '../../../serving/scheduling/held.js';
import type { CalledProcedure, Caller, FrameSource, FrameValue } from '../service/procedure.js';
import { bytesIn } from '../values/size.js';
import type { KrpcValue } from '../values/type.js';
import type { Questions } from './questions.js';

/** Bytes that a source takes, and each variable that it reads. */
const SOURCE_BYTES = 512;
const VARIABLE_BYTES = 256;
/** So many values, or bytes of one, cost one step of an expression. */
const VALUES_PER_STEP = 16;
const BYTES_PER_STEP = 256;

export class WatchedSource implements FrameSource {
  readonly valueCount: number;
  readonly keptBytes: number;
  readonly cost: number;
  private readonly lease = new Lease();
  private latest: { readonly number: number; readonly value: KrpcValue } | undefined;

  /**
   * @param callBytes bytes of the call's arguments.
   * @param read has those of the client that have been read and not ended.
   */
  constructor(
    private readonly watched: FrameValue,
    callBytes: number,
    private readonly read: Set<WatchedSource>,
  ) {
    this.valueCount = watched.valueCount;
    this.keptBytes = SOURCE_BYTES + VARIABLE_BYTES * watched.shown.length + 2 * callBytes;
    this.cost = watched.valueCount / VALUES_PER_STEP;
  }

  /** An expression may use it many times in a frame. */
  take(frame: Frame): KrpcValue | undefined {
    const { number } = frame.header;
    if (this.latest?.number === number) return this.latest.value;
    this.read.add(this);
    const value = this.lease.shows(this.watched.shown, frame) ? this.watched.read(frame) : undefined;
    this.latest = value === undefined ? undefined : { number, value };
    return value;
  }

  end(): void {
    this.read.delete(this);
    this.lease.end();
  }
}

type Outcome = { readonly value: KrpcValue } | { readonly error: unknown };

/** A procedure that is called in each frame; its next call begins when the one before is answered. */
export class CalledSource implements FrameSource {
  readonly valueCount = 1;
  readonly keptBytes: number;
  cost = 1;
  private readonly held: Held;
  private outcome: Outcome | undefined;
  private isAsking = false;
  private isOver = false;

  constructor(
    private readonly procedure: CalledProcedure,
    private readonly caller: Caller,
    private readonly given: readonly KrpcValue[],
    private readonly questions: Questions,
    callBytes: number,
  ) {
    this.keptBytes = SOURCE_BYTES + 4 * callBytes;
    this.held = new Held(caller.session.account);
  }

  take({ header: { reason, number } }: Frame): KrpcValue | undefined {
    if (reason !== Reason.request && !this.isAsking) this.questions.want(this, number);
    const { outcome } = this;
    if (!outcome) return undefined;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  end(): void {
    this.isOver = true;
    this.questions.forget(this);
    this.held.release();
  }

  /** Calls the procedure; resolves when it has answered, and is undefined when it has answered at once. */
  ask(): Promise<void> | undefined {
    const answer = this.answer();
    if (!(answer instanceof Promise)) return undefined;
    this.isAsking = true;
    return answer.then(
      (value) => this.settle(value),
      (error: unknown) => this.answered({ error }),
    );
  }

  private answer(): Promise<KrpcValue | undefined> | undefined {
    try {
      const answer = this.procedure.call(this.caller, this.given);
      if (answer instanceof Promise) return answer;
      this.settle(answer);
    } catch (error) {
      this.answered({ error });
    }
    return undefined;
  }

  private settle(value: KrpcValue | undefined): void {
    if (this.isOver) return;
    try {
      const bytes = bytesIn(value);
      this.held.set('keptBytes', bytes);
      this.cost = 1 + bytes / BYTES_PER_STEP;
      this.answered({ value: value ?? null });
    } catch (error) {
      this.answered({ error });
    }
  }

  private answered(outcome: Outcome): void {
    this.outcome = outcome;
    this.isAsking = false;
  }
}
