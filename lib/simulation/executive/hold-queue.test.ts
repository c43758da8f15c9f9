// Times at which the server wants to be asked: none is kept longer than it is wanted, and each comes once.
import { expect } from 'chai';
import { HoldQueue } from './hold-queue.js';

describe('the queue of holds', () => {
  let queue: HoldQueue;
  let answers: unknown[];
  beforeEach(() => {
    queue = new HoldQueue();
    answers = [];
  });
  const answer = (asked: unknown) => answers.push(asked);

  it('forgets a read that has been asked', () => {
    queue.set({ id: 1, atTics: 5 }, answer, 0);
    const read = queue.first(5);
    expect(read?.hold.id).to.equal(1);
    if (read) queue.advance(read, 5);
    expect([queue.has(1), queue.first(9), queue.nextTics]).to.deep.equal([false, undefined, Number.POSITIVE_INFINITY]);
  });

  it('has an event at one time only when simulation time changes', () => {
    queue.set({ id: 2, everyTics: 10 }, answer, 0);
    queue.beginFrame(1);
    const event = queue.first(1);
    if (event) queue.advance(event, 1);
    expect(queue.nextTics).to.equal(11);
    queue.restartAt(3);
    expect(queue.nextTics).to.equal(Number.POSITIVE_INFINITY);
    queue.beginFrame(3);
    const begun = queue.first(3);
    expect(begun?.hold.id).to.equal(2);
    if (begun) queue.advance(begun, 3);
    expect([queue.nextTics, queue.first(12)]).to.deep.equal([13, undefined]);
  });

  it('answers a hold that is removed, and has it no longer', () => {
    queue.set({ id: 3, atTics: 7 }, answer, 0);
    queue.delete(3);
    expect([answers, queue.has(3), queue.first(9)]).to.deep.equal([[undefined], false, undefined]);
  });
});
