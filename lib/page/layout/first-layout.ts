// The layout of a simulation that ships none: a table of its first variables, and plots of its first quantities.
import type { ListedVariable } from '../data/server.js';
import { type Layout, layoutOf } from './layout.js';

const MOST_ROWS = 16;
const MOST_PLOTS = 2;
const MOST_LINES = 4;
/** Longer arrays are no quantity that people look at as a whole. */
const MOST_ELEMENTS = 4;

const FRACTION = /^(float|double)$/;

/** @param variables of the simulation itself, in the order in which it declares them. */
export function firstLayout(variables: readonly ListedVariable[]): Layout {
  const readable = variables.filter(({ access }) => access !== 'write-only');
  const rows = readable.filter((variable) => elementsOf(variable).length > 0).slice(0, MOST_ROWS);
  const plots = plotsOf(readable);
  const tableColumns = plots.length > 0 ? 9 : 16;
  const panels = [
    ...(rows.length > 0
      ? [
          {
            type: 'table',
            place: { x: 0, y: 0, columns: tableColumns, rows: Math.max(8, Math.min(20, rows.length + 3)) },
            settings: { rows: rows.map(({ alias }) => ({ alias })) },
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
