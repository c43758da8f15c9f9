// The time of a turn that several queues share, and the rest of long work.
import { expect } from 'chai';
import { type Account, Ledger } from './account.js';
import { TurnTime } from './turn-time.js';
import { Turns } from './turns.js';

describe('turns that share their time', () => {
  let later: (() => void)[];
  let now: number;
  let ran: string[];
  let computing: Turns;
  let sending: Turns;
  let ledger: Ledger;
  const work = (name: string, millis: number) => (): void => {
    ran.push(name);
    now += millis;
  };
  const nextTurn = (): string[] => {
    ran = [];
    for (const call of later.splice(0)) call();
    return ran;
  };

  beforeEach(() => {
    [later, now, ran] = [[], 0, []];
    ledger = new Ledger({ nowMillis: () => now, after: () => () => undefined });
    const time = new TurnTime(
      (call) => later.push(call),
      () => now,
    );
    computing = new Turns(time);
    sending = new Turns(time);
  });

  it('have half of it each when work of both waits', () => {
    const [one, other] = [ledger.open('one'), ledger.open('other')];
    for (let k = 0; k < 6; k++) {
      computing.resume(one, work('computed', 0.6));
      sending.resume(other, work('sent', 0.6));
    }
    // Two pieces begin within a millisecond.
    expect(nextTurn()).to.deep.equal(['computed', 'computed', 'sent', 'sent']);
    expect(nextTurn()).to.deep.equal(['computed', 'computed', 'sent', 'sent']);
  });

  it('let a heavy user of one go on beside the other, by turns', () => {
    const [light, heavy] = [ledger.open('light'), ledger.open('heavy')];
    heavy.spend(1000);
    for (const turns of [computing, sending]) turns.resume(heavy, work('heavy', 1));
    computing.resume(light, work('computed', 2));
    sending.resume(light, work('sent', 2));
    expect([nextTurn(), nextTurn()]).to.deep.equal([['computed', 'heavy', 'sent'], ['heavy']]);
  });

  it('have nearly all of it when nothing else waits', () => {
    for (let k = 0; k < 6; k++) sending.resume(ledger.open(`${k}`), work('sent', 0.7));
    expect(nextTurn()).to.have.lengthOf(3);
  });

  it('leave time for what comes later in the same turn', () => {
    const client = ledger.open('client');
    for (let k = 0; k < 3; k++) sending.resume(client, work('sent', 1));
    nextTurn();
    expect([computing.begin(client, work('asked', 1)), computing.begin(client, work('too much', 1))]).to.deep.equal([
      true,
      false,
    ]);
  });
});

describe('long work of a busy event loop', () => {
  let later: (() => void)[];
  let rests: { readonly millis: number; readonly call: () => void }[];
  let [now, idle] = [0, 0];
  let ran: string[];
  let turns: Turns;
  let ledger: Ledger;
  let client: Account;
  let other: Account;
  const work = (name: string, millis: number) => (): void => {
    ran.push(name);
    now += millis;
  };
  const nextTurn = (): string[] => {
    ran = [];
    for (const call of later.splice(0)) call();
    return ran;
  };
  /** The time that passes until the next turn. */
  const restMillis = (): number => {
    const [{ millis, call } = { millis: 0, call: () => undefined }] = rests.splice(0);
    [now, idle] = [now + millis, idle + millis];
    call();
    return millis;
  };

  beforeEach(() => {
    [later, rests, now, idle, ran] = [[], [], 0, 0, []];
    const time = new TurnTime(
      (call) => later.push(call),
      () => now,
      (millis, call) => rests.push({ millis, call }),
      () => idle,
    );
    turns = new Turns(time);
    ledger = new Ledger({ nowMillis: () => now, after: () => () => undefined });
    [client, other] = [ledger.open('client'), ledger.open('other')];
  });

  it('rests so that the loop works three fifths of the time', () => {
    for (let k = 0; k < 1000; k++) {
      turns.begin(other, work('short', 0));
      turns.resume(client, work('long', 3));
      while (turns.hasWaiting()) {
        nextTurn();
        restMillis();
      }
    }
    expect(now).to.be.closeTo(3000 / 0.6, 40);
  });

  it('does not rest when nobody else has asked for a second', () => {
    const restsUntil = (endMillis: number): number => {
      let sum = 0;
      while (now < endMillis) {
        turns.resume(client, work('long', 3));
        while (turns.hasWaiting()) {
          nextTurn();
          sum += restMillis();
        }
      }
      return sum;
    };
    turns.begin(other, work('short', 0));
    expect(restsUntil(900)).to.be.greaterThan(300);
    restsUntil(1100);
    expect(restsUntil(2000)).to.equal(0);
  });

  it('does not rest where it takes little, or where the loop is idle between its turns', () => {
    for (let k = 0; k < 12; k++) {
      for (const name of ['a', 'b']) turns.resume(client, work(name, 3));
      expect([nextTurn(), nextTurn(), rests.length]).to.deep.equal([['a'], ['b'], 0]);
      [now, idle] = [now + 5, idle + 5];
    }
  });

  it('lets short work go on while it rests, and rests 20 ms at most', () => {
    turns.begin(other, work('before', 0));
    for (let k = 0; k < 3; k++) turns.resume(client, work(`long ${k}`, 100));
    expect(nextTurn()).to.deep.equal(['long 0']);
    // The turn that gives short work its time.
    expect(nextTurn()).to.deep.equal([]);
    expect(rests.map(({ millis }) => millis)).to.deep.equal([20]);
    turns.begin(other, work('short', 1));
    expect([ran, nextTurn()]).to.deep.equal([['short'], []]);
    expect(rests.length).to.equal(1);
    expect([restMillis(), nextTurn()]).to.deep.equal([20, ['long 1']]);
  });
});
