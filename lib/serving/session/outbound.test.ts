// Messages that wait for one client: what is sent, held and dropped.

import { expect } from 'chai';
import fc from 'fast-check';
import { countedUntilSent, type LatestStream, Outbound } from './outbound.js';

class SlowSink {
  readonly written: Uint8Array[] = [];
  pendingBytes = 0;
  isClosed = false;
  isBehind = false;

  write(message: Uint8Array): boolean {
    if (this.isClosed) return false;
    this.written.push(message);
    this.pendingBytes += message.length;
    return true;
  }
}

const message = (lengthBytes: number): Buffer => Buffer.alloc(lengthBytes, 'm');

/** A stream of messages that the test makes. */
class TestStream implements LatestStream {
  latest: LatestStream['latest'] = () => undefined;

  making(latest: LatestStream['latest']): this {
    this.latest = latest;
    return this;
  }
}

describe('what waits for a client', () => {
  it('is sent and counted', () => {
    const sink = new SlowSink();
    const outbound = new Outbound(sink, undefined, 100);
    outbound.reply(message(10));
    expect(outbound.offer(message(20))).to.equal(true);
    expect([outbound.sentMessages, outbound.sentBytes, outbound.droppedMessages]).to.deep.equal([2, 30, 0]);
    expect(sink.written.map(({ length }) => length)).to.deep.equal([10, 20]);
  });

  it('drops whole messages of a stream over the limit, counts them, and goes on when there is room', () => {
    const sink = new SlowSink();
    const outbound = new Outbound(sink, undefined, 100);
    for (let i = 0; i < 5; i++) outbound.offer(message(60));
    expect([sink.written.length, outbound.droppedMessages, outbound.isFull]).to.deep.equal([2, 3, true]);
    expect(outbound.offer(message(1))).to.equal(false);
    sink.pendingBytes = 100;
    expect([outbound.isFull, outbound.offer(message(60))]).to.deep.equal([false, true]);
    expect([outbound.sentMessages, outbound.droppedMessages]).to.deep.equal([3, 4]);
  });

  it('waits in writes that each take memory, besides their bytes', () => {
    const sink = { write: () => true, pendingBytes: 0, pendingWrites: 0 };
    const outbound = new Outbound(sink, undefined, 2000);
    sink.pendingWrites = 3;
    expect([outbound.isFull, outbound.offer(message(1))]).to.deep.equal([false, true]);
    sink.pendingWrites = 4;
    expect([outbound.isFull, outbound.offer(message(1))]).to.deep.equal([true, false]);
  });

  it('drops no answer', () => {
    const sink = new SlowSink();
    const outbound = new Outbound(sink, undefined, 100);
    for (let i = 0; i < 5; i++) outbound.reply(message(60));
    expect([sink.written.length, outbound.sentMessages, outbound.droppedMessages]).to.deep.equal([5, 5, 0]);
    expect(outbound.isFull).to.equal(true);
  });

  it('counts nothing for a connection that is closed, and sends nothing empty', () => {
    const sink = new SlowSink();
    const outbound = new Outbound(sink, undefined, 100);
    outbound.reply(message(0));
    outbound.offer(message(0));
    expect(sink.written).to.deep.equal([]);
    sink.isClosed = true;
    outbound.reply(message(5));
    outbound.offer(message(5));
    expect([outbound.sentMessages, outbound.sentBytes, outbound.droppedMessages]).to.deep.equal([0, 0, 0]);
  });

  it('is bounded by the limit and one message, and every message is sent whole or counted as dropped', () => {
    const step = fc.record({ bytes: fc.integer({ min: 1, max: 80 }), taken: fc.nat(120) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const sink = new SlowSink();
        const outbound = new Outbound(sink, undefined, 100);
        for (const { bytes, taken } of steps) {
          outbound.offer(message(bytes));
          expect(sink.pendingBytes).to.be.at.most(180);
          sink.pendingBytes = Math.max(0, sink.pendingBytes - taken);
        }
        expect(sink.written.length).to.equal(outbound.sentMessages);
        expect(outbound.sentMessages + outbound.droppedMessages).to.equal(steps.length);
      }),
    );
  });
});

