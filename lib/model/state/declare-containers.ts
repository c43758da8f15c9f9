// Declares containers: std::vector and its kin, sets, maps and pairs.
import {
  type AnyDeclared,
  arrayType,
  type Cells,
  type Declared,
  declare,
  type Elements,
  type ElementViews,
  type InitialOf,
  inherited,
  type StructView,
  type VariableOptions,
  type ViewOf,
} from './declare.js';
import { requireOrder } from './keyed.js';
import { pairType } from './pair.js';
import { cNameOf, type SequenceType, type StructType } from './type.js';

/** A sequence that can grow up to its capacity. */
export interface SequenceView<V, I> extends Iterable<V> {
  /** Number of elements; setting it removes elements or adds zeros. */
  length: number;
  readonly capacity: number;
  /** Undefined outside; an assignment there throws a RangeError. */
  [index: number]: V;
  at(index: number): V;
  set(index: number, value: I): void;
  push(value: I): void;
  replace(values: Iterable<I>): void;
}

/** A set whose values stand in their order. */
export interface SetView<V> extends Iterable<V> {
  readonly size: number;
  readonly capacity: number;
  has(value: V): boolean;
  /** Throws a RangeError when the set is full, and a MisfitError for a value that does not fit. */
  add(value: V): this;
  /** Whether it was there. */
  delete(value: V): boolean;
  clear(): void;
  replace(values: Iterable<V>): void;
}

/**
 * A map whose entries stand in the order of their keys. An entry that comes or goes moves those behind it, so an object
 * from `get` is used at once and not kept.
 */
export interface MapView<K, V, IK = K, IV = V> extends Iterable<[K, V]> {
  readonly size: number;
  readonly capacity: number;
  has(key: IK): boolean;
  get(key: IK): V | undefined;
  /** Throws a RangeError when the map is full, and a TypeError or RangeError for a value that does not fit. */
  set(key: IK, value: IV): this;
  /** Whether it was there. */
  delete(key: IK): boolean;
  clear(): void;
  keys(): Iterable<K>;
  values(): Iterable<V>;
  /** Replaces all entries; of several entries with one key the last stays. */
  replace(entries: Iterable<readonly [IK, IV]>): void;
}

function checkCapacity(what: string, capacity: number): void {
  if (!Number.isInteger(capacity) || capacity < 1) {
    throw new RangeError(`a ${what} needs a capacity of at least 1 element, not ${capacity}`);
  }
}

const sequences =
  (container: SequenceType['container']) =>
  <D extends AnyDeclared>(
    element: D,
    capacity: number,
    options?: VariableOptions,
  ): Declared<SequenceView<ViewOf<D>, InitialOf<D>>, readonly InitialOf<D>[]> => {
    checkCapacity(container, capacity);
    const type: SequenceType = { kind: 'sequence', container, element: element.type, capacity };
    return declare(type, { ...inherited(element), ...options });
  };

/** std::vector of at most `capacity` elements. */
export const vector = sequences('vector');
/** std::deque of at most `capacity` elements. */
export const deque = sequences('deque');
/** std::list of at most `capacity` elements. */
export const list = sequences('list');

/** std::set of at most `capacity` numbers, enumerations, texts or pairs of them. */
export function set<D extends AnyDeclared>(
  element: D,
  capacity: number,
  options?: VariableOptions,
): Declared<SetView<ViewOf<D>>, readonly InitialOf<D>[]> {
  checkCapacity('set', capacity);
  requireOrder('set', element.type);
  const type: SequenceType = { kind: 'sequence', container: 'set', element: element.type, capacity };
  return declare(type, { ...inherited(element), ...options });
}

/** std::map of at most `capacity` entries; its initial value is a list of keys with their values. */
export function map<K extends AnyDeclared, V extends AnyDeclared>(
  key: K,
  value: V,
  capacity: number,
  options?: VariableOptions,
): Declared<
  MapView<ViewOf<K>, ViewOf<V>, InitialOf<K>, InitialOf<V>>,
  readonly (readonly [InitialOf<K>, InitialOf<V>])[]
> {
  checkCapacity('map', capacity);
  requireOrder('map', key.type);
  const entry = pairType(key, value, `std::pair<const ${cNameOf(key.type)}, ${cNameOf(value.type)}>`, true);
  const type: SequenceType = { kind: 'sequence', container: 'map', element: entry, capacity };
  return declare(type, options);
}

/** std::pair; its initial value is a list of two, or an object with `first` and `second`. */
export function pair<A extends AnyDeclared, B extends AnyDeclared>(
  first: A,
  second: B,
  options?: VariableOptions,
): Declared<
  StructView<{ first: A; second: B }>,
  readonly [InitialOf<A>, InitialOf<B>] | { readonly first: InitialOf<A>; readonly second: InitialOf<B> },
  StructType
> {
  const name = `std::pair<${cNameOf(first.type)}, ${cNameOf(second.type)}>`;
  return declare(pairType(first, second, name, false), { units: '1', ...options });
}

/** std::array: a fixed array that answers a size query. */
export function stdArray<D extends AnyDeclared, const N extends number>(
  element: D,
  length: N,
  options?: VariableOptions,
): Declared<Cells<ElementViews<ViewOf<D>>, ViewOf<D>, N>, Elements<InitialOf<D>, N>> {
  return declare(arrayType(element.type, length, true), { ...inherited(element), ...options });
}
