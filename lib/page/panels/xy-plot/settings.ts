// Settings of an X-Y plot: its trajectories, how much of the past they show, and whether the axes are equal.
import type { VariableFacts } from '../../data/server.js';
import { LONGEST_SPAN, SHORTEST_SPAN } from '../plot/time-window.js';
import { listOf, numberOf, recordOf, textOf } from '../values/given.js';

export interface Trajectory {
  readonly x: string;
  /** Undefined until a person has chosen it. */
  readonly y?: string | undefined;
  /** Units of both axes; undefined for the variables' own. */
  readonly units?: string | undefined;
}

export interface XYPlotSettings {
  readonly [name: string]: unknown;
  readonly trajectories: readonly Trajectory[];
  /** Seconds of the past that are drawn; undefined for all of it. */
  readonly span: number | undefined;
  readonly isEqual: boolean;
}

export const MOST_TRAJECTORIES = 8;

export function xyPlotSettings(given: unknown): XYPlotSettings {
  const { trajectories, span, isEqual } = recordOf(given);
  return {
    trajectories: listOf(trajectories, MOST_TRAJECTORIES, trajectoryOf),
    span: numberOf(span, SHORTEST_SPAN, LONGEST_SPAN),
    isEqual: isEqual !== false,
  };
}

function trajectoryOf(given: unknown): Trajectory | undefined {
  const { x, y, units } = recordOf(given);
  const name = textOf(x);
  return name === undefined ? undefined : { x: name, y: textOf(y), units: textOf(units) };
}

/** An array gives its first two elements; of single variables the first is x and the next is y. */
export function withAxis(
  { trajectories }: Pick<XYPlotSettings, 'trajectories'>,
  { alias, kind, dim, access }: VariableFacts,
): Partial<XYPlotSettings> | string {
  if (kind === 'struct' || kind === 'text') return `${alias} is no number; put numbers here`;
  if (access === 'write-only') return `${alias} is write-only`;
  const last = trajectories.at(-1);
  if (dim.length === 0 && last && last.y === undefined) {
    return { trajectories: [...trajectories.slice(0, -1), { ...last, y: alias }] };
  }
  if (trajectories.length >= MOST_TRAJECTORIES) return `a plot has at most ${MOST_TRAJECTORIES} trajectories`;
  if (dim.length === 0) return { trajectories: [...trajectories, { x: alias }] };
  if (dim.length > 1 || (dim[0] as number) < 2)
    return `${alias} is no point; put two numbers here, or an array of them`;
  return { trajectories: [...trajectories, { x: `${alias}[0]`, y: `${alias}[1]` }] };
}

/** The units of both axes, which are those of the first trajectory; undefined where a variable is not known. */
export function axisUnits(
  [first]: readonly Trajectory[],
  factsOf: (alias: string) => VariableFacts | undefined,
): { x: string | undefined; y: string | undefined } {
  const unitOf = (alias: string | undefined): string | undefined =>
    first?.units ?? (alias === undefined ? undefined : factsOf(alias)?.unit);
  return { x: unitOf(first?.x), y: unitOf(first?.y) };
}

export type CompleteTrajectory = Trajectory & { readonly y: string };

/** The trajectories that have both variables. */
export const complete = (trajectories: readonly Trajectory[]): CompleteTrajectory[] =>
  trajectories.flatMap((each) => (each.y === undefined ? [] : [{ ...each, y: each.y }]));

export function xyPlotTitle({ trajectories: [first, ...others] }: Pick<XYPlotSettings, 'trajectories'>): string {
  if (!first) return 'X-Y plot';
  const name = `${first.y ?? '…'} over ${first.x}`;
  return others.length > 0 ? `${name} and ${others.length} more` : name;
}
