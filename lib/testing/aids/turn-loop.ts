// An event loop by hand, for tests of what takes turns: its turns and its time.
import { Ledger } from '../../scheduling/account.js';
import { TurnTime } from '../../scheduling/turn-time.js';

export class TurnLoop {
  /** The present time in milliseconds; work that takes time adds to it. */
  now = 0;
  readonly ledger = new Ledger({ nowMillis: () => this.now, after: () => () => undefined });
  readonly time: TurnTime;
  private calls: (() => void)[] = [];

  /** @param flush sends the answers of a turn. Default: nothing does. */
  constructor(flush = (): void => undefined) {
    this.time = new TurnTime(
      (call) => this.later(call),
      () => this.now,
      undefined,
      flush,
    );
  }

  /** Calls a function in the next turn. */
  later(call: () => void): void {
    this.calls.push(call);
  }

  /** Runs the next turn. */
  turn(): void {
    const calls = this.calls;
    this.calls = [];
    for (const call of calls) call();
  }
}
