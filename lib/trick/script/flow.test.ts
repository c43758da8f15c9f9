// When a client's blocks go on, when its connection is read, and when that ends.

import { expect } from 'chai';
import { type Account, Ledger, Patience } from '../../scheduling/account.js';
import { type Bounds, DEFAULT_BOUNDS } from '../../scheduling/holdings.js';
import { MemoryPace } from '../../scheduling/memory-pace.js';
import { TurnTime } from '../../scheduling/turn-time.js';
import { Turns } from '../../scheduling/turns.js';
import { leftOutSince } from '../../testing/aids/left-out-count.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Flow } from './flow.js';

const MEGABYTE = 1024 * 1024;

function setUp(bounds?: Bounds) {
  const clock = new ManualClock();
  const ledger = new Ledger(clock, bounds);
  const session = {
    isExited: false,
    client: {
      account: ledger.open('client'),
      settled: undefined as Promise<unknown> | undefined,
      outbound: { isFull: false, release: () => undefined },
    },
    cadence: { isActive: false },
  };
  const said: string[] = [];
  let leaving: boolean | undefined;
  const later: (() => void)[] = [];
  const turns = new Turns(
    new TurnTime(
      (call) => later.push(call),
      () => 0,
    ),
  );
  const pace = new MemoryPace(clock);
  const other = new Flow(session, turns, pace);
  const third = new Flow({ ...session, client: { ...session.client, account: ledger.open('third') } }, turns, pace);
  const flow = new Flow(session, turns, pace, {
    pauseReading: () => said.push('pause'),
    resumeReading: () => said.push('resume'),
    end: () => said.push('end'),
    readsAhead: true,
    take: (bytes) => said.push(`take ${bytes.length > 20 ? bytes.length : bytes}`),
    isLeaving: (isAtWork) => (leaving = isAtWork),
  });
  const nextTurn = (): void => {
    for (const call of later.splice(0)) call();
  };
  return { session, flow, other, third, said, nextTurn, clock, turns, pace, ledger, leaving: () => leaving };
}

