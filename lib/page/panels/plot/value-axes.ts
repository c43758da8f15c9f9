// A plot's value axes: one for each unit, on the left and the right in turn, and one of its own for who wants it.

export interface ValueAxis {
  /** The name of uPlot's scale. */
  readonly scale: string;
  /** A unit, or what `ownAxis` has made. */
  readonly unit: string;
  /** Indices of the variables that it measures. */
  readonly members: readonly number[];
  readonly side: 'left' | 'right';
}

/** More axes would leave no room for the plot; the variables of further units share the last. */
export const MOST_AXES = 4;

const OF = ' of ';

/** Names the axis that a line has alone. */
export const ownAxis = (unit: string, alias: string): string => `${unit}${OF}${alias}`;

/** Axes in the order in which their units first come; no unit, "1" and "--" are the same. Undefined has no axis. */
export function valueAxes(units: readonly (string | undefined)[]): ValueAxis[] {
  const groups = new Map<string, number[]>();
  for (const [index, unit] of units.entries()) {
    if (unit === undefined) continue;
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
export function axisTitle({ unit }: Pick<ValueAxis, 'unit'>): string {
  const [name = '', ...alias] = unit.split(OF);
  const own = alias.join(OF);
  if (own === '') return name === '1' ? '' : name;
  const short = own.slice(own.lastIndexOf('.') + 1);
  return name === '1' || name === '' ? short : `${short}, ${name}`;
}

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

/** The range of a logarithmic axis, around the values above 0; without one, 0.1 to 10. */
export function logarithmicRange(columns: readonly Iterable<number | null | undefined>[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const value of columns.flatMap((column) => [...column])) {
    if (typeof value !== 'number' || !(value > 0)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (most === 0) return [0.1, 10];
  return [10 ** Math.floor(Math.log10(least) + 1e-9), 10 ** Math.ceil(Math.log10(most * 1.0001))];
}
