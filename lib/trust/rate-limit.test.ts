// How many addresses' requests are counted.
import { expect } from 'chai';
import { leftOutSince } from '../testing/aids/left-out-count.js';
import { ManualClock } from '../testing/aids/manual-clock.js';
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

  it('forgets the address that has been quiet longest when there are ten thousand', () => {
    const limit = new RateLimit(1, new ManualClock());
    const isRefused = (client: string): boolean => !limit.hasLeft(client);
    for (let k = 0; k < 10_000; k++) for (let time = 0; time < 2; time++) limit.take(`client ${k}`);
    const forgotten = leftOutSince('counted_addresses');
    expect([isRefused('client 0'), isRefused('client 1'), forgotten()]).to.deep.equal([true, true, 0]);
    limit.take('one more');
    // Asking about the first two has moved them behind the third.
    expect([isRefused('client 2'), isRefused('client 0'), forgotten()]).to.deep.equal([false, true, 1]);
  });
});
