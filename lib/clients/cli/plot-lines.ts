// The curves of `varwire plot`, and each of them as a line of blocks for a terminal.
import type { Column } from '../../simulation/recording/row.js';
import { curveOf, timeSpan } from '../../source/recording/curve.js';
import type { Recording } from '../../source/recording/recording.js';
import { askedName, unitsByName } from './names.js';
import { type Line, PICTURE, sparkline } from './plot-picture.js';
import { columnsMeant } from './recording-options.js';
import { shownAs } from './shown-units.js';

export const MOST_LINES = 50;
const LINE_WIDTH = 60;

/** Throws an Error with one sentence for more curves than are told apart. */
export function requireFew(count: number): void {
  if (count > MOST_LINES) throw new Error(`these are ${count} curves, and ${MOST_LINES} are drawn at most`);
}

/** A name without its units, and the units if it has them: `ball.height{ft}`. */
export interface Asked {
  readonly name: string;
  readonly asked: string | undefined;
}

/** Throws a UsageError for a name in two units. */
export function askedOf(words: readonly string[]): readonly Asked[] {
  const names = words.map((word) => askedName(word));
  const units = unitsByName(names);
  return names.map(({ name }) => ({ name, asked: units[name] }));
}

/** A variable, in the units that stand behind its name, or its own. */
export interface Meant {
  readonly column: Column;
  readonly units: string;
  readonly asked: string | undefined;
  readonly convert: (value: number) => number;
}

/**
 * The numbers that names and patterns stand for. Throws an Error with one sentence for a name that stands for none, and for
 * units that do not convert.
 */
export function numbersMeant(recording: Recording, words: readonly string[]): readonly Meant[] {
  const numbers = askedOf(words).flatMap(({ name, asked }) =>
    columnsMeant(recording, name)
      .filter(({ type }) => type.kind !== 'text')
      .map((column) => ({ column, asked, ...inUnits(column, asked) })),
  );
  return [...new Map(numbers.map((one) => [one.column, one])).values()];
}

/** Throws an Error with one sentence for units that do not convert. */
export const inUnits = (column: Pick<Column, 'name' | 'units'>, asked: string | undefined) =>
  shownAs({ name: column.name, units: asked, scale: 1, bias: 0 }, column);

/** What stands across. Throws an Error with one sentence when that is not one number. */
export function onlyOne<T>(x: string, found: Iterable<T>): T {
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  throw new Error(`--x takes one number, and ${x} stands for ${others.length + (only === undefined ? 0 : 1)}`);
}

/** Throws an Error with one sentence for a recording without rows. */
export function linesOf(recording: Recording, meant: readonly Meant[], across?: Meant): Line[] {
  const span = timeSpan(recording);
  if (!span) throw new Error(`${recording.file} has no rows to draw`);
  return meant.map(({ column, units, convert }) => {
    const { times, values } = curveOf(recording, column, span, PICTURE.width, across?.column);
    return { name: column.name, units, times: across ? times.map(across.convert) : times, values: values.map(convert) };
  });
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
