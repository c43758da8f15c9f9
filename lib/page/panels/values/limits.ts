// Limits of a value, and which of them it breaks: what colours a single value and draws thresholds in a plot.
import { numberOf, recordOf } from './given.js';
import { numberText } from './number-text.js';

/** Bounds in the units shown; a value is fine up to and including them. */
export interface Limits {
  readonly lowAlarm?: number | undefined;
  readonly lowWarning?: number | undefined;
  readonly highWarning?: number | undefined;
  readonly highAlarm?: number | undefined;
}

export const LIMIT_NAMES: readonly (readonly [keyof Limits, string])[] = [
  ['lowAlarm', 'Low alarm'],
  ['lowWarning', 'Low warning'],
  ['highWarning', 'High warning'],
  ['highAlarm', 'High alarm'],
];

/** Limits of whatever a layout has. */
export function limitsOf(given: unknown): Limits {
  const limits = recordOf(given);
  return Object.fromEntries(LIMIT_NAMES.map(([name]) => [name, numberOf(limits[name])]));
}

/** `0 < 1 … 8 < 9`: the alarms outside, the warnings inside. */
export function limitsText({ lowAlarm, lowWarning, highWarning, highAlarm }: Limits): string {
  const low = [lowAlarm, lowWarning].filter((value) => value !== undefined);
  const high = [highWarning, highAlarm].filter((value) => value !== undefined);
  return `${low.map((value) => numberText(value)).join(' < ')} … ${high.map((value) => numberText(value)).join(' < ')}`.trim();
}

export type LimitState = 'normal' | 'warning' | 'alarm';

/** NaN breaks every limit there is. */
export function limitState(value: number, limits: Limits): LimitState {
  const { lowAlarm, lowWarning, highWarning, highAlarm } = limits;
  if (isOutside(value, lowAlarm, highAlarm)) return 'alarm';
  return isOutside(value, lowWarning, highWarning) ? 'warning' : 'normal';
}

function isOutside(value: number, low: number | undefined, high: number | undefined): boolean {
  if (low === undefined && high === undefined) return false;
  return !(value >= (low ?? -Infinity) && value <= (high ?? Infinity));
}

/** Why limits do not make sense together; undefined when they do. */
export function limitsFault({ lowAlarm, lowWarning, highWarning, highAlarm }: Limits): string | undefined {
  const named: readonly (readonly [string, number | undefined])[] = [
    ['low alarm', lowAlarm],
    ['low warning', lowWarning],
    ['high warning', highWarning],
    ['high alarm', highAlarm],
  ];
  const given = named.filter((limit): limit is readonly [string, number] => limit[1] !== undefined);
  for (const [index, [name, value]] of given.entries()) {
    if (Number.isNaN(value)) return `${name} must be a number`;
    const before = given[index - 1];
    if (before && before[1] > value) return `${before[0]} (${before[1]}) is above ${name} (${value})`;
  }
  return undefined;
}
