// What clients may hold, and how much of it: the table of limits, as the ledger counts it.
import { HOLDINGS, type Holding, LIMITS } from '../../model/bounds/limits.js';

export { HOLDINGS, type Holding };

/** The most that one client may hold, and that all clients together may hold. */
export interface Bound {
  readonly each: number;
  readonly all: number;
}

/** What all clients hold of something, and how often one was refused more. */
export interface Counted {
  readonly held: number;
  readonly refusals: number;
}

export type Bounds = Readonly<Record<Holding, Bound>>;

/** What lasts for as long as its client likes. Beside others of its address a client has no more of it than it leaves them. */
export const LASTING: ReadonlySet<Holding> = new Set(['subscriptions', 'parked', 'valuesPerSecond', 'historySeries']);

/** What would lack to newcomers for long when others have all of it. */
export const GIVING_WAY: ReadonlySet<Holding> = new Set([...LASTING, 'keptBytes']);

const ofEach = <T>(make: (holding: Holding) => T): Record<Holding, T> =>
  Object.fromEntries(HOLDINGS.map((holding) => [holding, make(holding)])) as Record<Holding, T>;

/** No honest client comes near its own bound, and all clients together fit into a process of the usual size. */
export const DEFAULT_BOUNDS: Bounds = ofEach((holding) => {
  const { each, all } = LIMITS[holding];
  return { each, all };
});

const NOTHING = ofEach(() => 0);
export const nothing = (): Record<Holding, number> => ({ ...NOTHING });
