// Memory for values side by side: none lies in another's, whatever their size and alignment.
import { expect } from 'chai';
import fc from 'fast-check';
import { Arena } from './arena.js';
import { double } from './declare.js';
import { sizeOf, strideOf, type Type } from './type.js';

const INT: Type = { kind: 'number', name: 'int' };
const anyType = fc.oneof(
  fc.constantFrom<Type>({ kind: 'number', name: 'char' }, INT, { kind: 'number', name: 'double' }),
  fc.record({
    kind: fc.constant('sequence' as const),
    container: fc.constant('vector' as const),
    element: fc.constantFrom<Type>(INT, { kind: 'number', name: 'double' }, { kind: 'number', name: 'char' }),
    capacity: fc.integer({ min: 1, max: 9 }),
  }),
);

describe('memory of an arena', () => {
  it('is used for the first time in pieces of 64 KB, each once, and keeps what is there', () => {
    const arena = new Arena();
    const { type } = double(100_000);
    const first = arena.allocate(type);
    arena.memory.view.setFloat64(first + 400_000, 7, true);
    let pieces = 0;
    const once = () => {
      pieces++;
      return true;
    };
    const touchAll = () => {
      while (!arena.touch(once)) {}
      return pieces;
    };
    expect(touchAll()).to.equal(13);
    expect(touchAll()).to.equal(13);
    expect(arena.memory.view.getFloat64(first + 400_000, true)).to.equal(7);
    arena.allocate(double(10_000).type);
    expect(touchAll()).to.equal(15);
  });
});

describe('the memory of values side by side', () => {
  it('ends before the next begins, in new memory and in what was freed', () => {
    const wishes = fc.array(
      fc.record({ type: anyType, count: fc.integer({ min: 1, max: 6 }), isFreed: fc.boolean() }),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(wishes, (all) => {
        const arena = new Arena();
        const taken: (readonly [start: number, end: number])[] = [];
        for (const { type, count, isFreed } of all) {
          const offset = arena.allocate(type, count);
          const end = offset + strideOf(type) * (count - 1) + sizeOf(type);
          for (const [start, otherEnd] of taken) expect(end <= start || offset >= otherEnd).to.equal(true);
          expect(end).to.be.at.most(arena.usedBytes);
          if (isFreed) arena.release(type, offset, count);
          else taken.push([offset, end]);
        }
      }),
    );
  });
});
