// Long lists of numbers as the bytes that their variables store: they pass to another thread without a copy, and are stored
// in one go.
import type { Memory } from './memory.js';
import { outOfRange } from './misfit.js';
import type { Value } from './read.js';
import {
  type ArrayType,
  isCharacters,
  NUMBER_FACTS,
  type NumberName,
  type NumberType,
  type SequenceType,
  type Type,
} from './type.js';

/** The numbers of a list, in the form in which they lie in memory. */
export type Packed =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** A kind of typed array. */
export interface NumbersForm {
  new (length: number): Packed;
  new (buffer: ArrayBufferLike, offset: number, length: number): object;
}

/** The typed array in whose form each type of number lies in memory; a truth value is a byte. */
export const FORMS: Readonly<Record<NumberName, NumbersForm>> = {
  char: Int8Array,
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
  bool: Uint8Array,
  wchar_t: Int32Array,
};

/** A shorter list is as quickly copied number by number. */
const LONG_LIST = 1024;
/** Rows that are shorter than their arrays are filled with zeros; a list that would take more memory is not packed. */
const MOST_PACKED = 1024 * 1024;

type ListType = ArrayType | SequenceType;

/** Numbers that lie side by side: those of a list, or of all rows of a list of arrays. */
interface SideBySide {
  readonly number: NumberType;
  /** How many there are in an element of the list. */
  readonly each: number;
}

function sideBySide(element: Type): SideBySide | undefined {
  let each = 1;
  let inner = element;
  for (; inner.kind === 'array' && !isCharacters(inner); inner = inner.element) each *= inner.length;
  return inner.kind === 'number' && each > 0 ? { number: inner, each } : undefined;
}

export const isPacked = (value: unknown): value is Packed => ArrayBuffer.isView(value);

/** A list of numbers, or of arrays of numbers, that is packed piece by piece; what is not set is 0. */
export class PackedList {
  private readonly numbers: Packed;
  private at = 0;

  private constructor(
    private readonly element: Type,
    { number, each }: SideBySide,
    length: number,
  ) {
    this.numbers = new FORMS[number.name](length * each);
  }

  /** For so many elements; undefined when such a list is not packed. */
  static for(type: ListType, length: number): PackedList | undefined {
    const found = isCharacters(type) ? undefined : sideBySide(type.element);
    const count = length * (found?.each ?? 0);
    return found && count > LONG_LIST && count <= MOST_PACKED ? new PackedList(type.element, found, length) : undefined;
  }

  /** Adds elements as `convertFor` returns them. */
  add(values: readonly Value[]): void {
    const { element } = this;
    if (element.kind === 'number') this.at = this.setAll(values, this.at);
    else for (const value of values) this.at = this.addRow(element as ArrayType, value, this.at);
  }

  /** Returns where the next row begins. */
  private addRow({ element, length }: ArrayType, row: Value, at: number): number {
    const { each } = sideBySide(element) as SideBySide;
    if (isPacked(row)) this.numbers.set(row as never, at);
    else if (element.kind === 'number') this.setAll(row as readonly Value[], at);
    else
      for (const [index, item] of (row as readonly Value[]).entries())
        this.addRow(element as ArrayType, item, at + index * each);
    return at + length * each;
  }

  private setAll(values: readonly Value[], start: number): number {
    const { numbers } = this;
    let at = start;
    if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array)
      for (const value of values) numbers[at++] = BigInt(value as bigint);
    else for (const value of values) numbers[at++] = Number(value);
    return at;
  }

  /** As a value for those who pass it on and store it: they ask `isPacked` first. */
  get value(): Value {
    return this.numbers as unknown as Value;
  }
}

/** How many elements of a type packed numbers are. */
export const elementsIn = (element: Type, { length }: Packed): number =>
  Math.ceil(length / (sideBySide(element)?.each ?? 1));

/** Whether packed numbers lie in memory as elements of this type do, and are within its range. */
export function fitsPacked(element: Type, value: Packed): boolean {
  const found = sideBySide(element);
  if (!found || value.constructor !== FORMS[found.number.name] || value.length % found.each !== 0) return false;
  const { min, max } = found.number;
  if (min === undefined && max === undefined) return true;
  for (const item of value) if (outOfRange('', found.number, item) !== undefined) return false;
  return true;
}

/** The elements as `convertFor` returns them. */
export function unpacked(element: Type, value: Packed): Value[] {
  if (element.kind === 'array') {
    const { each } = sideBySide(element) ?? { each: 1 };
    return Array.from({ length: elementsIn(element, value) }, (_, index) =>
      unpacked(element.element, value.subarray(index * each, (index + 1) * each) as Packed),
    );
  }
  const family = element.kind === 'number' ? NUMBER_FACTS[element.name].family : 'floating';
  return Array.from<number | bigint, Value>(value, (item) => (family === 'bool' ? Number(item) !== 0 : item));
}

/** Whether the processor keeps numbers as the state does. */
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Stores numbers side by side; false, and stores nothing, when they do not lie in memory as those elements do. */
export function storePacked(memory: Memory, element: Type, offset: number, value: Packed): boolean {
  const found = sideBySide(element);
  if (!isLittleEndian || !found || value.constructor !== FORMS[found.number.name]) return false;
  memory.bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), offset);
  return true;
}

/** The memory of all packed lists in a value, which may pass to another thread with it. @param found gets it. */
export function buffersOf(value: Value, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (value === null || typeof value !== 'object') return found;
  if (Array.isArray(value)) {
    // Of a list of numbers or texts none is a list.
    if (typeof value[0] === 'object') for (const item of value as readonly Value[]) buffersOf(item, found);
  } else if (!isPacked(value))
    for (const name in value) buffersOf((value as Record<string, Value>)[name] as Value, found);
  // Part of a larger piece of memory is copied, because others may use the rest.
  else if (value.byteLength === value.buffer.byteLength) found.push(value.buffer);
  return found;
}