describe('the latest message of a stream', () => {
  const AHEAD = 64 * 1024;
  const nextTurn = () => new Promise(setImmediate);

  /** Offers numbered messages of one stream. */
  function numbered(outbound: Outbound, stream: TestStream, log: string[]) {
    return (number: number, lengthBytes = 10) =>
      outbound.offerLatest(
        stream.making((replaced) => {
          log.push(`${number} after ${replaced}`);
          return message(lengthBytes);
        }),
      );
  }

  it('goes at once while little waits', () => {
    const [sink, log] = [new SlowSink(), []];
    const outbound = new Outbound(sink);
    const offer = numbered(outbound, new TestStream(), log);
    for (let number = 0; number < 5; number++) offer(number);
    expect(log).to.deep.equal(['0 after 0', '1 after 0', '2 after 0', '3 after 0', '4 after 0']);
    expect([outbound.sentMessages, outbound.sentBytes, outbound.droppedMessages]).to.deep.equal([5, 50, 0]);
  });

  it('goes before an answer if it was due earlier, of many streams eight', async () => {
    const [sink, log]: [SlowSink, string[]] = [new SlowSink(), []];
    const outbound = new Outbound(sink);
    numbered(outbound, new TestStream(), log)(0, AHEAD + 1);
    await nextTurn();
    log.length = 0;
    for (let number = 1; number <= 100; number++) numbered(outbound, new TestStream(), log)(number);
    expect(log).to.deep.equal([]);
    outbound.reply(message(7));
    expect([log.length, log.at(-1), sink.written.length]).to.deep.equal([8, '8 after 0', 10]);
    outbound.reply(message(7));
    expect([log.length, log.at(-1)]).to.deep.equal([16, '16 after 0']);
    sink.pendingBytes = 0;
    outbound.release();
    expect(log).to.have.lengthOf(100);
  });

  it('takes the place of those that have not gone, and goes when the peer has taken something', async () => {
    const [sink, log]: [SlowSink, string[]] = [new SlowSink(), []];
    const outbound = new Outbound(sink);
    const [first, second] = [new TestStream(), new TestStream()];
    const [one, two] = [numbered(outbound, first, log), numbered(outbound, second, log)];
    one(0, AHEAD + 1);
    await nextTurn();
    for (let number = 1; number <= 3; number++) one(number);
    two(9);
    expect([log, outbound.holds(first), outbound.droppedMessages]).to.deep.equal([['0 after 0'], true, 2]);
    sink.pendingBytes = AHEAD;
    outbound.release();
    expect(log).to.deep.equal(['0 after 0', '3 after 2', '9 after 0']);
    expect([outbound.holds(first), outbound.sentMessages, outbound.droppedMessages]).to.deep.equal([false, 3, 2]);
  });

  it('does not count what is written in the same turn as waiting, up to the limit', async () => {
    const [sink, log] = [new SlowSink(), []];
    const outbound = new Outbound(sink, undefined, 4 * AHEAD);
    const offer = numbered(outbound, new TestStream(), log);
    for (let number = 0; number < 8; number++) offer(number, AHEAD);
    expect(log).to.have.length(5);
    expect(sink.pendingBytes).to.equal(5 * AHEAD);
  });

  it('comes before an answer, so that nothing old comes after it', async () => {
    const [sink, log]: [SlowSink, string[]] = [new SlowSink(), []];
    const outbound = new Outbound(sink);
    const offer = numbered(outbound, new TestStream(), log);
    offer(0, 2 * AHEAD);
    await nextTurn();
    offer(1);
    outbound.reply(message(20));
    expect(log).to.deep.equal(['0 after 0', '1 after 0']);
    expect(sink.written.map(({ length }) => length)).to.deep.equal([2 * AHEAD, 10, 20]);
  });

  it('waits for a client that is behind, is counted when another takes its place, and goes when it no longer is', () => {
    const [sink, log]: [SlowSink, string[]] = [new SlowSink(), []];
    const outbound = new Outbound(sink);
    const offer = numbered(outbound, new TestStream(), log);
    offer(0);
    sink.isBehind = true;
    for (let number = 1; number <= 3; number++) offer(number);
    expect([log, outbound.isReady, outbound.isFull]).to.deep.equal([['0 after 0'], false, false]);
    sink.isBehind = false;
    outbound.release();
    expect(log).to.deep.equal(['0 after 0', '3 after 2']);
    expect([outbound.sentMessages, outbound.droppedMessages]).to.deep.equal([2, 2]);
  });

  it('does not keep answers from a client that is behind', () => {
    const sink = new SlowSink();
    sink.isBehind = true;
    const outbound = new Outbound(sink);
    for (let i = 0; i < 5; i++) outbound.reply(message(60));
    expect([sink.written.length, outbound.droppedMessages]).to.deep.equal([5, 0]);
  });

  it('does not go with the answers to a client that is behind, or that it leaves behind', () => {
    const [sink, log]: [SlowSink, string[]] = [new SlowSink(), []];
    const outbound = new Outbound(sink);
    sink.isBehind = true;
    for (let number = 0; number < 3; number++) numbered(outbound, new TestStream(), log)(number);
    outbound.reply(message(60));
    outbound.replyAll([message(60), message(60)]);
    expect(log).to.deep.equal([]);
    Object.defineProperty(sink, 'isBehind', { get: () => log.length > 1 });
    outbound.reply(message(60));
    expect([log, outbound.droppedMessages]).to.deep.equal([['0 after 0', '1 after 0'], 0]);
  });

  it('makes the connection find out whether its client is behind, which answers do not', () => {
    let follows = 0;
    const sink = Object.assign(new SlowSink(), { followTaking: () => follows++ });
    const outbound = new Outbound(sink);
    outbound.reply(message(60));
    expect(follows).to.equal(0);
    numbered(outbound, new TestStream(), [])(0);
    expect(follows).to.equal(1);
  });

  it('is forgotten with its stream', async () => {
    const [sink, log]: [SlowSink, string[]] = [new SlowSink(), []];
    const outbound = new Outbound(sink);
    const stream = new TestStream();
    const offer = numbered(outbound, stream, log);
    offer(0, 2 * AHEAD);
    await nextTurn();
    offer(1);
    outbound.withdraw(stream);
    sink.pendingBytes = 0;
    outbound.release();
    expect(log).to.deep.equal(['0 after 0']);
  });
});

