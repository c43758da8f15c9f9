// The table of subscriptions: readers, cadence, and a server with too little time.
import { expect } from 'chai';
import { Reason } from '../../model/frame/header.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { readerOf } from '../../testing/aids/reader-of.js';
import { tableOf } from '../../testing/aids/table-of.js';
import { type Account, OverBoundError } from '../scheduling/account.js';

import type { Delivery } from './delivery.js';
import { UnknownSubscriptionError } from './errors.js';
import { MessageReader } from './message-reader.js';
import type { Outbound } from './outbound.js';
import type { Reader } from './reader.js';
import { Reference } from './reference.js';
import { SessionRegistry } from './registry.js';
import { SubscriptionTable } from './subscription-table.js';

function setUp() {
  const ball = new TestBall();
  const clock = new ManualClock();
  const { table, account } = tableOf(ball, clock);
  const create = () => table.create({ account, references: [new Reference(ball, 'ball.position')], cycleMillis: 10 });
  return { table, clock, create, account };
}

describe('a table of subscriptions', () => {
  it('finds each by its id until it is removed', () => {
    const { table, create } = setUp();
    const subscription = create();
    expect(table.find(subscription.id)).to.equal(subscription);
    table.remove(subscription);
    expect(() => table.find(subscription.id))
      .to.throw(UnknownSubscriptionError, `there is no subscription "${subscription.id}"`)
      .with.property('id', subscription.id);
  });

  it('takes no turn of a client between the cycles of its few subscriptions', () => {
    const ball = new TestBall();
    const { registry, table, account } = tableOf(ball);
    const references = [new Reference(ball, 'ball.position')];
    let sent = 0;
    const subscription = table.create({ account, references, cycleMillis: 100 });
    table.attach(
      subscription,
      readerOf(() => sent++),
    );
    ball.ticks(10);
    let turns = 0;
    const dueSteps = registry.turns.dueSteps.bind(registry.turns);
    registry.turns.dueSteps = (...work) => {
      turns++;
      return dueSteps(...work);
    };
    sent = 0;
    ball.ticks(50);
    expect({ turns, sent }).to.deep.equal({ turns: 5, sent: 5 });
    // A simulation without ticks goes on with frames of its own.
    ball.publish({ reason: Reason.freeze });
    expect({ turns, sent }).to.deep.equal({ turns: 6, sent: 6 });
  });

  it('forgets what nobody reads for a minute', () => {
    const { table, clock, create } = setUp();
    create();
    clock.advance(59_999);
    expect(table.size).to.equal(1);
    clock.advance(1);
    expect(table.size).to.equal(0);
  });

  it('holds so many of a client and no more', () => {
    const { table, create, account } = setUp();
    for (let i = 0; i < 5000; i++) create();
    expect(create).to.throw(OverBoundError, 'a client may have 5000 subscriptions');
    expect(table.size).to.equal(5000);
    table.close();
    expect([table.size, account.amountOf('subscriptions'), account.amountOf('valuesPerSecond')]).to.deep.equal([
      0, 0, 0,
    ]);
  });

  it('counts the values a second that are asked for, and keeps the cycle that is within the bound', () => {
    const { create, account } = setUp();
    const subscription = create();
    expect(account.amountOf('valuesPerSecond')).to.equal(200);
    subscription.setCycle(50);
    expect(account.amountOf('valuesPerSecond')).to.equal(100);
    account.take('valuesPerSecond', 20_000_000 - 100);
    expect(() => subscription.setCycle(10)).to.throw(OverBoundError, 'a client may have 20000000 values a second');
    expect([subscription.follower.effectiveCycleMillis, account.amountOf('valuesPerSecond')]).to.deep.equal([
      50, 20_000_000,
    ]);
    expect(create).to.throw(OverBoundError);
    expect(account.amountOf('subscriptions')).to.equal(1);
  });

  it('counts each reader after the first as a subscription more, with its values', () => {
    const { table, create, account } = setUp();
    const subscription = create();
    const held = () => [account.amountOf('subscriptions'), account.amountOf('valuesPerSecond')];
    const newReader = (): Reader => readerOf(() => undefined);
    const readers = [newReader(), newReader(), newReader()];
    const counts = readers.map((reader) => {
      table.attach(subscription, reader);
      return held();
    });
    expect(counts).to.deep.equal([
      [1, 200],
      [2, 400],
      [3, 600],
    ]);
    account.take('valuesPerSecond', 20_000_000 - 700);
    expect(subscription.refusalOfReader()).to.equal('a client may have 20000000 values a second');
    expect(() => table.attach(subscription, newReader())).to.throw(OverBoundError);
    expect([subscription.readers.size, ...held()]).to.deep.equal([3, 3, 19_999_900]);
    account.give('valuesPerSecond', 20_000_000 - 700);
    subscription.setCycle(50);
    expect(held()).to.deep.equal([3, 300]);
    expect([subscription.refusalOfReader(), ...held()]).to.deep.equal([undefined, 3, 300]);
    for (const reader of readers) table.detach(subscription, reader);
    expect(held()).to.deep.equal([1, 100]);
    table.remove(subscription);
    expect(held()).to.deep.equal([0, 0]);
  });
});

