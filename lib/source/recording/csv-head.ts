// How a table of text is laid out: what separates its cells, where its rows begin, what its columns are, which is time.
import { TIME_NAME } from '../../simulation/recording/row.js';
import { clockSeconds, numberOf, splitterOf } from './csv-cells.js';

export interface Title {
  readonly name: string;
  readonly units: string;
}

export interface CsvHead {
  readonly separator: string;
  /** Whether 1,5 is a number. */
  readonly isDecimalComma: boolean;
  readonly titles: readonly Title[];
  /** Whether it is a recording of Trick or varwire, which end every line. */
  readonly isTricks: boolean;
  /** The index of the column of times. */
  readonly time: number;
  /** The first line that may be a row. */
  readonly firstLine: number;
  split(line: string): string[];
  /** The time of a row, in seconds; undefined for a line that is no row. */
  secondsOf(cells: readonly string[]): number | undefined;
}

const SEPARATORS = ['\t', ';', ',', '|'];
const TRICKS_HEAD = new RegExp(
  String.raw`^${TIME_NAME.replaceAll('.', String.raw`\.`)} \{[^}]*\}(?:([^\w"]{1,8}?)[A-Za-z_]|$)`,
);
const COMMENT = /^\s*(#|%|\/\/)\s*/;
/** Lines that are looked at to find where the rows begin, and rows to find their times. */
const [LOOKED_AT, SAMPLES] = [100, 200];
const MOST_COLUMNS = 100_000;

/**
 * @param lines the first ones of the file.
 * @param timeName the column of times; guessed when left out.
 * Throws an Error with one sentence for text that is no table, and for one without times.
 */
export function headOf(path: string, lines: readonly string[], timeName?: string): CsvHead {
  const tricks = TRICKS_HEAD.exec(lines[0] ?? '');
  const separator = tricks ? (tricks[1] ?? ',') : separatorOf(lines);
  const isDecimalComma = separator !== ',';
  const splitPlain = splitterOf(separator);
  const isRow = (line: string): boolean =>
    !COMMENT.test(line) &&
    splitPlain(line).some((cell) => numberOf(cell, isDecimalComma) !== undefined || clockSeconds(cell));
  const found = tricks ? 1 : lines.slice(0, LOOKED_AT).findIndex(isRow);
  if (found < 0) throw new Error(`${path} is no recording: none of its first lines has a number`);
  const plain = tricks && separator.trim() === '' ? blankTitles(lines[0] ?? '') : titlesOf(lines, found, splitPlain);
  const samples = lines
    .slice(found, found + SAMPLES)
    .filter(isRow)
    .map(splitPlain);
  const lengths = plain.map((_, index) => listLength(samples.map((cells) => cells[index] ?? '')));
  const count = lengths.reduce<number>((sum, length = 1) => sum + length, 0);
  if (count > MOST_COLUMNS) throw new Error(`${path} has ${count} columns, too many`);
  const titles = plain.flatMap((title, index) => elementTitles(title, lengths[index]));
  const split = lengths.every((length) => length === undefined)
    ? splitPlain
    : (line: string) => elementCells(splitPlain(line), lengths);
  const rows = samples.map((cells) => elementCells(cells, lengths));
  const columns = { path, titles, rows, isDecimalComma };
  const time = tricks && timeName === undefined ? 0 : timeColumn(columns, timeName);
  const secondsOf = secondsBy(columns, time);
  return { separator, isDecimalComma, titles, isTricks: tricks !== null, time, firstLine: found, split, secondsOf };
}

/** What the last of some lines has, which is likely a row. */
function separatorOf(lines: readonly string[]): string {
  const row = lines.slice(0, LOOKED_AT).findLast((line) => line.trim() !== '') ?? '';
  const bare = row.replaceAll(/"[^"]*"/g, '');
  return SEPARATORS.find((separator) => bare.includes(separator)) ?? ' ';
}

/** `a {m} b {s}`: Trick's titles where blanks separate. */
const blankTitles = (line: string): Title[] =>
  [...line.matchAll(/(\S+) \{([^}]*)\}/g)].map(([, name = '', units = '']) => ({ name, units }));

/** The titles stand in the line before the first row, perhaps in a comment, perhaps above a line of units. */
function titlesOf(lines: readonly string[], firstRow: number, split: (line: string) => string[]): Title[] {
  const count = split(lines[firstRow] ?? '').length;
  const before = lines
    .slice(0, firstRow)
    .filter((line) => line.trim() !== '')
    .map((line) => split(line.replace(COMMENT, '')))
    .filter((cells) => cells.length === count);
  const units =
    count > 1 && before.length > 1 ? before.at(-1)?.map((cell) => /^[[({]?(.*?)[\])}]?$/.exec(cell)?.[1]) : undefined;
  const names = before.at(units ? -2 : -1) ?? Array.from({ length: count }, (_, index) => `column_${index + 1}`);
  return names.map((cell, index) => {
    const title = titleOf(cell, index);
    return units?.[index] ? { ...title, units: units[index] as string } : title;
  });
}

