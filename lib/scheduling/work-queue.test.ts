// The queue of waiting work against a plain array, for any pushes and shifts.
import { expect } from 'chai';
import fc from 'fast-check';
import { Ledger } from './account.js';
import { systemClock } from './clock.js';
import { type Waiting, WorkQueue } from './work-queue.js';

const ledger = new Ledger(systemClock);
const account = ledger.open('client');

/** Positive numbers push so many, negative ones shift, 0 clears. Gives what was shifted and how many are left. */
function played(steps: readonly number[], make: () => Waiting, queue: Pick<WorkQueue, 'push' | 'shift' | 'clear'>) {
  const shifted: (Waiting | undefined)[] = [];
  for (const step of steps) {
    if (step === 0) queue.clear();
    for (let k = 0; k < step; k++) queue.push(make());
    for (let k = 0; k > step; k--) shifted.push(queue.shift());
  }
  return shifted;
}

/** Work with the same functions each time that it is asked for. */
function maker(): () => Waiting {
  let count = 0;
  return () => works[count++ % works.length] as Waiting;
}
const works: readonly Waiting[] = Array.from({ length: 5000 }, () => ({
  account,
  work: () => undefined,
  goesOn: false,
}));

describe('a queue of work', () => {
  it('gives what it was given, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -600, max: 600 }), { maxLength: 20 }), (steps) => {
        const queue = new WorkQueue();
        const plain: Waiting[] = [];
        const expected = played(steps, maker(), {
          push: (waiting) => plain.push(waiting),
          shift: () => plain.shift(),
          clear: () => plain.splice(0),
        });
        const got = played(steps, maker(), queue);
        expect(got.every((waiting, index) => waiting === expected[index])).to.equal(true);
        expect([got.length, queue.length]).to.deep.equal([expected.length, plain.length]);
      }),
    );
  });

  it('gives the first of a network, though others came before it', () => {
    const queue = new WorkQueue();
    const other = ledger.open('10.0.0.2:1');
    const [first, second] = [1, 2].map(() => ({ account: other, work: () => undefined, goesOn: false }));
    const [before, between] = works as [Waiting, Waiting];
    for (const waiting of [before, before, first, between, second]) queue.push(waiting as Waiting);
    expect(queue.shift()).to.equal(before);
    expect([queue.takeOf('10.0.0.2'), queue.takeOf('10.0.0.3'), queue.length]).to.deep.equal([first, undefined, 3]);
    expect(Array.from({ length: 4 }, () => queue.shift())).to.deep.equal([before, between, second, undefined]);
  });
});
