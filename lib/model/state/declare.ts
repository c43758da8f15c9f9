// The functions with which a simulation declares its state: `double(2, { units: 'm' })`, `struct('Ball', { ... })`.
import { requireComplete, requireDeclared } from './declared.js';
import { withArticle } from './misfit.js';
import {
  type Access,
  type CheckpointIo,
  type EnumerationCell,
  type EnumerationType,
  labelOf,
  NUMBER_FACTS,
  type NumberName,
  type NumberType,
  type PointerType,
  type StructType,
  structType,
  type TextType,
  type Type,
} from './type.js';

/** What every declaration takes. */
export interface VariableOptions {
  /** UDUNITS text; `--` (default) for none. */
  readonly units?: string;
  /** One line that describes the variable. */
  readonly about?: string;
  readonly access?: Access;
  /** What checkpoints do with the variable, whatever its access. Default: they save and restore it. */
  readonly checkpointIo?: CheckpointIo;
  /** True makes it read-only when the initialization has ended. Default false. FMI: variability fixed */
  readonly fixed?: boolean;
}

export interface NumberOptions extends VariableOptions {
  /** The least and the greatest number that initial values and clients may give; NaN is neither. */
  readonly min?: number;
  readonly max?: number;
}

/**
 * A declared type with its units. `View` is the type that simulation code works with, and `Initial` the type of an
 * initial value; only the compiler uses both.
 */
export interface Declared<View = unknown, Initial = unknown, T extends Type = Type> {
  readonly type: T;
  readonly units: string;
  readonly about: string;
  readonly access: Access;
  readonly checkpointIo?: CheckpointIo;
  readonly fixed?: boolean;
  /** The name under which the type was registered, when it differs from the type's own name. */
  readonly typeName?: string;
  readonly view?: View;
  readonly initial?: Initial;
}

// biome-ignore lint/suspicious/noExplicitAny: any declaration at all
export type AnyDeclared = Declared<any, any>;
/** The type with which simulation code works on a declared variable. */
export type ViewOf<D extends AnyDeclared> = Exclude<D['view'], undefined>;
/** The type of an initial value of a declaration. */
export type InitialOf<D extends AnyDeclared> = Exclude<D['initial'], undefined>;
/**
 * A complete value as plain data: an enumeration is its label where it is declared by labels, otherwise its number; an array
 * is a list, a structure an object with all members.
 */
export type PlainOf<D extends AnyDeclared> = Plain<InitialOf<D>>;
// biome-ignore lint/suspicious/noExplicitAny: any function at all
type Plain<I> = PlainValue<Exclude<I, (...given: any[]) => unknown>>;
type PlainValue<I> = [I] extends [number | string]
  ? [number] extends [I]
    ? number
    : I
  : I extends readonly unknown[]
    ? { readonly [K in keyof I]: Plain<I[K]> }
    : I extends object
      ? { readonly [K in keyof I]-?: Plain<Exclude<I[K], undefined>> }
      : I;

/** `[T, T]` for 2, so that a list of the wrong length does not compile; from 33 elements on any list compiles. */
type Tuple<T, N extends number, R extends readonly T[] = readonly []> = number extends N
  ? readonly T[]
  : R['length'] extends N
    ? R
    : R['length'] extends 32
      ? readonly T[]
      : Tuple<T, N, readonly [...R, T]>;
/** The elements' values, or what makes each of them from its index. */
export type Elements<T, N extends number> = Tuple<T, N> | ((index: number) => T);
type IndexOf<N extends number> = Exclude<keyof Tuple<0, N>, keyof (readonly 0[])>;
/** A typed array whose elements within its length are known to exist. */
export type Cells<Storage, Element, N extends number> = Storage & { [I in IndexOf<N>]: Element };

/** A container with one JavaScript view per element; elements are assigned in place. */
export interface ElementViews<V> extends Iterable<V> {
  readonly length: number;
  [index: number]: V;
  /** An element. Throws a RangeError outside the array; a negative index counts from the end. */
  at(index: number): V;
  map<R>(change: (element: V, index: number) => R): R[];
  forEach(act: (element: V, index: number) => void): void;
  entries(): Iterable<[index: number, element: V]>;
}

/** A pointer to values elsewhere in the same simulation. */
export interface PointerView<V> extends Iterable<V> {
  readonly isNull: boolean;
  /** How many values it points at. */
  readonly length: number;
  /** Undefined outside; an assignment there throws a RangeError. */
  [index: number]: V;
  at(index: number): V;
  /** Points at a value, or at a whole array, given by its view. Throws a TypeError for a view of another type. */
  pointTo(target: Iterable<V> | (V extends object ? V : never)): void;
  clear(): void;
}

