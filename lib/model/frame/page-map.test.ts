// The map of the pages that a frame carries.
import { expect } from 'chai';
import fc from 'fast-check';
import { PAGE_BYTES, PageMap, pageBytesOf, pagesOf, WHOLE_BYTES } from './page-map.js';

const mapOf = (...marks: number[]): PageMap => new PageMap(Uint8Array.from(marks));
const pagesIn = (map: PageMap, count: number): number[] =>
  Array.from({ length: count }, (_, page) => page).filter((page) => map.has(page * PAGE_BYTES, 1));

describe('a map of pages', () => {
  it('is for states of more than a megabyte', () => {
    const sizes = [0, WHOLE_BYTES, WHOLE_BYTES + 1];
    expect(sizes.map((bytes) => pagesOf(bytes, pageBytesOf(bytes)))).to.deep.equal([0, 0, 257]);
    expect(pagesOf(100, 64)).to.equal(2);
  });

  it('has a range when it has all of its pages', () => {
    const map = mapOf(0, 2, 1, 0);
    expect(map.has(PAGE_BYTES, 2 * PAGE_BYTES)).to.equal(true);
    expect(map.has(PAGE_BYTES - 1, 1)).to.equal(false);
    expect(map.has(PAGE_BYTES - 1, 2)).to.equal(false);
    expect(map.has(3 * PAGE_BYTES - 1, 2)).to.equal(false);
  });

  it('has every empty range, and what lies behind its end', () => {
    expect(mapOf(0, 0).has(PAGE_BYTES - 1, 0)).to.equal(true);
    expect(mapOf(0, 0).has(5 * PAGE_BYTES, 100)).to.equal(true);
  });

  it('needs the pages of a range, and no others', () => {
    const needed = new Set<number>();
    const map = mapOf(0, 0, 0, 0);
    map.addPages(needed, 2 * PAGE_BYTES - 1, 2);
    map.addPages(needed, 0, 0);
    map.addPages(needed, 9 * PAGE_BYTES, 10);
    expect([...needed]).to.deep.equal([1, 2]);
  });

  it('marks ranges, tells which have a mark, and takes off the marks of another map', () => {
    const map = new PageMap(new Uint8Array(4), 64);
    map.markRange(60, 70);
    map.markRange(200, 0);
    expect([map.hasSome(0, 60), map.hasSome(191, 10), map.hasSome(192, 64)]).to.deep.equal([true, true, false]);
    const other = new PageMap(Uint8Array.of(0, 1, 0, 1), 64);
    expect([map.meets(other), map.meets(new PageMap(Uint8Array.of(0, 0, 0, 1), 64))]).to.deep.equal([true, false]);
    expect([map.takeOff(other), map.has(0, 64), map.has(64, 1), map.has(128, 64)]).to.deep.equal([
      1,
      true,
      false,
      true,
    ]);
    expect([map.equals(other), map.equals(new PageMap(Uint8Array.of(1, 0, 1, 0)))]).to.deep.equal([false, true]);
  });

  it('takes over the marks of a shorter and of a longer map', () => {
    const longer = mapOf(2, 0, 2);
    longer.take(mapOf(0, 1));
    expect(pagesIn(longer, 3)).to.deep.equal([1, 2]);
    const shorter = mapOf(0, 0);
    shorter.take(mapOf(0, 1, 2));
    expect(pagesIn(shorter, 2)).to.deep.equal([1]);
  });

  it('admits a few new pages at a time', () => {
    const used = new Uint8Array(5);
    const admitted = [2, 2, 2].map((most) => {
      const map = new PageMap(Uint8Array.of(1, 0, 1, 1, 1));
      map.admit(used, most);
      return pagesIn(map, 5);
    });
    expect(admitted).to.deep.equal([
      [0, 2],
      [0, 2, 3, 4],
      [0, 2, 3, 4],
    ]);
  });

  it('copies the pages that are in and nothing else, whatever the sizes', () => {
    const marks = fc.array(fc.nat(1), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(marks, fc.nat(PAGE_BYTES - 1), fc.nat(3 * PAGE_BYTES), (all, missing, unused) => {
        const to = new Uint8Array(all.length * PAGE_BYTES - missing).fill(1);
        const from = new Uint8Array(Math.max(0, to.length - unused)).fill(2);
        new PageMap(Uint8Array.from(all)).copy(from, to);
        const isRight = to.every((byte, i) => byte === (i < from.length && all[Math.floor(i / PAGE_BYTES)] ? 2 : 1));
        expect(isRight).to.equal(true);
      }),
      { numRuns: 30 },
    );
  });
});
