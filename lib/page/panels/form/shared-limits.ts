// Limits that a variable has on the whole page: they colour its cells and its lines.
import type { Server, Value } from '../../data/server.js';
import type { PanelContext } from '../panel.js';
import { type LimitState, type Limits, limitState } from '../values/limits.js';
import { plottable } from '../values/value-text.js';

/** Which limits of a variable its value breaks now; a variable without limits is not asked for. */
export function sharedState({ server, limits }: Pick<PanelContext, 'server' | 'limits'>, alias: string): LimitState {
  const own = limits.value[alias];
  // In its own units, whatever the cell shows.
  const value = own && server.reading(alias).value?.value;
  return own === undefined || value === undefined ? 'normal' : limitState(plottable(value), own);
}

/** As `sharedState`, of a value of the past; one in other units than the variable's own is not judged. */
export function pastState(
  { limits }: Pick<PanelContext, 'limits'>,
  alias: string,
  units: string | undefined,
  value: Value,
): LimitState {
  const own = limits.value[alias];
  return own === undefined || units !== undefined || value === null ? 'normal' : limitState(plottable(value), own);
}

const RANKS: Readonly<Record<LimitState, number>> = { normal: 0, warning: 1, alarm: 2 };
export const worse = (one: LimitState, other: LimitState): LimitState => (RANKS[other] > RANKS[one] ? other : one);

interface Conversion {
  readonly slope: number;
  readonly intercept: number;
  readonly is_reciprocal: boolean;
}

/** The limits of a variable in other units than its own; undefined when these do not convert by a factor. */
export async function limitsIn(
  server: Server,
  alias: string,
  limits: Limits,
  units: string,
): Promise<Limits | undefined> {
  const answer = await server.call<{ conversion?: Conversion }>('var/units', { alias, to: units });
  const { slope, intercept, is_reciprocal } = answer.conversion ?? { slope: 1, intercept: 0, is_reciprocal: true };
  if (is_reciprocal || !(slope > 0)) return undefined;
  const converted = Object.entries(limits).map(([name, value]) => [
    name,
    value === undefined ? undefined : slope * value + intercept,
  ]);
  return Object.fromEntries(converted) as Limits;
}
