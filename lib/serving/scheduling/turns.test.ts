// Turns: what runs at once, what one turn holds, steps, and functions with promises.
import { expect } from 'chai';
import { type Account, Ledger } from './account.js';
import { Turns } from './turns.js';

let later: (() => void)[];
let now: number;
let ran: string[];

const work = (name: string, millis: number) => (): void => {
  ran.push(name);
  now += millis;
};

/** Runs the next turn of the event loop and returns what it called. */
const nextTurn = (): string[] => {
  ran = [];
  for (const call of later.splice(0)) call();
  return ran;
};

describe('turns', () => {
  let turns: Turns;
  let client: Account;
  let ledger: Ledger;

  beforeEach(() => {
    [later, now, ran] = [[], 0, []];
    ledger = new Ledger({ nowMillis: () => now, after: () => () => undefined });
    client = ledger.open('client');
    turns = new Turns(
      () => now,
      (call) => later.push(call),
    );
  });

  it('begin at once while there is time left', () => {
    const begun = ['a', 'b'].map((name) => turns.begin(client, work(name, 2.5)));
    expect([begun, ran]).to.deep.equal([
      [true, true],
      ['a', 'b'],
    ]);
    expect([turns.begin(client, work('c', 0)), turns.waiting]).to.deep.equal([false, 1]);
    expect([nextTurn(), turns.waiting]).to.deep.equal([['c'], 0]);
  });

  it('begin at once, also while others wait, for who has had no more than they', () => {
    const busy = ledger.open('busy');
    turns.begin(busy, work('busy', 2));
    turns.resume(busy, work('goes on', 2));
    expect([turns.begin(client, work('a', 2.5)), turns.begin(client, work('b', 1))]).to.deep.equal([true, false]);
    expect(nextTurn()).to.deep.equal(['goes on', 'b']);
  });

  it('are over after a few milliseconds; the rest waits', () => {
    for (const name of ['a', 'b', 'c']) turns.resume(client, work(name, 5));
    expect(ran).to.deep.equal([]);
    expect([nextTurn(), nextTurn(), nextTurn(), nextTurn()]).to.deep.equal([['a'], ['b'], ['c'], []]);
  });

  it('let who seldom asks go before who has always more to do', () => {
    const busy = ledger.open('busy');
    const goOn = (): void => {
      work('busy', 4)();
      turns.resume(busy, goOn);
    };
    turns.resume(busy, goOn);
    for (let k = 0; k < 3; k++) expect(nextTurn()).to.deep.equal(['busy']);
    turns.resume(client, work('seldom', 1));
    expect(nextTurn()).to.deep.equal(['seldom', 'busy']);
  });

  it('do not let a client wait behind a storm of new ones from its address', () => {
    const known = ledger.open('10.0.0.1:1');
    for (let port = 2; port < 500; port++) turns.begin(ledger.open(`10.0.0.1:${port}`), work('storm', 5));
    expect([ran.length, nextTurn()]).to.deep.equal([1, ['storm']]);
    turns.begin(known, work('known', 1));
    expect(nextTurn()[0]).to.equal('known');
  });

  it('go on after a job that throws', () => {
    turns.resume(client, () => {
      throw new Error('broken');
    });
    turns.resume(client, work('next', 1));
    expect(() => nextTurn()).to.throw('broken');
  });

  describe('of a function with promises', () => {
    const still = () => new Promise((resolve) => setImmediate(resolve));
    /** Computes in parts of so many milliseconds. */
    const parts = async (of: Account, name: string, count: number, millis: number): Promise<void> => {
      for (let k = 0; k < count; k++) {
        await turns.turn(of);
        work(name, millis)();
        await Promise.resolve();
      }
    };

    it('come at once while nobody waits, and count what is computed until it waits for something else', async () => {
      await parts(client, 'a', 3, 1);
      await still();
      expect([ran, turns.computedMillis, client.share.finishMillis]).to.deep.equal([['a', 'a', 'a'], 3, 3]);
    });

    it('give the event loop its turn after some milliseconds', async () => {
      void parts(client, 'a', 12, 1);
      await still();
      expect([ran.length, later.length]).to.deep.equal([5, 1]);
      nextTurn();
      await still();
      expect([ran.length, later.length]).to.deep.equal([5, 1]);
    });

    it('come to each in fair shares, one after another, also when they end in promises of others', async () => {
      const other = ledger.open('other');
      turns.resume(client, work('fills the turn', 6));
      nextTurn();
      const both = [parts(client, 'a', 6, 1), parts(other, 'b', 6, 1)];
      while (later.length > 0) {
        for (const call of later.splice(0)) call();
        await still();
      }
      await Promise.all(both);
      expect(ran.slice(0, 7).join('')).to.equal('fills the turnbbbbbb');
      expect([client.share.finishMillis, other.share.finishMillis]).to.deep.equal([12, 6]);
    });

    it('do not count what jobs of others take meanwhile', async () => {
      await turns.turn(client);
      now += 1;
      turns.begin(ledger.open('other'), work('b', 2));
      now += 0.5;
      await still();
      expect([client.share.finishMillis, turns.computedMillis]).to.deep.equal([1.5, 3.5]);
    });

    it('end with an error of the function alone', async () => {
      const failed = (async () => {
        await turns.turn(client);
        now += 1;
        throw new RangeError('too much');
      })();
      expect(await failed.catch((error: Error) => error.message)).to.equal('too much');
      await still();
      expect(turns.computedMillis).to.equal(1);
    });
  });

  it('do steps one after another until a slice is over, and the rest in later turns', async () => {
    const steps = (count: number): (() => boolean) => {
      let done = 0;
      return () => {
        ran.push(`${++done}`);
        now += 0.5;
        return done < count;
      };
    };
    expect([turns.dueSteps(client, steps(2)), ran]).to.deep.equal([undefined, ['1', '2']]);
    nextTurn();
    ran = [];
    const over = turns.dueSteps(client, steps(9));
    expect(ran).to.deep.equal(['1', '2']);
    expect([nextTurn(), nextTurn()]).to.deep.equal([['3', '4', '5', '6', '7', '8'], ['9']]);
    expect(await over).to.equal(undefined);
    expect(turns.computedMillis).to.be.closeTo(5.5, 0.1);
  });

  it('reject with what a step throws in a later turn', async () => {
    turns.begin(client, work('fills the turn', 5));
    const failed = turns.due(client, () => {
      throw new RangeError('too much');
    });
    nextTurn();
    expect(await failed?.catch((error: Error) => error.message)).to.equal('too much');
  });

  it('look at the clock once for each call in a row, and count for nobody what is skipped', () => {
    let looks = 0;
    const counted = new Turns(
      () => {
        looks++;
        return now;
      },
      (call) => later.push(call),
    );
    counted.inARow(() => {
      counted.begin(client, work('a', 0.5));
      counted.begin(ledger.open('other'), work('b', 0.25));
      counted.uncounted(() => {
        now += 1;
      });
      counted.begin(client, work('c', 0.25));
    });
    expect([ran, looks]).to.deep.equal([['a', 'b', 'c'], 5]);
    expect(counted.computedMillis).to.be.closeTo(1, 0.01);
  });

  it('look at the clock once for a group in a row, and divide its time among its clients', () => {
    let looks = 0;
    const counted = new Turns(
      () => {
        looks++;
        return now;
      },
      (call) => later.push(call),
    );
    const others = [ledger.open('10.0.0.2:1'), ledger.open('10.0.0.3:1')];
    const group = {};
    counted.inARow(() => {
      counted.begin(client, work('makes the message', 1.5), group);
      for (const other of others) counted.begin(other, work('sends it', 0), group);
      counted.begin(ledger.open('10.0.0.4:1'), work('alone', 0.25));
    });
    expect([ran.length, looks, counted.computedMillis]).to.deep.equal([4, 3, 1.75]);
    expect([client, ...others].map(({ share }) => share.finishMillis)).to.deep.equal([0.5, 0.5, 0.5]);
  });

  it('count a long group in parts, so that it does not hold up those who wait', () => {
    const others = Array.from({ length: 40 }, (_, k) => ledger.open(`10.0.1.${k}`));
    turns.inARow(() => {
      for (const other of others) turns.begin(other, work('long', 0.25), 'group');
    });
    // Two parts of 16 are 8 ms, more than a turn has.
    expect([ran.length, turns.waiting]).to.deep.equal([32, 8]);
  });

  it('count what a group has taken also when one of its jobs throws', () => {
    const broken = (): void => {
      now += 1;
      throw new Error('broken');
    };
    expect(() => turns.inARow(() => turns.begin(client, broken, 'group'))).to.throw('broken');
    expect(client.share.finishMillis).to.equal(1);
  });

  it('run nothing that waits when they close, and take no more', () => {
    turns.resume(client, work('a', 1));
    turns.resume(client, () => {
      ran.push('b');
      turns.close();
    });
    turns.resume(client, work('c', 1));
    expect(nextTurn()).to.deep.equal(['a', 'b']);
    turns.resume(client, work('d', 1));
    expect([nextTurn(), later.length]).to.deep.equal([[], 0]);
  });
});
