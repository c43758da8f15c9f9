// Those who follow frames, and what happens when one of them fails.
import { expect } from 'chai';
import type { Frame } from '../../model/frame/reader.js';
import { double } from '../../model/state/declare.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { turn } from '../../testing/aids/http-exchange.js';
import { KrpcFixture } from '../../testing/aids/krpc-server.js';
import { withoutTurns } from '../../testing/aids/without-turns.js';
import { FrameFollowers } from './frame-followers.js';

const BOX = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  sim.object('box').component('value', double());
});

describe('followers of frames', () => {
  let fixture: KrpcFixture;
  beforeEach(async () => {
    fixture = await KrpcFixture.start(BOX);
  });
  afterEach(() => fixture.close());

  it('follow on when one of them fails, which ends with a sentence', async () => {
    const { registry } = fixture;
    const followers = new FrameFollowers(registry);
    const account = registry.ledger.open('10.0.0.1');
    const other = registry.ledger.open('10.0.0.2');
    const told: string[] = [];
    const looks = { before: 0, after: 0, other: 0 };
    const end = (reason: string): void => void told.push(reason);
    const counting = (name: keyof typeof looks) => () => void looks[name]++;
    followers.add({ account, end, look: counting('before') });
    followers.add({
      account,
      end,
      look: () => {
        throw new Error('there is a fault');
      },
    });
    followers.add({ account, end, look: counting('after') });
    followers.add({ account: other, end, look: counting('other') });
    await fixture.ticks(3);
    await turn();
    expect(told).to.deep.equal(['there is a fault']);
    expect(looks).to.deep.equal({ before: 3, after: 3, other: 3 });
  });

  it('of one client skip frames when their looks take long, and those of others do not', async () => {
    const { registry, clock } = fixture;
    const followers = new FrameFollowers(registry);
    const [slow, quick] = [registry.ledger.open('10.0.0.1'), registry.ledger.open('10.0.0.2')];
    const seen: number[] = [];
    const slowlySeen: number[] = [];
    const lookSlowly = ({ header }: Frame): void => {
      clock.leap(0.5);
      slowlySeen.push(header.number);
    };
    for (let k = 0; k < 60; k++) followers.add({ account: slow, end: () => undefined, look: lookSlowly });
    followers.add({ account: quick, end: () => undefined, look: ({ header }) => void seen.push(header.number) });
    await fixture.ticks(20);
    const first = seen[0] as number;
    expect(seen).to.deep.equal(Array.from({ length: 20 }, (_, k) => first + k));
    for (let turns = 0; turns < 80; turns++) await turn();
    expect(new Set(slowlySeen.slice(-60))).to.deep.equal(new Set([first + 19]));
    expect(slowlySeen.length).to.be.below(20 * 60);
  });

  /** The numbers of the frames that a follower with slow looks has seen: of eight without a turn for it, and two more. */
  async function seenOfTen(seesEvery: boolean): Promise<{ first: number; seen: number[]; late: number[] }> {
    const { registry, clock } = fixture;
    const followers = new FrameFollowers(registry, seesEvery);
    const account = registry.ledger.open('10.0.0.1');
    const [seen, late]: [number[], number[]] = [[], []];
    const addTo = (list: number[]): void => {
      const look = ({ header }: Frame): void => {
        clock.leap(1.1);
        list.push(header.number);
      };
      followers.add({ account, end: () => undefined, look });
    };
    addTo(seen);
    const first = registry.source.frame.header.number + 1;
    const letGo = withoutTurns(registry.turns);
    for (let k = 0; k < 8; k++) {
      fixture.turn();
      // A frame waits for two turns only.
      for (let turns = 0; turns < 4; turns++) await turn();
    }
    addTo(late);
    letGo();
    await fixture.ticks(2);
    for (let turns = 0; turns < 50; turns++) await turn();
    return { first, seen, late };
  }

  it('look later at frames that were passed over without a turn for them, or skip them', async () => {
    const { first, seen, late } = await seenOfTen(true);
    expect(seen).to.deep.equal(Array.from({ length: 10 }, (_, k) => first + k));
    // Who came later is not shown what was before.
    expect(late).to.deep.equal([first + 7, first + 8, first + 9]);
    expect(fixture.registry.timetable.skipped).to.equal(0);
  });

  it('skip them when they need not see every frame', async () => {
    const { first, seen } = await seenOfTen(false);
    expect(seen[0]).to.be.at.least(first + 7);
    expect(seen.at(-1)).to.equal(first + 9);
    expect(fixture.registry.timetable.skipped).to.be.at.least(7);
  });
});
