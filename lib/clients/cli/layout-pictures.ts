// Pages of Trick's data products as pictures, one of each page.
import {
  type Product,
  type ProductAxis,
  type ProductCurve,
  type ProductPage,
  type ProductPlot,
  TIME,
} from '../../../grammar/data-product/product.js';
import type { Column } from '../../simulation/recording/row.js';
import { curveOf, timeSpan } from '../../source/recording/curve.js';
import type { Recording } from '../../source/recording/recording.js';
import { type Line, pageOf, svgOf, withUnits } from './plot-picture.js';
import { shownAs } from './shown-units.js';

/** A recording, and what it is called where there are several. */
export interface Named {
  readonly recording: Recording;
  readonly label: string | undefined;
}

interface Pictures {
  /** A picture for each page. */
  readonly pages: readonly string[];
  /** What the file asks for and has not got, one sentence each. */
  readonly leftOut: readonly string[];
}

const MOST_PAGES = 100;
const [WIDTH, HEIGHT] = [640, 320];

/** Throws an Error with one sentence when nothing of it can be drawn. */
export function picturesOf(product: Product, runs: readonly Named[]): Pictures {
  const left = new Set<string>(product.unread.map((what) => `${what} is left out`));
  if (product.tables.length > 0) left.add('tables are left out: varwire export --layout writes them');
  const drawn = product.pages.slice(0, MOST_PAGES).flatMap((page) => pictureOf(page, runs, left));
  if (product.pages.length > MOST_PAGES) left.add(`${MOST_PAGES} pages are drawn at most`);
  if (drawn.length === 0) throw new Error([...left, 'there is nothing to draw'].join('; '));
  return { pages: drawn, leftOut: [...left] };
}

/** The variables of a product, for a server that is asked for them. */
export const namesIn = ({ pages }: Product): string[] =>
  pages.flatMap(({ plots }) =>
    plots.flatMap(({ curves }) =>
      curves.flat().flatMap(({ x, y }) => [x.name, y.name].filter((name) => name !== TIME)),
    ),
  );

function pictureOf({ title, across, plots }: ProductPage, runs: readonly Named[], left: Set<string>): string[] {
  const pictures = plots.map((plot) => plotPicture(plot, runs, left));
  return pictures.every((picture) => picture === undefined)
    ? []
    : [
        pageOf(
          title,
          pictures.map((picture, k) => picture ?? emptyPicture(plots[k] as ProductPlot)),
          across,
        ),
      ];
}

const emptyPicture = ({ title }: ProductPlot): string => svgOf([], { title, width: WIDTH, height: HEIGHT });

function plotPicture(plot: ProductPlot, runs: readonly Named[], left: Set<string>): string | undefined {
  const lines: Line[] = [];
  let x: { readonly name: string; readonly units: string } | undefined;
  for (const { recording, label } of runs)
    for (const curve of plot.curves) {
      const drawn = lineOf(plot, curve, recording);
      if (drawn === undefined) {
        left.add(`${recording.file} has no ${(curve[0] as ProductCurve[number]).y.name}, or nothing to draw it over`);
        continue;
      }
      x ??= drawn.x;
      lines.push(label === undefined ? drawn.line : { ...drawn.line, name: `${drawn.line.name}, ${label}` });
    }
  if (x === undefined) return undefined;
  return svgOf(lines, {
    title: plot.title,
    x: { ...plot.x, label: labelOf(plot.x) ?? (x.name === TIME ? 'time (s)' : withUnits(x)) },
    y: { ...plot.y, label: labelOf(plot.y) },
    width: WIDTH,
    height: HEIGHT,
  });
}

const labelOf = ({ label, units = '' }: ProductAxis): string | undefined =>
  label === undefined ? undefined : withUnits({ name: label, units });

/** The first names of a curve that the recording has; undefined when it has none. Throws for units that do not convert. */
function lineOf(plot: ProductPlot, curve: ProductCurve, recording: Recording) {
  const all = timeSpan(recording);
  const find = (name: string): Column | undefined =>
    name === TIME
      ? recording.time
      : recording.columns.find((column) => column.name === name && column.type.kind !== 'text');
  const found = curve.flatMap(({ x, y }) => {
    const [over, column] = [find(x.name), find(y.name)];
    return over && column ? [{ x, y, over, column }] : [];
  })[0];
  if (!found || !all) return undefined;
  const { x, y, over, column } = found;
  const span = { from: Math.max(all.from, plot.from ?? all.from), to: Math.min(all.to, plot.to ?? all.to) };
  const { times, values } = curveOf(recording, column, span, WIDTH, over);
  const [across, up] = [shownAs({ units: plot.x.units, ...x }, over), shownAs({ units: plot.y.units, ...y }, column)];
  return {
    line: {
      name: y.label ?? y.name,
      units: up.units,
      colour: y.colour,
      times: times.map(across.convert),
      values: values.map(up.convert),
    },
    x: { name: x.label ?? x.name, units: across.units },
  };
}
