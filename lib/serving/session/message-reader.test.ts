// What a client is told of messages that were left out, when the server itself comes late.
import { expect } from 'chai';
import fc from 'fast-check';
import { Reason } from '../../model/frame/header.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Ledger } from '../scheduling/account.js';
import type { Turns } from '../scheduling/turns.js';
import type { Delivery } from './delivery.js';
import { lateFrames, MessageReader } from './message-reader.js';
import { Outbound } from './outbound.js';
import type { MissedCycles, Reader } from './reader.js';
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
const IN_TURNS: Delivery = { ...LINE, isLong: true, message: async (frame) => LINE.message(frame) };

/** A subscription whose frames are handed over by hand; the source keeps two of them. */
function setUp(delivery: Delivery, cycleMillis: number, begin = (call: () => void): void => call()) {
  const ball = new TestBall(undefined, undefined, 2);
  const account = new Ledger(new ManualClock()).open('client');
  const references = [new Reference(ball, 'ball.position')];
  const subscription = new Subscription('1', account, references, cycleMillis, ball.frame.header, undefined);
  const said: string[] = [];
  const sink = { pendingBytes: 0, write: (message: Uint8Array) => said.push(`${message}`) > 0 };
  const outbound = new Outbound(sink);
  const turns = { begin: (_: unknown, call: () => void) => begin(call) } as unknown as Turns;
  const late = lateFrames(subscription, { source: ball, turns });
  subscription.readers.add(new MessageReader(outbound, delivery, () => undefined, late));
  const handle = (): void => {
    if (subscription.isDueNow(ball.frame)) subscription.send(ball.frame);
  };
  const { tick } = ball.frame.header;
  const first = tick + cycleMillis / 10 - (tick % (cycleMillis / 10));
  ball.ticks(first - tick);
  handle();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { ball, subscription, sink, outbound, said, handle, settle, first };
}

describe('a frame', () => {
  it('is sent once, however often it is offered', () => {
    const { ball, subscription, said, first } = setUp(LINE, 10);
    subscription.send(ball.frame);
    expect(said).to.deep.equal([`${first}`]);
  });
});

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

describe('a message made in turns for a client that has room again', () => {
  function setUpLater() {
    const begins: (() => void)[] = [];
    const made = setUp(IN_TURNS, 10, (call) => begins.push(call));
    const next = (): void => {
      made.ball.ticks(1);
      made.handle();
    };
    const wait = async (): Promise<void> => {
      await made.settle();
      made.sink.pendingBytes = FULL;
      next();
      made.sink.pendingBytes = 0;
      made.outbound.release();
      await made.settle();
    };
    return { ...made, begins, next, wait };
  }

  it('begins in a turn of the client, with the latest of what is due until then', async () => {
    const { begins, next, wait, said, settle, first } = setUpLater();
    await wait();
    expect([said, begins.length]).to.deep.equal([[`${first}`], 1]);
    for (let k = 0; k < 3; k++) next();
    begins.shift()?.();
    await settle();
    next();
    await settle();
    expect([said, begins.length]).to.deep.equal([[`${first}`, `${first + 4} after 3`, `${first + 5}`], 0]);
  });

  it('is the latest one too of those that have found no room until then, each of which is counted once', async () => {
    const { sink, outbound, begins, next, wait, said, settle, first } = setUpLater();
    await wait();
    sink.pendingBytes = FULL;
    for (let k = 0; k < 2; k++) next();
    begins.shift()?.();
    await settle();
    sink.pendingBytes = 0;
    outbound.release();
    await settle();
    begins.shift()?.();
    await settle();
    next();
    await settle();
    expect(said).to.deep.equal([`${first}`, `${first + 3} after 2`, `${first + 4}`]);
    expect([outbound.droppedMessages, begins]).to.deep.equal([2, []]);
  });

  it('says exactly how many frames lie between it and the one before, whatever comes in between', async () => {
    const steps = fc.array(fc.constantFrom('frame', 'full', 'room', 'turn', 'settle'), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const { sink, outbound, begins, next, said, settle, first } = setUpLater();
        const does: Record<string, () => unknown> = {
          frame: next,
          full: () => (sink.pendingBytes = FULL),
          room: () => {
            sink.pendingBytes = 0;
            outbound.release();
          },
          turn: () => begins.shift()?.(),
          settle,
        };
        const rest = [...given, 'frame'].flatMap(() => ['room', 'settle', 'turn', 'settle']);
        for (const step of [...given, 'frame', ...rest]) await does[step]?.();
        let last = first;
        for (const message of said.slice(1)) {
          const [tick, dropped = 0] = message.split(' after ').map(Number);
          expect(tick! - last - 1, said.join()).to.equal(dropped);
          last = tick!;
        }
        expect(last, said.join()).to.equal(first + given.filter((step) => step === 'frame').length + 1);
      }),
    );
  });

  it('is left out when the client pauses or goes before its turn', async () => {
    const { subscription, begins, next, wait, said, settle, first } = setUpLater();
    await wait();
    subscription.isPaused = true;
    begins.shift()?.();
    subscription.isPaused = false;
    next();
    await settle();
    expect(said).to.deep.equal([`${first}`, `${first + 2} after 1`]);
    await wait();
    for (const reader of subscription.readers) reader.release();
    begins.shift()?.();
    await settle();
    expect(said).to.have.length(2);
  });
});

