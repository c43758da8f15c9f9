// What a stream that resumes gets again: how much of it is made at once.

import { expect } from 'chai';
import { Reason } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestExchange, type TestRequest, TestServer, turn } from '../../testing/aids/http-exchange.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';

const FRAMES = 40;
const MORE_THAN_A_RING = 1000;

/** A ball whose past takes a millisecond a frame to read. */
class SlowPast extends TestBall {
  readonly clock = new ManualClock();
  reads = 0;

  override past(number: number): Frame | undefined {
    this.reads++;
    this.clock.advance(1);
    return super.past(number);
  }
}

async function missing(frames: number) {
  const ball = new SlowPast();
  const server = new TestServer(ball, {}, ball, ball.clock);
  await server.call('var/subscribe', { aliases: ['ball.position[1]'], cycle_ms: 10 });
  ball.ticks(frames);
  await turn();
  /** Asks for the stream from its first frame on; it may be going on when this returns. */
  const resume = (asked: TestRequest = {}) => {
    const exchange = new TestExchange({
      path: '/sse?sub=subscription-1',
      headers: { 'last-event-id': '124' },
      ...asked,
    });
    return { exchange, answered: server.router.handle(exchange) };
  };
  return { ball, server, resume };
}

describe('a stream that resumes', () => {
  it('gets what it missed in turns, in order, and what comes meanwhile after it', async () => {
    const { ball, resume } = await missing(FRAMES);
    const { exchange, answered } = resume();
    await Promise.resolve();
    expect(ball.reads).to.be.within(1, 3);
    ball.ticks(2);
    await answered;
    const { opened } = exchange;
    const ids = opened?.messages.map((message) => Number(/^id: (\d+)/.exec(message)?.[1]));
    expect(ids).to.deep.equal(Array.from({ length: FRAMES + 2 }, (_, k) => 125 + k));
    expect(opened?.data.some(({ dropped }) => dropped)).to.equal(false);
    ball.ticks(1);
    expect(opened?.messages).to.have.length(FRAMES + 3);
  });

  it('counts what leaves the ring before its turn', async () => {
    const { ball, resume } = await missing(FRAMES);
    const { exchange, answered } = resume();
    await Promise.resolve();
    const before = exchange.opened?.messages.length as number;
    ball.ticks(2 * FRAMES);
    await answered;
    const { data } = exchange.opened ?? { data: [] };
    const dropped = data.reduce((sum, message) => sum + (message.dropped ?? 0), 0);
    expect(data[before]?.dropped).to.equal(dropped).and.be.above(0);
    expect(data.length + dropped).to.equal(3 * FRAMES);
  });

  it('reads no further once its client has gone, and holds nothing', async () => {
    const { ball, server, resume } = await missing(FRAMES);
    const { exchange, answered } = resume();
    await Promise.resolve();
    exchange.opened?.cut();
    const { reads } = ball;
    await answered;
    expect(ball.reads).to.equal(reads);
    expect(server.registry.feeds.size).to.equal(0);
    server.clock.advance(60_001);
    expect((await server.ask({ path: '/sse?sub=subscription-1' })).status).to.equal(404);
  });

  it('ends when its subscription does', async () => {
    const { ball, server, resume } = await missing(FRAMES);
    const { exchange, answered } = resume();
    await server.call('var/unsubscribe', { subscription_id: 'subscription-1' });
    await answered;
    expect(exchange.opened?.isEnded).to.equal(true);
    expect(ball.reads).to.be.below(FRAMES);
    expect(server.registry.feeds.size).to.equal(0);
  });

  it('makes nothing for a HEAD', async () => {
    const { ball, server, resume } = await missing(FRAMES);
    const before = server.registry.size;
    const { exchange, answered } = resume({ method: 'HEAD' });
    await answered;
    expect(exchange.status).to.equal(200);
    expect(ball.reads).to.equal(0);
    // The client by its address alone.
    expect(server.registry.size).to.equal(before);
    expect(server.registry.feeds.size).to.equal(0);
  });

  it('waits at an edge that is behind for what comes after, and counts what it misses of that', async () => {
    const { ball, resume } = await missing(FRAMES);
    const edge = Object.assign(ball, { frameIds: { of: String, numberOf: Number } });
    const { exchange, answered } = resume({ headers: { 'last-event-id': `${ball.frame.header.number + 3}` } });
    await answered;
    edge.ticks(3);
    expect(exchange.opened?.messages).to.deep.equal([]);
    const { tick } = edge.frame.header;
    edge.publish({ tick: tick + 3, reason: Reason.tick });
    edge.ticks(1);
    expect(exchange.opened?.data.map(({ dropped = 0 }) => dropped)).to.deep.equal([2, 0]);
  });

  it('looks at no more frames than a ring has', async () => {
    const { ball, resume } = await missing(MORE_THAN_A_RING);
    const { exchange, answered } = resume();
    await answered;
    expect(ball.reads).to.be.at.most(256);
    const [first] = exchange.opened?.data ?? [];
    expect(first.dropped + exchange.opened?.data.length).to.equal(MORE_THAN_A_RING);
  });
});
