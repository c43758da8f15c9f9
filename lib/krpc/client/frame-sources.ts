// The value of a call in each frame: read from the frame, or asked of a procedure, one question at a time.
import type { Frame } from '../../frame/reader.js';
import type { CalledProcedure, Caller, FrameSource, FrameValue } from '../service/procedure.js';
import type { KrpcValue } from '../values/type.js';

export class WatchedSource implements FrameSource {
  readonly valueCount: number;

  constructor(private readonly watched: FrameValue) {
    this.valueCount = watched.valueCount;
  }

  take(frame: Frame): KrpcValue | undefined {
    return frame.showsAll(this.watched.shown) ? this.watched.read(frame) : undefined;
  }
}

type Outcome = { readonly value: KrpcValue } | { readonly error: unknown };

/** A procedure that is called in each frame; its next call begins when the one before is answered. */
export class CalledSource implements FrameSource {
  readonly valueCount = 1;
  private outcome: Outcome | undefined;
  private isAsking = false;

  constructor(
    private readonly procedure: CalledProcedure,
    private readonly caller: Caller,
    private readonly given: readonly KrpcValue[],
  ) {}

  take(_: Frame, mayAsk: boolean): KrpcValue | undefined {
    if (mayAsk && !this.isAsking) this.ask();
    const { outcome } = this;
    if (!outcome) return undefined;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  private ask(): void {
    const answer = this.procedure.call(this.caller, this.given);
    if (!(answer instanceof Promise)) {
      this.outcome = { value: answer ?? null };
      return;
    }
    this.isAsking = true;
    const over = (outcome: Outcome): void => {
      this.outcome = outcome;
      this.isAsking = false;
    };
    answer.then(
      (value) => over({ value: value ?? null }),
      (error: unknown) => over({ error }),
    );
  }
}
