// Errors of clients' work that nobody waits for: they are told, and everybody else goes on.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Ledger } from './account.js';
import { Timetable } from './timetable.js';
import { Turns } from './turns.js';

function setUp() {
  const clock = new ManualClock();
  const later: (() => void)[] = [];
  const told: string[] = [];
  const turns = new Turns(
    () => clock.nowMillis(),
    (call) => later.push(call),
    (error) => told.push((error as Error).message),
  );
  const account = new Ledger(clock).open('10.0.0.1:1');
  const broken = (): void => {
    throw new Error('broken');
  };
  return {
    clock,
    turns,
    account,
    told,
    broken,
    timetable: new Timetable(clock, turns),
    nextTurn: () => later.shift()?.(),
  };
}

describe('an error for which nobody waits', () => {
  it('is told when work throws in its turn, and the turn goes on', () => {
    const { turns, account, told, broken, nextTurn } = setUp();
    const done: string[] = [];
    turns.resume(account, broken);
    turns.resume(account, () => done.push('next'));
    nextTurn();
    expect([told, done, turns.waiting]).to.deep.equal([['broken'], ['next'], 0]);
  });

  it('is told for each call of the timetable that throws', () => {
    const { clock, timetable, account, told, broken } = setUp();
    let calls = 0;
    timetable.every(0.1, broken);
    timetable.every(0.1, broken, 0, account);
    timetable.every(0.1, () => calls++);
    clock.advance(100);
    expect([told, calls]).to.deep.equal([['broken', 'broken', 'broken', 'broken'], 2]);
  });
});
