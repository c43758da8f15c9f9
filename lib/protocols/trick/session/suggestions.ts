// Says why a variable was not found, with the nearest name; limits how often names are compared in a second.
import { Rate } from '../../../model/bounds/rate.js';
import type { Clock } from '../../../serving/scheduling/clock.js';
import type { Source } from '../../../source/source.js';

/** A comparison may take a millisecond in a large simulation. */
const MOST_IN_A_SECOND = 20;

export class Suggestions {
  private readonly rate: Rate;

  constructor(
    private readonly source: Pick<Source, 'catalog'>,
    clock: Clock,
  ) {
    this.rate = new Rate({ atOnce: MOST_IN_A_SECOND, perSecond: MOST_IN_A_SECOND }, () => clock.nowMillis());
  }

  /** Empty text when there have been too many lately. */
  readonly explain = (name: string): string => (this.rate.take() ? this.source.catalog.explain(name) : '');
}