describe('a table of subscriptions with more to send than time', () => {
  const LINE: Delivery = {
    kind: 'text',
    message: (frame) => Buffer.from(`${frame.header.tick} `),
    withDropped: (message, dropped) => Buffer.concat([Buffer.from(`-${dropped}:`), message]),
    release: () => undefined,
  };

  /** Each message takes 6 ms: more than a turn of the event loop has. */
  function setUpSlow(cycleMillis: number) {
    const ball = new TestBall();
    const clock = new ManualClock();
    const registry = new SessionRegistry(ball, clock);
    const table = new SubscriptionTable(registry);
    const slow: Delivery = {
      ...LINE,
      message: (frame) => {
        clock.leap(6);
        return LINE.message(frame);
      },
    };
    const texts = ['a', 'b'].map((name) => {
      const written: string[] = [];
      const sink = { write: (message: Uint8Array) => written.push(message.toString()) > 0, pendingBytes: 0 };
      const { outbound, account } = registry.create({ frontEnd: 'http', peer: name, transport: 'test' }, sink);
      const subscription = table.create({ account, references: [new Reference(ball, 'ball.position')], cycleMillis });
      table.attach(
        subscription,
        new MessageReader(outbound, slow, () => undefined, {
          frameOf: () => ball.frame,
          dueBetween: () => 0,
          begin: () => undefined,
        }),
      );
      written.length = 0;
      return written;
    });
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    const textOf = (index: number) => (texts[index] as string[]).join('');
    return { ball, nextTurn, textOf };
  }

  it('sends later, of the same frame, what there was no time for', async () => {
    const { ball, nextTurn, textOf } = setUpSlow(10);
    await nextTurn();
    const { tick } = ball.frame.header;
    ball.ticks(1);
    expect([textOf(0), textOf(1)]).to.deep.equal([`${tick + 1} `, '']);
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    expect([textOf(0), textOf(1)]).to.deep.equal([`${tick + 1} `, `${tick + 1} `]);
  });

  it('says how many messages were left out with frames that were passed over', async () => {
    const { ball, nextTurn, textOf } = setUpSlow(10);
    await nextTurn();
    const { tick } = ball.frame.header;
    ball.publish({ tick: tick + 5, reason: Reason.tick });
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    expect(textOf(0)).to.equal(`-4:${tick + 5} `);
  });

  it('starves nobody whose own frame was passed over', async () => {
    const { ball, nextTurn, textOf } = setUpSlow(40);
    await nextTurn();
    const { tick } = ball.frame.header;
    const due = 4 - (tick % 4);
    ball.ticks(due - 1);
    // The subscription's own tick never comes.
    ball.publish({ tick: tick + due + 1, reason: Reason.tick });
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    expect(textOf(0)).to.equal(`${tick + due + 1} `);
  });

  it('sends the many of one client by slices, so that another has its own meanwhile', async () => {
    const ball = new TestBall();
    const clock = new ManualClock();
    const registry = new SessionRegistry(ball, clock);
    const table = new SubscriptionTable(registry);
    const written: string[] = [];
    const add = (account: Account, name: string, outbound: Outbound) => {
      const message = () => {
        clock.leap(0.5);
        return Buffer.from(name);
      };
      const subscription = table.create({
        account,
        references: [new Reference(ball, 'ball.position')],
        cycleMillis: 10,
      });
      const reader = new MessageReader(outbound, { ...LINE, message }, () => undefined, {
        frameOf: () => ball.frame,
        dueBetween: () => 0,
        begin: () => undefined,
      });
      table.attach(subscription, reader);
    };
    const connect = (peer: string) =>
      registry.create(
        { frontEnd: 'http', peer, transport: 'test' },
        { write: (message) => written.push(message.toString()) > 0, pendingBytes: 0 },
      );
    const [many, other] = [connect('many'), connect('other')];
    for (let k = 1; k <= 5; k++) add(many.account, `many ${k}`, many.outbound);
    add(other.account, 'other', other.outbound);
    await new Promise((resolve) => setImmediate(resolve));
    written.length = 0;
    ball.ticks(1);
    expect(written).to.deep.equal(['many 1', 'many 2', 'other']);
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(written.slice(3)).to.deep.equal(['many 3', 'many 4', 'many 5']);
  });

  it('sends to the many readers of one subscription by slices, and not to who has gone meanwhile', async () => {
    const ball = new TestBall();
    const clock = new ManualClock();
    const { table, account } = tableOf(ball, clock);
    const subscription = table.create({ account, references: [new Reference(ball, 'ball.position')], cycleMillis: 10 });
    const written: string[] = [];
    const readers = ['1', '2', '3', '4', '5'].map((name) => {
      const offer = (): void => {
        clock.leap(0.5);
        written.push(name);
      };
      const reader = readerOf(offer);
      table.attach(subscription, reader);
      return reader;
    });
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    written.length = 0;
    ball.ticks(1);
    expect(written).to.deep.equal(['1', '2']);
    table.detach(subscription, readers[3] as Reader);
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(written).to.deep.equal(['1', '2', '3', '5']);
  });
});
