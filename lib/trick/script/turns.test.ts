// Blocks take turns on one thread.
import { expect } from 'chai';
import { Turns } from './turns.js';

describe('turns', () => {
  let later: (() => void)[];
  let now: number;
  let turns: Turns;
  let ran: string[];
  const work = (name: string, millis: number) => (): void => {
    ran.push(name);
    now += millis;
  };
  /** What runs in the next turn of the event loop. */
  const nextTurn = (): string[] => {
    ran = [];
    for (const call of later.splice(0)) call();
    return ran;
  };

  beforeEach(() => {
    [later, now, ran] = [[], 0, []];
    turns = new Turns(
      (call) => later.push(call),
      () => now,
    );
  });

  it('begin at once while there is time left', () => {
    expect([turns.begin(work('a', 2)), turns.begin(work('b', 2)), turns.begin(work('c', 2))]).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect(ran).to.deep.equal(['a', 'b', 'c']);
    expect([turns.begin(work('d', 0)), turns.isBusy]).to.deep.equal([false, true]);
    expect([nextTurn(), turns.isBusy]).to.deep.equal([['d'], false]);
  });

  it('go on later, in the order in which they were asked for', () => {
    for (const name of ['a', 'b', 'c']) turns.resume(work(name, 1));
    expect(ran).to.deep.equal([]);
    expect([nextTurn(), turns.isBusy, nextTurn()]).to.deep.equal([['a', 'b', 'c'], false, []]);
  });

  it('are over after a few milliseconds; the rest waits', () => {
    for (const name of ['a', 'b', 'c']) turns.resume(work(name, 5));
    expect([nextTurn(), nextTurn(), nextTurn(), nextTurn()]).to.deep.equal([['a'], ['b'], ['c'], []]);
  });

  it('do not let what is new wait for all that goes on', () => {
    for (const name of ['a', 'b']) turns.resume(work(name, 5));
    turns.begin(work('new', 1));
    expect(nextTurn()).to.deep.equal(['new', 'a']);
    turns.begin(work('newer', 9));
    expect([nextTurn(), nextTurn()]).to.deep.equal([['newer', 'b'], []]);
  });

  it('do not let what is short wait for what is known to be long', () => {
    turns.begin(work('first', 9));
    turns.begin(work('long', 9), true);
    turns.begin(work('longer', 9), true);
    turns.begin(work('short', 1));
    expect([nextTurn(), nextTurn()]).to.deep.equal([['short', 'long'], ['longer']]);
  });

  it('do not go on in the same turn for whoever asks again', () => {
    turns.resume(() => {
      ran.push('first');
      turns.resume(work('again', 0));
    });
    expect([nextTurn(), nextTurn()]).to.deep.equal([['first'], ['again']]);
  });
});
