// Typed views, with which simulation code reads and writes its state in the arena.
import type { Arena } from './arena.js';
import type { ElementViews, PointerView } from './declare.js';
import type { SequenceView } from './declare-containers.js';
import { Elements, outside } from './elements.js';
import { guardViews } from './guarded.js';
import { isKeyed } from './keyed.js';
import { keyedView } from './keyed-views.js';
import { readCharacters, readLeaf } from './memory.js';
import { withArticle } from './misfit.js';
import { FORMS, type NumbersForm } from './packed-numbers.js';
import {
  type ArrayType,
  type Characters,
  cellOf,
  describeType,
  isCharacters,
  isLeaf,
  labelOf,
  type Member,
  NULL_OFFSET,
  type NumberName,
  type PointerType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  type StructType,
  strideOf,
  type Type,
} from './type.js';
import { fitCode, integerCheck, storeValue, writeValue } from './write.js';

/** Whether a type is used like a plain value: the getter makes a JavaScript value, and the setter stores one. */
export const isValue = (type: Type): boolean => isLeaf(type) || isCharacters(type);

interface Storage {
  [index: number]: number | bigint;
}

function typedArrayOf(element: Type): NumbersForm | undefined {
  if (element.kind === 'enumeration') return element.isByLabel ? undefined : FORMS[cellOf(element)];
  return element.kind === 'number' && element.name !== 'bool' ? FORMS[element.name] : undefined;
}

/** The view of a value that is an object (struct, array, sequence, pointer), at an offset. */
export function viewOf(arena: Arena, type: Type, offsetBytes: number): object {
  const view = makeView(arena, type, offsetBytes);
  arena.register(view, { offsetBytes, type });
  return view;
}

function makeView(arena: Arena, type: Type, offset: number): object {
  switch (type.kind) {
    case 'struct':
      return structView(arena, type, offset);
    case 'array':
      return arrayView(arena, type, offset);
    case 'sequence':
      return isKeyed(type)
        ? keyedView(arena, type, offset, new Sequence(arena, type, offset))
        : Object.freeze(new Sequence(arena, type, offset));
    case 'pointer':
      return Object.freeze(new Pointer(arena, type, offset));
    case 'number':
    case 'bits':
    case 'enumeration':
    case 'text':
      throw new TypeError(`a ${type.kind} has no view of its own`);
  }
}

/** What simulation code gets for a component: a view, or for a plain value a cell. */
export function componentView(arena: Arena, member: Member): object {
  const { type, offsetBytes } = member;
  if (!isValue(type)) return viewOf(arena, type, offsetBytes);
  const cell = {};
  defineCell(cell, 'value', arena, member);
  arena.register(cell, member);
  return Object.seal(cell);
}

/** Defines `key` on `holder`: plain values are read and written in place, views of objects are made at first use. */
export function defineCell(
  holder: object,
  key: string | number,
  arena: Arena,
  { type, offsetBytes: offset, name = `${key}` }: Pick<Member, 'type' | 'offsetBytes'> & Partial<Member>,
): void {
  if (isValue(type)) {
    Object.defineProperty(holder, key, valueAccess(arena, type, offset, name));
    return;
  }
  let view: object | undefined;
  const get = (): object => {
    view ??= viewOf(arena, type, offset);
    return view;
  };
  const set = (): void => refuseReplacement(name, type);
  Object.defineProperty(holder, key, { enumerable: true, get, set });
}

/** Code keeps views of places in the state, so an assignment fills a view and never replaces it. */
function refuseReplacement(name: string, type: Type): never {
  throw new TypeError(`${name} is a view of the state, which is filled and not replaced: ${fillingOf(name, type)}`);
}

function fillingOf(name: string, type: Type): string {
  if (type.kind === 'struct') return `Object.assign(${name}, { ... })`;
  if (type.kind === 'sequence') return `${name}.replace([ ... ])`;
  if (type.kind === 'pointer') return `${name}.pointTo( ... )`;
  const { element } = type as ArrayType;
  if (typedArrayOf(element)) return `${name}.set([ ... ])`;
  return isValue(element) ? `${name}[0] = ...` : fillingOf(`${name}[0]`, element);
}