describe('flow control', () => {
  it('reads a little ahead while blocks run, and takes that in pieces of a read when they have', () => {
    const { flow, said, session } = setUp();
    const { account } = session.client;
    flow.received(Buffer.from('a'));
    flow.begin(() => undefined, false);
    flow.received(Buffer.alloc(65_535));
    expect([said, account.patience]).to.deep.equal([['take a'], Patience.none]);
    flow.received(Buffer.from('a'));
    expect([said, account.patience]).to.deep.equal([['take a'], Patience.farAhead]);
    for (let chunk = 0; chunk < 3; chunk++) flow.received(Buffer.alloc(65_536));
    expect(said).to.deep.equal(['take a']);
    flow.received(Buffer.from('bc'));
    expect([said.splice(0), account.holds('aheadBytes')]).to.deep.equal([['take a', 'pause'], 262_146]);
    flow.finished();
    expect(said).to.deep.equal([...Array<string>(4).fill('take 65536'), 'take bc', 'resume']);
    expect([account.patience, account.holds('aheadBytes')]).to.deep.equal([Patience.none, 0]);
  });

  it('reads no further when there is no room for what was read ahead', () => {
    const { flow, said, session, ledger } = setUp({ ...DEFAULT_BOUNDS, aheadBytes: { each: 5000, all: 100_000 } });
    flow.begin(() => undefined, false);
    flow.received(Buffer.alloc(5000));
    expect(said).to.deep.equal([]);
    flow.received(Buffer.alloc(1));
    expect(said).to.deep.equal(['pause']);
    expect([session.client.account.holds('aheadBytes'), ledger.refusals('aheadBytes')]).to.deep.equal([0, 0]);
    flow.finished();
    expect(said).to.deep.equal(['pause', 'take 5001', 'resume']);
  });

  it('says that a client is leaving when its last block computes for long', () => {
    const { flow, session, leaving } = setUp();
    const { account } = session.client;
    flow.begin(() => undefined, false);
    for (let turn = 0; turn < 100; turn++) flow.wait('turn', () => undefined);
    flow.peerEnded();
    expect([leaving(), account.patience]).to.deep.equal([undefined, Patience.hasEnded]);
    for (let turn = 0; turn < 24; turn++) flow.wait('turn', () => undefined);
    expect(leaving()).to.equal(undefined);
    flow.wait('turn', () => undefined);
    expect(leaving()).to.equal(true);
    flow.finished();
    expect(leaving()).to.equal(false);
    account.take('keptBytes', MEGABYTE);
    flow.begin(() => undefined, false);
    flow.drained();
    flow.wait('turn', () => undefined);
    expect(leaving()).to.equal(true);
    flow.finished();
    expect([leaving(), account.patience]).to.deep.equal([false, Patience.none]);
  });

  it('reads no further from a client that does not take its answers, until it has', () => {
    const { session, flow, said } = setUp();
    session.client.outbound.isFull = true;
    flow.received(Buffer.from('a'));
    flow.finished();
    expect(said).to.deep.equal(['take a', 'pause']);
    session.client.outbound.isFull = false;
    flow.drained();
    expect(said).to.deep.equal(['take a', 'pause', 'resume']);
  });

  it('lets the blocks of a client rest when it has made long texts and lists too fast', () => {
    const { flow, clock, nextTurn } = setUp();
    let runs = 0;
    const goOn = (millis: number): number => {
      flow.wait('turn', () => runs++);
      clock.advance(millis);
      nextTurn();
      return runs;
    };
    flow.made(60 * MEGABYTE);
    expect([flow.mustRest, goOn(0)]).to.deep.equal([false, 1]);
    flow.made(28 * MEGABYTE);
    expect([flow.mustRest, goOn(499), goOn(10)]).to.deep.equal([true, 1, 3]);
    expect(flow.mustRest).to.equal(false);
    for (let count = 0; count < 10_000; count++) flow.made(64 * 1024);
    expect(flow.mustRest).to.equal(false);
  });

  /** A client that has sent its last byte, and another that goes on making too much for a while. */
  const setUpResting = () => {
    const { flow, third, clock, nextTurn, leaving, pace, session } = setUp();
    let runs = 0;
    flow.begin(() => undefined, false);
    flow.made(88 * MEGABYTE);
    flow.peerEnded();
    flow.wait('turn', () => runs++);
    third.made(100 * MEGABYTE);
    const pass = (millis: number, ownBytes: number, othersBytes: number): number => {
      for (let passed = 0; passed < millis; passed += 100) {
        clock.advance(100);
        pace.spend(session.client.account.maker, ownBytes);
        third.made(othersBytes);
        nextTurn();
      }
      return runs;
    };
    return { pass, leaving };
  };

  it('lets them rest on while clients make too much, if it has sent its last byte, and counts that', () => {
    const { pass, leaving } = setUpResting();
    expect(leaving()).to.equal(true);
    expect(pass(4000, MEGABYTE, 5 * MEGABYTE)).to.equal(0);
    expect(pass(900, 0.2 * MEGABYTE, 0)).to.equal(0);
    expect(pass(400, 0.2 * MEGABYTE, 0)).to.equal(1);
  });

  it('lets them go on when their own part has grown again, whatever others make', () => {
    const { pass } = setUpResting();
    expect(pass(1000, MEGABYTE, 5 * MEGABYTE)).to.equal(0);
    expect(pass(200, 0, 5 * MEGABYTE)).to.equal(0);
    expect(pass(200, 0, 5 * MEGABYTE)).to.equal(1);
  });

  it('counts the rest in which a client sends its last byte or far ahead', () => {
    const { flow, leaving } = setUp();
    flow.made(88 * MEGABYTE);
    flow.begin(() => undefined, true);
    expect(leaving()).to.equal(undefined);
    flow.received(Buffer.alloc(65_536));
    expect(leaving()).to.equal(true);
  });

  it('counts as taking much that a client waits for room which has sent its last byte', () => {
    const { flow, leaving } = setUp();
    flow.begin(() => undefined, false);
    flow.waitForRoom(() => undefined);
    expect(leaving()).to.equal(undefined);
    flow.peerEnded();
    flow.waitForRoom(() => undefined);
    expect(leaving()).to.equal(true);
  });

  it('lets the next blocks of such a client rest before they begin', () => {
    const { flow, clock, nextTurn } = setUp();
    let runs = 0;
    flow.made(88 * MEGABYTE);
    flow.begin(() => runs++, false);
    clock.advance(499);
    nextTurn();
    expect(runs).to.equal(0);
    clock.advance(2);
    nextTurn();
    expect(runs).to.equal(1);
  });

  it('lets a client go on that has made no more than its own part, whatever others make', () => {
    const { flow, clock, third } = setUp();
    for (let count = 0; count < 100; count++) flow.made(100 * MEGABYTE);
    third.made(6 * MEGABYTE);
    expect([flow.mustRest, third.mustRest]).to.deep.equal([true, false]);
    third.made(6 * MEGABYTE);
    expect(third.mustRest).to.equal(true);
    clock.advance(3000);
    for (let count = 0; count < 100; count++) flow.made(100 * MEGABYTE);
    third.made(5 * MEGABYTE);
    expect(third.mustRest).to.equal(false);
  });

  it('gives the new clients of an address one such part together, until they are known', () => {
    const { flow, clock, session, turns, pace, ledger } = setUp();
    const flowOf = (account: Account): Flow =>
      new Flow({ ...session, client: { ...session.client, account } }, turns, pace);
    const other = ledger.open('10.0.0.1:2');
    const [first, second] = [flowOf(ledger.open('10.0.0.1:1')), flowOf(other)];
    for (let count = 0; count < 100; count++) flow.made(100 * MEGABYTE);
    first.made(6 * MEGABYTE);
    expect(first.mustRest).to.equal(false);
    // A few short questions do not make it old.
    for (let piece = 0; piece < 20; piece++) other.spend(0.1);
    second.made(6 * MEGABYTE);
    expect(second.mustRest).to.equal(true);
    clock.advance(6000);
    for (let count = 0; count < 100; count++) flow.made(100 * MEGABYTE);
    for (const known of [first, second]) known.made(6 * MEGABYTE);
    expect([first.mustRest, second.mustRest]).to.deep.equal([false, false]);
  });

  it('gives the known clients of an address four such parts together', () => {
    const { flow, clock, session, turns, pace, ledger } = setUp();
    const known = Array.from({ length: 5 }, (_, k) => {
      const client = { ...session.client, account: ledger.open(`10.0.0.1:${k}`) };
      return new Flow({ ...session, client }, turns, pace);
    });
    clock.advance(6000);
    for (let count = 0; count < 100; count++) flow.made(100 * MEGABYTE);
    for (const one of known) one.made(7 * MEGABYTE);
    expect(known.map(({ mustRest }) => mustRest)).to.deep.equal([false, false, false, false, true]);
  });

  it('lets those go on that made little, and nobody rest for more than a second', () => {
    const { flow, other, clock } = setUp();
    for (let count = 0; count < 100; count++) flow.made(100 * MEGABYTE);
    expect([flow.mustRest, other.mustRest]).to.deep.equal([true, false]);
    clock.advance(1000);
    expect(flow.mustRest).to.equal(false);
  });

  it('lets a block wait for its client to take the answers', () => {
    const { session, flow } = setUp();
    let resumed = 0;
    session.client.outbound.isFull = true;
    expect(flow.mustWait(0)).to.equal('taken');
    expect(flow.wait('taken', () => resumed++)).to.equal(true);
    flow.drained();
    flow.drained();
    expect(resumed).to.equal(1);
    session.client.outbound.isFull = false;
    expect(flow.wait('taken', () => resumed++)).to.equal(false);
  });

  it('lets a block wait for its requests, when there are many', async () => {
    const { session, flow, nextTurn } = setUp();
    let settle: (value: unknown) => void = () => undefined;
    session.client.settled = new Promise((resolve) => {
      settle = resolve;
    });
    expect(flow.mustWait(255)).to.equal(undefined);
    const putOff = leftOutSince('unanswered_requests');
    expect([flow.mustWait(256), putOff()]).to.deep.equal(['settled', 1]);
    let resumed = 0;
    expect(flow.wait('settled', () => resumed++)).to.equal(true);
    settle(undefined);
    await session.client.settled;
    expect(resumed).to.equal(0);
    nextTurn();
    expect(resumed).to.equal(1);
  });

  it('lets a block that has nothing to wait for look again in a later turn, so that it never keeps others out', async () => {
    const { flow, nextTurn } = setUp();
    let resumed = 0;
    expect(flow.wait('settled', () => resumed++)).to.equal(true);
    await null;
    expect(resumed).to.equal(0);
    nextTurn();
    expect(resumed).to.equal(1);
  });

  it('ends the connection of a client that asks no more, once nothing is sent to it by itself', () => {
    const { session, flow, said } = setUp();
    session.cadence.isActive = true;
    flow.begin(() => undefined, false);
    flow.peerEnded();
    flow.finished();
    expect(said).not.to.include('end');
    session.cadence.isActive = false;
    flow.finished();
    expect(said.at(-1)).to.equal('end');
  });

  it('lets a waiting block go on when the connection is gone, to find that its session has exited', () => {
    const { session, flow } = setUp();
    let resumed = 0;
    session.client.outbound.isFull = true;
    flow.wait('taken', () => resumed++);
    session.isExited = true;
    flow.closed();
    expect(resumed).to.equal(1);
    expect(flow.mustWait(0)).to.equal('turn');
  });

  it('ends the connection of a client that sends no more once the simulation has answered', async () => {
    const { session, flow, said, nextTurn } = setUp();
    let answer: () => void = () => undefined;
    session.client.settled = new Promise<void>((resolve) => (answer = resolve));
    flow.peerEnded();
    flow.drained();
    expect(said).to.deep.equal([]);
    session.client.settled = undefined;
    answer();
    await null;
    expect(said).to.deep.equal([]);
    nextTurn();
    expect(said).to.deep.equal(['end']);
  });
});
