// The buffer between a server that sends and a program that iterates.
import { expect } from 'chai';
import { UpdateQueue } from './update-queue.js';

describe('UpdateQueue', () => {
  it('hands an update to whoever waits for one, first come first served', async () => {
    const queue = new UpdateQueue<number>(1, () => undefined);
    const waiting = [queue.next(), queue.next()];
    queue.push(1);
    queue.push(2);
    expect((await Promise.all(waiting)).map(({ value }) => value)).to.deep.equal([1, 2]);
    expect(queue.dropped).to.equal(0);
  });

  it('drops the oldest above its capacity', async () => {
    const queue = new UpdateQueue<number>(2, () => undefined);
    for (const update of [1, 2, 3]) queue.push(update);
    expect(queue.dropped).to.equal(1);
    expect((await queue.next()).value).to.equal(2);
  });

  it('ends after what is in the buffer, with the error if there is one', async () => {
    const failing = new UpdateQueue<number>(5, () => undefined);
    failing.push(1);
    failing.finish(new Error('lost'));
    failing.push(2);
    expect(await failing.next()).to.deep.equal({ value: 1, done: false });
    expect(await failing.next().catch((error: Error) => error.message)).to.equal('lost');
    const ending = new UpdateQueue<number>(5, () => undefined);
    const waiting = ending.next();
    ending.finish();
    expect((await waiting).done).to.equal(true);
  });

  it('tells when the loop is left', async () => {
    let returns = 0;
    const queue = new UpdateQueue<number>(5, () => returns++);
    queue.push(1);
    for await (const update of queue) if (update === 1) break;
    expect(returns).to.equal(1);
    expect((await queue.next()).done).to.equal(true);
  });
});
