// A client's part of each frame: who has much to do skips frames, and nobody waits for it.
import { expect } from 'chai';
import { Mode, Reason } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import { double } from '../../model/state/declare.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { ComputingClock } from '../../testing/aids/computing.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { turn } from '../../testing/aids/http-exchange.js';
import { KrpcFixture } from '../../testing/aids/krpc-server.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { readerOf } from '../../testing/aids/reader-of.js';
import type { Account } from '../scheduling/account.js';
import { ClientFrames, type PartOfFrame, untilBegun } from './client-frames.js';
import { MessageReader } from './message-reader.js';
import { Reference } from './reference.js';
import { SessionRegistry } from './registry.js';
import type { Subscription } from './subscription.js';
import { SubscriptionTable } from './subscription-table.js';

const BOX = simulation({ name: 'box', frameSeconds: 0.01 }, (sim) => {
  sim.object('box').component('value', double());
});

const READER = readerOf(() => undefined);

describe('the parts that clients have of each frame', () => {
  it('leave others every frame while the part of one is made', async () => {
    const fixture = await KrpcFixture.start(BOX);
    const { registry, clock } = fixture;
    const got = { much: [] as number[], little: [] as number[] };
    const much = new ClientFrames(registry, registry.ledger.open('10.0.0.1'), () => {
      let left = 50;
      return ({ header }) => {
        clock.leap(0.5);
        got.much.push(header.number);
        return --left > 0;
      };
    });
    const little = new ClientFrames(registry, registry.ledger.open('10.0.0.2'), () => ({ header }) => {
      got.little.push(header.number);
      return false;
    });
    registry.source.onFrame((frame) => untilBegun([much, little].flatMap((one) => one.take(frame) ?? [])));
    await fixture.ticks(40);
    for (let turns = 0; turns < 50; turns++) await turn();
    const first = got.little[0] as number;
    expect(got.little).to.deep.equal(Array.from({ length: 40 }, (_, k) => first + k));
    expect(got.much).to.deep.equal([...got.much].sort((a, b) => a - b));
    // It ends with the newest frame, and the frames that it was not given are counted.
    expect(got.much.slice(-50)).to.deep.equal(Array(50).fill(first + 39));
    expect(got.much.length % 50).to.equal(0);
    expect(got.much.length / 50 + registry.timetable.skipped).to.equal(40);
    expect(registry.timetable.skipped).to.be.above(0);
    await fixture.close();
  });

  function setUp(begin: () => PartOfFrame) {
    const ball = new TestBall();
    const clock = new ManualClock();
    const registry = new SessionRegistry(ball, clock);
    const account = registry.ledger.open('10.0.0.1');
    const frames = new ClientFrames(registry, account, begin);
    const useUp = (): void => void registry.turns.begin(registry.ledger.open('10.0.0.2'), () => clock.leap(5));
    return { ball, clock, registry, frames, useUp };
  }

  it('hold a frame until they have begun, and not until they are made', async () => {
    let pieces = 0;
    const { ball, clock, frames, useUp } = setUp(() => () => {
      pieces++;
      clock.leap(1);
      return pieces < 5;
    });
    useUp();
    const begun = frames.take(ball.frame);
    expect(pieces).to.equal(0);
    expect(begun).to.be.a('promise');
    await begun;
    expect(pieces).to.be.within(1, 4);
    ball.ticks(1);
    expect(frames.take(ball.frame)).to.equal(undefined);
  });

  it('hold a frame for two turns only', async () => {
    let isOver = false;
    const never = new Promise<void>(() => undefined);
    void untilBegun([never])?.then(() => {
      isOver = true;
    });
    await turn();
    expect(isOver).to.equal(false);
    await turn();
    expect(isOver).to.equal(true);
    expect(untilBegun([])).to.equal(undefined);
  });

  it('are not waited for any longer once they have begun', async () => {
    let isOver = false;
    void untilBegun([Promise.resolve()])?.then(() => {
      isOver = true;
    });
    // Promises are settled, and no turn of the event loop passes.
    for (let steps = 0; steps < 10; steps++) await Promise.resolve();
    expect(isOver).to.equal(true);
  });

  it('go on with the next frame after a fault, which is told', async () => {
    const seen: number[] = [];
    const { ball, clock, frames } = setUp(() => {
      let pieces = 0;
      return ({ header }: Frame) => {
        seen.push(header.tick);
        clock.leap(1);
        if (++pieces === 2) throw new Error(`fault at ${header.tick}`);
        return true;
      };
    });
    expect(frames.take(ball.frame)).to.equal(undefined);
    for (let turns = 0; turns < 3; turns++) await turn();
    ball.ticks(1);
    const fault = await frames.take(ball.frame)?.catch(({ message }: Error) => message);
    expect(fault).to.equal('fault at 123');
    expect(seen).to.deep.equal([123, 123, 124]);
  });
});

