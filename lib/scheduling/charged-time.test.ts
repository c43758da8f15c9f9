// What a client is charged for its pieces of work.
import { expect } from 'chai';
import { Ledger } from './account.js';
import { TurnTime } from './turn-time.js';
import { Turns } from './turns.js';

describe('the time that a client is charged', () => {
  let later: (() => void)[];
  let now: number;
  let calls: number;

  beforeEach(() => {
    [later, now, calls] = [[], 0, 0];
  });

  const work = (millis: number) => (): void => {
    calls++;
    now += millis;
  };
  /** Runs the next turn of the event loop, whose pieces cause so much after they have returned. */
  const nextTurn = (causedMillis: number): void => {
    calls = 0;
    for (const call of later.splice(0)) call();
    now += causedMillis * calls;
  };

  it('has for what its pieces cause, which is known on average only, at most as much again as they took', () => {
    const ledger = new Ledger({ nowMillis: () => now, after: () => () => undefined });
    const time = new TurnTime(
      (call) => later.push(call),
      () => now,
    );
    const turns = new Turns(time);
    const [busy, quiet] = [ledger.open('busy'), ledger.open('quiet')];
    for (let k = 0; k < 200; k++) turns.resume(busy, work(0.2));
    while (turns.isBusy) nextTurn(0.15);
    turns.resume(quiet, work(0.03));
    turns.resume(quiet, work(0));
    nextTurn(0);
    // A piece counts with 0.02 ms at least.
    expect(quiet.usedMillis).to.be.closeTo(2 * (0.03 + 0.02), 0.001);
  });
});