describe('a message made in turns that waits for room', () => {
  it('says what lies before it, and not what was left out while it waited', async () => {
    const { ball, sink, outbound, said, handle, settle, first } = setUp(IN_TURNS, 10);
    const next = (): void => {
      ball.ticks(1);
      handle();
    };
    await settle();
    next();
    sink.pendingBytes = FULL;
    for (let k = 0; k < 3; k++) next();
    await settle();
    for (let k = 0; k < 2; k++) next();
    sink.pendingBytes = 0;
    outbound.release();
    await settle();
    expect(said).to.deep.equal([`${first}`, `${first + 1}`, `${first + 6} after 4`]);
  });

  it('is told as left out by the next one when it could not be made', async () => {
    let isRefused = false;
    const refusing: Delivery = { ...LINE, message: async (frame) => (isRefused ? undefined : LINE.message(frame)) };
    const { ball, said, handle, settle, first } = setUp(refusing, 10);
    for (const refusal of [true, true, false]) {
      isRefused = refusal;
      ball.ticks(1);
      handle();
      await settle();
    }
    expect(said).to.deep.equal([`${first}`, `${first + 3} after 2`]);
  });
});

describe('cycles that were passed over', () => {
  /** A subscription of every fifth tick, whose readers are added by hand. */
  function setUpMany() {
    const ball = new TestBall();
    const account = new Ledger(new ManualClock()).open('client');
    const references = [new Reference(ball, 'ball.position')];
    const subscription = new Subscription('1', account, references, 50, ball.frame.header, undefined);
    ball.ticks(5 - (ball.frame.header.tick % 5));
    subscription.isDueNow(ball.frame);
    return { ball, subscription, first: ball.frame.header.tick };
  }

  it('are told to a reader once, however many they are', () => {
    const { ball, subscription, first } = setUpMany();
    const told: MissedCycles[] = [];
    const reader = { isBehind: false, offer: () => undefined, miss: (missed: MissedCycles) => told.push(missed) };
    subscription.readers.add({ ...reader, release: () => undefined, end: () => undefined } as unknown as Reader);
    ball.publish({ tick: first + 5_000_003, reason: Reason.tick });
    expect(subscription.isDueNow(ball.frame)).to.equal(true);
    ball.publish({ tick: first + 5_000_005, reason: Reason.tick });
    expect(subscription.isDueNow(ball.frame)).to.equal(true);
    expect(told).to.deep.equal([{ count: 999_999, lastTick: first + 4_999_995, everyTicks: 5 }]);
  });

  it('count only after the frame that came last', () => {
    const { ball, subscription, first } = setUpMany();
    const said: string[] = [];
    const outbound = new Outbound({ pendingBytes: 0, write: (message: Uint8Array) => said.push(`${message}`) > 0 });
    const missed = (count: number, lastTick: number): string => {
      const late = { frameOf: () => ball.frame, dueBetween: () => 0, begin: () => undefined };
      const reader = new MessageReader(outbound, LINE, () => undefined, late);
      const frame = new TestBall().frame;
      reader.offer({ ...frame, header: { ...frame.header, number: 1, tick: 100 } } as typeof frame);
      reader.miss({ count, lastTick, everyTicks: 5 });
      reader.offer({ ...frame, header: { ...frame.header, number: 2, tick: lastTick + 5 } } as typeof frame);
      return said.at(-1) as string;
    };
    expect([first, subscription.follower.everyTicks]).to.deep.equal([125, 5]);
    expect([
      missed(1, 95),
      missed(3, 100),
      missed(3, 105),
      missed(3, 110),
      missed(3, 115),
      missed(3, 120),
    ]).to.deep.equal(['100', '105', '110 after 1', '115 after 2', '120 after 3', '125 after 3']);
    expect([missed(3, 101), missed(3, 106)]).to.deep.equal(['106 after 1', '111 after 2']);
  });
});

