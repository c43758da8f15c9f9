// Rows of a plot's samples, joined to fewer: the least and the most of each column of those that lie side by side.

/** A sample, or several. */
export interface Group {
  readonly time: number;
  /** Time of the last sample. */
  readonly end: number;
  /** Whether the line is interrupted before it. */
  readonly isBreak: boolean;
  readonly least: readonly number[];
  readonly most: readonly number[];
  /** For each column whether its least came after its most; undefined where that is not known. */
  readonly isFalling?: readonly (boolean | undefined)[];
}

/** A group that is so long, as a share of its stretch, ends where a column begins or ceases to have values. */
const ENDS_AT_HOLE = 1 / 4;

/**
 * Joins rows that lie in one stretch of time; stretches have the length for their time, in seconds. No group reaches over an
 * interruption.
 */
export function grouped(rows: readonly Group[], lengthAt: (time: number) => number): Group[] {
  const groups: Group[] = [];
  let joined: Group[] = [];
  /** Columns that have a value in the group. */
  let haveValue: boolean[] = [];
  for (const row of rows) {
    const [first] = joined;
    if (first && isNext(first, row, lengthAt(first.time), haveValue)) {
      groups.push(join(joined));
      joined = [];
    }
    haveValue = row.least.map(
      (value, column) => !Number.isNaN(value) || (joined.length > 0 && haveValue[column] === true),
    );
    joined.push(row);
  }
  if (joined.length > 0) groups.push(join(joined));
  return groups;
}

/** Whether a row begins another group. */
function isNext(first: Group, row: Group, length: number, haveValue: readonly boolean[]): boolean {
  if (row.isBreak || Math.floor(row.time / length) !== Math.floor(first.time / length)) return true;
  const isLong = Math.max(row.time - first.time, row.end - row.time) >= ENDS_AT_HOLE * length;
  return isLong && row.least.some((value, column) => Number.isNaN(value) === haveValue[column]);
}

function join(rows: readonly Group[]): Group {
  const [first] = rows as readonly [Group];
  if (rows.length === 1) return first;
  const least = [...first.least];
  const most = [...first.most];
  const isFalling = least.map((_, column) => first.isFalling?.[column]);
  for (const row of rows.slice(1)) {
    for (let column = 0; column < least.length; column++) {
      const [low, high] = [row.least[column] as number, row.most[column] as number];
      const isLower = low < (least[column] as number);
      const isHigher = high > (most[column] as number);
      if (isLower && isHigher) isFalling[column] = row.isFalling?.[column];
      else if (isLower || isHigher) isFalling[column] = isLower;
      least[column] = lesser(least[column] as number, low);
      most[column] = greater(most[column] as number, high);
    }
  }
  return { time: first.time, end: (rows.at(-1) as Group).end, isBreak: first.isBreak, least, most, isFalling };
}

const lesser = (one: number, other: number): number => (Number.isNaN(one) || other < one ? other : one);
const greater = (one: number, other: number): number => (Number.isNaN(one) || other > one ? other : one);
