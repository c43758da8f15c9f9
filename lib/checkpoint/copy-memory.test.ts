// Memory for copies of the state: used memory comes back.
import { expect } from 'chai';
import { CopyMemory } from './copy-memory.js';

describe('memory for copies of the state', () => {
  it('is what was given back last, if that is large enough', () => {
    const memory = new CopyMemory();
    const [small, large] = [memory.take(100), memory.take(1_000_000)];
    memory.giveBack(small);
    memory.giveBack(large);
    expect(memory.take(100_000).buffer).to.equal(large.buffer);
    expect(memory.take(100_000).buffer).not.to.equal(small.buffer);
    expect(memory.take(100).buffer).to.equal(small.buffer);
  });

  it('is new after all was let go', () => {
    const memory = new CopyMemory();
    const first = memory.take(100);
    memory.giveBack(first);
    memory.clear();
    expect(memory.take(100).buffer).not.to.equal(first.buffer);
  });

  it('fits a state that grew a little', () => {
    const memory = new CopyMemory();
    const first = memory.take(1_000_000);
    memory.giveBack(first);
    expect(memory.take(1_000_100).buffer).to.equal(first.buffer);
  });
});