/** Units stand in braces, as Trick writes them, in brackets or in parentheses; `[0]` is an index. */
const TITLE = /^(.*?)\s*(?:\{([^{}]*)\}|\[(?!\d+\])([^[\]]*)\]|\(([^()]*)\))?$/s;

function titleOf(cell: string, index: number): Title {
  const [, name = '', inBraces, inBrackets, inParentheses] = TITLE.exec(cell.replace(/^'/, '')) ?? [];
  const units = (inBraces ?? inBrackets ?? inParentheses ?? '').trim();
  return { name: name || units || `column_${index + 1}`, units: units || '--' };
}

/** The numbers of a list, such as `[1, 2]` or `[[1, 2], [3, 4]]`; undefined for a cell that is none. */
function listIn(cell: string): string[] | undefined {
  const numbers = /^\[.*\]$/s.test(cell) ? (cell.match(/[^[\],\s]+/g) ?? []) : undefined;
  return numbers?.every((number) => numberOf(number, false) !== undefined) ? numbers : undefined;
}

/** How many numbers the lists of a column have; undefined for a column that is not of lists. */
function listLength(cells: readonly string[]): number | undefined {
  const lists = cells.filter((cell) => cell !== '').map(listIn);
  if (lists.length === 0 || lists.includes(undefined)) return undefined;
  return lists.reduce((most, list) => Math.max(most, list?.length ?? 0), 1);
}

const elementTitles = (title: Title, length: number | undefined): Title[] =>
  length === undefined
    ? [title]
    : Array.from({ length }, (_, index) => ({ ...title, name: `${title.name}[${index}]` }));

/** The cells of a line with those of lists apart; none of a line that has too few or too many. */
function elementCells(cells: readonly string[], lengths: readonly (number | undefined)[]): string[] {
  if (cells.length !== lengths.length) return [];
  return cells.flatMap((cell, column) => {
    const length = lengths[column];
    if (length === undefined) return [cell];
    const numbers = listIn(cell) ?? [cell];
    return Array.from({ length }, (_, index) => numbers[index] ?? '');
  });
}

interface Columns {
  readonly path: string;
  readonly titles: readonly Title[];
  readonly rows: readonly (readonly string[])[];
  readonly isDecimalComma: boolean;
}

/** Names of columns of times, the likeliest first. */
const TIME_NAMES = [/^(%?time|t|ts|timestamp|elapsed[ _].*time|sim[ _]?time)$/i, /time|^seconds?$|^sec$/i, /^/];

function timeColumn(columns: Columns, timeName: string | undefined): number {
  const { path, titles } = columns;
  if (timeName !== undefined) {
    const named = titles.findIndex(({ name }) => name.toLowerCase() === timeName.toLowerCase());
    if (named >= 0) return named;
    throw new Error(`${path} has no column ${timeName}`);
  }
  const likely = TIME_NAMES.flatMap((pattern) =>
    titles.flatMap(({ name }, index) => (pattern.test(name) ? [index] : [])),
  );
  const found =
    likely.find((index) => isRising(columns, index, true)) ?? likely.find((index) => isRising(columns, index, false));
  if (found === undefined) throw new Error(`${path} has no column of times`);
  return found;
}

/** Whether a column has a number in most rows, and, if asked, goes on from the first to the last and never back. */
function isRising({ rows, isDecimalComma }: Columns, index: number, isAsked: boolean): boolean {
  const times = rows.flatMap(
    (cells) => numberOf(cells[index] ?? '', isDecimalComma) ?? clockSeconds(cells[index] ?? '') ?? [],
  );
  if (times.length < rows.length / 2 || times.length === 0) return false;
  const isBack = times.some((time, row) => row > 0 && time < (times[row - 1] as number));
  return !isAsked || (!isBack && (times.length === 1 || times[0] !== times.at(-1)));
}

const FACTORS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  min: 60,
  h: 3600,
  hr: 3600,
};
/** Integers beyond these are times since 1970 in smaller units. */
const EPOCHS = [
  [1e17, 1e9],
  [1e14, 1e6],
  [1e11, 1e3],
] as const;

/** Reads the times of rows; a clock's time may have its day in the column beside it. */
function secondsBy({ titles, rows, isDecimalComma }: Columns, time: number): CsvHead['secondsOf'] {
  const first = numberOf(rows[0]?.[time] ?? '', isDecimalComma) ?? 0;
  const perSecond = EPOCHS.find(([least]) => first > least)?.[1] ?? 1;
  const factor = FACTORS[titles[time]?.units ?? ''];
  const isOfDay = (index: number): boolean => /^\d{4}-\d\d-\d\d$/.test(rows[0]?.[index] ?? '');
  const day = rows[0]?.[time]?.includes(':') ? [time - 1, time + 1].find(isOfDay) : undefined;
  return (cells) => {
    const cell = cells[time] ?? '';
    const number = numberOf(cell, isDecimalComma);
    if (number !== undefined) return factor === undefined ? number / perSecond : number * factor;
    const clock = clockSeconds(cell);
    if (clock === undefined || day === undefined) return clock;
    return clock + (clockSeconds(cells[day] ?? '') ?? Number.NaN);
  };
}
