// A lane: one client's work runs in order.
import { expect } from 'chai';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { Ledger } from './account.js';
import { Lane } from './lane.js';
import { Turns } from './turns.js';

describe('a lane', () => {
  it('runs one piece of work after the other, those that fail too', async () => {
    const happened: string[] = [];
    const account = new Ledger(new ManualClock()).open('client');
    const lane = new Lane(new Turns(), account, () => happened.push(`length ${lane.length}`));
    const work = (name: string, steps: number) =>
      lane.run(function* () {
        for (let step = 0; step < steps; step++) {
          happened.push(`${name}${step}`);
          yield;
        }
        if (name === 'b') throw new Error('no');
        return name;
      });
    const results = await Promise.allSettled([work('a', 3), work('b', 1), work('c', 2)]);
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(happened).to.deep.equal(['a0', 'a1', 'a2', 'length 2', 'b0', 'length 1', 'c0', 'c1', 'length 0']);
  });
});
