// A batch: the subscriptions of one client in one message per frame.
import { expect } from 'chai';
import fc from 'fast-check';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import type { Account } from '../scheduling/account.js';
import { type BatchDelivery, FrameBatch } from './frame-batch.js';
import { MessageReader } from './message-reader.js';
import type { MessageKind } from './outbound.js';
import { Reference } from './reference.js';
import { SessionRegistry } from './registry.js';
import type { Subscription } from './subscription.js';
import { SubscriptionTable } from './subscription-table.js';

const FACTS = { frontEnd: 'test', peer: '127.0.0.1:1', transport: 'tcp' };

class TestSink {
  readonly written: string[] = [];
  readonly kinds = new Set<MessageKind>();
  pendingBytes = 0;

  write(message: Uint8Array, kind: MessageKind): boolean {
    this.written.push(Buffer.from(message).toString());
    this.kinds.add(kind);
    return true;
  }

  /** The messages since the last call. */
  take(): string[] {
    return this.written.splice(0);
  }
}

/** Writes `124: y=9.1 x=0`, and adds `lost 2` when messages were left out before. */
const LINES: BatchDelivery = {
  kind: 'text',
  message: (frame, due, dropped) => {
    const values = due.flatMap(({ id, references }) => references.map((one) => `${id}=${one.read(frame)}`));
    const lost = dropped > 0 ? [`lost ${dropped}`] : [];
    return Buffer.from(`${frame.header.number}: ${[...values, ...lost].join(' ')}`);
  },
};

/** A client that reads `a` every 10 ms, `b` every 20 and `c` every 30, in one message a frame. */
function setUp() {
  const ball = new TestBall();
  const registry = new SessionRegistry(ball, new ManualClock());
  const ids = ['a', 'b', 'c', 'd'];
  const table = new SubscriptionTable(registry, () => ids.shift() as string);
  const sink = new TestSink();
  const { outbound, account } = registry.create(FACTS, sink);
  const batch = table.openBatch(outbound, LINES);
  const ended: string[] = [];
  const subscribe = (cycleMillis: number, deadBands?: number): Subscription => {
    const references = [new Reference(ball, 'ball.position[1]')];
    const subscription = table.create({ account, references, cycleMillis, deadBands });
    const reader = batch.reader(subscription, () => ended.push(subscription.id));
    table.attach(subscription, reader);
    return subscription;
  };
  return { ball, table, registry, sink, outbound, batch, subscribe, ended };
}

