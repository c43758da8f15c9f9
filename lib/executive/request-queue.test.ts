// How long requests may delay a frame.
import { expect } from 'chai';
import { Mode } from '../frame/header.js';
import type { Controlled } from './apply.js';
import { type Outcome, RequestQueue, SLICE_MILLIS } from './request-queue.js';

describe('the queue of requests', () => {
  it('shows in steps what is long to show, beside other requests', () => {
    let millis = 0;
    let steps = 0;
    const long = function* () {
      for (; steps < 10; steps++) {
        millis += 0.5;
        yield;
      }
    };
    const executive = { mode: Mode.run };
    const running = { nowMillis: () => millis, shows: { long }, executive } as unknown as Controlled;
    let frames = 0;
    const queue = new RequestQueue(running, () => frames++);
    const outcomes: Record<string, Outcome> = {};
    for (const name of ['shown', 'refused'])
      queue.add({ kind: 'show', overlay: name === 'shown' ? 'long' : 'none', value: 1 }, (outcome) => {
        outcomes[name] = outcome;
      });
    for (let turn = 1; turn <= 2; turn++) {
      expect(queue.apply(() => frames)).to.equal(SLICE_MILLIS);
      expect(outcomes).to.deep.equal({ refused: { error: 'nothing here shows "none"' } });
      expect([steps, frames]).to.deep.equal([4 * turn - 1, 0]);
    }
    queue.apply(() => frames);
    expect(outcomes.shown).to.deep.equal({ frame: 1 });
    expect(queue.isEmpty).to.equal(true);
  });
});
