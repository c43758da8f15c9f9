// The curves of `varwire plot`, and each of them as a line of blocks for a terminal.
import type { Column } from '../../simulation/recording/row.js';
import { curveOf, timeSpan } from '../../source/recording/curve.js';
import type { Recording } from '../../source/recording/recording.js';
import { type Line, PICTURE, sparkline } from './plot-picture.js';
import { columnsMeant } from './recording-options.js';

export const MOST_LINES = 50;
const LINE_WIDTH = 60;

/** Throws an Error with one sentence for more curves than are told apart. */
export function requireFew(count: number): void {
  if (count > MOST_LINES) throw new Error(`these are ${count} curves, and ${MOST_LINES} are drawn at most`);
}

/** The numbers that names and patterns stand for. Throws an Error with one sentence for a name that stands for none. */
export function numbersMeant(recording: Recording, names: readonly string[]): readonly Column[] {
  const numbers = names.flatMap((name) => columnsMeant(recording, name)).filter(({ type }) => type.kind !== 'text');
  return [...new Set(numbers)];
}

/** What stands across. Throws an Error with one sentence when that is not one number. */
export function onlyOne<T>(x: string, found: Iterable<T>): T {
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  throw new Error(`--x takes one number, and ${x} stands for ${others.length + (only === undefined ? 0 : 1)}`);
}

/** Throws an Error with one sentence for a recording without rows. */
export function linesOf(recording: Recording, columns: readonly Column[], across?: Column): Line[] {
  const span = timeSpan(recording);
  if (!span) throw new Error(`${recording.file} has no rows to draw`);
  return columns.map((column) => ({
    ...curveOf(recording, column, span, PICTURE.width, across),
    name: column.name,
    units: column.units,
  }));
}

/** A line of blocks, the name, and how far the values reach. */
export function rowOf(line: Line): string {
  const { name, units, values } = line;
  const numbers = values.filter(Number.isFinite);
  const [least, most] = [
    numbers.reduce((a, b) => Math.min(a, b), 1 / 0),
    numbers.reduce((a, b) => Math.max(a, b), -1 / 0),
  ];
  const reach = numbers.length === 0 ? 'no values' : `${+least.toPrecision(6)} to ${+most.toPrecision(6)}`;
  return `${sparkline(line, LINE_WIDTH)}  ${name}  ${reach}${units === '--' || units === '1' ? '' : ` ${units}`}`;
}
