// The queue of waiting work against a plain array, for any pushes and shifts.
import { expect } from 'chai';
import fc from 'fast-check';
import { Ledger } from './account.js';
import { systemClock } from './clock.js';
import { type Waiting, WorkQueue } from './work-queue.js';

describe('a queue of work', () => {
  const account = new Ledger(systemClock).open('client');

  it('gives what it was given, in order', () => {
    const step = fc.oneof(fc.record({ pushes: fc.nat(600) }), fc.record({ shifts: fc.nat(600) }), fc.constant('clear'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const queue = new WorkQueue();
        let expected: Waiting[] = [];
        for (const one of steps) {
          if (one === 'clear') {
            queue.clear();
            expected = [];
          } else if (typeof one === 'object' && 'pushes' in one)
            for (let k = 0; k < one.pushes; k++) {
              const waiting = { account, work: () => undefined };
              queue.push(waiting);
              expected.push(waiting);
            }
          else if (typeof one === 'object')
            for (let k = 0; k < one.shifts; k++)
              if (queue.shift() !== expected.shift()) throw new Error('not the first that was pushed');
          expect(queue.length).to.equal(expected.length);
        }
      }),
    );
  });
});