/** An identifier, or the number of a tuple's member. */
const MEMBER_NAME = /^(?:[A-Za-z_]\w*|\d{1,15})$/;

export type Members = Readonly<Record<string, AnyDeclared>>;
type Simplify<T> = { [K in keyof T]: T[K] } & {};
export type StructView<M extends Members> = Simplify<
  { -readonly [K in keyof M as ViewOf<M[K]> extends object ? never : K]: ViewOf<M[K]> } & {
    readonly [K in keyof M as ViewOf<M[K]> extends object ? K : never]: ViewOf<M[K]>;
  }
>;
export type StructInitial<M extends Members> = { readonly [K in keyof M]?: InitialOf<M[K]> };

/** The declaration of a type with its options; `View` and `Initial` are for the compiler alone. */
export function declare<View, Initial, T extends Type>(
  type: T,
  options: VariableOptions = {},
): Declared<View, Initial, T> {
  requireComplete(type, options);
  const { units = '--', about = '', access = 'read-write', checkpointIo, fixed } = options;
  return { type, units, about, access, ...(checkpointIo && { checkpointIo }), ...(fixed && { fixed }) };
}

function nest(element: Type, extents: readonly number[]): Type {
  return extents.reduceRight<Type>((inner, length) => arrayType(inner, length, false), element);
}

export function arrayType(element: Type, length: number, isContainer: boolean): Type {
  if (!Number.isInteger(length) || length < 1) {
    throw new RangeError(`an array needs a length of at least 1, not ${length}`);
  }
  return { kind: 'array', element, length, isContainer };
}

function checkCapacity(what: string, capacity: number, unit: string): void {
  if (!Number.isInteger(capacity) || capacity < 1) {
    throw new RangeError(`a ${what} needs a capacity of at least 1 ${unit}, not ${capacity}`);
  }
}

function textType(form: TextType['form'], capacityBytes: number): TextType {
  checkCapacity('text', capacityBytes, 'byte');
  return { kind: 'text', form, capacityBytes };
}

interface NumberDeclarer<View, Storage, Initial = View> {
  (options?: NumberOptions): Declared<View, Initial>;
  <const N extends number>(length: N, options?: NumberOptions): Declared<Cells<Storage, View, N>, Tuple<Initial, N>>;
  <const N extends number, const M extends number>(
    extents: readonly [N, M],
    options?: NumberOptions,
  ): Declared<Cells<readonly Cells<Storage, View, M>[], Cells<Storage, View, M>, N>, Tuple<Tuple<Initial, M>, N>>;
  (extents: readonly number[], options?: NumberOptions): Declared<NestedViews<Storage>, NestedInitial<Initial>>;
}
/** Arrays of three or more dimensions are views of views; the compiler does not know their lengths. */
export interface NestedViews<Storage> {
  readonly [index: number]: NestedViews<Storage> & Storage;
}
export type NestedInitial<Initial> = readonly (Initial | NestedInitial<Initial>)[];

