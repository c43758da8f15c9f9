// A plot's value axes: one for each unit, on the left and the right in turn.

export interface ValueAxis {
  /** The name of uPlot's scale. */
  readonly scale: string;
  readonly unit: string;
  /** Indices of the variables that it measures. */
  readonly members: readonly number[];
  readonly side: 'left' | 'right';
}

/** More axes would leave no room for the plot; the variables of further units share the last. */
export const MOST_AXES = 4;

/** Axes in the order in which their units first come; no unit, "1" and "--" are the same. */
export function valueAxes(units: readonly string[]): ValueAxis[] {
  const groups = new Map<string, number[]>();
  for (const [index, unit] of units.entries()) {
    const name = unit === '' || unit === '--' ? '1' : unit;
    const isKnown = groups.has(name) || groups.size < MOST_AXES;
    const key = isKnown ? name : ([...groups.keys()].at(-1) as string);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  return [...groups].map(([unit, members], index) => ({
    scale: `y${index}`,
    unit,
    members,
    side: index % 2 === 0 ? 'left' : 'right',
  }));
}

/** What stands beside an axis. */
export const axisTitle = ({ unit }: ValueAxis): string => (unit === '1' ? '' : unit);

/** Room above and below the values, as a share of their range. */
const ROOM = 0.06;

/**
 * The range of an axis around what is drawn. A constant gets room on both sides, so that it is drawn in the middle;
 * no value at all gives 0 to 1.
 */
export function valueRange(least: number | null, most: number | null): [number, number] {
  if (least === null || most === null || !Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  const extent = most - least;
  const room = extent > 0 ? extent * ROOM : Math.max(Math.abs(most) * 0.1, 1e-9);
  return extent === 0 && most === 0 ? [-1, 1] : [least - room, most + room];
}
