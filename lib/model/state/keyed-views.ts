// The views of sets and maps, used as JavaScript's own Set and Map are.
import type { Arena } from './arena.js';
import type { MapView, SequenceView, SetView } from './declare-containers.js';
import { fitValue } from './fit-value.js';
import { guardViews } from './guarded.js';
import { type KeyedType, type KeyPlace, keyTypeOf, placeOfKey } from './keyed.js';
import type { Value } from './read.js';
import { SEQUENCE_HEADER_BYTES, strideOf } from './type.js';
import { fitCode, storeValue } from './write.js';

/** The elements by index, as a plain sequence. */
type Elements = SequenceView<unknown, unknown>;

abstract class Keyed {
  constructor(
    protected readonly arena: Arena,
    protected readonly type: KeyedType,
    protected readonly offset: number,
    protected readonly elements: Elements,
  ) {}

  get size(): number {
    return this.elements.length;
  }

  get capacity(): number {
    return this.type.capacity;
  }

  has(key: unknown): boolean {
    return this.find(this.keyFrom(key)).isThere;
  }

  delete(key: unknown): boolean {
    const { index, isThere } = this.find(this.keyFrom(key));
    if (!isThere) return false;
    const { bytes } = this.arena.memory;
    bytes.copyWithin(this.at(index), this.at(index + 1), this.at(this.size));
    this.elements.length -= 1;
    return true;
  }

  clear(): void {
    this.elements.length = 0;
  }

  replace(values: Iterable<unknown>): void {
    const fitted = fitCode(this.type, [...values]);
    this.elements.length = 0;
    storeValue(this.arena.memory, this.type, this.offset, fitted);
  }

  /** Offset of an element, or of the end of the last one. */
  protected at(index: number): number {
    return this.offset + SEQUENCE_HEADER_BYTES + index * strideOf(this.type.element);
  }

  /** A key as memory would hold it. Throws a MisfitError. */
  protected keyFrom(key: unknown): Value {
    return fitValue(keyTypeOf(this.type), key, 'the key');
  }

  protected find(key: Value): KeyPlace {
    return placeOfKey(this.type, this.arena.memory, this.offset, key);
  }

  /** Makes room at a place, with zeros in it. Throws a RangeError when there is none. */
  protected open(index: number): void {
    const end = this.at(this.size);
    this.elements.length += 1;
    const { bytes } = this.arena.memory;
    bytes.copyWithin(this.at(index + 1), this.at(index), end);
    bytes.fill(0, this.at(index), this.at(index + 1));
  }
}

guardViews(Keyed, 'a set or map', {
  set: (_, index) => {
    throw new TypeError(`${index} is no element of a set or map: use add(value), or set(key, value)`);
  },
});

class SetOfKeys extends Keyed implements SetView<unknown> {
  add(key: unknown): this {
    const value = this.keyFrom(key);
    const { index, isThere } = this.find(value);
    if (isThere) return this;
    this.open(index);
    storeValue(this.arena.memory, this.type.element, this.at(index), value);
    return this;
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.elements[Symbol.iterator]();
  }
}

interface Entry {
  readonly first: unknown;
  readonly second: unknown;
}

class MapOfPairs extends Keyed implements MapView<unknown, unknown, unknown, unknown> {
  get(key: unknown): unknown {
    const { index, isThere } = this.find(this.keyFrom(key));
    return isThere ? this.entry(index).second : undefined;
  }

  set(key: unknown, value: unknown): this {
    const first = this.keyFrom(key);
    const pair = fitCode(this.type.element, { first, second: value });
    const { index, isThere } = this.find(first);
    if (!isThere) this.open(index);
    storeValue(this.arena.memory, this.type.element, this.at(index), pair);
    return this;
  }

  *[Symbol.iterator](): Iterator<[unknown, unknown]> {
    for (const { first, second } of this.elements as Iterable<Entry>) yield [first, second];
  }

  *keys(): Iterable<unknown> {
    for (const [key] of this) yield key;
  }

  *values(): Iterable<unknown> {
    for (const [, value] of this) yield value;
  }

  private entry(index: number): Entry {
    return this.elements.at(index) as Entry;
  }
}

/** @param elements the view of the same elements as a plain sequence. */
export const keyedView = (arena: Arena, type: KeyedType, offset: number, elements: Elements): object =>
  Object.freeze(new (type.container === 'set' ? SetOfKeys : MapOfPairs)(arena, type, offset, elements));
