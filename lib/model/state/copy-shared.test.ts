// Arrays that get other extents keep the elements that they still have.
import { expect } from 'chai';
import fc from 'fast-check';
import { copyShared } from './copy-shared.js';
import { Memory } from './memory.js';

const bytesOf = (extents: readonly number[], elementBytes: number): number =>
  extents.reduce((bytes, extent) => bytes * extent, elementBytes);

/** The bytes that the new array should have, element by element. */
function copiedSlowly(old: Buffer, from: readonly number[], to: readonly number[], elementBytes: number): Buffer {
  const made = Buffer.alloc(bytesOf(to, elementBytes));
  const copy = (dimension: number, fromIndex: number, toIndex: number): void => {
    if (dimension === from.length) {
      for (let at = 0; at < elementBytes; at++)
        made[toIndex * elementBytes + at] = old[fromIndex * elementBytes + at] as number;
      return;
    }
    const [fromCount, toCount] = [from[dimension] as number, to[dimension] as number];
    for (let index = 0; index < Math.min(fromCount, toCount); index++)
      copy(dimension + 1, fromIndex * fromCount + index, toIndex * toCount + index);
  };
  copy(0, 0, 0);
  return made;
}

/** The new array behind the old one, and how many pieces were copied in one go. */
function resized(
  from: readonly number[],
  to: readonly number[],
  elementBytes: number,
  stepBytes = Number.POSITIVE_INFINITY,
) {
  const [fromBytes, toBytes] = [bytesOf(from, elementBytes), bytesOf(to, elementBytes)];
  const memory = new Memory(new ArrayBuffer(fromBytes + toBytes + 8));
  const { bytes } = memory;
  const old = bytes.subarray(0, fromBytes);
  for (let at = 0; at < fromBytes; at++) old[at] = 1 + (at % 251);
  const before = Buffer.from(old);
  let pieces = 0;
  bytes.copyWithin = (...given) => {
    pieces++;
    return Buffer.prototype.copyWithin.apply(bytes, given) as Buffer;
  };
  const steps = copyShared(
    { offsetBytes: 0, extents: from },
    { offsetBytes: fromBytes, extents: to },
    { memory, elementBytes, stepBytes },
  );
  let stepCount = 1;
  for (const _ of steps) stepCount++;
  expect(old.equals(before)).to.equal(true);
  expect(bytes.readDoubleLE(fromBytes + toBytes)).to.equal(0);
  return { old, made: bytes.subarray(fromBytes, fromBytes + toBytes), pieces, stepCount };
}

describe('arrays that get other extents', () => {
  it('keep the elements that both have, and are zero elsewhere', () => {
    const extents = fc.integer({ min: 0, max: 5 }).chain((dimensions) => {
      const given = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: dimensions, maxLength: dimensions });
      return fc.tuple(given, given);
    });
    const property = fc.property(extents, fc.constantFrom(1, 4, 8, 24, 264), ([from, to], elementBytes) => {
      const { old, made } = resized(from, to, elementBytes);
      expect(made.equals(copiedSlowly(old, from, to, elementBytes))).to.equal(true);
    });
    fc.assert(property);
  });

  const SHAPES: readonly [string, from: readonly number[], to: readonly number[], pieces: number][] = [
    ['a longer list', [700_000], [700_008], 1],
    ['a shorter list', [700_000], [699_992], 1],
    ['more rows of the same length', [300, 10, 100], [301, 10, 100], 1],
    ['fewer planes of the same rows', [30, 10, 1000], [30, 9, 1000], 30],
    ['longer rows', [30, 10, 1000], [30, 10, 1001], 300],
    ['rows of a few bytes, which are copied one by one', [100_000, 2], [100_000, 1], 0],
  ];
  for (const [what, from, to, expected] of SHAPES) {
    it(`are copied in as few pieces as there are: ${what}`, () => {
      const { old, made, pieces } = resized(from, to, 1);
      expect(pieces).to.equal(expected);
      expect(made.equals(copiedSlowly(old, from, to, 1))).to.equal(true);
    });
  }
});
