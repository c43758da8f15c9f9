// The layout of a simulation that ships none: a table of its first variables, and plots of them.
import type { ListedVariable } from '../data/server.js';
import { type Layout, layoutOf } from './layout.js';

const MOST_ROWS = 16;
const MOST_PLOTS = 2;
const MOST_LINES = 4;
/** Longer arrays are no quantity that people look at as a whole. */
const MOST_ELEMENTS = 4;

const LENGTH = /^(m|km|ft|nmi|mile|cm|mm)$/;
const FRACTION = /^(float|double)$/;

/** @param variables of the simulation itself, in the order in which it declares them. */
export function firstLayout(variables: readonly ListedVariable[]): Layout {
  const readable = variables.filter(({ access }) => access !== 'write-only');
  const rows = readable.filter((variable) => elementsOf(variable).length > 0).slice(0, MOST_ROWS);
  const plots = plotsOf(readable);
  const tableColumns = plots.length > 0 ? 9 : 16;
  const tableRows = Math.max(5, Math.min(20, rows.length + 3));
  const [trajectory] = readable.filter(isPlane);
  const panels = [
    ...(rows.length > 0
      ? [
          {
            type: 'table',
            place: { x: 0, y: 0, columns: tableColumns, rows: tableRows },
            settings: { rows: rows.map(({ alias }) => ({ alias })) },
          },
        ]
      : []),
    ...(trajectory
      ? [
          {
            type: 'xy-plot',
            place: { x: 0, y: tableRows, columns: tableColumns, rows: Math.max(8, 20 - tableRows) },
            settings: { trajectories: [{ x: `${trajectory.alias}[0]`, y: `${trajectory.alias}[1]` }] },
          },
        ]
      : []),
    ...plots.map((lines, k) => ({
      type: 'strip-chart',
      place: { x: tableColumns, y: 10 * k, columns: 24 - tableColumns, rows: 10 },
      settings: { lines: lines.map((alias) => ({ alias })) },
    })),
  ];
  return layoutOf({ version: 1, tabs: [{ name: 'Main', panels }] });
}

/** A position in a plane, which shows best as a trajectory. */
const isPlane = ({ unit, dim, type_path }: ListedVariable): boolean =>
  LENGTH.test(unit) && dim.length === 1 && dim[0] === 2 && FRACTION.test(type_path);

/** Paths of the first numbers, those of one unit together; numbers without a unit come last. */
function plotsOf(variables: readonly ListedVariable[]): readonly string[][] {
  const byUnit = new Map<string, string[]>();
  for (const variable of variables) {
    if (!FRACTION.test(variable.type_path)) continue;
    const elements = elementsOf(variable);
    const group = byUnit.get(variable.unit) ?? [];
    if (group.length + elements.length <= MOST_LINES) byUnit.set(variable.unit, [...group, ...elements]);
  }
  const groups = [...byUnit].filter(([, aliases]) => aliases.length > 0);
  const isBare = ([unit]: readonly [string, unknown]): number => Number(unit === '1');
  return groups
    .sort((one, other) => isBare(one) - isBare(other))
    .slice(0, MOST_PLOTS)
    .map(([, aliases]) => aliases);
}

/** One value, or the elements of a short list; none of anything larger. */
function elementsOf({ alias, dim }: ListedVariable): string[] {
  const [extent, ...others] = dim;
  if (extent === undefined) return [alias];
  if (others.length > 0 || extent === 0 || extent > MOST_ELEMENTS) return [];
  return Array.from({ length: extent }, (_, k) => `${alias}[${k}]`);
}