function valueAccess(arena: Arena, type: Type, offset: number, name: string): PropertyDescriptor {
  if (type.kind === 'number') return numberAccess(arena, type.name, offset, name);
  return {
    enumerable: true,
    get: () => readCell(arena, type, offset),
    set: (value: unknown) => writeValue(arena.memory, type, offset, value, name),
  };
}

/** The fastest path of simulation code: reads and writes a number through a typed array of one element. */
function numberCell({ memory }: Arena, name: NumberName, offset: number): Storage {
  return new FORMS[name](memory.buffer, offset, 1) as Storage;
}

function numberAccess(arena: Arena, type: NumberName, offset: number, name: string): PropertyDescriptor {
  const cell = numberCell(arena, type, offset);
  if (type === 'bool') {
    const set = (value: unknown): void => {
      cell[0] = Number(Boolean(value));
    };
    return { enumerable: true, get: () => cell[0] !== 0, set };
  }
  const check = integerCheck(type, name);
  const set = (value: number): void => {
    check?.(value);
    cell[0] = value;
  };
  return { enumerable: true, get: () => cell[0], set };
}

function readCell(arena: Arena, type: Type, offset: number): unknown {
  if (!isLeaf(type)) return readCharacters(type as Characters, arena.memory, offset);
  const value = readLeaf(type, arena.memory, offset);
  return type.kind === 'enumeration' && type.isByLabel ? labelOf(type, value as number) : value;
}

/** The cells that the accessors of one struct view use. */
class StructCells {
  /** By member: a typed array with one element, or the view of an object, made at first use. */
  readonly cells: unknown[];

  constructor(
    readonly arena: Arena,
    readonly type: StructType,
    readonly offset: number,
  ) {
    this.cells = type.members.map((member) =>
      member.type.kind === 'number' ? numberCell(arena, member.type.name, offset + member.offsetBytes) : undefined,
    );
  }

  /** Offset of a member in the arena. */
  at(member: Member): number {
    return this.offset + member.offsetBytes;
  }
}

const CELLS = Symbol('cells');
interface HasCells {
  readonly [CELLS]: StructCells;
}

const accessors = new WeakMap<StructType, PropertyDescriptorMap>();

function structView(arena: Arena, type: StructType, offset: number): object {
  // All views of a type share their accessors, so that the engine sees one shape and loops over elements stay fast.
  const shared = accessors.get(type) ?? Object.fromEntries(type.members.map(memberAccess));
  accessors.set(type, shared);
  const view = Object.defineProperty({}, CELLS, { value: new StructCells(arena, type, offset) });
  return Object.seal(Object.defineProperties(view, shared));
}

function memberAccess(member: Member, index: number): [string, PropertyDescriptor & ThisType<HasCells>] {
  const { name, type } = member;
  if (type.kind === 'number') return [name, numberMemberAccess(type.name, index, name)];
  if (!isValue(type)) {
    const get = function (this: HasCells): unknown {
      const { cells, arena } = this[CELLS];
      cells[index] ??= viewOf(arena, type, this[CELLS].at(member));
      return cells[index];
    };
    const set = (): void => refuseReplacement(name, type);
    return [name, { enumerable: true, get, set }];
  }
  const get = function (this: HasCells): unknown {
    return readCell(this[CELLS].arena, type, this[CELLS].at(member));
  };
  const set = function (this: HasCells, value: unknown): void {
    writeValue(this[CELLS].arena.memory, type, this[CELLS].at(member), value, name);
  };
  return [name, { enumerable: true, get, set }];
}

