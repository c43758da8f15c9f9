// Repeated writes: prepared once, they store what a plain write stores.
import { expect } from 'chai';
import { double, int, struct } from './declare.js';
import { Memory } from './memory.js';
import { repeatedWrite } from './repeated-write.js';
import { writeValue } from './write.js';

const { type } = struct('Point', { x: double(), toString: int(), y: double() });

/** The memory after a write, or the sentence that refuses the write. */
function outcome(write: (memory: Memory) => void): string {
  const memory = new Memory(new ArrayBuffer(64));
  memory.bytes.fill(1);
  try {
    write(memory);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message} ${memory.bytes.toString('hex')}`;
  }
  return memory.bytes.toString('hex');
}

describe('a repeated write', () => {
  const write = repeatedWrite(type, 8, 'o.point');
  const inherited = Object.create({ x: 5 });
  for (const [what, value] of [
    ['all members', { x: 1, toString: 2, y: 3 }],
    ['some, and none inherited', { y: 3 }],
    ['a member given as undefined', { x: undefined, y: 3 }],
    ['inherited members only', inherited],
    ['a name that no member has', { x: 1, z: 2 }],
    ['a member of another shape after a good one', { x: 1, y: 'no' }],
    ['an empty list', []],
    ['a map', new Map([['x', 1]])],
    ['null', null],
    ['a number', 3],
  ] as const) {
    it(`does with ${what} what a write does`, () => {
      const once = outcome((memory) => writeValue(memory, type, 8, value, 'o.point'));
      expect(outcome((memory) => write(memory, value))).to.equal(once);
      expect(outcome((memory) => write(memory, value))).to.equal(once);
    });
  }
});