describe('a table of subscriptions when one client has much to be sent', () => {
  const nextTurns = async (count: number): Promise<void> => {
    for (let turns = 0; turns < count; turns++) await turn();
  };
  const LINE = {
    kind: 'text',
    withDropped: (message: Uint8Array, dropped: number) => Buffer.from(`-${dropped}:${message}`),
    release: () => undefined,
  } as const;

  function setUp() {
    const ball = new TestBall();
    const clock = new ComputingClock();
    const registry = new SessionRegistry(ball, clock);
    const table = new SubscriptionTable(registry);
    const create = (account: Account, deadBands?: number) =>
      table.create({ account, references: [new Reference(ball, 'ball.position[1]')], cycleMillis: 10, deadBands });
    const connect = (peer: string) => {
      const written: string[] = [];
      const sink = {
        write: (message: Uint8Array) => written.push(Buffer.from(message).toString()) > 0,
        pendingBytes: 0,
      };
      return { written, ...registry.create({ frontEnd: 'http', peer, transport: 'test' }, sink) };
    };
    return { ball, clock, registry, table, create, connect };
  }

  it('goes on with the newest frame for who has much to send, counts what is left out, and sends others each frame', async () => {
    const { ball, clock, registry, table, create, connect } = setUp();
    const add = ({ account, outbound }: ReturnType<typeof connect>, name: string, millis: number): void => {
      const message = ({ header }: Frame) => {
        clock.leap(millis);
        return Buffer.from(`${name}:${header.tick}`);
      };
      const reader = new MessageReader(outbound, { ...LINE, message }, () => undefined, {
        frameOf: () => ball.frame,
        dueBetween: () => 0,
        begin: () => undefined,
      });
      table.attach(create(account), reader);
    };
    const [many, other] = [connect('10.0.0.1'), connect('10.0.0.2')];
    for (let k = 1; k <= 4; k++) add(many, String(k), 0.5);
    add(other, 'o', 0.01);
    await nextTurns(1);
    for (const { written } of [many, other]) written.length = 0;
    ball.ticks(3);
    expect([many.written, other.written]).to.deep.equal([
      ['1:124', '2:124'],
      ['o:124', 'o:125', 'o:126'],
    ]);
    await nextTurns(6);
    expect(many.written.slice(2)).to.deep.equal(['-2:3:126', '-2:4:126', '-1:1:126', '-1:2:126']);
    expect(registry.timetable.skipped).to.equal(1);
  });

  it('sends later readers of a subscription a later frame, and then to all again, changed or not', async () => {
    const { ball, clock, registry, table, create } = setUp();
    const subscription = create(registry.ledger.open('10.0.0.1'), 0);
    const offered: string[] = [];
    for (const name of ['1', '2', '3', '4']) {
      const offer = ({ header }: Frame): void => {
        clock.leap(0.5);
        offered.push(`${name}:${header.tick}`);
      };
      table.attach(subscription, { ...READER, offer });
    }
    await nextTurns(4);
    offered.length = 0;
    ball.store('ball.position[1]', 5);
    ball.ticks(2);
    await nextTurns(6);
    expect(offered.slice(0, 4)).to.deep.equal(['1:124', '2:124', '3:125', '4:125']);
    expect(offered.slice(4)).to.deep.equal(['1:125', '2:125', '3:125', '4:125']);
    offered.length = 0;
    ball.ticks(1);
    await nextTurns(4);
    expect(offered).to.deep.equal([]);
  });

  it('sends at the frame of a request what was due at a tick that was skipped', async () => {
    const { ball, clock, registry, table, create, connect } = setUp();
    const { account, outbound, written } = connect('10.0.0.1');
    const message = ({ header }: Frame) => Buffer.from(`${header.number} at ${header.tick}`);
    const late = { frameOf: () => ball.frame, dueBetween: () => 0, begin: () => undefined };
    table.attach(create(account), new MessageReader(outbound, { ...LINE, message }, () => undefined, late));
    await nextTurns(1);
    written.length = 0;
    registry.turns.begin(registry.ledger.open('10.0.0.2'), () => clock.leap(5));
    ball.ticks(1);
    ball.publish({ reason: Reason.request });
    await nextTurns(2);
    expect(written).to.deep.equal(['126 at 124']);
    ball.publish({ reason: Reason.request });
    ball.ticks(1);
    expect(written).to.deep.equal(['126 at 124', '128 at 125']);
  });

  it('sends at the frame of a request what was due at a frame of a freeze that was skipped', async () => {
    const { ball, clock, registry, table, create, connect } = setUp();
    const { account, outbound, written } = connect('10.0.0.1');
    const message = ({ header }: Frame) => Buffer.from(`${header.number}`);
    const late = { frameOf: () => ball.frame, dueBetween: () => 0, begin: () => undefined };
    table.attach(create(account), new MessageReader(outbound, { ...LINE, message }, () => undefined, late));
    await nextTurns(1);
    written.length = 0;
    registry.turns.begin(registry.ledger.open('10.0.0.2'), () => clock.leap(5));
    ball.publish({ reason: Reason.freeze, mode: Mode.freeze });
    ball.publish({ reason: Reason.request, mode: Mode.freeze });
    await nextTurns(2);
    expect(written).to.deep.equal([`${ball.frame.header.number}`]);
    ball.publish({ reason: Reason.request, mode: Mode.freeze });
    await nextTurns(2);
    expect(written).to.have.lengthOf(1);
  });

  /** A client with six subscriptions in a batch, of which a part has been made of a frame. */
  async function batchBegun() {
    const parts = setUp();
    const { ball, clock, table, create, connect } = parts;
    const { account, outbound, written } = connect('10.0.0.1');
    const message = ({ header }: Frame, due: readonly Subscription[], dropped: number) =>
      Buffer.from(`${header.tick} of ${due.length} without ${dropped}`);
    const batch = table.openBatch(outbound, { kind: 'text', message });
    for (let k = 0; k < 6; k++) {
      const subscription = create(account);
      table.attach(subscription, batch.reader(subscription));
    }
    await nextTurns(1);
    written.length = 0;
    clock.millisPerLook = 0.3;
    ball.ticks(1);
    return { ...parts, written };
  }

  it('makes the message of a batch of one frame', async () => {
    const { ball, written } = await batchBegun();
    expect(written).to.deep.equal([]);
    ball.ticks(1);
    await nextTurns(8);
    expect(written).to.deep.equal(['125 of 6 without 0']);
  });

  it('leaves the message of a batch whole when another client subscribes while it is made', async () => {
    const { table, create, connect, written } = await batchBegun();
    const other = connect('10.0.0.2');
    const read: string[] = [];
    table.attach(
      create(other.account),
      readerOf(() => read.push('at once')),
    );
    expect([written, read]).to.deep.equal([[], ['at once']]);
    await nextTurns(8);
    expect(written).to.deep.equal(['124 of 6 without 0']);
  });
});
