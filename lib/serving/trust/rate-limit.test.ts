// How many addresses' requests are counted.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { RateLimit } from './rate-limit.js';

describe('a rate limit', () => {
  it('lets twice as many come at once, and one when there is one in a few seconds', () => {
    const clock = new ManualClock();
    const counts = [20, 0.25].map((perSecond) => {
      const limit = new RateLimit(perSecond, clock);
      const takeAll = (): number => {
        for (let taken = 0; ; taken++) if (!limit.take('client')) return taken;
      };
      const atOnce = takeAll();
      clock.advance(4000);
      return [atOnce, takeAll()];
    });
    expect(counts).to.deep.equal([
      [40, 40],
      [1, 1],
    ]);
  });
});
