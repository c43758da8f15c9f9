// The ring of a state that grows: a new one is made, and the one before does not stay in memory. Pages of a large state are
// counted.
import { expect } from 'chai';
import { wantedPages } from '../../model/frame/ring.js';
import { double } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import { headerOf } from '../../testing/aids/frames.js';
import { type Layout, Publisher } from './publisher.js';

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

describe('the pages of a large state', () => {
  it('that frames carry are counted, and those that they leave out', () => {
    const state = new State();
    state.addObject('table').component('rows', double(2_000_000));
    const pages = { held: 0, refusals: 0 };
    const layouts: Layout[] = [];
    const events = { layout: (layout: Layout) => layouts.push(layout), poke: () => undefined };
    const publisher = new Publisher(state, events, pages);
    const publish = () => publisher.publish(headerOf(publisher.next()));
    publish();
    expect(pages).to.deep.equal({ held: 0, refusals: 0 });
    const [layout] = layouts;
    for (let page = 0; page < 1000; page++) wantedPages((layout as Layout).ring)?.mark(page, true);
    publish();
    // Of memory that the ring has not used before, a frame carries 768 pages.
    expect(pages).to.deep.equal({ held: 768, refusals: 232 });
    publish();
    expect(pages.refusals).to.equal(464);
  });

  it('of which frames carry all are none', () => {
    const state = new State();
    state.addObject('table').component('rows', double(10));
    const pages = { held: 0, refusals: 0 };
    const publisher = new Publisher(state, { layout: () => undefined, poke: () => undefined }, pages);
    publisher.publish(headerOf(publisher.next()));
    expect(pages).to.deep.equal({ held: 0, refusals: 0 });
  });
});
