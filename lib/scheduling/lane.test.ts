// A lane: one client's work runs in order.
import { expect } from 'chai';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { TurnLoop } from '../testing/aids/turn-loop.js';
import { type Account, Ledger } from './account.js';
import { Lane } from './lane.js';
import { Turns } from './turns.js';

describe('a lane', () => {
  it('runs one piece of work after the other, those that fail too', async () => {
    const happened: string[] = [];
    const account = new Ledger(new ManualClock()).open('client');
    const lane = new Lane(new Turns(), account, () => happened.push(`length ${lane.length}`));
    const work = (name: string, steps: number) =>
      lane.run(function* () {
        for (let step = 0; step < steps; step++) {
          happened.push(`${name}${step}`);
          yield;
        }
        if (name === 'b') throw new Error('no');
        return name;
      });
    const results = await Promise.allSettled([work('a', 3), work('b', 1), work('c', 2)]);
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(happened).to.deep.equal(['a0', 'a1', 'a2', 'length 2', 'b0', 'length 1', 'c0', 'c1', 'length 0']);
  });

  it('lets who asks far ahead come after those who wait for their answers, for a while', async () => {
    const loop = new TurnLoop();
    const turns = new Turns(loop.time);
    const ran: string[] = [];
    const work = (name: string) =>
      // biome-ignore lint/correctness/useYield: it is one slice
      function* (): Generator<void, void> {
        ran.push(name);
        loop.now += 1;
      };
    const lane = (name: string) => {
      const account = loop.ledger.open(name);
      return { account, lane: new Lane(turns, account, () => undefined) };
    };
    const [ahead, waits] = [lane('10.0.0.1:1'), lane('10.0.0.1:2')];
    loop.now += 10_000;
    // Nobody is new any more, and who waits has used more than who asks ahead.
    waits.account.spend(50);
    const settle = async (): Promise<void> => {
      for (let k = 0; k < 50; k++) await Promise.resolve();
    };
    const goOn = async (): Promise<void> => {
      loop.turn();
      await settle();
    };
    const fill = (): void => {
      turns.begin(loop.ledger.open('10.0.0.2:1'), () => {
        loop.now += 5;
      });
    };
    const orderOf = async (): Promise<string[]> => {
      fill();
      void ahead.lane.run(work('ahead'));
      await settle();
      void waits.lane.run(work('waits'));
      await settle();
      for (let k = 0; k < 5; k++) await goOn();
      return ran.splice(0);
    };
    expect(await orderOf()).to.deep.equal(['ahead', 'waits']);
    for (let k = 0; k < 5; k++) void ahead.lane.run(work('many'));
    for (let k = 0; k < 9; k++) await goOn();
    expect(ran.splice(0)).to.have.length(5);
    expect(await orderOf()).to.deep.equal(['waits', 'ahead']);
    // What such a client has begun elsewhere counts as long, too.
    fill();
    turns.begin(ahead.account, () => ran.push('ahead'));
    turns.begin(waits.account, () => ran.push('waits'));
    for (let k = 0; k < 5; k++) await goOn();
    expect(ran.splice(0)).to.deep.equal(['waits', 'ahead']);
    loop.now += 2_000;
    waits.account.spend(50);
    expect(await orderOf()).to.deep.equal(['ahead', 'waits']);
  });

  it('does so until what was asked for is done, however long that takes', async () => {
    let now = 0;
    const account = new Ledger({ nowMillis: () => now, after: () => () => undefined }).open('client');
    const areAhead: boolean[] = [];
    const turns = {
      inLanes: 0,
      run: async (by: Account) => {
        areAhead.push(by.isAhead);
        now += 400;
      },
    };
    const lane = new Lane(turns as unknown as Turns, account, () => undefined);
    const nothing = function* (): Generator<void, void> {};
    await Promise.all(Array.from({ length: 30 }, () => lane.run(nothing)));
    expect(areAhead).to.deep.equal(Array(30).fill(true));
    now += 2_000;
    await lane.run(nothing);
    expect(areAhead.at(-1)).to.equal(false);
    expect(turns.inLanes).to.equal(0);
  });
});
