// Pages of plots and tables as Trick's data products describe them (DP_*.xml): each page becomes a tab of plots of whole runs.
// Trick: data_products/DPX/XML/DTD/Product.dtd
import { GRID_COLUMNS, type GridPlace } from './grid.js';
import { type Layout, layoutOf } from './layout.js';
import { childrenOf, textIn, type XmlElement } from './xml-element.js';

export interface Product {
  readonly layout: Layout;
  /** What the file has and the page has not, in one sentence. */
  readonly leftOut: string | undefined;
}

interface Panel {
  readonly type: string;
  readonly name?: string;
  readonly place: GridPlace;
  readonly settings: object;
}

const TIME = 'sys.exec.out.time';
/** Rows of the grid that a page of plots takes. */
const [PAGE_ROWS, LEAST_ROWS] = [18, 7];
const MOST_CELLS = 8;
/** All of a recording: beyond these there are no times. */
const NO_END = 1e19;

export const isProduct = ({ name }: XmlElement): boolean => name === 'product';

/**
 * Throws one sentence for a file without pages and tables.
 * @param run what the names of variables in tables begin with.
 */
export function layoutOfProduct(root: XmlElement, name: string, run: string): Product {
  const left = new Set<string>();
  const title = textIn(root, 'title') ?? name.replace(/^DP_|\.xml$/gi, '');
  if (childrenOf(root, 'extfn').length > 0) left.add('outside functions');
  lookForTimes(root, left);
  const pages = childrenOf(root, 'page').map((page, k) => ({
    name: textIn(page, 'title') ?? `${title} ${k + 1}`,
    panels: panelsOf(page, left),
  }));
  const tables = childrenOf(root, 'table').map((table, k) => ({
    name: textIn(table, 'title') ?? `Table ${k + 1}`,
    panels: [tableOf(table, run, left)],
  }));
  const tabs = [...pages, ...tables].filter(({ panels }) => panels.length > 0);
  if (tabs.length === 0) throw new Error(`${name} has no plots and no tables, as files of Trick's data products have`);
  const leftOut = left.size === 0 ? undefined : `${name} has what this page leaves out: ${[...left].join(', ')}`;
  return { layout: layoutOf({ version: 1, tabs }), leftOut };
}

/** Plots in rows and columns, as the page says, or as nearly square as they can be. */
function panelsOf(page: XmlElement, left: Set<string>): Panel[] {
  lookForTimes(page, left);
  const plots = childrenOf(page, 'plot');
  const across = cellsOf(page, 'hcells') ?? Math.ceil(Math.sqrt(plots.length));
  const down = cellsOf(page, 'vcells') ?? Math.ceil(plots.length / across);
  const columns = Math.floor(GRID_COLUMNS / across);
  const rows = Math.max(LEAST_ROWS, Math.floor(PAGE_ROWS / down));
  return plots.map((plot, k) => ({
    type: 'run-plot',
    place: { x: columns * (k % across), y: rows * Math.floor(k / across), columns, rows },
    settings: plotOf(plot, left),
  }));
}

function cellsOf({ attributes = {} }: XmlElement, name: string): number | undefined {
  const cells = Number(attributes[name]);
  return Number.isInteger(cells) && cells >= 1 && cells <= MOST_CELLS ? cells : undefined;
}

interface Named {
  readonly alias: string;
  readonly units?: string;
  readonly scale?: number;
  readonly bias?: number;
}

function plotOf(plot: XmlElement, left: Set<string>): object {
  lookForTimes(plot, left);
  const axisUnits = unitsOf(childrenOf(plot, 'yaxis')[0]);
  const curves = childrenOf(plot, 'curve').flatMap((curve) => {
    const found = curveOf(curve, left);
    return found ? [found] : [];
  });
  const lines = curves.map(({ y }) =>
    y.units === undefined && axisUnits !== undefined ? { ...y, units: axisUnits } : y,
  );
  const [x] = curves.map((curve) => curve.x).filter(({ alias }) => alias !== TIME);
  if (curves.some((curve) => curve.x.alias !== (x?.alias ?? TIME)))
    left.add('curves over several variables in one plot');
  const title = textIn(plot, 'title');
  return { lines, ...(x && { x }), ...(title !== undefined && { title }), ranges: rangesOf(plot, lines, left) };
}