function numberMemberAccess(type: NumberName, index: number, name: string): PropertyDescriptor & ThisType<HasCells> {
  if (type === 'bool') {
    return {
      enumerable: true,
      get(): boolean {
        return (this[CELLS].cells[index] as Uint8Array)[0] !== 0;
      },
      set(value: boolean): void {
        (this[CELLS].cells[index] as Uint8Array)[0] = value ? 1 : 0;
      },
    };
  }
  const check = integerCheck(type, name);
  return {
    enumerable: true,
    get(): number | bigint | undefined {
      return (this[CELLS].cells[index] as Storage)[0];
    },
    set(value: number): void {
      check?.(value);
      (this[CELLS].cells[index] as Storage)[0] = value;
    },
  };
}

/** Longer arrays of objects get an element's view at its first use: slower to reach, but no memory until then. */
const LONGEST_EAGER = 1024;

function arrayView(arena: Arena, type: ArrayType, offset: number): object {
  const TypedArray = typedArrayOf(type.element);
  if (TypedArray) return Object.preventExtensions(new TypedArray(arena.memory.buffer, offset, type.length));
  const stride = strideOf(type.element);
  const view: ElementViews<unknown> & object = new Elements(type.length);
  if (isValue(type.element) || type.length > LONGEST_EAGER) {
    for (let i = 0; i < type.length; i++)
      defineCell(view, i, arena, { type: type.element, offsetBytes: offset + i * stride });
    return Object.seal(view);
  }
  const own = { writable: true, enumerable: true, configurable: true };
  for (let i = 0; i < type.length; i++)
    Object.defineProperty(view, i, { ...own, value: viewOf(arena, type.element, offset + i * stride) });
  return Object.freeze(view);
}

/** Elements side by side from a base that may change: the common part of sequences and pointers. */
abstract class Cells {
  [index: number]: unknown;
  /** The views made so far, by offset. */
  private readonly views = new Map<number, object>();

  constructor(
    protected readonly arena: Arena,
    protected readonly element: Type,
  ) {}

  abstract readonly length: number;
  protected abstract readonly baseBytes: number;

  protected cellOffset(index: number): number {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) throw outside(index, this.length);
    return this.baseBytes + index * strideOf(this.element);
  }

  at(index: number): unknown {
    const offset = this.cellOffset(index);
    if (isValue(this.element)) return readCell(this.arena, this.element, offset);
    const view = this.views.get(offset) ?? viewOf(this.arena, this.element, offset);
    this.views.set(offset, view);
    return view;
  }

  set(index: number, value: unknown): void {
    writeValue(this.arena.memory, this.element, this.cellOffset(index), value);
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

guardViews(Cells, 'a view of elements', {
  get: (view, index) => (index >= 0 && index < view.length ? view.at(index) : undefined),
  set: (view, index, value) => view.set(index, value),
});

class Sequence extends Cells implements SequenceView<unknown, unknown> {
  readonly capacity: number;
  protected readonly baseBytes: number;

  constructor(
    arena: Arena,
    private readonly type: SequenceType,
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

  push(value: unknown): void {
    const fitted = fitCode(this.element, value);
    this.length += 1;
    storeValue(this.arena.memory, this.element, this.cellOffset(this.length - 1), fitted);
  }

  replace(values: Iterable<unknown>): void {
    const fitted = fitCode(this.type, [...values]);
    this.length = 0;
    storeValue(this.arena.memory, this.type, this.offset, fitted);
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
    const targetBytes = this.arena.memory.view.getUint32(this.offset, true);
    return this.arena.isGoing(targetBytes) ? NULL_OFFSET : targetBytes;
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
    const { type, offsetBytes } = extent;
    if (this.arena.isGoing(offsetBytes)) this.clear();
    else if (type === this.element) this.aim(offsetBytes, 1);
    else if (type.kind === 'array' && type.element === this.element) this.aim(offsetBytes, type.length);
    else {
      const [own, other] = [this.element, type].map((one) => withArticle(describeType(one)));
      throw new TypeError(`a pointer to ${own} cannot point at ${other}`);
    }
  }

  clear(): void {
    this.aim(NULL_OFFSET, 0);
  }

  private aim(targetBytes: number, count: number): void {
    this.arena.memory.view.setUint32(this.offset, targetBytes, true);
    this.arena.memory.view.setUint32(this.offset + 4, count, true);
  }
}
