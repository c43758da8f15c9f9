// Memory for copies of the state: used memory comes back.
import { expect } from 'chai';
import { CopyMemory } from './copy-memory.js';

describe('memory for copies of the state', () => {
  it('is what was given back, if the state has its size', () => {
    const memory = new CopyMemory();
    const first = memory.take(1_000_000);
    memory.giveBack(first);
    expect(memory.take(1_000_000).buffer).to.equal(first.buffer);
    expect(memory.take(1_000_000).buffer).not.to.equal(first.buffer);
  });

  it('does not pile up while the state grows and shrinks', () => {
    const memory = new CopyMemory();
    const [large, small] = [memory.take(1_000_000), memory.take(100)];
    memory.giveBack(large);
    memory.giveBack(small);
    expect(memory.take(100).buffer).to.equal(small.buffer);
    expect(memory.take(1_000_000).buffer).not.to.equal(large.buffer);
  });

  it('is new after all was let go', () => {
    const memory = new CopyMemory();
    const first = memory.take(100);
    memory.giveBack(first);
    memory.clear();
    expect(memory.take(100).buffer).not.to.equal(first.buffer);
  });

  it('is used for the first time in pieces of 64 KB', () => {
    const memory = new CopyMemory();
    let pieces = 0;
    const once = () => {
      pieces++;
      return true;
    };
    while (!memory.prepare(1_000_000, once)) {}
    // With an eighth of spare room.
    expect(pieces).to.equal(18);
    expect(memory.prepare(1_000_000, once)).to.equal(true);
    expect(pieces).to.equal(18);
    const ready = memory.take(1_000_000);
    memory.giveBack(ready);
    // What is kept needs no more.
    expect(memory.prepare(1_000_000, once)).to.equal(true);
    expect(memory.take(1_000_000).buffer).to.equal(ready.buffer);
  });

  it('is made ready once for a state that grows meanwhile', () => {
    const memory = new CopyMemory();
    let bytes = 1_000_000;
    let pieces = 0;
    while (pieces < 100 && !memory.prepare(bytes, () => true)) {
      bytes += 5000;
      pieces++;
    }
    expect(pieces).to.equal(17);
    const ready = memory.take(bytes);
    expect(ready.length).to.be.at.least(bytes);
    memory.giveBack(ready);
    expect(memory.take(bytes + 5000).buffer).to.equal(ready.buffer);
  });

  it('stays for a state that shrank, down to half of it', () => {
    const memory = new CopyMemory();
    const first = memory.take(1_000_000);
    memory.giveBack(first);
    expect(memory.take(600_000).buffer).to.equal(first.buffer);
    memory.giveBack(first);
    expect(memory.take(500_000).buffer).not.to.equal(first.buffer);
  });

  it('fits a state that grew a little', () => {
    const memory = new CopyMemory();
    const first = memory.take(1_000_000);
    memory.giveBack(first);
    expect(memory.take(1_000_100).buffer).to.equal(first.buffer);
  });
});