/** The first names of a curve, where several mean the same data. */
function curveOf(curve: XmlElement, left: Set<string>): { readonly x: Named; readonly y: Named } | undefined {
  const cases = childrenOf(curve, 'varcase');
  if (cases.length > 1) left.add('second names of curves');
  const [x, y, z] = childrenOf(cases[0] ?? curve, 'var');
  if (z) left.add('a third dimension');
  return x && y && x.text !== '' && y.text !== '' ? { x: namedOf(x, left), y: namedOf(y, left) } : undefined;
}

function namedOf({ text, attributes = {} }: XmlElement, left: Set<string>): Named {
  const number = (name: string): number | undefined => {
    const value = Number(attributes[name] ?? 'none');
    return Number.isFinite(value) ? value : undefined;
  };
  const [units, scale, bias] = [unitsIn(attributes.units), number('scale'), number('bias')];
  const looks = ['line_color', 'line_style', 'symbol_style', 'symbol_size', 'gnuplot_line_style'];
  if (looks.some((look) => attributes[look] !== undefined)) left.add('colours and symbols of curves');
  if (attributes.from_units !== undefined) left.add('from_units');
  if (attributes.max !== undefined) left.add('max');
  if (attributes.label !== undefined) left.add('labels of curves');
  return {
    alias: text,
    ...(units !== undefined && { units }),
    ...(scale !== undefined && scale !== 1 && { scale }),
    ...(bias !== undefined && bias !== 0 && { bias }),
  };
}

/** The page has ranges by unit. */
function rangesOf({ attributes = {} }: XmlElement, [first]: readonly Named[], left: Set<string>): object {
  const end = (name: string): number | undefined => {
    const value = Number.parseFloat(attributes[name] ?? '');
    return Number.isFinite(value) ? value : undefined;
  };
  const [min, max, isLogarithmic] = [end('ymin'), end('ymax'), /^log/i.test(attributes.y_scale ?? '')];
  if (['xmin', 'xmax'].some((name) => end(name) !== undefined) || /^log/i.test(attributes.x_scale ?? ''))
    left.add('ends and logarithms across');
  if (min === undefined && max === undefined && !isLogarithmic) return {};
  if (first?.units === undefined) {
    left.add('ends and logarithms of axes whose units do not stand in the file');
    return {};
  }
  return { [first.units]: { min, max, isLogarithmic } };
}

function tableOf(table: XmlElement, run: string, left: Set<string>): Panel {
  lookForTimes(table, left);
  left.add('rows of tables but for those at the time of the playback');
  const rows = childrenOf(table, 'column').flatMap((column) => {
    if (column.attributes?.format !== undefined) left.add('formats');
    const [named] = childrenOf(column, 'var');
    const units = unitsIn(named?.attributes?.units) ?? unitsOf(column);
    if (!named || named.text === '' || named.text === TIME) return [];
    return [{ alias: run === '' ? named.text : `${run}.${named.text}`, ...(units !== undefined && { units }) }];
  });
  return { type: 'table', place: { x: 0, y: 0, columns: GRID_COLUMNS, rows: PAGE_ROWS }, settings: { rows } };
}

function lookForTimes(element: XmlElement, left: Set<string>): void {
  const isBounded = ['tstart', 'tstop'].some((name) => Math.abs(Number(textIn(element, name) ?? NO_END)) < NO_END);
  const isStart = Number(textIn(element, 'tstart') ?? 0) === 0 && textIn(element, 'tstop') === undefined;
  if (isBounded && !isStart) left.add('tstart and tstop');
  if (Number(textIn(element, 'frequency') ?? 0) !== 0) left.add('frequency');
}

const unitsOf = (element: XmlElement | undefined): string | undefined => unitsIn(element && textIn(element, 'units'));

/** Trick writes `--` and `1` for no units. */
const unitsIn = (text: string | undefined): string | undefined =>
  text === undefined || text === '' || text === '--' || text === '1' ? undefined : text;
