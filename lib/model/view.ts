// Typed views: what simulation code holds to read and write its state in the arena.
import type { Arena } from './arena.js';
import type { ElementViews, PointerView, SequenceView } from './declare.js';
import { readCharacters, readLeaf } from './memory.js';
import {
  type ArrayType,
  isCharacters,
  isLeaf,
  NULL_OFFSET,
  type NumberName,
  type PointerType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  type StructType,
  strideOf,
  type Type,
} from './type.js';
import { writeValue } from './write.js';

/** Reads like a plain value: its getter makes a fresh JavaScript value, its setter stores one. */
const isValue = (type: Type): boolean => isLeaf(type) || isCharacters(type);

type TypedArrayOf = new (buffer: ArrayBufferLike, offset: number, length: number) => object;

const TYPED_ARRAYS: Partial<Record<NumberName, TypedArrayOf>> = {
  'unsigned char': Uint8Array,
  short: Int16Array,
  'unsigned short': Uint16Array,
  int: Int32Array,
  'unsigned int': Uint32Array,
  long: BigInt64Array,
  'unsigned long': BigUint64Array,
  'long long': BigInt64Array,
  'unsigned long long': BigUint64Array,
  float: Float32Array,
  double: Float64Array,
};

const typedArrayOf = (element: Type): TypedArrayOf | undefined =>
  element.kind === 'number' ? TYPED_ARRAYS[element.name] : element.kind === 'enumeration' ? Int32Array : undefined;

/** The view of an object type (struct, array, sequence, pointer) at an offset. */
export function viewOf(arena: Arena, type: Type, offsetBytes: number): object {
  const view = makeView(arena, type, offsetBytes);
  arena.register(view, { offsetBytes, count: 1, type });
  return view;
}

function makeView(arena: Arena, type: Type, offset: number): object {
  switch (type.kind) {
    case 'struct':
      return structView(arena, type, offset);
    case 'array':
      return arrayView(arena, type, offset);
    case 'sequence':
      return new Sequence(arena, type, offset);
    case 'pointer':
      return new Pointer(arena, type, offset);
    default:
      throw new TypeError(`a ${type.kind} has no view of its own`);
  }
}

/** Defines `key` on `holder`: values are read and written in place, objects are views made once, on first use. */
export function defineCell(holder: object, key: string | number, arena: Arena, type: Type, offset: number): void {
  if (isValue(type)) {
    Object.defineProperty(holder, key, valueAccess(arena, type, offset));
    return;
  }
  let view: object | undefined;
  const get = (): object => {
    view ??= viewOf(arena, type, offset);
    return view;
  };
  Object.defineProperty(holder, key, { enumerable: true, get });
}

function valueAccess(arena: Arena, type: Type, offset: number): PropertyDescriptor {
  const { memory } = arena;
  if (type.kind === 'number' && type.name === 'double') {
    const cell = new Float64Array(memory.buffer, offset, 1);
    return {
      enumerable: true,
      get: () => cell[0],
      set: (value: number) => {
        cell[0] = value;
      },
    };
  }
  return {
    enumerable: true,
    get: () => readCell(arena, type, offset),
    set: (value: unknown) => writeValue(arena.memory, type, offset, value),
  };
}

const readCell = (arena: Arena, type: Type, offset: number): unknown =>
  isLeaf(type)
    ? readLeaf(type, arena.memory, offset)
    : readCharacters(arena.memory, offset, (type as ArrayType).length);

function structView(arena: Arena, type: StructType, offset: number): object {
  const view = {};
  for (const member of type.members) defineCell(view, member.name, arena, member.type, offset + member.offsetBytes);
  return Object.seal(view);
}

function arrayView(arena: Arena, type: ArrayType, offset: number): object {
  const TypedArray = typedArrayOf(type.element);
  if (TypedArray) return new TypedArray(arena.memory.buffer, offset, type.length);
  const stride = strideOf(type.element);
  const view: ElementViews<unknown> & object = new Elements(type.length);
  for (let i = 0; i < type.length; i++) defineCell(view, i, arena, type.element, offset + i * stride);
  return Object.seal(view);
}

