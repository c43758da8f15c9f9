// Copies of frames use the memory of earlier copies, of which a bounded amount is kept for a while.

import { expect } from 'chai';
import { PageLeases } from '../../model/frame/page-leases.js';
import { PAGE_BYTES, WHOLE_BYTES } from '../../model/frame/page-map.js';
import { Frame, FramePages } from '../../model/frame/reader.js';
import { headerAt } from '../../testing/aids/frames.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { FrameCopies, MOST_SPARE_BYTES } from './frame-copies.js';

const LARGE_BYTES = 4 * WHOLE_BYTES;
const leases = new PageLeases();

/** A frame of a large state that carries one page, all of whose bytes are alike. */
function largeFrame(number: number, page: number): Frame {
  const frame = new Frame(LARGE_BYTES, headerAt(number), new FramePages(leases, LARGE_BYTES));
  frame.pages?.carried.mark(page, true);
  frame.memory.bytes.fill(number);
  return frame;
}

describe('copies of frames', () => {
  it('use the memory of one that was given back', () => {
    const copies = new FrameCopies(new ManualClock());
    const first = copies.take(largeFrame(1, 0));
    const { buffer } = first.memory;
    copies.giveBack(first);
    const second = copies.take(largeFrame(2, 3));
    expect(second.memory.buffer).to.equal(buffer);
    expect(second.header.number).to.equal(2);
    expect(second.memory.bytes[3 * PAGE_BYTES]).to.equal(2);
    expect([0, 3].map((page) => second.pages?.carried.has(page * PAGE_BYTES, 1))).to.deep.equal([false, true]);
  });

  it('stay as they are until then', () => {
    const copies = new FrameCopies(new ManualClock());
    const [first, second] = [copies.take(largeFrame(1, 0)), copies.take(largeFrame(2, 0))];
    expect(first.memory.buffer).not.to.equal(second.memory.buffer);
    expect([first, second].map(({ memory }) => memory.bytes[0])).to.deep.equal([1, 2]);
  });

  it('of the same frame are one, whose memory is used again when its last reader has given it back', () => {
    const copies = new FrameCopies(new ManualClock());
    const frame = largeFrame(1, 0);
    const [first, second] = [copies.take(frame), copies.take(frame)];
    expect(first).to.equal(second);
    copies.giveBack(first);
    const next = copies.take(largeFrame(2, 0));
    expect([next, second].map(({ memory }) => memory.bytes[0])).to.deep.equal([2, 1]);
    copies.giveBack(second);
    expect(copies.take(largeFrame(3, 0)).memory.buffer).to.equal(second.memory.buffer);
    expect(next.memory.bytes[0]).to.equal(2);
  });

  it('of a frame that carries much are cheap once there is memory for them', async () => {
    const copies = new FrameCopies(new ManualClock());
    const large = largeFrame(1, 0);
    expect(copies.isCheap(large)).to.equal(true);
    large.pages?.carried.markAll();
    expect(copies.isCheap(large)).to.equal(false);
    let turns = 0;
    await copies.prepareInTurns(large, async () => void turns++);
    expect([turns > 3, copies.isCheap(large)]).to.deep.equal([true, true]);
    const copy = copies.take(large);
    expect([copy.memory.bytes.at(-1), copies.isCheap(large)]).to.deep.equal([1, true]);
    const other = largeFrame(2, 0);
    other.pages?.carried.markAll();
    expect(copies.isCheap(other)).to.equal(false);
    copies.giveBack(copy);
    expect(copies.isCheap(other)).to.equal(true);
  });

  it('of another size get memory of their own', () => {
    const copies = new FrameCopies(new ManualClock());
    copies.giveBack(copies.take(largeFrame(1, 0)));
    const small = new Frame(100, headerAt(2));
    small.memory.bytes.fill(7);
    expect(copies.take(small).memory.bytes).to.deep.equal(small.memory.bytes);
  });

  it('of parts use the memory of parts of that size', () => {
    const copies = new FrameCopies(new ManualClock());
    const first = copies.takeMemory(100_000);
    const small = copies.takeMemory(100);
    for (const memory of [first, small]) copies.giveBack(memory);
    expect(copies.takeMemory(100_001)).not.to.equal(first);
    expect(copies.takeMemory(100)).not.to.equal(small);
    expect(copies.takeMemory(100_000)).to.equal(first);
    expect(copies.takeMemory(100_000)).not.to.equal(first);
  });

  it('give way to later ones when there are too many', () => {
    const copies = new FrameCopies(new ManualClock());
    const [first, ...others] = [1, 2, 3].map((megabytes) =>
      copies.takeMemory(MOST_SPARE_BYTES / 4 + megabytes * 2 ** 20),
    );
    for (const memory of [first, ...others, copies.takeMemory(MOST_SPARE_BYTES / 4)])
      if (memory) copies.giveBack(memory);
    expect(copies.takeMemory(first?.bytes.length ?? 0)).not.to.equal(first);
    for (const memory of others) expect(copies.takeMemory(memory.bytes.length)).to.equal(memory);
    const tooLarge = copies.takeMemory(MOST_SPARE_BYTES + 1);
    copies.giveBack(tooLarge);
    expect(copies.takeMemory(MOST_SPARE_BYTES + 1)).not.to.equal(tooLarge);
  });

  it('are kept up to a bound, and for some seconds', () => {
    const clock = new ManualClock();
    const copies = new FrameCopies(clock);
    const taken = Array.from({ length: MOST_SPARE_BYTES / LARGE_BYTES + 1 }, (_, k) => copies.take(largeFrame(k, 0)));
    for (const copy of taken) copies.giveBack(copy);
    const known = new Set(taken.map(({ memory }) => memory.buffer));
    const again = taken.map((_, k) => known.has(copies.take(largeFrame(100 + k, 0)).memory.buffer));
    expect(again.filter((isKnown) => isKnown)).to.have.lengthOf(taken.length - 1);
    for (const copy of taken.slice(1)) copies.giveBack(copy);
    clock.advance(5000);
    expect(clock.pending).to.equal(0);
    expect(known.has(copies.take(largeFrame(200, 0)).memory.buffer)).to.equal(false);
  });
});
