// Pages of plots and tables of Trick's data products: each page becomes a tab of plots of whole runs.
import {
  type Product,
  type ProductAxis,
  type ProductCurve,
  type ProductPage,
  type ProductPlot,
  type ProductTable,
  type ProductVariable,
  TIME,
} from '../../../grammar/data-product/product.js';
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

/** @param run what the names of variables in tables begin with. */
export function layoutOfProduct(product: Product, name: string, run: string): ShownProduct {
  const left = new Set<string>(product.unread);
  const pages = product.pages.map((page) => ({ name: page.title, panels: panelsOf(page, left) }));
  const tables = product.tables.map((table) => ({ name: table.title, panels: [tableOf(table, run, left)] }));
  const leftOut = left.size === 0 ? undefined : `${name} has what this page leaves out: ${[...left].join(', ')}`;
  return { layout: layoutOf({ version: 1, tabs: [...pages, ...tables] }), leftOut };
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
}

function plotOf({ title, curves, x: acrossAxis, y: axis, from, to }: ProductPlot, left: Set<string>): object {
  if (from !== undefined || to !== undefined) left.add('tstart and tstop');
  const pairs = curves.flatMap((curve) => firstOf(curve, left));
  const lines = pairs.map(({ y }) => {
    const line = namedOf(y, left);
    return line.units === undefined && axis.units !== undefined ? { ...line, units: axis.units } : line;
  });
  const [x] = pairs.map((pair) => pair.x).filter((each) => each.name !== TIME);
  if (pairs.some((pair) => pair.x.name !== (x?.name ?? TIME))) left.add('curves over several variables in one plot');
  if (acrossAxis.min !== undefined || acrossAxis.max !== undefined || acrossAxis.isLogarithmic)
    left.add('ends and logarithms across');
  return {
    lines,
    ...(x && { x: namedOf(x, left) }),
    ...(title !== undefined && { title }),
    ranges: rangesOf(axis, lines, left),
  };
}

/** The first names of a curve, where several mean the same data. */
function firstOf(curve: ProductCurve, left: Set<string>): ProductCurve {
  if (curve.length > 1) left.add('second names of curves');
  return curve.slice(0, 1);
}

function namedOf({ name, units, scale, bias, colour, label, more }: ProductVariable, left: Set<string>): Named {
  if (colour !== undefined) left.add('colours of curves');
  if (label !== undefined) left.add('labels of curves');
  for (const each of more) left.add(each);
  return {
    alias: name,
    ...(units !== undefined && { units }),
    ...(scale !== 1 && { scale }),
    ...(bias !== 0 && { bias }),
  };
}

/** The page has ranges by unit. */
function rangesOf({ min, max, isLogarithmic }: ProductAxis, [first]: readonly Named[], left: Set<string>): object {
  if (min === undefined && max === undefined && !isLogarithmic) return {};
  if (first?.units === undefined) {
    left.add('ends and logarithms of axes whose units do not stand in the file');
    return {};
  }
  return { [first.units]: { min, max, isLogarithmic } };
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
