// Settings of the single value: which variable, in which units, with how many digits, and its limits.
import type { VariableFacts } from '../../data/server.js';
import { numberOf, recordOf, textOf } from '../values/given.js';
import { type Limits, limitsOf } from '../values/limits.js';
import { DEFAULT_DIGITS, MOST_DIGITS } from '../values/number-text.js';

export interface SingleValueSettings {
  readonly [name: string]: unknown;
  readonly alias: string | undefined;
  readonly units: string | undefined;
  /** Significant digits, 1 to 17. */
  readonly digits: number;
  /** In the units shown. */
  readonly limits: Limits;
  /** Shows the value at the time under the cursor of the charts, while there is one. */
  readonly followsCursor?: boolean;
}

export function singleValueSettings(given: unknown): SingleValueSettings {
  const { alias, units, digits, limits, followsCursor } = recordOf(given);
  return {
    alias: textOf(alias),
    units: textOf(units),
    digits: Math.trunc(numberOf(digits, 1, MOST_DIGITS) ?? DEFAULT_DIGITS),
    limits: limitsOf(limits),
    ...(followsCursor === true && { followsCursor }),
  };
}

/** The settings that show a variable, or why they cannot; limits are those of the variable before. */
export function withVariable({ alias, kind, dim }: VariableFacts): Partial<SingleValueSettings> | string {
  if (kind === 'struct') return `${alias} is a structure; put one of its members here`;
  if (dim.length > 0) return `${alias} is an array; put one of its elements here`;
  return { alias, units: undefined, limits: {} };
}
