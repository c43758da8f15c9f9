// Who begins when others leave.
import { expect } from 'chai';
import { FewAtATime } from './few-at-a-time.js';

describe('few at a time', () => {
  it('begin, and the others of their network in their order when one leaves', async () => {
    const few = new FewAtATime(2);
    const began: string[] = [];
    const enter = (name: string, network = 'a') => {
      const place = few.enter(network);
      if (place.turn) void place.turn.then(() => began.push(name));
      else began.push(name);
      return place;
    };
    const [one, two, three, four] = ['one', 'two', 'three', 'four', 'five'].map((name) => enter(name));
    enter('other', 'b');
    expect(began).to.deep.equal(['one', 'two', 'other']);
    // One that waits leaves its place in the queue, and leaves only once.
    three?.leave();
    three?.leave();
    await Promise.resolve();
    expect(began).to.have.lengthOf(3);
    one?.leave();
    one?.leave();
    await Promise.resolve();
    expect(began.slice(3)).to.deep.equal(['four']);
    for (const place of [two, four]) place?.leave();
    await Promise.resolve();
    expect(began.slice(4)).to.deep.equal(['five']);
    enter('six');
    expect(began.slice(5)).to.deep.equal(['six']);
  });
});
