// Settings of the single value: which variable, in which units, with how many digits, and its limits.
import type { VariableFacts } from '../../data/server.js';
import { numberOf, recordOf, textOf } from '../values/given.js';
import type { Limits } from '../values/limits.js';
import { DEFAULT_DIGITS, MOST_DIGITS } from '../values/number-text.js';

export interface SingleValueSettings {
  readonly [name: string]: unknown;
  readonly alias: string | undefined;
  readonly units: string | undefined;
  /** Significant digits, 1 to 17. */
  readonly digits: number;
  /** In the units shown. */
  readonly limits: Limits;
}

export function singleValueSettings(given: unknown): SingleValueSettings {
  const { alias, units, digits, limits } = recordOf(given);
  const { lowAlarm, lowWarning, highWarning, highAlarm } = recordOf(limits);
  return {
    alias: textOf(alias),
    units: textOf(units),
    digits: Math.trunc(numberOf(digits, 1, MOST_DIGITS) ?? DEFAULT_DIGITS),
    limits: {
      lowAlarm: numberOf(lowAlarm),
      lowWarning: numberOf(lowWarning),
      highWarning: numberOf(highWarning),
      highAlarm: numberOf(highAlarm),
    },
  };
}

/** The settings that show a variable, or why they cannot; limits are those of the variable before. */
export function withVariable({ alias, kind, dim }: VariableFacts): Partial<SingleValueSettings> | string {
  if (kind === 'struct') return `${alias} is a structure; put one of its members here`;
  if (dim.length > 0) return `${alias} is an array; put one of its elements here`;
  return { alias, units: undefined, limits: {} };
}
