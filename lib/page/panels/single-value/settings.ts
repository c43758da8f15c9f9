// Settings of the single value: which variable, in which units, with how many digits, and its limits.
import type { VariableFacts } from '../../data/server.js';

export interface SingleValueSettings {
  readonly [name: string]: unknown;
  readonly alias: string | undefined;
  readonly units: string | undefined;
  /** Significant digits, 1 to 17. */
  readonly digits: number;
}

const DEFAULT_DIGITS = 6;

export function singleValueSettings(given: unknown): SingleValueSettings {
  const { alias, units, digits } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  return {
    alias: textOf(alias),
    units: textOf(units),
    digits: typeof digits === 'number' && digits >= 1 && digits <= 17 ? Math.trunc(digits) : DEFAULT_DIGITS,
  };
}

const textOf = (given: unknown): string | undefined => (typeof given === 'string' && given !== '' ? given : undefined);

/** The settings that show a variable, or why they cannot. */
export function withVariable({ alias, kind, dim }: VariableFacts): Partial<SingleValueSettings> | string {
  if (kind === 'struct') return `${alias} is a structure; put one of its members here`;
  return dim.length > 0 ? `${alias} is an array; put one of its elements here` : { alias, units: undefined };
}