function ranged(type: NumberType, { min, max }: NumberOptions = {}): NumberType {
  if (min === undefined && max === undefined) return type;
  const [least, greatest] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY];
  if (!(least <= greatest))
    throw new RangeError(`a range goes from a number to a greater one, not from ${min} to ${max}`);
  return { ...type, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function numbers<View, Storage, Initial = View>(name: NumberName): NumberDeclarer<View, Storage, Initial> {
  const plain: NumberType = { kind: 'number', name };
  const declarer = (first?: number | readonly number[] | NumberOptions, second?: NumberOptions) => {
    if (typeof first === 'number') return declare(nest(ranged(plain, second), [first]), second);
    if (Array.isArray(first)) return declare(nest(ranged(plain, second), first), second);
    const options = first as NumberOptions | undefined;
    return declare(ranged(plain, options), options);
  };
  return declarer as NumberDeclarer<View, Storage, Initial>;
}

/** One C char, which is a number; `chars` declares text. */
export const char = (options?: VariableOptions): Declared<number, number> =>
  declare({ kind: 'number', name: 'char' }, options);
/** An integer of 8 bits from 0 to 255, or an array of them. */
export const unsignedChar: NumberDeclarer<number, Uint8Array> = numbers('unsigned char');
/** An integer of 16 bits, or an array of them. */
export const short: NumberDeclarer<number, Int16Array> = numbers('short');
/** An integer of 16 bits from 0 up, or an array of them. */
export const unsignedShort: NumberDeclarer<number, Uint16Array> = numbers('unsigned short');
/** An integer of 32 bits, or an array of them. */
export const int: NumberDeclarer<number, Int32Array> = numbers('int');
/** An integer of 32 bits from 0 up, or an array of them. */
export const unsignedInt: NumberDeclarer<number, Uint32Array> = numbers('unsigned int');
/** An integer of 64 bits, as bigint (a C `long` on every Unix), or an array of them. */
export const long: NumberDeclarer<bigint, BigInt64Array> = numbers('long');
/** An integer of 64 bits from 0 up, as bigint, or an array of them. */
export const unsignedLong: NumberDeclarer<bigint, BigUint64Array> = numbers('unsigned long');
/** An integer of 64 bits, as bigint, or an array of them. */
export const longLong: NumberDeclarer<bigint, BigInt64Array> = numbers('long long');
/** An integer of 64 bits from 0 up, as bigint, or an array of them. */
export const unsignedLongLong: NumberDeclarer<bigint, BigUint64Array> = numbers('unsigned long long');
/** A floating-point number of 32 bits, or an array of them. */
export const float: NumberDeclarer<number, Float32Array> = numbers('float');
/** A floating-point number of 64 bits, or an array of them. */
export const double: NumberDeclarer<number, Float64Array> = numbers('double');
/** A truth value, or an array of them. */
export const bool = numbers<boolean, ElementViews<boolean>>('bool');

/** `char name[16]`: text of up to 15 bytes; `chars([2, 8])` is two texts. */
export function chars(lengthBytes: number, options?: VariableOptions): Declared<string, string>;
export function chars<const N extends number>(
  extents: readonly [N, number],
  options?: VariableOptions,
): Declared<Cells<ElementViews<string>, string, N>, Tuple<string, N>>;
export function chars(extents: number | readonly number[], options?: VariableOptions): Declared {
  return declare(nest({ kind: 'number', name: 'char' }, typeof extents === 'number' ? [extents] : extents), options);
}

/** One wchar_t, which is a number; `wideChars` declares text. */
export const wideChar = (options?: VariableOptions): Declared<number, number> =>
  declare({ kind: 'number', name: 'wchar_t' }, options);

/** `wchar_t name[16]`: text of up to 15 characters. */
export function wideChars(length: number, options?: VariableOptions): Declared<string, string>;
export function wideChars<const N extends number>(
  extents: readonly [N, number],
  options?: VariableOptions,
): Declared<Cells<ElementViews<string>, string, N>, Tuple<string, N>>;
export function wideChars(extents: number | readonly number[], options?: VariableOptions): Declared {
  return declare(nest({ kind: 'number', name: 'wchar_t' }, typeof extents === 'number' ? [extents] : extents), options);
}

/** The capacity of a text that is declared without one. */
const TEXT_BYTES = 255;

/** std::string of up to `capacityBytes` bytes of UTF-8. */
export function text(capacityBytes = TEXT_BYTES, options?: VariableOptions): Declared<string, string> {
  return declare(textType('string', capacityBytes), options);
}

/** `char *`, which may be null. */
export function charPointer(
  capacityBytes = TEXT_BYTES,
  options?: VariableOptions,
): Declared<string | null, string | null> {
  return declare(textType('char pointer', capacityBytes), options);
}

/** `wchar_t *`, which may be null. */
export function widePointer(
  capacityBytes = TEXT_BYTES,
  options?: VariableOptions,
): Declared<string | null, string | null> {
  return declare(textType('wide pointer', capacityBytes), options);
}

/** std::wstring of up to `capacityBytes` bytes of UTF-8, which clients see as wide characters. */
export function wideText(capacityBytes = TEXT_BYTES, options?: VariableOptions): Declared<string, string> {
  return declare(textType('wide string', capacityBytes), options);
}

/** A bit field of 1 to 32 bits. */
export function bits(
  widthBits: number,
  options: VariableOptions & { readonly signed?: boolean; readonly declaredAs?: NumberName } = {},
): Declared<number, number> {
  if (!Number.isInteger(widthBits) || widthBits < 1 || widthBits > 32) {
    throw new RangeError(`a bit field has 1 to 32 bits, not ${widthBits}`);
  }
  const isSigned = options.signed ?? false;
  const declaredAs = options.declaredAs ?? (isSigned ? 'int' : 'unsigned int');
  return declare({ kind: 'bits', widthBits, isSigned, declaredAs }, options);
}

export interface EnumerationOptions extends VariableOptions {
  /** The integer that holds it: `enum Mode : unsigned char`. Default int. */
  readonly storedAs?: EnumerationCell;
}

export type EnumerationDeclared<L extends Readonly<Record<string, number>>> = Declared<
  number,
  number | (keyof L & string),
  EnumerationType
> & {
  /** The values by label: `Phase.labels.ENTRY`. */
  readonly labels: L;
  /** The label of a value; the value as text when it has none. */
  readonly label: (value: number) => string;
};

export type LabelsDeclared<L extends string> = Declared<L, L, EnumerationType> & {
  readonly labels: Readonly<Record<L, number>>;
};

/** An enumeration whose labels count from 0: simulation code reads and writes labels, `mode === 'LANDED'`. */
export function enumeration<const L extends string>(
  name: string,
  labels: readonly L[],
  options?: EnumerationOptions,
): LabelsDeclared<L>;
/** An enumeration with given numbers: simulation code reads numbers, and writes numbers or labels. */
export function enumeration<const L extends Readonly<Record<string, number>>>(
  name: string,
  labels: L,
  options?: EnumerationOptions,
): EnumerationDeclared<L>;
export function enumeration(
  name: string,
  given: Readonly<Record<string, number>> | readonly string[],
  options: EnumerationOptions = {},
): Declared {
  const isByLabel = Array.isArray(given);
  const labels = isByLabel ? numbered(name, given) : (given as Readonly<Record<string, number>>);
  const { storedAs = 'int' } = options;
  for (const [label, value] of Object.entries(labels)) {
    if (!fitsCell(storedAs, value)) throw new RangeError(`${name}.${label} is ${withArticle(storedAs)}, not ${value}`);
  }
  const cell = storedAs === 'int' ? {} : { storedAs };
  const type: EnumerationType = { kind: 'enumeration', name, labels, ...cell, ...(isByLabel && { isByLabel }) };
  const label = (value: number): string => labelOf(type, value);
  return Object.assign(declare(type, options), isByLabel ? { labels } : { labels, label });
}

function fitsCell(cell: EnumerationCell, value: number): boolean {
  const { sizeBytes, isSigned } = NUMBER_FACTS[cell];
  const most = 2 ** (8 * sizeBytes - (isSigned ? 1 : 0)) - 1;
  return Number.isInteger(value) && value <= most && value >= (isSigned ? -most - 1 : 0);
}

function numbered(name: string, labels: readonly string[]): Record<string, number> {
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined) throw new RangeError(`${name} has two labels ${twice}`);
  return Object.fromEntries(labels.map((label, index) => [label, index]));
}

