// Pages of plots and tables as Trick's data products describe them (DP_*.xml), or in the text of Trick 05 (.dp).
// Trick: data_products/DPX/XML/DTD/Product.dtd
import { childrenOf, textIn, type XmlElement } from './element.js';

export const TIME = 'sys.exec.out.time';

export interface ProductVariable {
  readonly name: string;
  readonly units?: string;
  readonly label?: string;
  readonly colour?: string;
  /** What is drawn is the value in its units, times scale, plus bias. */
  readonly scale: number;
  readonly bias: number;
  /** What is said of it besides, for sentences: `from_units`. */
  readonly more: readonly string[];
}

/** Several names that mean the same data: the first that there is counts. */
export type ProductCurve = readonly { readonly x: ProductVariable; readonly y: ProductVariable }[];

export interface ProductAxis {
  readonly label?: string;
  readonly units?: string;
  readonly min?: number;
  readonly max?: number;
  readonly isLogarithmic: boolean;
}

/** Seconds of the recording; all when undefined. */
export interface ProductTimes {
  readonly from?: number;
  readonly to?: number;
}

export interface ProductPlot extends ProductTimes {
  readonly title?: string;
  readonly curves: readonly ProductCurve[];
  readonly x: ProductAxis;
  readonly y: ProductAxis;
}

export interface ProductPage {
  readonly title: string;
  /** Plots beside each other, and rows of them. */
  readonly across: number;
  readonly down: number;
  readonly plots: readonly ProductPlot[];
}

export interface ProductTable extends ProductTimes {
  readonly title: string;
  readonly columns: readonly (ProductVariable & { readonly format?: string })[];
}

export interface Product {
  readonly pages: readonly ProductPage[];
  readonly tables: readonly ProductTable[];
  /** What it has that is not read, for a sentence. */
  readonly unread: readonly string[];
}

const MOST_CELLS = 8;
/** All of a recording: beyond these there are no times. */
const NO_END = 1e19;
const LOOKS = ['line_style', 'symbol_style', 'symbol_size', 'gnuplot_line_style'];

export const isProduct = ({ name }: XmlElement): boolean => name === 'product';

/** @param file what it is called. Throws one sentence for a file without plots and tables. */
export function productOf(root: XmlElement, file: string): Product {
  const unread = new Set<string>();
  const title = textIn(root, 'title') ?? file.replace(/^DP_|\.(xml|dp)$/gi, '');
  if (childrenOf(root, 'extfn').length > 0) unread.add('outside functions');
  const times = timesOf(root, {}, unread);
  const pages = childrenOf(root, 'page').map((page, k) =>
    pageOf(page, textIn(page, 'title') ?? `${title} ${k + 1}`, times, unread),
  );
  const tables = childrenOf(root, 'table').map((table, k) => ({
    title: textIn(table, 'title') ?? `Table ${k + 1}`,
    columns: childrenOf(table, 'column').flatMap(columnOf),
    ...timesOf(table, times, unread),
  }));
  const shown = pages.filter(({ plots }) => plots.length > 0);
  if (shown.length + tables.length === 0)
    throw new Error(`${file} has no plots and no tables, as files of Trick's data products have`);
  return { pages: shown, tables, unread: [...unread] };
}

/** In rows and columns as the page says, or as nearly square as they can be. */
function pageOf(page: XmlElement, title: string, outer: ProductTimes, unread: Set<string>): ProductPage {
  const times = timesOf(page, outer, unread);
  const plots = childrenOf(page, 'plot').map((plot) => plotOf(plot, times, unread));
  const across = cellsOf(page, 'hcells') ?? Math.ceil(Math.sqrt(plots.length));
  return { title, across, down: cellsOf(page, 'vcells') ?? Math.ceil(plots.length / across), plots };
}

function cellsOf({ attributes = {} }: XmlElement, name: string): number | undefined {
  const cells = Number(attributes[name]);
  return Number.isInteger(cells) && cells >= 1 && cells <= MOST_CELLS ? cells : undefined;
}

function plotOf(plot: XmlElement, outer: ProductTimes, unread: Set<string>): ProductPlot {
  const title = textIn(plot, 'title');
  return {
    ...timesOf(plot, outer, unread),
    ...(title !== undefined && { title }),
    curves: childrenOf(plot, 'curve').flatMap((curve) => {
      const found = curveOf(curve, unread);
      return found.length > 0 ? [found] : [];
    }),
    x: axisOf(plot, 'x'),
    y: axisOf(plot, 'y'),
  };
}

function curveOf(curve: XmlElement, unread: Set<string>): ProductCurve {
  const cases = childrenOf(curve, 'varcase');
  return (cases.length > 0 ? cases : [curve]).flatMap((one) => {
    const [x, y, z] = childrenOf(one, 'var');
    if (z) unread.add('a third dimension');
    return x && y && x.text !== '' && y.text !== '' ? [{ x: variableOf(x), y: variableOf(y) }] : [];
  });
}

function variableOf({ text, attributes = {} }: XmlElement): ProductVariable {
  const units = unitsIn(attributes.units);
  return {
    name: text,
    ...(units !== undefined && { units }),
    ...(attributes.label && { label: attributes.label }),
    ...(attributes.line_color && { colour: attributes.line_color }),
    scale: numberIn(attributes.scale) ?? 1,
    bias: numberIn(attributes.bias) ?? 0,
    more: [
      ...(LOOKS.some((look) => attributes[look] !== undefined) ? ['symbols of curves'] : []),
      ...['from_units', 'max'].filter((name) => attributes[name] !== undefined),
    ],
  };
}

function axisOf(plot: XmlElement, axis: 'x' | 'y'): ProductAxis {
  const { attributes = {} } = plot;
  const [element] = childrenOf(plot, `${axis}axis`);
  const [label, units] = [textIn(element, 'label'), unitsIn(textIn(element, 'units'))];
  const [min, max] = [numberIn(attributes[`${axis}min`]), numberIn(attributes[`${axis}max`])];
  return {
    ...(label !== undefined && { label }),
    ...(units !== undefined && { units }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    isLogarithmic: /^log/i.test(attributes[`${axis}_scale`] ?? ''),
  };
}

function columnOf(column: XmlElement): ProductTable['columns'] {
  const [named] = childrenOf(column, 'var');
  if (!named || named.text === '') return [];
  const units = unitsIn(textIn(column, 'units'));
  const format = column.attributes?.format;
  return [{ ...(units !== undefined && { units }), ...variableOf(named), ...(format !== undefined && { format }) }];
}

/** Trick writes -1e20 and 1e20 for all, and a start at 0 alone is all, too. */
function timesOf(element: XmlElement, outer: ProductTimes, unread: Set<string>): ProductTimes {
  if (Number(textIn(element, 'frequency') ?? 0) !== 0) unread.add('frequency');
  const [from, to] = [boundIn(textIn(element, 'tstart')), boundIn(textIn(element, 'tstop'))];
  return {
    ...outer,
    ...(from !== undefined && (from !== 0 || to !== undefined) && { from }),
    ...(to !== undefined && { to }),
  };
}

function boundIn(text: string | undefined): number | undefined {
  const seconds = numberIn(text);
  return seconds !== undefined && Math.abs(seconds) < NO_END ? seconds : undefined;
}

/** Trick's own files have units behind some numbers. */
function numberIn(text: string | undefined): number | undefined {
  const number = Number.parseFloat(text ?? '');
  return Number.isFinite(number) ? number : undefined;
}

/** Trick writes `--` and `1` for no units. */
const unitsIn = (text: string | undefined): string | undefined =>
  text === undefined || text === '' || text === '--' || text === '1' ? undefined : text;
