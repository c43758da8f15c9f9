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
  /** Fixed ends of an axis by its unit. */
  readonly ranges: Readonly<Record<string, AxisRange>>;
}

const MOST_LINES = 16;
const MOST_ONLY = 64;

export function runPlotSettings(given: unknown): RunPlotSettings {
  const { lines, isDifference, base, x, only, title, ranges } = recordOf(given);
  return {
    lines: withoutRepeats(listOf(lines, MOST_LINES, lineOf)),
    isDifference: isDifference === true,
    base: typeof base === 'string' ? base : undefined,
    x: lineOf(x),
    only: Array.isArray(only) ? listOf(only, MOST_ONLY, textOf) : undefined,
    title: textOf(title),
    ranges: Object.fromEntries(
      Object.entries(recordOf(ranges)).map(([unit, range]) => {
        const { min, max, isLogarithmic } = recordOf(range);
        return [unit, { min: numberOf(min), max: numberOf(max), ...(isLogarithmic === true && { isLogarithmic }) }];
      }),
    ),
  };
}

function lineOf(given: unknown): RunLine | undefined {
  const { alias, units, scale, bias } =
    typeof given === 'string' ? { alias: given } : (recordOf(given) as Record<string, unknown>);
  const name = textOf(alias);
  if (name === undefined) return undefined;
  const [times, plus] = [numberOf(scale), numberOf(bias)];
  return {
    alias: name,
    units: textOf(units),
    ...(times !== undefined && { scale: times }),
    ...(plus !== undefined && { bias: plus }),
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
