// Says why a variable was not found, with the nearest name; limits how often names are compared in a second.
import type { Clock } from '../../scheduling/clock.js';
import type { Source } from '../../source/source.js';

/** A comparison may take a millisecond in a large simulation. */
const MOST_IN_A_SECOND = 20;
const WINDOW_MILLIS = 1000;

export class Suggestions {
  private windowStartMillis = Number.NEGATIVE_INFINITY;
  private made = 0;

  constructor(
    private readonly source: Pick<Source, 'catalog'>,
    private readonly clock: Clock,
  ) {}

  /** Empty text when there have been too many in this second. */
  readonly explain = (name: string): string => {
    const nowMillis = this.clock.nowMillis();
    if (nowMillis - this.windowStartMillis >= WINDOW_MILLIS) {
      this.windowStartMillis = nowMillis;
      this.made = 0;
    }
    return ++this.made <= MOST_IN_A_SECOND ? this.source.catalog.explain(name) : '';
  };
}