class Elements {
  [index: number]: unknown;
  declare readonly length: number;
  constructor(length: number) {
    Object.defineProperty(this, 'length', { value: length });
  }
  *[Symbol.iterator](): Iterator<unknown> {
    for (let i = 0; i < this.length; i++) yield this[i];
  }
}

/** Elements side by side from a base that may change: what a sequence and a pointer have in common. */
abstract class Cells {
  /** Views made so far, by offset. */
  private readonly views = new Map<number, object>();

  constructor(
    protected readonly arena: Arena,
    protected readonly element: Type,
  ) {}

  abstract readonly length: number;
  protected abstract readonly baseBytes: number;

  protected cellOffset(index: number): number {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) {
      throw new RangeError(`index ${index} is outside 0 to ${this.length - 1}`);
    }
    return this.baseBytes + index * strideOf(this.element);
  }

  at(index: number): unknown {
    const offset = this.cellOffset(index);
    if (isValue(this.element)) return readCell(this.arena, this.element, offset);
    const view = this.views.get(offset) ?? viewOf(this.arena, this.element, offset);
    this.views.set(offset, view);
    return view;
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

class Sequence extends Cells implements SequenceView<unknown, unknown> {
  readonly capacity: number;
  protected readonly baseBytes: number;

  constructor(
    arena: Arena,
    type: SequenceType,
    private readonly offset: number,
  ) {
    super(arena, type.element);
    this.capacity = type.capacity;
    this.baseBytes = offset + SEQUENCE_HEADER_BYTES;
  }

  get length(): number {
    return this.arena.memory.view.getUint32(this.offset, true);
  }

  set length(length: number) {
    if (!Number.isInteger(length) || length < 0 || length > this.capacity) {
      throw new RangeError(`a sequence of capacity ${this.capacity} cannot hold ${length} elements`);
    }
    const stride = strideOf(this.element);
    const [from, to] = [this.length, length].map((n) => this.baseBytes + n * stride) as [number, number];
    if (to > from) this.arena.memory.bytes.fill(0, from, to);
    this.arena.memory.view.setUint32(this.offset, length, true);
  }

  set(index: number, value: unknown): void {
    writeValue(this.arena.memory, this.element, this.cellOffset(index), value);
  }

  push(value: unknown): void {
    this.length += 1;
    this.set(this.length - 1, value);
  }

  replace(values: Iterable<unknown>): void {
    const all = [...values];
    this.length = 0;
    this.length = all.length;
    all.forEach((value, index) => {
      this.set(index, value);
    });
  }
}

class Pointer extends Cells implements PointerView<unknown> {
  constructor(
    arena: Arena,
    type: PointerType,
    private readonly offset: number,
  ) {
    super(arena, type.target);
  }

  protected get baseBytes(): number {
    return this.arena.memory.view.getUint32(this.offset, true);
  }

  get isNull(): boolean {
    return this.baseBytes === NULL_OFFSET;
  }

  get length(): number {
    return this.isNull ? 0 : this.arena.memory.view.getUint32(this.offset + 4, true);
  }

  pointTo(target: object): void {
    const extent = this.arena.extentOf(target);
    if (!extent) throw new TypeError('a pointer needs a view of the same simulation to point at');
    const isWhole = extent.type.kind === 'array' && extent.type.element === this.element;
    this.aim(extent.offsetBytes, isWhole ? (extent.type as ArrayType).length : extent.count);
  }

  clear(): void {
    this.aim(NULL_OFFSET, 0);
  }

  private aim(targetBytes: number, count: number): void {
    this.arena.memory.view.setUint32(this.offset, targetBytes, true);
    this.arena.memory.view.setUint32(this.offset + 4, count, true);
  }
}
