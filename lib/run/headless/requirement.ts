// What runs must meet: `impact.x {ft} < 500`.
import type { RequirementRate } from '../../simulation/recording/study.js';
import type { RunRow } from './run-row.js';

/** One requirement. */
export interface Requirement {
  /** As it was asked. */
  readonly text: string;
  /** The variable, with its units as `read` takes them. */
  readonly read: string;
  /** Whether a run meets it: with all elements of an array. A run that has failed does not. */
  isMet(row: RunRow): boolean;
}

const REQUIREMENT = /^\s*([A-Za-z_][\w.[\]]*)\s*(?:\{([^{}]+)\})?\s*(<=|>=|==|!=|<|>)\s*([^<>=!].*?)\s*$/s;

type Comparison = (value: number | string, bound: number | string) => boolean;
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '==': (value, bound) => value === bound,
  '!=': (value, bound) => value !== bound,
};

/** Throws a RangeError with one sentence for a text that is no requirement. */
export function requirementOf(text: string): Requirement {
  const [, path, units, sign = '', bound = ''] = REQUIREMENT.exec(text) ?? [];
  const number = Number(bound);
  const isEquality = sign === '==' || sign === '!=';
  if (path === undefined || bound === '' || (Number.isNaN(number) && !isEquality))
    throw new RangeError(
      `a requirement is a variable, <, <=, >, >=, == or !=, and a number, such as impact.x {ft} < 500, not ${text}`,
    );
  const wanted = Number.isNaN(number) ? bound : number;
  const compare = COMPARISONS[sign] as Comparison;
  const read = units === undefined ? path : `${path}{${units.trim()}}`;
  const meets = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.every(meets);
    if (typeof value === 'bigint' || typeof value === 'boolean') return compare(Number(value), wanted);
    return (typeof value === 'number' || typeof value === 'string') && compare(value, wanted);
  };
  return { text: text.trim(), read, isMet: ({ error, values }) => error === undefined && meets(values[read]) };
}

export function rateOf(requirement: Requirement, rows: readonly RunRow[]): RequirementRate {
  const passed = rows.filter((row) => requirement.isMet(row)).length;
  const rate = rows.length === 0 ? null : passed / rows.length;
  return { text: requirement.text, passed, runs: rows.length, rate, ...wilson(passed, rows.length) };
}

/** The quantile of the normal distribution for 95 %. */
const Z = 1.959963984540054;

/** Where the true rate lies with 95 % confidence. Wilson (1927), without correction for continuity. */
export function wilson(passed: number, runs: number): { readonly low: number; readonly high: number } {
  if (runs === 0) return { low: 0, high: 1 };
  const rate = passed / runs;
  const square = Z ** 2 / runs;
  const middle = (rate + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((rate * (1 - rate)) / runs + square / (4 * runs));
  return { low: passed === 0 ? 0 : middle - half, high: passed === runs ? 1 : middle + half };
}
