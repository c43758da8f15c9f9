// The layout of a simulation that ships none: a table of its first variables, and plots of them.
import type { ListedVariable } from '../data/server.js';
import { GRID_COLUMNS, type GridPlace, ROW_PIXELS } from './grid.js';
import { type Layout, layoutOf } from './layout.js';

/** The most rows of a table beside a trajectory. */
const MOST_VALUES = 16;
/** Heights of a table: its title and head together, and one of its lines. */
const TABLE_PIXELS = { head: 74, line: 28 } as const;
const MOST_PLOTS = { desk: 2, wall: 6 } as const;
const MOST_LINES = 4;
/** Longer arrays are not shown: nobody looks at them as a whole. */
const MOST_ELEMENTS = 4;

const LENGTH = /^(m|km|ft|nmi|mile|cm|mm)$/;
const FRACTION = /^(float|double)$/;

/** The room that can be seen at once. */
export interface Room {
  /** Rows of the grid. */
  readonly rows: number;
  readonly widthPixels: number;
}

const DESK: Room = { rows: 20, widthPixels: 1200 };
/** Rows of the layout: a phone scrolls from the least on; on a wall, lines of one plot need no more than the most. */
const ROWS = { least: 20, most: 64, ofPlot: { least: 8, most: 32 }, leastOfTable: 5 } as const;
/** From this width on, plots lie side by side. */
const WALL_PIXELS = 2400;

interface Kinds {
  readonly plot?: 'strip-chart' | 'run-plot';
  readonly pictures?: readonly string[];
}

/**
 * @param variables of the simulation itself, in the order in which it declares them.
 * @param kinds of panels: of plots, and of pictures of it in space, which come before the plots.
 */
export function firstLayout(
  variables: readonly ListedVariable[],
  room: Room = DESK,
  { plot = 'strip-chart', pictures = [] }: Kinds = {},
): Layout {
  const readable = variables.filter(({ access }) => access !== 'write-only');
  const isWall = room.widthPixels >= WALL_PIXELS;
  const rows = bounded(room.rows, ROWS.least, ROWS.most);
  const plots = plotsOf(readable, isWall ? MOST_PLOTS.wall : MOST_PLOTS.desk - (pictures.length % 2));
  const views = [
    ...pictures.map((type) => ({ type, settings: {} })),
    ...plots.map((lines) => ({ type: plot, settings: { lines: lines.map((alias) => ({ alias })) } })),
  ];
  const columns = views.length === 0 ? 16 : isWall ? 6 : 9;
  const [trajectory] = readable.filter(isPlane);
  const mostValues = trajectory ? MOST_VALUES : Math.max(MOST_VALUES, valuesIn(rows));
  const values = readable.filter((variable) => elementsOf(variable).length > 0).slice(0, mostValues);
  const tableRows = bounded(rowsFor(values.length), ROWS.leastOfTable, rows);
  const panels = [
    ...(values.length > 0
      ? [
          {
            type: 'table',
            place: { x: 0, y: 0, columns, rows: tableRows },
            settings: { rows: values.map(({ alias }) => ({ alias })) },
          },
        ]
      : []),
    ...(trajectory
      ? [
          {
            type: 'xy-plot',
            place: {
              x: 0,
              y: tableRows,
              columns,
              rows: bounded(rows - tableRows, ROWS.ofPlot.least, ROWS.ofPlot.most),
            },
            settings: { trajectories: [{ x: `${trajectory.alias}[0]`, y: `${trajectory.alias}[1]` }] },
          },
        ]
      : []),
    ...placesOf(views.length, { x: columns, rows, sideBySide: isWall || pictures.length > 1 ? 2 : 1 }).map(
      (place, k) => ({
        ...views[k],
        place,
      }),
    ),
  ];
  return layoutOf({ version: 1, tabs: [{ name: 'Main', panels }] });
}

interface PlotRoom {
  /** Column at which the plots begin. */
  readonly x: number;
  readonly rows: number;
  readonly sideBySide: number;
}

/** Places that fill the room to the right; the last of a line has what is left over. */
function placesOf(count: number, { x, rows, sideBySide }: PlotRoom): readonly GridPlace[] {
  const beside = Math.min(sideBySide, count);
  const columns = Math.floor((GRID_COLUMNS - x) / beside);
  const lines = Math.ceil(count / beside);
  const filled = bounded(rows, lines * ROWS.ofPlot.least, lines * ROWS.ofPlot.most);
  const top = (line: number): number => Math.floor((filled * line) / lines);
  return Array.from({ length: count }, (_, k) => {
    const line = Math.floor(k / beside);
    const from = x + columns * (k % beside);
    const isLast = k % beside === beside - 1;
    return { x: from, y: top(line), columns: isLast ? GRID_COLUMNS - from : columns, rows: top(line + 1) - top(line) };
  });
}

const rowsFor = (values: number): number => Math.ceil((TABLE_PIXELS.head + TABLE_PIXELS.line * values) / ROW_PIXELS);
const valuesIn = (rows: number): number => Math.floor((ROW_PIXELS * rows - TABLE_PIXELS.head) / TABLE_PIXELS.line);

const bounded = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** A position in a plane, which shows best as a trajectory. */
const isPlane = ({ unit, dim, type_path }: ListedVariable): boolean =>
  LENGTH.test(unit) && dim.length === 1 && dim[0] === 2 && FRACTION.test(type_path);

/** Paths of the first numbers, those of one unit together; numbers without a unit come last. */
function plotsOf(variables: readonly ListedVariable[], most: number): readonly string[][] {
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
    .slice(0, most)
    .map(([, aliases]) => aliases);
}

/** One value, or the elements of a short list; none of anything larger. */
function elementsOf({ alias, dim }: ListedVariable): string[] {
  const [extent, ...others] = dim;
  if (extent === undefined) return [alias];
  if (others.length > 0 || extent === 0 || extent > MOST_ELEMENTS) return [];
  return Array.from({ length: extent }, (_, k) => `${alias}[${k}]`);
}
