// The bounds of recordings that clients ask for: of one client, of all clients of an address, and of all clients.
import { LIMITS } from '../../model/bounds/limits.js';
import { type Client, type Figures, fairShare } from '../../model/state/fair-share.js';
import type { RecordOptions } from './record-options.js';

/** How much of each bound a recording uses. */
export interface Cost {
  readonly recordings: 1;
  /** All of them may be due at one time, however rarely. */
  readonly values: number;
  readonly rowsASecond: number;
  readonly valuesASecond: number;
}

/** A recording's cost, and the client that it counts for. */
export interface Share {
  readonly cost: Cost;
  readonly client: Client;
}

/** The bounds for all clients together. */
const MOST: Readonly<Record<keyof Cost, number>> = {
  recordings: LIMITS.recordings.all,
  values: 40_000,
  rowsASecond: 20_000,
  valuesASecond: 500_000,
};
const SHORTEST_CYCLE_SECONDS = 1e-4;

const WORDS: Readonly<Record<keyof Cost, (most: number, wanted: number) => string>> = {
  recordings: (most) => `a client may have ${most} recordings now, not one more`,
  values: (most, wanted) => `a client's recordings may have ${most} values now, not ${wanted}`,
  rowsASecond: (most, wanted) => `a client's recordings may take ${most} rows a second now, not ${wanted}`,
  valuesASecond: (most, wanted) => `a client's recordings may take ${most} values a second now, not ${wanted}`,
};

export const cyclesOf = ({ cycleSeconds = 0.1, moreCyclesSeconds = [] }: RecordOptions): readonly number[] => [
  cycleSeconds,
  ...moreCyclesSeconds,
];

export function costOf(options: RecordOptions): Cost {
  const rowsASecond = cyclesOf(options).reduce((rows, cycle) => rows + 1 / cycle, 0);
  const values = options.variables.length + (options.changes?.length ?? 0);
  return { recordings: 1, values, rowsASecond, valuesASecond: values * rowsASecond };
}

/** Whether a recording takes more rows or values a second than before. */
export const isMore = (cost: Cost, before: Cost): boolean =>
  cost.rowsASecond > before.rowsASecond || cost.valuesASecond > before.valuesASecond;

/** Throws a RangeError for a cycle that is too short for a client. */
export function requireClientCycles(options: RecordOptions): void {
  const shortest = Math.min(...cyclesOf(options));
  if (shortest < SHORTEST_CYCLE_SECONDS)
    throw new RangeError(`a client's recording has a cycle of ${SHORTEST_CYCLE_SECONDS} s or more, not ${shortest}`);
}

/** What clients have of each bound. */
export type CostFigures = Readonly<Record<keyof Cost, Figures>>;

const COSTS = Object.keys(MOST) as readonly (keyof Cost)[];

/** Figures of each bound, as `make` makes them. */
export const costFigures = (make: (what: keyof Cost) => Figures): CostFigures =>
  Object.fromEntries(COSTS.map((what) => [what, make(what)])) as CostFigures;

/** Shows what all shares use together. */
export function showCosts(figures: CostFigures, shares: readonly Share[]): void {
  for (const what of COSTS) figures[what].held = shares.reduce((sum, { cost }) => sum + cost[what], 0);
}

/**
 * Throws an Error with one sentence if the client's share is too small.
 * @param others the shares of other recordings.
 * @param figures where the refusal is counted.
 */
export function requireShare({ cost, client }: Share, others: readonly Share[], figures: CostFigures): void {
  for (const what of COSTS) {
    const taken = others.map((other) => ({ client: other.client, amount: other.cost[what] }));
    const { has, most } = fairShare(client, MOST[what], taken);
    if (has + cost[what] <= most) continue;
    figures[what].refusals++;
    throw new Error(WORDS[what](most, Math.ceil(has + cost[what])));
  }
}
