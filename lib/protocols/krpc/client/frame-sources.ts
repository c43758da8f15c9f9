// The value of a call in each frame: read from the frame, or asked of a procedure, one question at a time.
import { Reason } from '../../../model/frame/header.js';
import { Lease } from '../../../model/frame/lease.js';
import type { Frame } from '../../../model/frame/reader.js';
import { Held } from '../../../serving/scheduling/held.js';
import type { CalledProcedure, Caller, FrameSource, FrameValue } from '../service/procedure.js';
import { bytesIn } from '../values/size.js';
import type { KrpcValue } from '../values/type.js';

/** Bytes that a source takes, and each variable that it reads. */
const SOURCE_BYTES = 512;
const VARIABLE_BYTES = 256;
/** So many values, or bytes of one, cost one step of an expression. */
const VALUES_PER_STEP = 16;
const BYTES_PER_STEP = 256;
/** Most questions of a client that begin in one frame. */
export const MOST_QUESTIONS = 100;

/** What the streams and expressions of one client read of frames and ask of procedures. */
export class FrameSources {
  /** Those that have been read and not ended: those of expressions end with their client. */
  readonly read = new Set<WatchedSource>();
  /** How many ask; with many, each asks in every so many rounds. */
  readers = 0;
  private frameNumber = -1;
  private round = 0;
  private asked = 0;

  /** Whether it is the turn of the reader with a number to ask in a frame, which may be one that others have passed over. */
  isTurnOf(reader: number, frameNumber: number): boolean {
    if (frameNumber > this.frameNumber) {
      this.frameNumber = frameNumber;
      this.round++;
      this.asked = 0;
    }
    const isTurn = (this.round + reader) % Math.ceil(this.readers / MOST_QUESTIONS) === 0;
    return isTurn && this.asked++ < MOST_QUESTIONS;
  }

  /** The client has gone. */
  end(): void {
    for (const source of this.read) source.end();
  }
}

export class WatchedSource implements FrameSource {
  readonly valueCount: number;
  readonly keptBytes: number;
  readonly cost: number;
  private readonly lease = new Lease();
  private latest: { readonly number: number; readonly value: KrpcValue } | undefined;

  /** @param callBytes bytes of the call's arguments. */
  constructor(
    private readonly watched: FrameValue,
    callBytes: number,
    private readonly sources: FrameSources,
  ) {
    this.valueCount = watched.valueCount;
    this.keptBytes = SOURCE_BYTES + VARIABLE_BYTES * watched.shown.length + 2 * callBytes;
    this.cost = watched.valueCount / VALUES_PER_STEP;
  }

  /** An expression may use it many times in a frame. */
  take(frame: Frame): KrpcValue | undefined {
    const { number } = frame.header;
    if (this.latest?.number === number) return this.latest.value;
    this.sources.read.add(this);
    const value = this.lease.ask(this.watched.shown, frame) ? this.watched.read(frame) : undefined;
    this.latest = value === undefined ? undefined : { number, value };
    return value;
  }

  end(): void {
    this.sources.read.delete(this);
    this.lease.end();
  }
}

/** A procedure that is called at ticks; its next call begins when the one before is answered. */
export class CalledSource implements FrameSource {
  readonly valueCount = 1;
  readonly keptBytes: number;
  cost = 1;
  private readonly held: Held;
  private reader: number | undefined;
  private outcome: { readonly value: KrpcValue } | { readonly error: unknown } | undefined;
  private askedNumber = -1;
  private isAsking = false;
  private isOver = false;

  constructor(
    private readonly procedure: CalledProcedure,
    private readonly caller: Caller,
    private readonly given: readonly KrpcValue[],
    callBytes: number,
    private readonly sources: FrameSources,
  ) {
    this.keptBytes = SOURCE_BYTES + 4 * callBytes;
    this.held = new Held(caller.session.account);
  }

  take({ header: { reason, number } }: Frame): KrpcValue | undefined {
    this.reader ??= this.sources.readers++;
    const mayAsk = reason !== Reason.request && !this.isAsking && number > this.askedNumber;
    if (mayAsk && this.sources.isTurnOf(this.reader, number)) {
      this.askedNumber = number;
      void this.ask();
    }
    const { outcome } = this;
    if (!outcome) return undefined;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  end(): void {
    this.isOver = true;
    if (this.reader !== undefined) this.sources.readers--;
    this.held.release();
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      const answer = this.procedure.call(this.caller, this.given);
      this.answered((answer instanceof Promise ? await answer : answer) ?? null);
    } catch (error) {
      this.outcome = { error };
    }
    this.isAsking = false;
  }

  private answered(value: KrpcValue): void {
    if (this.isOver) return;
    const bytes = bytesIn(value);
    this.held.set('keptBytes', bytes);
    this.cost = 1 + bytes / BYTES_PER_STEP;
    this.outcome = { value };
  }
}
