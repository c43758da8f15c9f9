// One variable over a whole recording, as so many points as a picture shows.
import { readLeaf } from '../../model/state/memory.js';
import type { Column } from '../../simulation/recording/row.js';
import type { Recording } from './recording.js';

/** Of each part of the time the first, least, greatest and last value, in the order of the file. */
export interface Curve {
  /** Times, or the values of what stands across. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Part {
  first: Point;
  least: Point;
  most: Point;
  /** Of what stands across. */
  leftmost: Point;
  rightmost: Point;
  last: Point;
}

interface Point {
  readonly row: number;
  /** The time, or what stands across. */
  readonly x: number;
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

/**
 * A row without a time, or a value, is passed over.
 * @param parts of the time, of equal length.
 * @param across what stands across; of it too the least and the greatest of each part.
 */
export function curveOf(
  recording: Recording,
  column: Column,
  { from, to }: Span,
  parts: number,
  across: Column = recording.time,
): Curve {
  const found: (Part | undefined)[] = Array.from({ length: parts });
  const length = to - from || 1;
  for (const { from: firstRow, count, memory } of recording.scan(0, recording.rows))
    for (let index = 0; index < count; index++) {
      const start = index * recording.rowBytes;
      const time = Number(readLeaf(recording.time.type, memory, start + recording.time.offsetBytes));
      const value = Number(readLeaf(column.type, memory, start + column.offsetBytes));
      const x = across === recording.time ? time : Number(readLeaf(across.type, memory, start + across.offsetBytes));
      if (!(time >= from && time <= to) || Number.isNaN(value) || Number.isNaN(x)) continue;
      const at = Math.min(parts - 1, Math.floor((parts * (time - from)) / length));
      const point = { row: firstRow + index, x, value };
      const part = found[at];
      if (part) widen(part, point);
      else found[at] = { first: point, least: point, most: point, leftmost: point, rightmost: point, last: point };
    }
  const points = found.flatMap((part) => (part ? inOrder(part) : []));
  return { times: points.map(({ x }) => x), values: points.map(({ value }) => value) };
}

function widen(part: Part, point: Point): void {
  if (point.value < part.least.value) part.least = point;
  if (point.value > part.most.value) part.most = point;
  if (point.x < part.leftmost.x) part.leftmost = point;
  if (point.x > part.rightmost.x) part.rightmost = point;
  part.last = point;
}

const inOrder = ({ first, least, most, leftmost, rightmost, last }: Part): Point[] =>
  [...new Set([first, least, most, leftmost, rightmost, last])].sort((one, other) => one.row - other.row);

function* timesOf(recording: Recording): Generator<number> {
  for (const { count, memory } of recording.scan(0, recording.rows))
    for (let index = 0; index < count; index++)
      yield Number(readLeaf(recording.time.type, memory, index * recording.rowBytes + recording.time.offsetBytes));
}
