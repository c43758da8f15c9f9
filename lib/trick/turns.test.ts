import { expect } from 'chai';
import { Turns } from './turns.js';

describe('turns', () => {
  let later: (() => void)[];
  let now: number;
  let turns: Turns;
  const ran: string[] = [];
  const addWork = (name: string, millis: number): void =>
    turns.add(() => {
      ran.push(name);
      now += millis;
    });
  const nextTurn = (): string[] => {
    ran.length = 0;
    for (const call of later.splice(0)) call();
    return [...ran];
  };

  beforeEach(() => {
    later = [];
    now = 0;
    turns = new Turns(
      (call) => later.push(call),
      () => now,
    );
  });

  it('come in the order in which they were asked for', () => {
    for (const name of ['a', 'b', 'c']) addWork(name, 1);
    expect(nextTurn()).to.deep.equal(['a', 'b', 'c']);
    expect([turns.isBusy, nextTurn()]).to.deep.equal([false, []]);
  });

  it('are over after a few milliseconds; the rest waits', () => {
    for (const name of ['a', 'b', 'c']) addWork(name, 5);
    expect(nextTurn()).to.deep.equal(['a']);
    expect(turns.isBusy).to.equal(true);
    addWork('d', 0);
    expect([nextTurn(), nextTurn()]).to.deep.equal([['b'], ['c']]);
    expect([nextTurn(), turns.isBusy]).to.deep.equal([['d'], false]);
  });

  it('do not go on in the same turn for whoever asks again', () => {
    turns.add(() => {
      ran.push('first');
      addWork('again', 0);
    });
    expect([nextTurn(), nextTurn()]).to.deep.equal([['first'], ['again']]);
  });
});
