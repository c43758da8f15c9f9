// Settings of a strip chart: its lines, the time it shows, thresholds, and fixed ranges of its axes.
import type { VariableFacts } from '../../data/server.js';
import type { AxisRange } from '../plot/chart-plan.js';
import { SERIES_COLOURS } from '../plot/look.js';
import { DEFAULT_SPAN, LONGEST_SPAN, SHORTEST_SPAN } from '../plot/time-window.js';
import { listOf, numberOf, recordOf, textOf } from '../values/given.js';

export interface ChartLine {
  readonly alias: string;
  /** Undefined for the variable's own. */
  readonly units?: string | undefined;
  /** Which of the colours, from 0; undefined for that of its place. */
  readonly colour?: number;
  /** 2 or 3; undefined for a thin line. */
  readonly width?: number;
  readonly hasOwnAxis?: boolean;
  /** Of an enumeration or a switch: a line, and no band. */
  readonly isLine?: boolean;
}

/** Whether two lists have the same variables in the same units and order. */
export const areSame = (some: readonly ChartLine[], others: readonly ChartLine[]): boolean =>
  some.length === others.length && some.every((line, k) => isSame(line, others[k]));

export const isSame = (one: ChartLine, other: ChartLine | undefined): boolean =>
  one.alias === other?.alias && one.units === other.units;

export interface Threshold {
  readonly value: number;
  /** The unit of the axis that it belongs to. */
  readonly unit: string;
  readonly level: 'warning' | 'alarm';
}

export interface StripChartSettings {
  readonly [name: string]: unknown;
  readonly lines: readonly ChartLine[];
  /** Seconds from the left edge to the right. */
  readonly span: number;
  readonly thresholds: readonly Threshold[];
  /** Fixed ends of an axis by its unit; an axis without one fits what is drawn. */
  readonly ranges: Readonly<Record<string, AxisRange>>;
}

export const MOST_LINES = 2 * SERIES_COLOURS;
export const WIDTHS = [1, 2, 3] as const;
const MOST_THRESHOLDS = 16;

export function stripChartSettings(given: unknown): StripChartSettings {
  const { lines, span, thresholds, ranges } = recordOf(given);
  return {
    lines: withoutRepeats(listOf(lines, MOST_LINES, lineOf)),
    span: numberOf(span, SHORTEST_SPAN, LONGEST_SPAN) ?? DEFAULT_SPAN,
    thresholds: listOf(thresholds, MOST_THRESHOLDS, thresholdOf),
    ranges: Object.fromEntries(
      Object.entries(recordOf(ranges)).map(([unit, range]) => {
        const { min, max, isLogarithmic } = recordOf(range);
        return [unit, { min: numberOf(min), max: numberOf(max), ...(isLogarithmic === true && { isLogarithmic }) }];
      }),
    ),
  };
}

function lineOf(given: unknown): ChartLine | undefined {
  const { alias, units, ...rest } = typeof given === 'string' ? { alias: given } : recordOf(given);
  const name = textOf(alias);
  if (name === undefined) return undefined;
  const [colour, width] = [numberOf(rest.colour, 0, MOST_LINES - 1), numberOf(rest.width, 2, 3)];
  return {
    alias: name,
    units: textOf(units),
    ...(colour !== undefined && { colour: Math.trunc(colour) }),
    ...(width !== undefined && { width: Math.trunc(width) }),
    ...(rest.hasOwnAxis === true && { hasOwnAxis: true }),
    ...(rest.isLine === true && { isLine: true }),
  };
}

function thresholdOf(given: unknown): Threshold | undefined {
  const { value, unit, level } = recordOf(given);
  const number = numberOf(value);
  if (number === undefined) return undefined;
  return { value: number, unit: textOf(unit) ?? '1', level: level === 'alarm' ? 'alarm' : 'warning' };
}

const withoutRepeats = (lines: readonly ChartLine[]): ChartLine[] => [
  ...new Map(lines.map((line) => [line.alias, line])).values(),
];

/** The lines with a variable more, a text as a band, each element of a short array as a line; or why it cannot be drawn. */
export function withLine(
  { lines }: Pick<StripChartSettings, 'lines'>,
  facts: VariableFacts,
): Pick<StripChartSettings, 'lines'> | string {
  const isText = facts.kind === 'text' && facts.dim.length === 0 && lines.length < MOST_LINES;
  const aliases = isText ? [facts.alias] : drawable(facts, MOST_LINES - lines.length);
  if (typeof aliases === 'string') return aliases;
  return { lines: withoutRepeats([...lines, ...aliases.map((alias) => ({ alias }))]) };
}

/** The numbers of a variable by their aliases, if there are not more than so many. */
export function drawable({ alias, kind, dim, access }: VariableFacts, room: number): string[] | string {
  if (kind === 'struct') return `${alias} is a structure; put its members here`;
  if (kind === 'text') return `${alias} is a text, which cannot be drawn`;
  if (access === 'write-only') return `${alias} is write-only`;
  if (dim.includes(0)) return `${alias} has no fixed length; put its elements here`;
  const count = dim.reduce((product, extent) => product * extent, 1);
  if (count > room)
    return room < 1
      ? `a chart has at most ${MOST_LINES} lines`
      : `${alias} has ${count} elements; put some of them here`;
  return dim.reduce((names, extent) => names.flatMap((name) => indexed(name, extent)), [alias]);
}

const indexed = (name: string, extent: number): string[] =>
  Array.from({ length: extent }, (_, index) => `${name}[${index}]`);

/** Whether the server computes it: a derived signal. */
const isExpression = (alias: string): boolean => alias.startsWith('=');

/** Names as short as they can be while they differ: the part before the last dot goes if all share it. */
export function shortNames(aliases: readonly string[]): string[] {
  const headOf = (alias: string): string => (isExpression(alias) ? '' : alias.slice(0, alias.lastIndexOf('.') + 1));
  const [first = ''] = aliases;
  const head = headOf(first);
  const isShared = aliases.length > 1 && head !== '' && aliases.every((alias) => headOf(alias) === head);
  return isShared ? aliases.map((alias) => alias.slice(head.length)) : [...aliases];
}

export function chartTitle({ lines }: Pick<StripChartSettings, 'lines'>): string {
  const [first, ...others] = lines;
  if (!first) return 'Strip chart';
  return others.length === 0 ? first.alias : `${first.alias} and ${others.length} more`;
}
