// Who asks two hundred short things a second, beside two hundred clients who use less each and always have a next piece.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { atTurnEnd } from '../network/turn-end.js';
import { TurnLoop } from '../testing/aids/turn-loop.js';
import type { Account } from './account.js';
import { Turns } from './turns.js';

const LITTLE_USERS = 200;
const PIECE_MILLIS = 0.2;
/** Of clients that are in the first, in later and in the last classes. */
const MORE_MILLIS = [24, 30, 40, 60, 100, 1000];

describe('many who use little', () => {
  it('keep whoever asks more often waiting for no more than a turn', () => {
    const loop = new TurnLoop();
    const { ledger } = loop;
    const [questions, messages] = [new Turns(loop.time), new Turns(loop.time)];
    /** There is always another piece. */
    const keepAsking = (turns: Turns, account: Account): void => {
      turns.begin(account, () => {
        loop.now += PIECE_MILLIS;
        loop.later(() => keepAsking(turns, account));
      });
    };
    const little = Array.from({ length: LITTLE_USERS }, (_, k) => ledger.open(`10.1.0.1:${k}`));
    const more = MORE_MILLIS.map((_, k) => ledger.open(`10.1.0.1:${1000 + k}`));
    const asking = ledger.open('10.1.0.1:3000');
    // Nobody is new any more.
    loop.now += 10_000;
    for (const account of little) keepAsking(questions, account);
    for (const account of more) for (const turns of [questions, messages]) keepAsking(turns, account);
    const use = (account: Account, millis: number): void => account.spend(Math.max(0, millis - account.usedMillis));
    const waits: number[] = [];
    for (let question = 0; question < 50; question++) {
      use(asking, 20);
      for (const [k, account] of more.entries()) use(account, MORE_MILLIS[k] as number);
      let turns = 0;
      let isAnswered = false;
      questions.begin(asking, () => {
        loop.now += PIECE_MILLIS;
        isAnswered = true;
      });
      for (; !isAnswered; turns++) loop.turn();
      waits.push(turns);
      loop.turn();
    }
    expect(Math.max(...waits)).to.equal(1);
  });
});

describe('who asks short questions', () => {
  /** How many of two hundred clients who ask seldom are served before a question that comes behind a piece of each. */
  function servedBefore(questionMillis: number): number {
    const loop = new TurnLoop();
    const turns = new Turns(loop.time);
    const ask = (account: Account, millis: number, done = (): void => undefined): boolean =>
      turns.begin(account, () => {
        loop.now += millis;
        done();
      });
    const many = Array.from({ length: LITTLE_USERS }, (_, k) => loop.ledger.open(`10.1.0.1:${k}`));
    const asking = loop.ledger.open('10.1.0.1:3000');
    loop.now += 10_000;
    for (let used = 0; used < 200; used += questionMillis) {
      ask(asking, questionMillis);
      while (turns.hasWaiting) loop.turn();
      loop.now += 5;
    }
    expect(asking.usedMillis).to.be.above(20);
    let served = 0;
    for (const account of many) ask(account, 3, () => void served++);
    let before: number | undefined;
    ask(asking, questionMillis, () => {
      before = served;
    });
    while (before === undefined) loop.turn();
    return before;
  }

  it('goes before two hundred who have used less and ask for long work', () => {
    expect(servedBefore(0.2)).to.equal(0);
  });

  it('gets that no more when its own pieces are long', () => {
    expect(servedBefore(2)).to.be.above(0);
  });

  it('has its answer sent before a longer piece of another in the same turn, and together with other short ones', () => {
    const order: string[] = [];
    const loop = new TurnLoop(() => order.push('sent'));
    const turns = new Turns(loop.time);
    const ask = (account: Account, millis: number, done: () => void): boolean =>
      turns.begin(account, () => {
        loop.now += millis;
        done();
      });
    const short = [1, 2].map((k) => loop.ledger.open(`10.1.0.1:${k}`));
    for (const account of short) for (let piece = 0; piece < 100; piece++) account.spend(0.01);
    const long = loop.ledger.open('10.1.0.1:3000');
    ask(long, 3, () => undefined);
    for (const account of short) ask(account, 0.01, () => order.push('answered'));
    ask(long, 1, () => order.push('longer'));
    expect(order).to.deep.equal([]);
    loop.turn();
    expect(order).to.deep.equal(['answered', 'answered', 'sent', 'longer']);
  });

  it('has its answer sent also when the server runs, by what gathers the writes of a turn', async () => {
    const order: string[] = [];
    const turns = new Turns();
    const { ledger } = new TurnLoop();
    turns.resume(ledger.open('10.1.0.1:1'), () => atTurnEnd({ flush: () => order.push('sent') }));
    turns.resume(ledger.open('10.1.0.1:2'), () => order.push('longer'));
    for (let turn = 0; turn < 20 && order.length < 2; turn++) await nextTurn();
    expect(order).to.deep.equal(['sent', 'longer']);
  });
});
