// The ring of a state that grows: a new one is made, and the one before does not stay in memory.
import { expect } from 'chai';
import { double } from '../model/declare.js';
import { State } from '../model/state.js';
import { headerOf } from '../testing/aids/frames.js';
import { Publisher } from './publisher.js';

/** A thread that does nothing collects nothing. */
async function someObjects(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(Array.from({ length: 3000 }, (_, k) => ({ k }))).to.have.lengthOf(3000);
}

describe('the ring of a state that grows', () => {
  it('gives back the memory of the ring before', async () => {
    const collected: number[] = [];
    const registry = new FinalizationRegistry((ringNumber: number) => collected.push(ringNumber));
    const state = new State();
    const publisher = new Publisher(state, {
      layout: ({ ring, ringNumber }) => registry.register(ring.buffer, ringNumber),
      poke: () => undefined,
    });
    const object = state.addObject('table');
    for (let size = 1; size <= 2; size++) {
      object.component(`row${size}`, double(20_000 * size));
      publisher.publish(headerOf(publisher.next()));
    }
    while (!collected.includes(1)) await someObjects();
    expect(collected).not.to.include(2);
    expect(publisher.frameNumber).to.equal(2);
  });
});
