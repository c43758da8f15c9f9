// A client of an embedding program's front-end, with a connection in memory.

import { expect } from 'chai';
import { DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import { Reference } from '../../serving/session/reference.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import { SubscriptionTable } from '../../serving/session/subscription-table.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { MemoryConnection, MemoryWebSocket } from '../../testing/aids/memory-connection.js';
import { type AnswerChunk, FrontEndClient } from './front-end-client.js';
import { sessionLog } from './session-log.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const settle = async () => {
  for (let turns = 0; turns < 5; turns++) await turn();
};

function setUp(answer: AnswerChunk, bounds = DEFAULT_BOUNDS) {
  const ball = new TestBall();
  const clock = new ManualClock();
  const logged: string[] = [];
  const log = (_: string, text: string) => void logged.push(text);
  const listener = { ...sessionLog(log), opened: () => undefined, closed: () => undefined };
  const registry = new SessionRegistry(ball, clock, listener, bounds);
  const subscriptions = new SubscriptionTable(registry);
  const parts = { registry, subscriptions, log };
  const connection = new MemoryConnection();
  const client = new FrontEndClient(parts, 'line', connection, answer);
  const watch = () =>
    client.watch({ references: [new Reference(ball, 'ball.position')] }, ({ header }) => `${header.tick} `);
  return { ball, clock, parts, registry, subscriptions, logged, connection, client, watch };
}

interface Ending {
  resolve(text: string): void;
  reject(error: Error): void;
}

/** Says each word again. */
const echo: AnswerChunk = (chunk) => chunk.toString().split(' ');