/** A structure: members by name, in the order of C. Throws a RangeError for a name that is no identifier. */
export function struct<const M extends Members>(
  name: string,
  members: M,
  options?: VariableOptions,
): Declared<StructView<M>, StructInitial<M>, StructType> {
  for (const [memberName, declared] of Object.entries(members)) {
    requireDeclared(declared, `${name}.${memberName}`);
    if (!MEMBER_NAME.test(memberName)) {
      throw new RangeError(`${name}.${memberName}: a member is named with letters, digits and _`);
    }
  }
  const laidOut = Object.entries(members).map(([name, declared]) => ({
    name,
    type: declared.type,
    ...inherited(declared),
  }));
  return declare(structType(name, laidOut), { units: '1', ...options });
}

/** The same declaration with other units, description or access. */
export function describe<D extends AnyDeclared>(declared: D, options: VariableOptions): D {
  return { ...declared, ...options };
}

/** A fixed array of any type, including structs. */
export function array<D extends AnyDeclared, const N extends number>(
  element: D,
  length: N,
  options?: VariableOptions,
): Declared<Cells<ElementViews<ViewOf<D>>, ViewOf<D>, N>, Elements<InitialOf<D>, N>> {
  return declare(arrayType(element.type, length, false), { ...inherited(element), ...options });
}

/** A pointer to one or more values; its initial value is a list of values to allocate and point at. */
export function pointer<D extends AnyDeclared>(
  target: D,
  options?: VariableOptions,
): Declared<PointerView<ViewOf<D>>, readonly InitialOf<D>[], PointerType> {
  return declare({ kind: 'pointer', target: target.type }, { ...inherited(target), ...options });
}

/** What an array or container has from its elements. */
export const inherited = ({ units, about, access, checkpointIo, fixed }: AnyDeclared) => ({
  units,
  about,
  access,
  ...(checkpointIo && { checkpointIo }),
  ...(fixed && { fixed }),
});
