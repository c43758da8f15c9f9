// One variable over a whole recording, as so many points as a picture shows.
import { readLeaf } from '../../model/state/memory.js';
import type { Column } from '../../simulation/recording/row.js';
import type { Recording } from './recording.js';

/** Of each part of the time the first, least, greatest and last value, in the order of the file. */
export interface Curve {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Part {
  first: Point;
  least: Point;
  most: Point;
  last: Point;
}

interface Point {
  readonly row: number;
  readonly time: number;
  readonly value: number;
}

/** The times that have one, from the least to the greatest; undefined when none has. */
export function timeSpan(recording: Recording): Span | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of timesOf(recording)) {
    if (time < from) from = time;
    if (time > to) to = time;
  }
  return from <= to ? { from, to } : undefined;
}

/** A row without a time, or a value, is passed over. @param parts of the time, of equal length. */
export function curveOf(recording: Recording, column: Column, { from, to }: Span, parts: number): Curve {
  const found: (Part | undefined)[] = Array.from({ length: parts });
  const length = to - from || 1;
  for (const { from: firstRow, count, memory } of recording.scan(0, recording.rows))
    for (let index = 0; index < count; index++) {
      const start = index * recording.rowBytes;
      const time = Number(readLeaf(recording.time.type, memory, start + recording.time.offsetBytes));
      const value = Number(readLeaf(column.type, memory, start + column.offsetBytes));
      if (!(time >= from && time <= to) || Number.isNaN(value)) continue;
      const at = Math.min(parts - 1, Math.floor((parts * (time - from)) / length));
      const point = { row: firstRow + index, time, value };
      const part = found[at];
      if (!part) found[at] = { first: point, least: point, most: point, last: point };
      else {
        if (value < part.least.value) part.least = point;
        if (value > part.most.value) part.most = point;
        part.last = point;
      }
    }
  const points = found.flatMap((part) => (part ? inOrder(part) : []));
  return { times: points.map(({ time }) => time), values: points.map(({ value }) => value) };
}

const inOrder = ({ first, least, most, last }: Part): Point[] =>
  [...new Set([first, least, most, last])].sort((one, other) => one.row - other.row);

function* timesOf(recording: Recording): Generator<number> {
  for (const { count, memory } of recording.scan(0, recording.rows))
    for (let index = 0; index < count; index++)
      yield Number(readLeaf(recording.time.type, memory, index * recording.rowBytes + recording.time.offsetBytes));
}
