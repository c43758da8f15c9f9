// Memory that is taken and freed in any order and size is used again, and never twice at a time.
import { expect } from 'chai';
import fc from 'fast-check';
import { Arena } from './arena.js';
import { array, double } from './declare.js';
import { FreeMemory } from './free-memory.js';

describe('freed memory of a state', () => {
  const DOUBLE = double().type;
  const step = fc.record({ isTaken: fc.boolean(), count: fc.integer({ min: 1, max: 50 }), which: fc.nat() });

  it('is never given twice, and all of it is one part again in the end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const arena = new Arena();
        const held: { offset: number; count: number }[] = [];
        const release = (index: number): void => {
          const [gone] = held.splice(index, 1);
          if (gone) arena.release(DOUBLE, gone.offset, gone.count);
        };
        for (const { isTaken, count, which } of steps) {
          if (isTaken || held.length === 0) held.push({ offset: arena.allocate(DOUBLE, count), count });
          else release(which % held.length);
          const sorted = held.toSorted((one, other) => one.offset - other.offset);
          for (const [index, { offset, count: length }] of sorted.entries())
            expect(offset + 8 * length).to.be.at.most(sorted[index + 1]?.offset ?? arena.usedBytes);
          const taken = held.reduce((sum, each) => sum + 8 * each.count, 0);
          expect(arena.takenBytes).to.equal(64 + taken);
        }
        const end = arena.usedBytes;
        while (held.length > 0) release(0);
        if (end > 64) expect(arena.allocate(DOUBLE, (end - 64) / 8)).to.equal(64);
        expect(arena.usedBytes).to.equal(end);
      }),
    );
  });

  it('is used again for ever new sizes: they do not use up the state', () => {
    const arena = new Arena();
    for (let count = 100_000; count > 90_000; count -= 7) arena.release(DOUBLE, arena.allocate(DOUBLE, count), count);
    expect(arena.usedBytes).to.equal(64 + 800_000);
  });

  it('is given where somebody chose it by some of the parts, if it is free there', () => {
    const [memory, chooser] = [new FreeMemory(), new FreeMemory()];
    memory.add(64, 800);
    for (let k = 0; k < 100; k++) memory.add(10_000 + 16 * k, 8);
    const some = memory.someParts(3);
    expect([...some.slice(0, 2), some.length]).to.deep.equal([64, 800, 6]);
    for (let at = 0; at < some.length; at += 2) chooser.add(some[at] as number, some[at + 1] as number);
    for (const sizeBytes of [200, 400, 200]) {
      const offset = chooser.take(sizeBytes) as number;
      expect(memory.takeAt(offset, sizeBytes)).to.equal(true);
      expect(memory.takeAt(offset, sizeBytes)).to.equal(false);
    }
    expect(memory.bytes).to.equal(800);
    expect(memory.takeAt(10_000, 16)).to.equal(false);
    expect(memory.takeAt(9_992, 16)).to.equal(false);
  });

  it('is zeroed when it is given again, and counts when room is looked for', () => {
    const arena = new Arena();
    const large = array(double(), 100).type;
    const offset = arena.allocate(large);
    arena.memory.bytes.fill(255, offset, offset + 800);
    const end = arena.usedBytes;
    expect(arena.usedBytesWith([DOUBLE, DOUBLE])).to.equal(end + 16);
    arena.release(large, offset);
    expect(arena.usedBytesWith([DOUBLE, large])).to.equal(end + 800);
    const again = arena.allocate(DOUBLE, 10);
    expect([again, ...arena.memory.bytes.subarray(again, again + 80)]).to.deep.equal([
      offset + 720,
      ...Array(80).fill(0),
    ]);
  });
});
