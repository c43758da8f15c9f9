// For tests: a state filled with random values of every kind, and all of its values to compare.
import type { Memory } from '../../model/state/memory.js';
import { readLeaf } from '../../model/state/memory.js';
import type { State } from '../../model/state/state.js';
import {
  isLeaf,
  NULL_TEXT,
  SEQUENCE_HEADER_BYTES,
  strideOf,
  TEXT_HEADER_BYTES,
  type Type,
} from '../../model/state/type.js';

/** A value in full, but what checkpoints leave out: bits of floats, bytes of text, targets of pointers. */
function exactly(type: Type, memory: Memory, offset: number): unknown {
  const { bytes, view } = memory;
  const elements = (element: Type, base: number, count: number) =>
    Array.from({ length: count }, (_, index) => exactly(element, memory, base + index * strideOf(element)));
  if (type.kind === 'number' && type.name === 'double' && Number.isNaN(view.getFloat64(offset, true))) return 'nan';
  if (type.kind === 'number' && type.name === 'float' && Number.isNaN(view.getFloat32(offset, true))) return 'nan';
  if (type.kind === 'text') {
    const length = view.getUint32(offset, true);
    const start = offset + TEXT_HEADER_BYTES;
    return length === NULL_TEXT ? null : bytes.toString('hex', start, start + length);
  }
  if (isLeaf(type)) {
    const value = readLeaf(type, memory, offset);
    return Object.is(value, -0) ? '-0' : value;
  }
  switch (type.kind) {
    case 'array':
      return elements(type.element, offset, type.length);
    case 'sequence':
      return elements(type.element, offset + SEQUENCE_HEADER_BYTES, view.getUint32(offset, true));
    case 'pointer': {
      const [target, count] = [view.getUint32(offset, true), view.getUint32(offset + 4, true)];
      return [target, ...elements(type.target, target, count)];
    }
    default:
      return (type as Type & { kind: 'struct' }).members
        .filter(({ access }) => access === 'read-write')
        .map((member) => [member.name, exactly(member.type, memory, offset + member.offsetBytes)]);
  }
}

/** Every value of every object. */
export const everything = (state: State): unknown =>
  state.describe().objects.map(({ name, type }) => [name, exactly(type, state.arena.memory, 0)]);

/** Random bytes for all values from one seed, with many edge cases. */
class Scramble {
  constructor(private seed: number) {}

  next(below: number): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.seed / 2 ** 32) * below);
  }

  fill(type: Type, memory: Memory, offset: number): void {
    const { bytes, view } = memory;
    switch (type.kind) {
      case 'number':
        this.fillNumber(type, memory, offset);
        return;
      case 'bits': {
        const shift = 32 - type.widthBits;
        const value = this.next(2 ** 32);
        view.setInt32(offset, type.isSigned ? (value << shift) >> shift : (value << shift) >>> shift, true);
        return;
      }
      case 'enumeration':
        view.setInt32(offset, [0, 1, 2, 7, -5][this.next(5)] as number, true);
        return;
      case 'text': {
        const isNull = type.form !== 'string' && this.next(3) === 0;
        const length = isNull ? NULL_TEXT : this.next(type.capacityBytes + 1);
        view.setUint32(offset, length, true);
        for (let at = 0; !isNull && at < length; at++) bytes[offset + TEXT_HEADER_BYTES + at] = this.next(256);
        return;
      }
      case 'array':
        this.fillElements(type.element, memory, offset, type.length);
        return;
      case 'sequence': {
        const length = this.next(type.capacity + 1);
        view.setUint32(offset, length, true);
        this.fillElements(type.element, memory, offset + SEQUENCE_HEADER_BYTES, length);
        return;
      }
      case 'struct':
        for (const member of type.members) this.fill(member.type, memory, offset + member.offsetBytes);
        return;
      case 'pointer':
        return;
    }
  }

  private fillNumber(type: Type & { kind: 'number' }, { bytes, view }: Memory, offset: number): void {
    const size = strideOf(type);
    for (let at = 0; at < size; at++) bytes[offset + at] = this.next(256);
    if (type.name === 'bool') bytes[offset] = this.next(2);
    const edges = [-0, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, 1e-45, 0.1, 1e16];
    const edge = this.next(2 * edges.length);
    if (type.name === 'double' && edge < edges.length) view.setFloat64(offset, edges[edge] as number, true);
    if (type.name === 'float' && edge < edges.length) view.setFloat32(offset, edges[edge] as number, true);
    if (size === 8 && type.name !== 'double' && edge < 3)
      view.setBigInt64(offset, [-(2n ** 63n), -1n, 0n][edge] as bigint, true);
  }

  private fillElements(element: Type, memory: Memory, base: number, count: number): void {
    for (let index = 0; index < count; index++) this.fill(element, memory, base + index * strideOf(element));
  }
}

/** Fills objects and allocations from a seed. */
export function scramble(state: State, seed: number): void {
  const random = new Scramble(seed);
  const { memory } = state.arena;
  for (const { type } of state.describe().objects) random.fill(type, memory, 0);
  for (const { type, offsetBytes, count } of state.allocations.all) {
    for (let index = 0; index < count; index++) random.fill(type, memory, offsetBytes + index * strideOf(type));
  }
}