describe('a message that waits for a client', () => {
  for (const [way, delivery] of Object.entries({ 'at once': LINE, 'in turns': IN_TURNS })) {
    it(`does not go out in a pause, whose cycles are not counted: made ${way}`, async () => {
      const { ball, subscription, sink, outbound, said, handle, settle, first } = setUp(delivery, 10);
      await settle();
      sink.pendingBytes = FULL;
      for (let k = 0; k < 3; k++) {
        ball.ticks(1);
        handle();
      }
      subscription.isPaused = true;
      for (let k = 0; k < 10; k++) {
        ball.ticks(1);
        handle();
      }
      sink.pendingBytes = 0;
      outbound.release();
      await settle();
      expect(said).to.deep.equal([`${first}`]);
      subscription.isPaused = false;
      for (let k = 0; k < 2; k++) {
        ball.ticks(1);
        handle();
        await settle();
      }
      expect(said).to.deep.equal([`${first}`, `${first + 14} after 3`, `${first + 15}`]);
    });

    it(`counts the time before a shorter cycle by the longer one: made ${way}`, async () => {
      const { ball, subscription, sink, outbound, said, handle, settle, first } = setUp(delivery, 100);
      await settle();
      sink.pendingBytes = FULL;
      for (let k = 0; k < 18; k++) {
        ball.ticks(1);
        handle();
      }
      subscription.setCycle(10);
      // The server has no time for these.
      ball.ticks(2);
      sink.pendingBytes = 0;
      outbound.release();
      await settle();
      expect(said).to.deep.equal([`${first}`, `${first + 20} after 2`]);
    });
  }

  it('is not sent either when a pause comes while it is made, or while it waits after that', async () => {
    const { ball, subscription, sink, outbound, said, handle, settle, first } = setUp(IN_TURNS, 10);
    await settle();
    const next = (): void => {
      ball.ticks(1);
      handle();
    };
    next();
    next();
    subscription.isPaused = true;
    await settle();
    subscription.isPaused = false;
    next();
    sink.pendingBytes = FULL;
    await settle();
    subscription.isPaused = true;
    sink.pendingBytes = 0;
    outbound.release();
    await settle();
    expect(said).to.deep.equal([`${first}`]);
    subscription.isPaused = false;
    next();
    await settle();
    expect(said).to.deep.equal([`${first}`, `${first + 4} after 3`]);
  });
});
