// What a session's list asks for a second, counted on its client's account.
import { type Account, OverBoundError } from '../../../serving/scheduling/account.js';
import { valuesPerSecond } from '../../../serving/session/value-count.js';

/** What a cycle of 0 is counted as. */
const SHORTEST_CYCLE_SECONDS = 0.001;

export class ListRate {
  private held = 0;
  private values = 0;
  private cycleSeconds = Number.POSITIVE_INFINITY;
  private carried = 0;

  /** @param refused hears why something was not counted, with what follows. */
  constructor(
    private readonly account: Account,
    private readonly refused: (sentence: string) => void,
  ) {}

  /**
   * Counts the values of the list, and nothing that frames carry for it, until it is shown; false, with a sentence, when that
   * is more than a client may have.
   */
  ask(values: number, cycleSeconds: number, consequence: string): boolean {
    try {
      this.hold(values, cycleSeconds, 0);
      return true;
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      this.refused(`${error.message}; ${consequence}`);
      return false;
    }
  }

  /** Counts so many values more, which frames carry for the list. Throws an OverBoundError when there are too many. */
  countCarried(carried: number): void {
    if (carried !== this.carried) this.hold(this.values, this.cycleSeconds, carried);
  }

  /** Frames between two messages may carry the same, however long the cycle is. */
  private hold(values: number, cycleSeconds: number, carried: number): void {
    const seconds = Math.max(cycleSeconds, SHORTEST_CYCLE_SECONDS);
    const perSecond = Math.ceil(Math.max(0, values) / seconds) + valuesPerSecond(carried, 1000 * seconds);
    this.account.change('valuesPerSecond', this.held, perSecond);
    this.held = perSecond;
    this.values = values;
    this.cycleSeconds = cycleSeconds;
    this.carried = carried;
  }
}