describe('a batch of subscriptions', () => {
  it('is one message a frame, whatever their cycles', () => {
    const { ball, sink, subscribe } = setUp();
    for (const cycleMillis of [10, 20, 30]) subscribe(cycleMillis);
    expect(sink.take()).to.deep.equal(['124: a=9.1', '124: b=9.1', '124: c=9.1']);
    ball.ticks(6, (tick) => ball.store('ball.position[1]', tick));
    expect(sink.take()).to.deep.equal([
      '125: a=124 b=124',
      '126: a=125',
      '127: a=126 b=126 c=126',
      '128: a=127',
      '129: a=128 b=128',
      '130: a=129 c=129',
    ]);
    expect([...sink.kinds]).to.deep.equal(['text']);
  });

  it('leaves a frame out in which nothing is due, and who has not changed', () => {
    const { ball, sink, subscribe } = setUp();
    subscribe(10, 0);
    subscribe(20);
    sink.take();
    ball.ticks(3);
    ball.store('ball.position[1]', 5);
    ball.ticks(1);
    expect(sink.take()).to.deep.equal(['125: b=9.1', '127: b=9.1', '128: a=5']);
  });

  it('is dropped whole for a client that does not read; then all that were in it are told', () => {
    const { ball, sink, subscribe } = setUp();
    subscribe(10, 0);
    subscribe(10);
    sink.take();
    sink.pendingBytes = 2 * 1024 * 1024;
    ball.store('ball.position[1]', 5);
    ball.ticks(2);
    sink.pendingBytes = 0;
    // The first value has changed while the client did not read, and not since.
    ball.ticks(2);
    expect(sink.take()).to.deep.equal(['127: a=5 b=5 lost 2', '128: b=5']);
  });

  it('waits for a client that reads slowly, and then has the latest values of all that were due', () => {
    const { ball, sink, outbound, subscribe } = setUp();
    subscribe(10);
    subscribe(30);
    sink.take();
    sink.pendingBytes = 65 * 1024;
    ball.ticks(4, (tick) => ball.store('ball.position[1]', tick));
    expect(sink.take()).to.deep.equal([]);
    sink.pendingBytes = 0;
    outbound.release();
    expect(sink.take()).to.deep.equal(['128: a=127 b=127 lost 3']);
    ball.ticks(2);
    expect(sink.take()).to.deep.equal(['129: a=127', '130: a=127 b=127']);
  });

  it('that waits sends nothing of who has been removed, nor after it was closed', () => {
    const { ball, table, sink, outbound, batch, subscribe } = setUp();
    const [first] = [subscribe(10), subscribe(10)];
    sink.take();
    sink.pendingBytes = 65 * 1024;
    ball.ticks(1);
    table.remove(first);
    sink.pendingBytes = 0;
    outbound.release();
    expect(sink.take()).to.deep.equal(['125: b=9.1']);
    sink.pendingBytes = 65 * 1024;
    ball.ticks(1);
    table.closeBatch(batch);
    sink.pendingBytes = 0;
    outbound.release();
    expect(sink.take()).to.deep.equal([]);
  });

  it('says exactly how many messages were left out, whatever comes in between', () => {
    const steps = fc.array(fc.constantFrom('tick', 'full', 'room', 'pause', 'go on'), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (given) => {
        const { ball, sink, outbound, subscribe } = setUp();
        const subscription = subscribe(10);
        const due: number[] = [];
        const does = {
          tick: () => {
            ball.ticks(1);
            if (!subscription.isPaused) due.push(ball.frame.header.number);
          },
          full: () => (sink.pendingBytes = 2 ** 30),
          room: () => {
            sink.pendingBytes = 0;
            outbound.release();
          },
          pause: () => (subscription.isPaused = true),
          'go on': () => (subscription.isPaused = false),
        };
        sink.take();
        for (const step of [...given, 'room', 'go on', 'tick'] as const) does[step]();
        for (const message of sink.take()) {
          const [number, lost = 0] = [Number.parseInt(message, 10), /lost (\d+)/.exec(message)?.[1]];
          expect(Number(lost), message).to.equal(due.indexOf(number));
          due.splice(0, due.indexOf(number) + 1);
        }
        expect(due).to.deep.equal([]);
      }),
    );
  });

  it('leaves out who has been detached or removed', () => {
    const { ball, table, sink, batch, subscribe, ended } = setUp();
    const [first, second] = [subscribe(10), subscribe(10)];
    const reader = batch.reader(second);
    table.attach(second, reader);
    sink.take();
    table.detach(second, reader);
    table.remove(first);
    ball.ticks(1);
    expect(sink.take()).to.deep.equal(['125: b=9.1']);
    expect(ended).to.deep.equal(['a']);
    table.closeBatch(batch);
    ball.ticks(1);
    expect(sink.take()).to.deep.equal([]);
  });

  it('does not change what other readers of the same subscription get', () => {
    const { ball, table, registry, sink, subscribe } = setUp();
    const own = new TestSink();
    const delivery = {
      kind: 'binary',
      message: ({ header }: { readonly header: { readonly number: number } }) => Buffer.from(`own ${header.number}`),
      withDropped: (message: Uint8Array) => message,
      release: () => {},
    } as const;
    const subscription = subscribe(20);
    const { outbound } = registry.create(FACTS, own);
    table.attach(
      subscription,
      new MessageReader(outbound, delivery, () => {}, {
        frameOf: () => ball.frame,
        dueBetween: () => 0,
        begin: () => undefined,
      }),
    );
    ball.ticks(2);
    expect(own.take()).to.deep.equal(['own 124', 'own 125']);
    expect([...own.kinds]).to.deep.equal(['binary']);
    expect(sink.take()).to.deep.equal(['124: a=9.1', '125: a=9.1']);
  });

  it('tells of whose subscriptions it has values, until it is closed', () => {
    const { ball, registry, outbound, table } = setUp();
    const told: Account[] = [];
    const accounts = ['one', 'other'].map((name) => registry.ledger.open(name));
    const batch = new FrameBatch(
      outbound,
      LINES,
      () => ball.frame,
      (_, account) => told.push(account),
    );
    const readers = accounts.map((account) => {
      const references = [new Reference(ball, 'ball.position[1]')];
      return batch.reader(table.create({ account, references, cycleMillis: 10 }));
    });
    for (const reader of readers) reader.offer(ball.frame);
    expect(told).to.deep.equal(accounts);
    ball.ticks(1);
    batch.close();
    for (const reader of readers) reader.offer(ball.frame);
    expect(told).to.deep.equal(accounts);
  });
});