/** Counts long messages, up to a bound. */
class Counted {
  held = 0;
  added = 0;

  constructor(readonly bound: number) {}

  canTake(bytes: number): boolean {
    return this.held + bytes <= this.bound;
  }

  take(bytes: number): boolean {
    const mayTake = this.canTake(bytes);
    if (mayTake) this.held += bytes;
    return mayTake;
  }

  add(bytes: number): void {
    this.added += bytes;
  }

  settle(): void {}
  close(): void {}
}

describe('long messages of streams', () => {
  const LONG = 1_000_000;
  const [one, other] = [new TestStream(), new TestStream()];

  function setUp(bound: number) {
    const sink = new SlowSink();
    const long = new Counted(bound);
    const outbound = new Outbound(sink, long);
    let made = 0;
    const build = (bytes: number) => () => {
      made++;
      return message(bytes);
    };
    const lengths = () => sink.written.splice(0).map(({ length }) => length);
    return { sink, outbound, long, build, lengths, made: () => made };
  }

  it('count, and short ones do not', () => {
    const { sink, outbound, long, build } = setUp(2 * LONG);
    outbound.offerLatest(one.making(build(60_000)));
    sink.pendingBytes = 0;
    outbound.offerLatest(one.making(build(LONG)));
    expect([long.held, long.added]).to.deep.equal([LONG, LONG]);
  });

  it('are not made while they may not be held, and others go out before them', () => {
    const { sink, outbound, long, build, lengths, made } = setUp(1.5 * LONG);
    outbound.offerLatest(one.making(build(LONG)));
    sink.pendingBytes = 0;
    outbound.offerLatest(one.making(build(LONG)));
    outbound.offerLatest(other.making(build(1)));
    expect(lengths()).to.deep.equal([LONG, 1]);
    expect(made()).to.equal(2);
    expect(outbound.holds(one)).to.equal(true);
    long.held = 0;
    outbound.release();
    expect(lengths()).to.deep.equal([LONG]);
  });

  it('are left out when they cannot be held once they are made, and announced ones are not made', () => {
    const { outbound, build, lengths, made } = setUp(0.5 * LONG);
    outbound.offerLatest(one.making(build(LONG)));
    expect([made(), outbound.droppedMessages]).to.deep.equal([1, 1]);
    outbound.expect(other, LONG);
    outbound.offerLatest(other.making(build(LONG)));
    expect(made()).to.equal(1);
    expect(lengths()).to.deep.equal([]);
  });

  it('go out uncounted when they are the first of a stream, and not very long', () => {
    const { sink, outbound, long, build, lengths } = setUp(0);
    outbound.offerLatest(one.making(build(500_000)));
    sink.pendingBytes = 0;
    outbound.offerLatest(one.making(build(500_000)));
    expect(lengths()).to.deep.equal([500_000]);
    expect(long.added).to.equal(0);
  });

  it('are looked at a few at a time', () => {
    const { outbound, long, build } = setUp(0);
    const streams = Array.from({ length: 1000 }, () => new TestStream());
    let looks = 0;
    long.canTake = () => {
      looks++;
      return false;
    };
    for (const stream of streams) {
      outbound.expect(stream, LONG);
      outbound.offerLatest(stream.making(build(LONG)));
    }
    expect(looks).to.be.at.most(9 * streams.length);
  });

  it('that are answers are refused when they cannot be held', () => {
    const { outbound, long, lengths } = setUp(1.5 * LONG);
    expect([outbound.replyCounted(message(LONG)), outbound.replyCounted(message(LONG))]).to.deep.equal([true, false]);
    expect(outbound.replyCounted(message(10))).to.equal(true);
    expect(lengths()).to.deep.equal([LONG, 10]);
    expect([long.held, long.added]).to.deep.equal([LONG, LONG]);
  });

  it('that were counted while they were made are counted once', () => {
    const { outbound, long } = setUp(LONG);
    long.held = LONG;
    const counted = countedUntilSent(message(LONG), () => {
      long.held -= LONG;
    });
    outbound.offerLatest(one.making(() => counted));
    expect([long.held, long.added]).to.deep.equal([LONG, LONG]);
  });
});