describe("a client of an embedding program's front-end", () => {
  it('is answered in order, also by what comes later', async () => {
    const late: (() => void)[] = [];
    const { connection } = setUp(function* (chunk) {
      yield `${chunk}1 `;
      yield new Promise<string>((resolve) => late.push(() => resolve(`${chunk}2 `)));
      yield Buffer.from(`${chunk}3 `);
    });
    connection.send('a');
    connection.send('b');
    await settle();
    expect([connection.taken(), connection.isReading]).to.deep.equal(['a1 ', false]);
    late.shift()?.();
    await settle();
    expect([connection.taken(), connection.isReading]).to.deep.equal(['a2 a3 b1 ', false]);
    late.shift()?.();
    await settle();
    expect([connection.taken(), connection.isReading]).to.deep.equal(['b2 b3 ', true]);
  });

  it('gets what it watches now and at each tick, until it stops or goes', async () => {
    const { ball, registry, subscriptions, connection, watch } = setUp(echo);
    const stop = watch();
    watch();
    const { tick } = ball.frame.header;
    ball.ticks(1);
    await settle();
    expect(connection.taken()).to.equal(`${tick} ${tick} ${tick + 1} ${tick + 1} `);
    stop();
    stop();
    ball.ticks(1);
    expect(connection.taken()).to.equal(`${tick + 2} `);
    connection.leave();
    expect([subscriptions.size, registry.size]).to.deep.equal([0, 0]);
    watch();
    expect(subscriptions.size).to.equal(0);
  });

  it('is asked for no more while it does not take its answers', async () => {
    let made = 0;
    const { connection } = setUp(function* () {
      for (; made < 40; made++) yield Buffer.alloc(100_000);
    });
    connection.isStuck = true;
    connection.send('go');
    await settle();
    const madeBefore = made;
    expect(madeBefore).to.be.within(10, 12);
    expect(connection.isReading).to.equal(false);
    await settle();
    expect(made).to.equal(madeBefore);
    connection.read();
    for (let turns = 0; turns < 200 && made < 40; turns++) await turn();
    await settle();
    expect([made, connection.isReading]).to.deep.equal([40, true]);
  });

  it('is let go when it takes nothing for long, or more waits than it may have', async () => {
    const long: AnswerChunk = () => [Buffer.alloc(600_000)];
    const idle = setUp(long);
    idle.connection.isStuck = true;
    idle.connection.send('go');
    await settle();
    expect(idle.connection.isClosed).to.equal(false);
    idle.clock.advance(60_000);
    expect(idle.connection.isClosed).to.equal(true);
    expect(idle.logged.join()).to.match(
      /^127\.0\.0\.1:53412 was let go: its answers were not taken: 600000 bytes wait/,
    );
    const full = setUp(long, { ...DEFAULT_BOUNDS, unreadBytes: { each: 1000, all: 2000 } });
    full.connection.send('go');
    await settle();
    expect([full.connection.isClosed, full.connection.taken()]).to.deep.equal([true, '']);
    expect(full.logged.join()).to.match(/was let go: a client may have 1000 bytes of answers that it has not read/);
  });

  for (const [what, answer] of [
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    [
      'throws late',
      function* () {
        yield 'a';
        throw new Error('no');
      },
    ],
    ['rejects', () => [Promise.reject(new Error('no'))]],
  ] as readonly [string, AnswerChunk][]) {
    it(`is the only one that ends when its front-end ${what}`, async () => {
      const { connection, registry, logged } = setUp(answer);
      connection.send('go');
      await settle();
      expect([connection.isClosed, registry.size]).to.deep.equal([true, 0]);
      expect(logged).to.deep.equal(['line failed to answer 127.0.0.1:53412']);
    });
  }

  it('is the only one that ends when its front-end throws at a frame', async () => {
    const { ball, client, connection, registry, subscriptions, logged } = setUp(echo);
    let frames = 0;
    client.watch({ references: [new Reference(ball, 'ball.position')] }, () => {
      if (++frames > 2) throw new Error('no');
      return 'a';
    });
    ball.ticks(1);
    expect(connection.taken()).to.equal('aa');
    ball.ticks(2);
    await settle();
    expect([frames, connection.isClosed, registry.size, subscriptions.size]).to.deep.equal([3, true, 0, 0]);
    expect(logged).to.deep.equal(['line failed to answer 127.0.0.1:53412']);
  });

  it('holds nothing when it goes before what comes later', async () => {
    const endings = [(end: Ending) => end.resolve('late'), (end: Ending) => end.reject(new Error('late'))];
    for (const ending of endings) {
      const late: Ending[] = [];
      const { connection, registry, logged } = setUp(() => [
        new Promise<string>((resolve, reject) => late.push({ resolve, reject })),
      ]);
      connection.send('go');
      await settle();
      connection.leave();
      for (const end of late) ending(end);
      await settle();
      expect([late.length, registry.ledger.held('unreadBytes'), logged]).to.deep.equal([1, 0, []]);
    }
  });

  it('that sends no more is answered, and ends when it watches nothing', async () => {
    const { connection, watch } = setUp(echo);
    const stop = watch();
    connection.send('hello');
    connection.finish();
    await settle();
    expect(connection.taken()).to.contain('hello');
    expect(connection.isClosed).to.equal(false);
    stop();
    expect(connection.isClosed).to.equal(true);
  });

  it('lets a generator clean up when it goes before its last answer', async () => {
    let cleaned = 0;
    const { connection, registry } = setUp(function* () {
      try {
        for (;;) yield Buffer.alloc(600_000);
      } finally {
        cleaned++;
      }
    });
    connection.isStuck = true;
    connection.send('go');
    await settle();
    expect(cleaned).to.equal(0);
    connection.leave();
    await settle();
    expect([cleaned, registry.ledger.held('unreadBytes')]).to.deep.equal([1, 0]);
  });

  it('gets texts and bytes as what they are over a WebSocket', async () => {
    const { ball, parts } = setUp(echo);
    const request = { method: 'GET', path: '/', query: new URLSearchParams(), headers: {}, peer: '127.0.0.1:1' };
    const socket = new MemoryWebSocket({ ...request, host: undefined, local: '127.0.0.1:7000' });
    const client = new FrontEndClient(parts, 'line', socket, () => ['text', Buffer.from('bytes')]);
    const references = [new Reference(ball, 'ball.position')];
    socket.send('go');
    await settle();
    client.watch({ references }, () => 'text');
    client.watch({ references, kind: 'binary' }, () => Buffer.from('bytes'));
    expect(socket.written.map(String)).to.deep.equal(['text', 'text']);
    expect(socket.binaries.map((bytes) => Buffer.from(bytes).toString())).to.deep.equal(['bytes', 'bytes']);
  });

  it('is answered no further once it has been ended', async () => {
    const { connection, client } = setUp(function* () {
      yield 'one';
      client.end();
      yield 'two';
    });
    connection.send('go');
    connection.send('go');
    await settle();
    expect([connection.taken(), connection.isClosed]).to.deep.equal(['one', true]);
  });
});
