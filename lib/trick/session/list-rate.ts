// What a session's list asks for a second, counted on its client's account.
import { type Account, OverBoundError } from '../../scheduling/account.js';
import { valuesPerSecond } from '../../session/value-count.js';

/** What a cycle of 0 is counted as. */
const SHORTEST_CYCLE_SECONDS = 0.001;

export class ListRate {
  private held = 0;
  private values = 0;
  private cycleSeconds = Number.POSITIVE_INFINITY;
  private behind = 0;

  /** @param refused hears why something was not counted, with what follows. */
  constructor(
    private readonly account: Account,
    private readonly refused: (sentence: string) => void,
  ) {}

  /**
   * Counts the values of the list, until it is shown without those behind pointers; false, with a sentence, when that is more
   * than a client may have.
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

  /** Counts the values behind the pointers of the list as they are now. Throws an OverBoundError when there are too many. */
  countBehind(behind: number): void {
    if (behind !== this.behind) this.hold(this.values, this.cycleSeconds, behind);
  }

  /** Values behind pointers may be carried by frames between two messages, too. */
  private hold(values: number, cycleSeconds: number, behind: number): void {
    const seconds = Math.max(cycleSeconds, SHORTEST_CYCLE_SECONDS);
    const perSecond = Math.ceil(Math.max(0, values) / seconds) + valuesPerSecond(behind, 1000 * seconds);
    this.account.change('valuesPerSecond', this.held, perSecond);
    this.held = perSecond;
    this.values = values;
    this.cycleSeconds = cycleSeconds;
    this.behind = behind;
  }
}
