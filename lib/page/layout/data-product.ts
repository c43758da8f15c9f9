// Pages of plots and tables of Trick's data products: each page becomes a tab of plots of whole runs.
import {
  type Product,
  type ProductAxis,
  type ProductPage,
  type ProductPlot,
  type ProductTable,
  type ProductVariable,
  TIME,
} from '../../../grammar/data-product/product.js';
import type { RunLook } from '../panels/values/run-look.js';
import { GRID_COLUMNS, type GridPlace } from './grid.js';
import { type Layout, layoutOf } from './layout.js';

interface ShownProduct {
  readonly layout: Layout;
  /** What the file has and the page has not, in one sentence. */
  readonly leftOut: string | undefined;
}

interface Panel {
  readonly type: string;
  readonly place: GridPlace;
  readonly settings: object;
}

/** Rows of the grid that a page of plots takes. */
const [PAGE_ROWS, LEAST_ROWS] = [18, 7];

/**
 * @param run what the names of variables in tables begin with.
 * @param looks what runs call otherwise.
 */
export function layoutOfProduct(
  product: Product,
  name: string,
  run: string,
  looks: Readonly<Record<string, RunLook>> = {},
): ShownProduct {
  const left = new Set<string>(product.unread);
  const pages = product.pages.map((page) => ({ name: page.title, panels: panelsOf(page, left) }));
  const tables = product.tables.map((table) => ({ name: table.title, panels: [tableOf(table, run, left)] }));
  const leftOut = left.size === 0 ? undefined : `${name} has what this page leaves out: ${[...left].join(', ')}`;
  return { layout: layoutOf({ version: 1, tabs: [...pages, ...tables], runs: looks }), leftOut };
}

function panelsOf({ across, down, plots }: ProductPage, left: Set<string>): Panel[] {
  const columns = Math.floor(GRID_COLUMNS / across);
  const rows = Math.max(LEAST_ROWS, Math.floor(PAGE_ROWS / down));
  return plots.map((plot, k) => ({
    type: 'run-plot',
    place: { x: columns * (k % across), y: rows * Math.floor(k / across), columns, rows },
    settings: plotOf(plot, left),
  }));
}

interface Named {
  readonly alias: string;
  readonly units?: string;
  readonly scale?: number;
  readonly bias?: number;
  readonly label?: string;
  readonly colour?: string;
}

function plotOf({ title, curves, x: acrossAxis, y: axis, ...times }: ProductPlot, left: Set<string>): object {
  const pairs = curves.flatMap((curve) => curve.slice(0, 1));
  const lines = pairs.map(({ y }) => {
    const line = namedOf(y, left);
    return line.units === undefined && axis.units !== undefined ? { ...line, units: axis.units } : line;
  });
  const [x] = pairs.map((pair) => pair.x).filter((each) => each.name !== TIME);
  if (pairs.some((pair) => pair.x.name !== (x?.name ?? TIME))) left.add('curves over several variables in one plot');
  if (acrossAxis.isLogarithmic || (x && (acrossAxis.min ?? acrossAxis.max) !== undefined))
    left.add('ends and logarithms across');
  // Ends of the axis of the time are times.
  const [from, to] = x ? [times.from, times.to] : [acrossAxis.min ?? times.from, acrossAxis.max ?? times.to];
  return {
    lines,
    ...(x && { x: namedOf(x, left) }),
    ...(title !== undefined && { title }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ranges: rangesOf(axis, lines),
  };
}

function namedOf({ name, units, scale, bias, colour, label, more }: ProductVariable, left: Set<string>): Named {
  for (const each of more) left.add(each);
  return {
    alias: name,
    ...(units !== undefined && { units }),
    ...(scale !== 1 && { scale }),
    ...(bias !== 0 && { bias }),
    ...(label !== undefined && { label }),
    ...(colour !== undefined && { colour }),
  };
}

/** By unit; where the file has none, for all. */
function rangesOf({ min, max, isLogarithmic }: ProductAxis, [first]: readonly Named[]): object {
  if (min === undefined && max === undefined && !isLogarithmic) return {};
  return { [first?.units ?? '']: { min, max, isLogarithmic } };
}

function tableOf({ columns, from, to }: ProductTable, run: string, left: Set<string>): Panel {
  if (from !== undefined || to !== undefined) left.add('tstart and tstop');
  left.add('rows of tables but for those at the time of the playback');
  const rows = columns
    .filter(({ name }) => name !== TIME)
    .map(({ name, units, format }) => {
      if (format !== undefined) left.add('formats');
      return { alias: run === '' ? name : `${run}.${name}`, ...(units !== undefined && { units }) };
    });
  return { type: 'table', place: { x: 0, y: 0, columns: GRID_COLUMNS, rows: PAGE_ROWS }, settings: { rows } };
}
