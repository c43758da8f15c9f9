// Files that Trick View saves (.tv): its list of variables becomes a table, each strip chart a plot.
import { childrenOf, textIn, type XmlElement } from '../../../grammar/data-product/element.js';
import { freePlace } from './grid.js';
import { type Layout, layoutOf, type PlacedPanel } from './layout.js';

/** Trick's clock in tics; strip charts over it are over time. */
const TIME = /^trick_sys\.sched\.time_tics$/;
const SIZES = { table: { columns: 8, rows: 14 }, chart: { columns: 16, rows: 9 } } as const;

/** A layout of one tab. Throws one sentence for a file without variables or strip charts. */
export function layoutOfTrickView(root: XmlElement, name: string): Layout {
  const variables = childrenOf(root, 'variable').flatMap((element) => {
    const alias = textIn(element, 'name');
    return alias === undefined ? [] : [{ alias, units: textIn(element, 'units') }];
  });
  const charts = childrenOf(root, 'stripChart');
  const shown = variables.filter(({ alias }) => !TIME.test(alias));
  if (shown.length === 0 && charts.length === 0) {
    throw new Error(`${name} has no variables and no strip charts, as files of Trick View have`);
  }
  const panels: PlacedPanel[] = [];
  const add = (type: string, settings: PlacedPanel['settings'], size: { columns: number; rows: number }): void => {
    panels.push({ id: `panel-${panels.length + 1}`, type, settings, place: freePlace(panels, size) });
  };
  if (shown.length > 0) add('table', { rows: shown.map(rowOf) }, SIZES.table);
  const unitsOf = new Map(variables.map(({ alias, units }) => [alias, units]));
  for (const chart of charts) addChart(chart, unitsOf, (type, settings) => add(type, settings, SIZES.chart));
  return layoutOf({ version: 1, tabs: [{ name: name.replace(/\.(tv|xml)$/i, ''), panels }] });
}

function addChart(
  chart: XmlElement,
  unitsOf: ReadonlyMap<string, string | undefined>,
  add: (type: string, settings: PlacedPanel['settings']) => void,
): void {
  const domain = textIn(chart, 'domainVariable');
  const title = textIn(childrenOf(chart, 'title')[0], 'text');
  const plotted = childrenOf(chart, 'plottedVariable').map(({ text }) => ({ alias: text, units: unitsOf.get(text) }));
  const named = title === undefined ? {} : { title };
  if (domain === undefined || TIME.test(domain)) add('strip-chart', { ...named, lines: plotted.map(rowOf) });
  else add('xy-plot', { ...named, trajectories: plotted.map(({ alias }) => ({ x: domain, y: alias })) });
}

/** Trick writes `--` and `1` for no units. */
const rowOf = ({ alias, units }: { readonly alias: string; readonly units: string | undefined }): object =>
  units === undefined || units === '--' || units === '1' ? { alias } : { alias, units };
