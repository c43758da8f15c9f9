// Who begins when others leave.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { FewAtATime } from './few-at-a-time.js';

describe('few at a time', () => {
  it('begin, and the others of their network in their order when one leaves', async () => {
    const few = new FewAtATime(2);
    const began: string[] = [];
    const enter = (name: string, network = 'a') => {
      const place = few.enter({ network });
      if (place.turn) void place.turn.then(() => began.push(name));
      else began.push(name);
      return place;
    };
    const [one, two, three, four] = ['one', 'two', 'three', 'four', 'five'].map((name) => enter(name));
    enter('other', 'b');
    expect(began).to.deep.equal(['one', 'two', 'other']);
    expect([few.held, few.refusals]).to.deep.equal([3, 3]);
    // One that waits leaves its place in the queue, and leaves only once.
    three?.leave();
    three?.leave();
    await Promise.resolve();
    expect(began.splice(3)).to.deep.equal(['three']);
    one?.leave();
    one?.leave();
    await Promise.resolve();
    expect(began.slice(3)).to.deep.equal(['four']);
    for (const place of [two, four]) place?.leave();
    await Promise.resolve();
    expect(began.slice(4)).to.deep.equal(['five']);
    expect([few.held, few.refusals]).to.deep.equal([0, 3]);
    enter('six');
    expect(began.slice(5)).to.deep.equal(['six']);
  });

  it('let one more begin each time that one has waited for long', async () => {
    const clock = new ManualClock();
    const few = new FewAtATime(1, { clock, millis: 200 });
    const began: number[] = [];
    const enter = (who: number) => {
      const place = few.enter({ network: 'a' });
      void place.turn?.then(() => began.push(who));
      return place;
    };
    const [first, ...others] = [0, 3, 5, 7, 9].map(enter);
    clock.advance(199);
    await Promise.resolve();
    expect(began).to.deep.equal([]);
    clock.advance(1);
    await Promise.resolve();
    expect(began).to.deep.equal([3]);
    // Two have begun, so the first to leave makes no place.
    first?.leave();
    await Promise.resolve();
    expect(began).to.deep.equal([3]);
    clock.advance(200);
    await Promise.resolve();
    expect(began).to.deep.equal([3, 5]);
    for (const place of others) place.leave();
    expect(clock.pending).to.equal(0);
  });
});
