// Reads a CSV file of values over time: what varwire records, keeps and prints, Trick's recordings, and others like them.
import { readFileSync } from 'node:fs';
import { bool, type Declared, double, longLong, text } from 'varwire';

/** A variable of the file. */
export interface Column {
  /** `ball.position[0]`; without dots where the title has none. */
  readonly path: string;
  readonly declared: Declared;
  /** A value for each row. */
  readonly cells: readonly unknown[];
}

export interface Table {
  /** Of the rows, in seconds, in order. */
  readonly times: readonly number[];
  readonly columns: readonly Column[];
}

/** Throws an Error with one sentence for a file without rows and one without times. */
export function readTable(file: string): Table {
  const [titles = [], ...lines] = rowsOf(readFileSync(file, 'utf8'));
  if (lines.length === 0) throw new Error(`${file} has no rows below its titles`);
  const time = timeColumn(titles, lines);
  if (time < 0) throw new Error(`${file} has no column of times`);
  const rows = lines
    .map((cells) => ({ seconds: numberOf(cells[time]), cells }))
    .filter(({ seconds }) => Number.isFinite(seconds))
    .sort((one, other) => one.seconds - other.seconds);
  const paths = new Set<string>();
  const columns = titles.flatMap((title, index) => {
    if (index === time) return [];
    const { path, units } = named(title, paths);
    return [
      {
        path,
        ...valuesOf(
          rows.map(({ cells }) => cells[index] ?? ''),
          units,
        ),
      },
    ];
  });
  return { times: rows.map(({ seconds }) => seconds), columns };
}

/** A cell in quotes may have commas and line ends. */
function rowsOf(content: string): string[][] {
  const rows: string[][] = [[]];
  const cells = content
    .replace(/^\uFEFF/, '')
    .trim()
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\r?\n|$)/g);
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)?.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows;
}

/** The first column that is called a time and has several, else the first one of numbers. */
function timeColumn(titles: readonly string[], lines: readonly (readonly string[])[]): number {
  const isOfNumbers = (index: number) => lines.some((cells) => Number.isFinite(numberOf(cells[index])));
  const hasSeveral = (index: number) => lines.length === 1 || lines.some((cells) => cells[index] !== lines[0]?.[index]);
  const found = titles.findIndex((title, index) => /time/i.test(title) && isOfNumbers(index) && hasSeveral(index));
  return found >= 0 ? found : titles.findIndex((_, index) => isOfNumbers(index));
}

/** Units are in braces, as Trick writes them, or in brackets: `height {m}`, `height [m]`. */
const TITLE = /^'?(.*?)\s*(?:\{(.*)\}|\[(?!\d+\])(.*)\])?$/s;

/** What a title names, with `_` for what no name has; a name that comes again gets a number. */
function named(title: string, taken: Set<string>): { readonly path: string; readonly units: string } {
  const [, name = '', inBraces, inBrackets] = TITLE.exec(title) ?? [];
  const steps = name.split('.').map((step) => {
    // Words may follow the index: `ball.position[1] min`.
    const [, word = '', indices = '', more = ''] = /^(.*?)((?:\[\d{1,4}\])*)(\s.*)?$/s.exec(step) ?? [];
    return (word + more).replace(/^(?=\d|$)|\W/g, '_') + indices;
  });
  const first = steps.join('.');
  let path = first;
  for (let number = 2; taken.has(path); number++) path = `${first.replace(/(\[\d+\])*$/, '')}_${number}`;
  taken.add(path);
  return { path, units: inBraces || inBrackets || '1' };
}

const NUMBERS: Readonly<Record<string, number>> = { nan: Number.NaN, inf: 1 / 0, '-inf': -1 / 0, true: 1, false: 0 };

/** NaN for text that is no number. */
function numberOf(cell = ''): number {
  const word = cell.trim().toLowerCase();
  return word === '' ? Number.NaN : (NUMBERS[word] ?? Number(word));
}

const isNumber = (cell: string): boolean => cell.trim().toLowerCase() === 'nan' || !Number.isNaN(numberOf(cell));
const isList = (cell: string): boolean => /^\[.*\]$/s.test(cell) && numbersIn(cell).every(isNumber);
const numbersIn = (cell: string): string[] => cell.match(/[^[\],\s]+/g) ?? [];

/** The variable that the cells of a column fit, and its values. An empty cell has the value of the one before. */
function valuesOf(cells: readonly string[], units: string): Omit<Column, 'path'> {
  const given = cells.filter((cell) => cell !== '');
  const filled = (standIn: unknown, read: (cell: string) => unknown): unknown[] => {
    let last = standIn;
    return cells.map((cell) => {
      if (cell !== '') last = read(cell);
      return last;
    });
  };
  if (given.length > 0 && given.every((cell) => /^(true|false)$/.test(cell)))
    return { declared: bool({ units }), cells: filled(false, (cell) => cell === 'true') };
  const isExact = given.every((cell) => Number.isSafeInteger(Number(cell)) || !/^[+-]?\d+$/.test(cell));
  if (!isExact && given.every((cell) => /^[+-]?\d+$/.test(cell)))
    return { declared: longLong({ units }), cells: filled(0n, BigInt) };
  if (given.every(isNumber)) return { declared: double({ units }), cells: filled(Number.NaN, numberOf) };
  if (given.every(isList)) {
    const length = mostOf(given, (cell) => numbersIn(cell).length);
    const padded = (cell: string) => Array.from({ length }, (_, index) => numberOf(numbersIn(cell)[index]));
    return { declared: double(length, { units }), cells: filled(padded(''), padded) };
  }
  return { declared: text(mostOf(given, (cell) => Buffer.byteLength(cell))), cells: filled('', (cell) => cell) };
}

const mostOf = (cells: readonly string[], sizeOf: (cell: string) => number): number =>
  cells.reduce((most, cell) => Math.max(most, sizeOf(cell)), 1);
