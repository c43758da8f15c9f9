// Who gets a piece of a turn although others come first.
import { expect } from 'chai';
import { Ledger } from './account.js';
import { TurnTime } from './turn-time.js';
import { Turns } from './turns.js';
import { WaitingWork } from './waiting-work.js';

const ledger = new Ledger({ nowMillis: () => 0, after: () => () => undefined });
const waitingOf = (name: string) => ({ account: ledger.open(name), work: () => undefined, goesOn: false });

describe('waiting work', () => {
  it('has a piece of each network that got nothing, in its turn, once several clients of another got something', () => {
    const waiting = new WaitingWork(3);
    const crowd = ['10.0.0.1:1', '10.0.0.1:2', '10.0.0.1:3'].map(waitingOf);
    const [one, again, other] = [waitingOf('10.0.0.2:1'), waitingOf('10.0.0.2:1'), waitingOf('10.0.0.3:1')];
    for (const entry of crowd) waiting.push(0, entry);
    waiting.push(1, one);
    waiting.push(2, again);
    waiting.push(2, other);
    const serveNext = (): void => {
      const next = waiting.shift(0);
      if (next) waiting.serve(next);
    };
    waiting.beginTurn();
    serveNext();
    expect(waiting.nextNeglected(0)).to.equal(undefined);
    serveNext();
    expect(waiting.nextNeglected(0)).to.equal(one);
    expect(waiting.nextNeglected(0)).to.equal(other);
    expect(waiting.nextNeglected(0)).to.equal(again);
    expect([waiting.nextNeglected(0), waiting.length, waiting.lengths]).to.deep.equal([undefined, 1, [1, 0, 0]]);
    waiting.push(0, other);
    waiting.beginTurn();
    serveNext();
    expect(waiting.nextNeglected(0)).to.equal(undefined);
  });

  it('has a piece of the network that has used least while many networks wait', () => {
    const waiting = new WaitingWork(1);
    const many = Array.from({ length: 100 }, (_, k) => waitingOf(`10.1.0.${k}:1`));
    for (const [k, entry] of many.entries()) {
      waiting.push(0, entry);
      // The 20th uses most, but in short pieces.
      const [count, millis] = k === 20 ? [7000, 0.01] : [60 - (k % 50), 1];
      for (let piece = 0; piece < count; piece++) entry.account.spend(millis);
    }
    const least = [waiting.nextNeglected(0), waiting.nextNeglected(0)];
    expect(least.map((entry) => entry?.account.name)).to.deep.equal(['10.1.0.20:1', '10.1.0.49:1']);
    for (let k = 0; k < 34; k++) waiting.shift(0);
    expect(waiting.nextNeglected(0)).to.equal(undefined);
  });

  it('lets two addresses go on in a turn that the many clients of a third fill', () => {
    const later: (() => void)[] = [];
    let now = 0;
    const clients = new Ledger({ nowMillis: () => now, after: () => () => undefined });
    const time = new TurnTime(
      (call) => later.push(call),
      () => now,
    );
    const turns = new Turns(time);
    const crowd = [1, 2, 3, 4].map((port) => clients.open(`10.0.0.1:${port}`));
    const others = ['10.0.0.2:1', '10.0.0.3:1'].map((name) => clients.open(name));
    // Nobody is new any more.
    now += 10_000;
    let ran: string[] = [];
    const wait = (account: (typeof crowd)[number]): void =>
      turns.resume(account, () => {
        ran.push(account.name);
        now += 1;
      });
    for (const account of others) account.spend(1000);
    for (const account of [...others, ...others]) wait(account);
    for (let turn = 0; turn < 2; turn++) {
      for (const account of crowd) wait(account);
      ran = [];
      for (const call of later.splice(0)) call();
      expect(ran.filter((name) => !name.startsWith('10.0.0.1'))).to.have.members(others.map(({ name }) => name));
    }
  });
});
