// Who gets a subscription's values: what each protocol implements.
import type { Frame } from '../../model/frame/reader.js';

/** One destination of a subscription's values. */
export interface Reader {
  /** Whether the client was too slow for the values offered last. */
  readonly isBehind: boolean;
  /** What makes its messages together with those of others. */
  readonly feed?: object | undefined;
  /**
   * Values are due. The reader must read them in this turn, while the frame is valid; it ignores a frame it had before.
   */
  offer(frame: Frame): void;
  /** Values were due at cycles whose frames never came. */
  miss(missed: MissedCycles): void;
  /** Stops messages, so that one which waits is left out; or lets them go on. */
  setPaused(isPaused: boolean): void;
  /** What was due up to a tick has been counted, or counts no more. */
  countFrom(tick: number): void;
  /** Frees the reader; nothing more is offered. */
  release(): void;
  /** The subscription has ended: does what `release` does, and tells the client if its protocol can. */
  end(): void;
}

/** Cycles that were passed over. */
export interface MissedCycles {
  readonly count: number;
  /** The tick of the last one. */
  readonly lastTick: number;
  readonly everyTicks: number;
}
