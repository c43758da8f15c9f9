// What a client is told of messages that were left out, when the server itself comes late.
import { expect } from 'chai';
import { TestBall } from '../testing/aids/http-ball.js';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { Ledger } from './account.js';
import type { Delivery } from './delivery.js';
import { lateFrames, MessageReader } from './message-reader.js';
import { Outbound } from './outbound.js';
import { Reference } from './reference.js';
import { Subscription } from './subscription.js';

const FULL = 2 ** 30;

/** Says which tick a message is of, and how many were left out before it. */
const LINE: Delivery = {
  kind: 'text',
  message: ({ header }) => Buffer.from(`${header.tick}`),
  withDropped: (message, dropped) => Buffer.from(`${message} after ${dropped}`),
  release: () => undefined,
};
const IN_TURNS: Delivery = { ...LINE, inTurns: (frame) => Promise.resolve(LINE.message(frame)) };

/** A subscription whose frames are handed over by hand; the source keeps two of them. */
function setUp(delivery: Delivery, cycleMillis: number) {
  const ball = new TestBall(undefined, undefined, 2);
  const account = new Ledger(new ManualClock()).open('client');
  const references = [new Reference(ball, 'ball.position')];
  const subscription = new Subscription('1', account, references, cycleMillis, ball.frame.header, undefined);
  const said: string[] = [];
  const sink = { pendingBytes: 0, write: (message: Uint8Array) => said.push(`${message}`) > 0 };
  const outbound = new Outbound(sink);
  subscription.readers.add(new MessageReader(outbound, delivery, () => undefined, lateFrames(subscription, ball)));
  const handle = (): void => {
    if (subscription.isDueNow(ball.frame)) subscription.send(ball.frame);
  };
  const { tick } = ball.frame.header;
  const first = tick + cycleMillis / 10 - (tick % (cycleMillis / 10));
  ball.ticks(first - tick);
  handle();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { ball, sink, outbound, said, handle, settle, first };
}

describe('a message for a client that had no room, made when its frame is gone', () => {
  for (const [way, delivery] of Object.entries({ 'at once': LINE, 'in turns': IN_TURNS })) {
    it(`says how many were left out before it, and the next one does not say so again: made ${way}`, async () => {
      const { ball, sink, outbound, said, handle, settle, first } = setUp(delivery, 10);
      await settle();
      sink.pendingBytes = FULL;
      ball.ticks(1);
      handle();
      // The server has no time for these.
      ball.ticks(10);
      sink.pendingBytes = 0;
      outbound.release();
      await settle();
      ball.ticks(1);
      handle();
      await settle();
      expect(said).to.deep.equal([`${first}`, `${first + 11} after 10`, `${first + 12}`]);
    });

    it(`counts cycles, not frames: made ${way}`, async () => {
      const { ball, sink, outbound, said, handle, settle, first } = setUp(delivery, 40);
      await settle();
      sink.pendingBytes = FULL;
      ball.ticks(4);
      handle();
      ball.ticks(9);
      sink.pendingBytes = 0;
      outbound.release();
      await settle();
      // Two cycles after the one that was made late, of which the server has passed over one.
      ball.ticks(7);
      handle();
      await settle();
      expect(said).to.deep.equal([`${first}`, `${first + 13} after 2`, `${first + 20} after 1`]);
    });
  }
});
