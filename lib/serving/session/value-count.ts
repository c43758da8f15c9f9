// How many single values a variable has, for the accounts of the clients that ask for it.
import { WHOLE_BYTES } from '../../model/frame/page-map.js';
import type { Frame } from '../../model/frame/reader.js';
import type { Memory } from '../../model/state/memory.js';
import { holdsPointers } from '../../model/state/pointers.js';
import {
  isCharacters,
  NULL_OFFSET,
  SEQUENCE_HEADER_BYTES,
  sizeOf,
  strideOf,
  type Type,
} from '../../model/state/type.js';
import { locate, type Variable } from '../../model/state/variable.js';
import type { Reference } from './reference.js';

/** Bytes of a text that are carried as one number is. */
const BYTES_OF_VALUE = 8;
/** What is asked seldom makes a frame carry all of it at once, which is counted as if it were asked for so often. */
const LONGEST_COUNTED_MILLIS = 20;

/** What values cost that are sent in each cycle of so many milliseconds. */
export const valuesPerSecond = (values: number, cycleMillis: number): number =>
  Math.ceil((1000 * values) / Math.min(cycleMillis, LONGEST_COUNTED_MILLIS));

/** Of the pages that a list or subscription needs so many bytes do not count: variables seldom lie side by side. */
export const MOST_FREE_BYTES = WHOLE_BYTES;

/** What it counts as, at least, that frames carry whole pages of so many bytes: the doubles that fit in them. */
export const valuesOfPages = (bytes: number): number => Math.max(0, bytes - MOST_FREE_BYTES) / BYTES_OF_VALUE;

/** A sequence counts with its capacity, a text with its length; a pointer counts as one. */
export function valuesIn(type: Type): number {
  if (type.kind === 'array' && !isCharacters(type)) return type.length * valuesIn(type.element);
  if (type.kind === 'sequence') return type.capacity * valuesIn(type.element);
  if (type.kind === 'struct') return type.members.reduce((sum, member) => sum + valuesIn(member.type), 0);
  return Math.ceil(sizeOf(type) / BYTES_OF_VALUE);
}

export const valuesOf = (references: readonly Reference[]): number =>
  references.reduce((sum, { current }) => sum + (current ? valuesIn(current.type) : 0), 0);

/** Those whose values lie behind pointers, wholly or in part. */
export const withPointers = (references: readonly Reference[]): readonly Reference[] =>
  references.filter(({ current }) => current && holdsPointers(current.type));

/** As `valuesOf`, with the values behind pointers, all of which the frame must carry. */
export const valuesShownIn = (frame: Frame, references: readonly Reference[]): number =>
  references.reduce((sum, { current }) => sum + (current ? valuesOfVariable(frame, current) : 0), 0);

/** As `valuesIn`, with the values behind pointers, all of which the frame must carry. */
export function valuesOfVariable({ memory }: Frame, variable: Variable): number {
  const offset = holdsPointers(variable.type) ? locate(variable, memory) : -1;
  return offset < 0 ? valuesIn(variable.type) : valuesAt(variable.type, memory, offset);
}

function valuesAt(type: Type, memory: Memory, offset: number): number {
  if (!holdsPointers(type)) return valuesIn(type);
  if (type.kind === 'struct')
    return type.members.reduce(
      (sum, { type: own, offsetBytes }) => sum + valuesAt(own, memory, offset + offsetBytes),
      0,
    );
  if (type.kind === 'array') return valuesOfElements(type.element, memory, offset, type.length);
  const count = (at: number): number => memory.view.getUint32(at, true);
  if (type.kind === 'sequence')
    return valuesOfElements(type.element, memory, offset + SEQUENCE_HEADER_BYTES, count(offset));
  if (type.kind !== 'pointer' || count(offset) === NULL_OFFSET) return 1;
  return Math.max(1, valuesOfElements(type.target, memory, count(offset), count(offset + 4)));
}

function valuesOfElements(element: Type, memory: Memory, offset: number, count: number): number {
  if (!holdsPointers(element)) return count * valuesIn(element);
  const stride = strideOf(element);
  let sum = 0;
  for (let index = 0; index < count; index++) sum += valuesAt(element, memory, offset + index * stride);
  return sum;
}
