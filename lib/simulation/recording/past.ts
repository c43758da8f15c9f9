// Rows of the past for the beginning of a recording: of what a history has kept, in the form of the recording's file.
import type { LeafType } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import { BINARY, type Column, layOut, type Recordable, Row } from './row.js';
import { asciiFormat } from './text-rows.js';

/** One variable's points in the order of time, in its own units; null is a time without a value. */
export interface PastPoints {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

/** The beginning of a file: its head, by which a recorder recognizes the same columns, and rows. */
export interface Past {
  readonly start: Uint8Array;
  readonly rows: Uint8Array;
}

/** A row as it stands in the file. */
export interface PastRow {
  readonly seconds: number;
  readonly bytes: Uint8Array;
}

/** Which rows are made. Times are simulation time in seconds. */
export interface PastRows {
  readonly format: 'ascii' | 'binary';
  /** Seconds of simulation time from a row to the next, at least. */
  readonly cycleSeconds: number;
  /** `change`: only rows in which a value has changed. */
  readonly when: 'always' | 'change';
  /** Time of the first row that the recording takes itself. */
  readonly before: number;
  /** Converts a time of the history to simulation time, in seconds. */
  timeOf(seconds: number): number;
}

/** Times that differ by less are the same. */
const NEAR = 1e-6;

/**
 * Makes the rows one by one: one in each cycle, as soon as all variables have a value. Between two points of a variable
 * its value is interpolated; an integer keeps its last value. Yields undefined for a time without a row, so that the
 * caller can give way there too. Throws a RangeError for a variable that is not a single number.
 */
export function* pastRows(
  recordables: readonly Recordable[],
  points: readonly PastPoints[],
  { format, cycleSeconds, when, before, timeOf }: PastRows,
): Generator<PastRow | undefined, Uint8Array> {
  const form = format === 'binary' ? BINARY : asciiFormat();
  const row = new Row(layOut(recordables));
  const variables = row.columns.slice(1).map((column, index) => new Variable(column, points[index] as PastPoints));
  const written = new Row(row.columns);
  let hasBegun = false;
  let lastCycle = Number.NEGATIVE_INFINITY;
  for (let clock = nextTime(variables); clock !== Number.POSITIVE_INFINITY; clock = nextTime(variables, clock)) {
    const time = timeOf(clock);
    if (time >= before - NEAR * cycleSeconds) break;
    const cycles = Math.floor(time / cycleSeconds + NEAR);
    const isRow = cycles !== lastCycle && variables.every((variable) => variable.writeAt(clock, row));
    if (isRow) lastCycle = cycles;
    if (!isRow || (when === 'change' && hasBegun && row.equalValues(written))) {
      yield undefined;
      continue;
    }
    written.copyValues(row);
    hasBegun = true;
    row.setTime(time);
    yield { seconds: time, bytes: form.row(row) };
  }
  return form.start(row.columns);
}

/** The values of one variable, read in the order of time. */
class Variable {
  private next = 0;
  private looked = 0;
  private readonly isContinuous: boolean;

  constructor(
    private readonly column: Column,
    private readonly points: PastPoints,
  ) {
    this.isContinuous = isFloating(column.type);
  }

  /** Time of the first point after a time; Infinity when there is none. Calls come in the order of time. */
  timeAfter(time: number): number {
    const { times } = this.points;
    while (this.looked < times.length && (times[this.looked] as number) <= time) this.looked++;
    return times[this.looked] ?? Number.POSITIVE_INFINITY;
  }

  /** False when there is no value at that time. */
  writeAt(time: number, { memory }: Row): boolean {
    const value = this.at(time);
    if (value === null) return false;
    storeValue(memory, this.column.type, this.column.offsetBytes, value);
    return true;
  }

  private at(time: number): number | null {
    const { times, values } = this.points;
    while (this.next < times.length && (times[this.next] as number) <= time) this.next++;
    const [before, after] = [this.next - 1, this.next];
    const last = values[before] ?? null;
    if (last === null || times[before] === time || after === times.length || !this.isContinuous) return last;
    const coming = values[after] ?? null;
    if (coming === null) return null;
    const [from, to] = [times[before] as number, times[after] as number];
    return last + ((coming - last) * (time - from)) / (to - from);
  }
}

const isFloating = (type: LeafType): boolean =>
  type.kind === 'number' && (type.name === 'double' || type.name === 'float');

/** The first time after `time` at which any of them has a point. */
const nextTime = (variables: readonly Variable[], time = Number.NEGATIVE_INFINITY): number =>
  variables.reduce((least, variable) => Math.min(least, variable.timeAfter(time)), Number.POSITIVE_INFINITY);
