// Settings of a plot of runs: its variables, whether runs are laid over each other or taken from each other, and x.
import type { VariableFacts } from '../../data/server.js';
import type { AxisRange } from '../plot/chart-plan.js';
import { drawable } from '../strip-chart/settings.js';
import { listOf, numberOf, recordOf, textOf } from '../values/given.js';

export interface RunLine {
  /** A variable of any run, or an expression; other runs have the same below their own names. */
  readonly alias: string;
  readonly units?: string | undefined;
  readonly scale?: number | undefined;
  readonly bias?: number | undefined;
  /** What it is called in the plot. */
  readonly label?: string | undefined;
  /** Of a style sheet; where there are several runs, each of them has its own. */
  readonly colour?: string | undefined;
}

export interface RunPlotSettings {
  readonly [name: string]: unknown;
  readonly lines: readonly RunLine[];
  /** Each run less the one that is the base. */
  readonly isDifference: boolean;
  /** The run that others are compared with; undefined for the first. */
  readonly base: string | undefined;
  /** What stands across; undefined for the time. */
  readonly x: RunLine | undefined;
  /** Names of the runs that it shows; undefined for all. */
  readonly only: readonly string[] | undefined;
  readonly title: string | undefined;
  /** Only these seconds of the runs. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Fixed ends of an axis by its unit; without a unit, of all others. */
  readonly ranges: Readonly<Record<string, AxisRange>>;
}

const MOST_LINES = 16;
const MOST_ONLY = 64;
/** A colour that would end a style is none. */
const COLOUR = /^(#[0-9a-f]{3,8}|[a-z]{3,30})$/i;

export function runPlotSettings(given: unknown): RunPlotSettings {
  const { lines, isDifference, base, x, only, title, from, to, ranges } = recordOf(given);
  return {
    lines: withoutRepeats(listOf(lines, MOST_LINES, lineOf)),
    isDifference: isDifference === true,
    base: typeof base === 'string' ? base : undefined,
    x: lineOf(x),
    only: Array.isArray(only) ? listOf(only, MOST_ONLY, textOf) : undefined,
    title: textOf(title),
    from: numberOf(from),
    to: numberOf(to),
    ranges: Object.fromEntries(
      Object.entries(recordOf(ranges)).map(([unit, range]) => {
        const { min, max, isLogarithmic } = recordOf(range);
        return [unit, { min: numberOf(min), max: numberOf(max), ...(isLogarithmic === true && { isLogarithmic }) }];
      }),
    ),
  };
}

function lineOf(given: unknown): RunLine | undefined {
  const { alias, units, scale, bias, ...look } =
    typeof given === 'string' ? { alias: given } : (recordOf(given) as Record<string, unknown>);
  const name = textOf(alias);
  if (name === undefined) return undefined;
  const [times, plus] = [numberOf(scale), numberOf(bias)];
  const [label, colour] = [textOf(look.label), textOf(look.colour)];
  return {
    alias: name,
    units: textOf(units),
    ...(times !== undefined && { scale: times }),
    ...(plus !== undefined && { bias: plus }),
    ...(label !== undefined && { label }),
    ...(colour !== undefined && COLOUR.test(colour) && { colour }),
  };
}

const withoutRepeats = (lines: readonly RunLine[]): RunLine[] => [
  ...new Map(lines.map((line) => [line.alias, line])).values(),
];

/** The settings with a variable more, each element of a short array as a line; or why it cannot be drawn. */
export function withRunLine(
  { lines }: Pick<RunPlotSettings, 'lines'>,
  facts: VariableFacts,
): Partial<RunPlotSettings> | string {
  if (lines.length >= MOST_LINES) return `a plot of runs has at most ${MOST_LINES} variables`;
  const aliases = drawable(facts, MOST_LINES - lines.length);
  if (typeof aliases === 'string') return aliases;
  return { lines: withoutRepeats([...lines, ...aliases.map((alias) => ({ alias }))]) };
}

export function runPlotTitle({ lines, isDifference, x, title }: RunPlotSettings): string {
  const [first, ...others] = lines;
  if (title !== undefined) return title;
  if (!first) return 'Whole runs';
  const name = others.length === 0 ? nameOf(first) : `${nameOf(first)} and ${others.length} more`;
  if (x) return `${name} over ${nameOf(x)}`;
  return isDifference ? `Difference of ${name}` : name;
}

/** Without the name of a run, as a playback calls them. */
const nameOf = ({ alias }: RunLine): string => alias.replaceAll(/\b(run|reference)\d+\./g, '');
