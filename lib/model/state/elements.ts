// The views of an array's elements, side by side.
import { guardViews } from './guarded.js';

/** The error for an index that a view does not have. */
export const outside = (index: number, length: number): RangeError =>
  new RangeError(
    length === 0 ? `there is no index ${index}: it is empty` : `index ${index} is outside 0 to ${length - 1}`,
  );

export class Elements {
  [index: number]: unknown;
  declare readonly length: number;
  constructor(length: number) {
    Object.defineProperty(this, 'length', { value: length });
  }
  *[Symbol.iterator](): Iterator<unknown> {
    for (let i = 0; i < this.length; i++) yield this[i];
  }
  at(index: number): unknown {
    const place = index < 0 ? index + this.length : index;
    if (Number.isInteger(place) && place >= 0 && place < this.length) return this[place];
    throw outside(index, this.length);
  }
  map<R>(change: (element: unknown, index: number) => R): R[] {
    return Array.from(this, change);
  }
  forEach(act: (element: unknown, index: number) => void): void {
    for (let i = 0; i < this.length; i++) act(this[i], i);
  }
  *entries(): Iterable<[number, unknown]> {
    for (let i = 0; i < this.length; i++) yield [i, this[i]];
  }
}

guardViews(Elements, 'an array', {
  set: ({ length }, index) => {
    throw outside(index, length);
  },
});
