// Turns: who goes first, what one turn holds, and work in slices.
import { expect } from 'chai';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { type Account, Ledger, Patience } from './account.js';
import { MemoryPace } from './memory-pace.js';
import { TurnTime } from './turn-time.js';
import { Turns } from './turns.js';

let later: (() => void)[];
let now: number;
let ran: string[];
let ledger: Ledger;

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

/** Begins an event loop that has nothing to do, at time 0. */
function begin(): void {
  [later, now, ran] = [[], 0, []];
  ledger = new Ledger({ nowMillis: () => now, after: () => () => undefined });
}

describe('turns', () => {
  let turns: Turns;
  let client: Account;

  beforeEach(() => {
    begin();
    client = ledger.open('client');
    turns = new Turns(
      new TurnTime(
        (call) => later.push(call),
        () => now,
      ),
    );
  });

  it('begin at once while there is time left', () => {
    expect([
      turns.begin(client, work('a', 1)),
      turns.begin(client, work('b', 1)),
      turns.begin(client, work('c', 1)),
    ]).to.deep.equal([true, true, true]);
    expect(ran).to.deep.equal(['a', 'b', 'c']);
    expect([turns.begin(client, work('d', 0)), turns.isBusy]).to.deep.equal([false, true]);
    expect([nextTurn(), turns.isBusy]).to.deep.equal([['d'], false]);
  });

  it('go on later, in the order in which they were asked for', () => {
    for (const name of ['a', 'b', 'c']) turns.resume(client, work(name, 0.6));
    expect(ran).to.deep.equal([]);
    expect([nextTurn(), turns.isBusy, nextTurn()]).to.deep.equal([['a', 'b', 'c'], false, []]);
  });

  it('are over after a few milliseconds; the rest waits', () => {
    for (const name of ['a', 'b', 'c']) turns.resume(client, work(name, 5));
    expect([nextTurn(), nextTurn(), nextTurn(), nextTurn()]).to.deep.equal([['a'], ['b'], ['c'], []]);
  });

  it('do not let what is new wait for all that goes on', () => {
    for (const name of ['a', 'b']) turns.resume(client, work(name, 5));
    expect([turns.begin(client, work('new', 1)), ran]).to.deep.equal([true, ['new']]);
    expect(nextTurn()).to.deep.equal(['a']);
    expect(turns.begin(client, work('too late in this turn', 9))).to.equal(false);
    expect([nextTurn(), nextTurn()]).to.deep.equal([['too late in this turn'], ['b']]);
  });

  it('let nobody pass who waits and has used as little', () => {
    turns.begin(client, work('first', 5));
    turns.begin(client, work('second', 5));
    nextTurn();
    turns.begin(client, work('third', 1));
    turns.begin(client, work('fourth', 1));
    expect(nextTurn()).to.deep.equal(['third', 'fourth']);
  });

  it('do not let what is short wait for what is known to be long', () => {
    turns.begin(client, work('first', 9));
    turns.begin(client, work('long', 9), true);
    turns.begin(client, work('longer', 9), true);
    turns.begin(client, work('short', 1));
    expect([nextTurn(), nextTurn()]).to.deep.equal([['short', 'long'], ['longer']]);
  });

  it('let who asks seldom go before what goes on, also after more time used', () => {
    const busier = ledger.open('busier');
    busier.spend(10);
    turns.resume(client, work('goes on', 2));
    turns.begin(busier, work('fills the turn', 4));
    turns.begin(busier, work('seldom', 1));
    expect(nextTurn()).to.deep.equal(['seldom', 'goes on']);
  });

  it('count what a call causes when it has returned, so that as much work fits into a turn', () => {
    const light = (name: string) => () => {
      ran.push(name);
      now += 0.1;
    };
    /** The most calls that a turn has when each causes so much after it has returned. */
    const mostCalls = (causedMillis: number): number => {
      for (let k = 0; k < 100; k++) turns.resume(client, light(`${k}`));
      let most = 0;
      while (turns.isBusy) {
        const calls = nextTurn().length;
        now += calls * causedMillis;
        most = Math.max(most, calls);
      }
      return most;
    };
    expect(mostCalls(0)).to.be.within(14, 16);
    mostCalls(0.1);
    expect(mostCalls(0.1)).to.be.within(7, 9);
    for (let k = 0; k < 20; k++) mostCalls(0);
    expect(mostCalls(0)).to.be.within(13, 16);
  });

  it('do not go on in the same turn for whoever asks again', () => {
    turns.resume(client, () => {
      ran.push('first');
      turns.resume(client, work('again', 0));
    });
    expect([nextTurn(), nextTurn()]).to.deep.equal([['first'], ['again']]);
  });

  it('go last to whoever does not wait for answers, by how sure that is, but go to all', () => {
    const [ended, farAhead, busy] = [ledger.open('ended'), ledger.open('far ahead'), ledger.open('busy')];
    ended.patience = Patience.hasEnded;
    farAhead.patience = Patience.farAhead;
    busy.spend(10_000);
    for (const name of ['p', 'q']) turns.resume(farAhead, work(name, 3));
    turns.resume(ended, work('ended', 3));
    for (const name of ['a', 'b']) turns.resume(busy, work(name, 3));
    // One of those who would starve runs in each turn, in their order.
    const ran = Array.from({ length: 4 }, () => nextTurn());
    expect(ran).to.deep.equal([['a', 'ended'], ['b', 'p'], ['q'], []]);
  });

  it('go to whoever has used little of late', () => {
    const busy = ledger.open('busy');
    busy.spend(100);
    for (const name of ['a', 'b']) turns.resume(busy, work(name, 4));
    expect([turns.begin(client, work('little', 1)), ran]).to.deep.equal([true, ['little']]);
    expect(nextTurn()).to.deep.equal(['a']);
    turns.begin(client, work('little again', 1));
    expect(nextTurn()).to.deep.equal(['little again', 'b']);
  });

  it('let one go on even when those who have used little fill the turn', () => {
    const busy = ledger.open('busy');
    busy.spend(100);
    turns.resume(busy, work('busy', 1));
    for (const name of ['a', 'b']) turns.resume(client, work(name, 5));
    expect([nextTurn(), nextTurn()]).to.deep.equal([['a', 'busy'], ['b']]);
  });

  it('let one of the heavy users go on in a turn, each class in its turn', () => {
    const names = ['60', '200', '400', '2000'];
    const users = names.map((name) => ledger.open(name));
    // Nobody is new any more.
    now += 10_000;
    for (const user of users) user.spend(Number(user.name));
    for (const user of users) for (const k of [1, 2]) turns.resume(user, work(`${user.name}.${k}`, 2));
    const fill = () => turns.resume(client, work('light', 5));
    const seen = Array.from({ length: 4 }, () => {
      fill();
      client.spend(-5);
      return nextTurn();
    });
    expect(seen).to.deep.equal([
      ['light', '60.1'],
      ['light', '200.1'],
      ['light', '400.1'],
      ['light', '2000.1'],
    ]);
  });

  it('do not let a client wait behind a storm of new ones from its address', () => {
    const known = ledger.open('10.0.0.1:1');
    now += 10_000;
    for (let port = 2; port < 500; port++) turns.begin(ledger.open(`10.0.0.1:${port}`), work('storm', 5));
    expect(nextTurn()).to.deep.equal(['storm']);
    for (let port = 500; port < 600; port++) turns.begin(ledger.open(`10.0.0.1:${port}`), work('storm', 5));
    now += 1;
    turns.begin(known, work('known', 1));
    expect(nextTurn()[0]).to.equal('known');
  });

  it('soon know a client whose work is short', () => {
    const short = ledger.open('10.0.0.1:1');
    const long = ledger.open('10.0.0.1:2');
    const other = ledger.open('10.0.0.1:3');
    for (let piece = 0; piece < 8; piece++) {
      short.spend(0.1);
      long.spend(2);
    }
    other.spend(100);
    expect([short, long, other].map(({ usedMillis }) => Math.round(usedMillis))).to.deep.equal([1, 117, 117]);
  });

  it('go on after work that throws', () => {
    turns.resume(client, () => {
      throw new Error('broken');
    });
    turns.resume(client, work('next', 1));
    expect(() => nextTurn()).to.throw('broken');
    expect([nextTurn(), turns.isBusy]).to.deep.equal([['next'], false]);
  });

  it('run work in slices of about a millisecond, and count them', async () => {
    const count = turns.run(client, function* (slice) {
      let slices = 1;
      for (let step = 0; step < 640; step++) {
        now += 0.05;
        if (!slice.isOver()) continue;
        slices++;
        yield;
      }
      return slices;
    });
    while (later.length > 0) nextTurn();
    // 640 steps of 0.05 ms are 32 ms: eleven slices, because the clock is read every 64 steps.
    expect(await count).to.equal(11);
    expect(client.usedMillis).to.be.closeTo(32, 1);
  });

  it('let work rest that has made more than the pace allows, and others go on', async () => {
    const clock = new ManualClock();
    const time = new TurnTime(
      (call) => later.push(call),
      () => now,
    );
    const paced = new Turns(time, true, new MemoryPace(clock));
    const made = paced.run(client, function* (slice) {
      slice.make(88 * 1024 * 1024);
      yield;
      return 'made';
    });
    const other = paced.run(ledger.open('other'), function* (slice) {
      slice.make(0);
      yield;
      return 'other';
    });
    const all: string[] = [];
    for (const one of [made, other]) void one.then((name) => all.push(name));
    const turn = async (): Promise<void> => {
      nextTurn();
      await Promise.resolve();
    };
    await turn();
    await turn();
    clock.advance(499);
    await turn();
    expect(all).to.deep.equal(['other']);
    clock.advance(2);
    await turn();
    expect(all).to.deep.equal(['other', 'made']);
  });

  it('reject with what sliced work throws', async () => {
    const failed = turns.run(client, function* () {
      yield;
      throw new RangeError('too much');
    });
    nextTurn();
    expect(await failed.catch((error: Error) => error.message)).to.equal('too much');
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
    const over = turns.dueSteps(client, steps(5));
    expect(ran).to.deep.equal(['1', '2']);
    expect([nextTurn(), nextTurn()]).to.deep.equal([['3', '4'], ['5']]);
    expect(await over).to.equal(undefined);
    expect(client.usedMillis).to.be.closeTo(3.5, 0.1);
  });

  it('reject with what a step throws in a later turn', async () => {
    turns.begin(client, work('fills the turn', 5));
    const failed = turns.due(client, () => {
      throw new RangeError('too much');
    });
    nextTurn();
    expect(await failed?.catch((error: Error) => error.message)).to.equal('too much');
  });

  it('do what is due soon now, even if others wait, or in the next turn when this one is used up', () => {
    turns.resume(client, work('goes on', 1));
    turns.soon(client, work('soon', 5));
    turns.soon(client, work('later', 1));
    expect(ran).to.deep.equal(['soon']);
    expect(nextTurn()).to.deep.equal(['later', 'goes on']);
  });

  it('look at the clock once for each call in a row, and count for nobody what is skipped', () => {
    let looks = 0;
    const other = ledger.open('other');
    const counted = new Turns(
      new TurnTime(
        (call) => later.push(call),
        () => {
          looks++;
          return now;
        },
      ),
    );
    counted.inARow(() => {
      counted.soon(client, work('a', 0.5));
      counted.soon(other, work('b', 0.25));
      now += 1;
      counted.skip();
      counted.soon(other, work('c', 0.25));
    });
    expect([ran, looks]).to.deep.equal([['a', 'b', 'c'], 5]);
    expect(other.usedMillis).to.be.closeTo(0.5, 0.01);
  });

  it('forget all work that waits when they close, and take no more', () => {
    turns.resume(client, work('a', 1));
    turns.resume(client, () => {
      ran.push('b');
      turns.close();
    });
    for (const name of ['c', 'd']) turns.resume(client, work(name, 1));
    turns.resume(client, () => turns.resume(client, work('e', 1)));
    expect(nextTurn()).to.deep.equal(['a', 'b']);
    turns.resume(client, work('f', 1));
    expect([nextTurn(), turns.isBusy, later.length]).to.deep.equal([[], false, 0]);
  });
});

describe('turns that share their time', () => {
  let computing: Turns;
  let sending: Turns;

  beforeEach(() => {
    begin();
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
