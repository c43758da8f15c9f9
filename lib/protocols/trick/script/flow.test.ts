// When a client's blocks go on, when its connection is read, and when that ends.

import { expect } from 'chai';
import { Ledger } from '../../../serving/scheduling/account.js';
import { type Bounds, DEFAULT_BOUNDS } from '../../../serving/scheduling/holdings.js';
import { Turns } from '../../../serving/scheduling/turns.js';
import { ManualClock } from '../../../testing/aids/manual-clock.js';
import { Flow } from './flow.js';

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
  const later: (() => void)[] = [];
  const turns = new Turns(
    () => 0,
    (call) => later.push(call),
  );
  const flow = new Flow(session, turns, clock, {
    pauseReading: () => said.push('pause'),
    resumeReading: () => said.push('resume'),
    end: () => said.push('end'),
    readsAhead: true,
    take: (bytes) => said.push(`take ${bytes.length > 20 ? bytes.length : bytes}`),
  });
  const nextTurn = (): void => {
    for (const call of later.splice(0)) call();
  };
  return { session, flow, said, nextTurn, clock, ledger };
}

describe('flow control', () => {
  it('reads a little ahead while blocks run, and takes that in pieces of a read when they have', () => {
    const { flow, said, session } = setUp();
    const { account } = session.client;
    flow.received(Buffer.from('a'));
    flow.begin(() => undefined);
    flow.received(Buffer.alloc(65_535));
    flow.received(Buffer.from('a'));
    for (let chunk = 0; chunk < 3; chunk++) flow.received(Buffer.alloc(65_536));
    expect(said).to.deep.equal(['take a']);
    flow.received(Buffer.from('bc'));
    expect([said.splice(0), account.amountOf('aheadBytes')]).to.deep.equal([['take a', 'pause'], 262_146]);
    flow.finished();
    expect(said).to.deep.equal([...Array<string>(4).fill('take 65536'), 'take bc', 'resume']);
    expect(account.amountOf('aheadBytes')).to.equal(0);
  });

  it('reads no further when there is no room for what was read ahead', () => {
    const { flow, said, session, ledger } = setUp({ ...DEFAULT_BOUNDS, aheadBytes: { each: 5000, all: 100_000 } });
    flow.begin(() => undefined);
    flow.received(Buffer.alloc(5000));
    expect(said).to.deep.equal([]);
    flow.received(Buffer.alloc(1));
    expect(said).to.deep.equal(['pause']);
    expect([session.client.account.amountOf('aheadBytes'), ledger.refusals('aheadBytes')]).to.deep.equal([0, 0]);
    flow.finished();
    expect(said).to.deep.equal(['pause', 'take 5001', 'resume']);
  });

  it('lets a block look again a little later whether there is room', () => {
    const { flow, clock, nextTurn } = setUp();
    let resumed = 0;
    flow.begin(() => undefined);
    flow.waitForRoom(() => resumed++);
    clock.advance(99);
    nextTurn();
    expect(resumed).to.equal(0);
    clock.advance(1);
    nextTurn();
    expect(resumed).to.equal(1);
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
    expect(flow.mustWait(256)).to.equal('settled');
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
    flow.begin(() => undefined);
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
