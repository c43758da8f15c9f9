// The cells of a line of text, and the numbers and times in them.

const WORDS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  '-nan': Number.NaN,
  inf: 1 / 0,
  '+inf': 1 / 0,
  '-inf': -1 / 0,
  infinity: 1 / 0,
  '-infinity': -1 / 0,
  true: 1,
  false: 0,
};

/** The number in a cell; undefined for text and for nothing. With `1,5` for 1.5, where commas separate no cells. */
export function numberOf(cell: string, isComma: boolean): number | undefined {
  if (cell === '') return undefined;
  const number = Number(cell);
  if (!Number.isNaN(number)) return number;
  const word = WORDS[cell.toLowerCase()];
  if (word !== undefined) return word;
  return isComma && /^[+-]?\d+,\d+(e[+-]?\d+)?$/i.test(cell) ? Number(cell.replace(',', '.')) : undefined;
}

const CLOCK = /^(\d{1,6}):(\d\d)(?::(\d\d(?:\.\d+)?))?$/;
const DAY = /^\d{4}-\d\d-\d\d/;
const ZONE = /(Z|[+-]\d\d:?\d\d)$/;

/** Seconds of `hh:mm:ss`, or since 1970 of a date with or without a time (UTC); undefined for anything else. */
export function clockSeconds(cell: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = CLOCK.exec(cell) ?? [];
  if (hours !== undefined) return 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
  if (!DAY.test(cell)) return undefined;
  const millis = Date.parse(cell.length > 10 && !ZONE.test(cell) ? `${cell.replace(' ', 'T')}Z` : cell);
  return Number.isNaN(millis) ? undefined : millis / 1000;
}

/** Splits a line into cells, without the blanks around them. A cell in quotes may have separators in it. */
export function splitterOf(separator: string): (line: string) => string[] {
  if (separator.trim() === '' && separator !== '\t') return (line) => line.trim().split(/\s+/).map(unquoted);
  return (line) =>
    line.includes('"') ? quotedCells(line, separator) : line.split(separator).map((cell) => cell.trim());
}

const unquoted = (cell: string): string => cell.replace(/^"(.*)"$/s, '$1');

function quotedCells(line: string, separator: string): string[] {
  const cells: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || !line.startsWith(separator, at))) continue;
    cells.push(unquoted(line.slice(start, at).trim()).replaceAll('""', '"'));
    start = at + separator.length;
    at = Math.max(at, start - 1);
  }
  return cells;
}
