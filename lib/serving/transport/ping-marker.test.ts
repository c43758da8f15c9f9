// How far clients have read that read at some speed, by a clock that the test moves.
import { expect } from 'chai';
import fc from 'fast-check';
import { PingMarker } from './ping-marker.js';

interface Play {
  /** What the client reads in a millisecond; of each moment. */
  readonly bytesAMilli: (millis: number) => number;
  readonly messageBytes?: number;
  readonly everyMillis?: number;
  /** Messages that are due in the same turn of the event loop. */
  readonly atOnce?: number;
  readonly seconds?: number;
  /** How long an answer takes to come back. */
  readonly wayMillis?: number;
  readonly answers?: boolean;
  /** When no answers can come although the client reads. */
  readonly isPaused?: (millis: number) => boolean;
  /** Whether it answers only the latest of the markers that it has read in a pause. */
  readonly answersLatest?: boolean;
}

/** Plays a stream whose client reads slowly behind buffers without a bound. */
function play({
  bytesAMilli,
  messageBytes = 20_000,
  everyMillis = 10,
  atOnce = 1,
  seconds = 60,
  wayMillis = 0,
  answers = true,
  isPaused = () => false,
  answersLatest = false,
}: Play) {
  let now = 0;
  const marker = new PingMarker(() => now);
  const onItsWay: { bytes: number; readonly madeMillis?: number; readonly ping?: Buffer }[] = [];
  const answering: { readonly atMillis: number; readonly ping: Buffer }[] = [];
  const ages: { readonly atMillis: number; readonly age: number }[] = [];
  const held: Buffer[] = [];
  let [leftOut, pings, mayRead] = [0, 0, 0];
  const mark = (isDue: boolean): void => {
    if (!isDue) return;
    pings++;
    onItsWay.push({ bytes: 6, ping: marker.mark() });
  };
  mark(marker.follow());
  const send = (): void => {
    mark(marker.isBehind && marker.isDue);
    for (let count = 0; count < atOnce; count++) {
      if (marker.isBehind) {
        leftOut++;
        continue;
      }
      marker.wrote(messageBytes);
      onItsWay.push({ bytes: messageBytes, madeMillis: now });
    }
    marker.endTurn();
    mark(marker.isDue);
  };
  const read = (): void => {
    mayRead += bytesAMilli(now);
    for (let next = onItsWay[0]; next && mayRead >= next.bytes; next = onItsWay[0]) {
      mayRead -= next.bytes;
      onItsWay.shift();
      if (next.madeMillis !== undefined) ages.push({ atMillis: now, age: now - next.madeMillis });
      if (next.ping && answers) held.push(next.ping);
    }
    if (onItsWay.length === 0) mayRead = 0;
    if (isPaused(now)) return;
    for (const ping of held.splice(answersLatest ? held.length - 1 : 0))
      answering.push({ atMillis: now + wayMillis, ping });
    held.length = 0;
  };
  for (; now < seconds * 1000; now++) {
    if (isPaused(now)) marker.pause();
    else marker.resume();
    while (answering[0] && answering[0].atMillis <= now) {
      marker.answered(answering.shift()!.ping);
      mark(marker.isDue);
    }
    if (now % everyMillis === 0) send();
    read();
  }
  const oldest = (fromSecond: number): number =>
    Math.max(...ages.filter(({ atMillis }) => atMillis >= 1000 * fromSecond).map(({ age }) => age));
  return { leftOut, pings, sent: ages.length, oldest };
}

describe('the pings behind what is on its way to a client', () => {
  it('keeps what a slow client reads a few seconds old at most, and lets it read all the time', () => {
    for (const rate of [20, 50, 200, 500, 1500]) {
      const { oldest, sent, leftOut } = play({ bytesAMilli: () => rate });
      expect(oldest(0), `${rate} KB a second, from the start`).to.be.below(8000);
      expect(oldest(10), `${rate} KB a second, then`).to.be.below(3500);
      expect(sent * 20_000, `${rate} KB a second`).to.be.above(0.85 * 60_000 * rate);
      expect(leftOut).to.be.above(1000);
    }
  });

  it('keeps it so for a client that becomes slow, or stops reading for a while', () => {
    const slower = play({ bytesAMilli: (millis) => (millis < 10_000 ? 10_000 : 200) });
    expect(slower.oldest(10)).to.be.below(3500);
    const stops = play({ bytesAMilli: (millis) => (millis >= 10_000 && millis < 40_000 ? 0 : 10_000) });
    // What was on its way when it stopped is old; the rest is not.
    expect(stops.oldest(41)).to.be.below(100);
    const little = play({
      bytesAMilli: (millis) => (millis >= 10_000 && millis < 40_000 ? 0 : 10_000),
      ...{ messageBytes: 200, everyMillis: 100 },
    });
    expect(little.leftOut).to.be.above(250);
    expect(little.sent + little.leftOut).to.equal(600);
  });

  it('keeps it so for a client that sends something long meanwhile, so that it answers nothing for a while', () => {
    const once = (millis: number): boolean => millis >= 20_000 && millis < 40_000;
    const often = [10_000, 3000, 100].map(
      (every) => (millis: number) => millis >= 20_000 && millis % every < every / 2,
    );
    for (const [index, isPaused] of [once, ...often].entries()) {
      for (const rate of [35, 50, 200]) {
        const [all, latest] = [false, true].map((answersLatest) =>
          play({ bytesAMilli: () => rate, isPaused, answersLatest, seconds: 120 }),
        );
        // One message and what is on its way when it goes.
        const most = 2500 + 20_000 / rate;
        expect([all!.oldest(20) < most, latest!.oldest(20) < most], `pauses ${index}`).to.deep.equal([true, true]);
        // In a long pause it gets what it takes in 2 s, and then nothing.
        const part = index < 2 ? 0.65 : 0.8;
        expect(all!.sent * 20_000, `pauses ${index}`).to.be.above(part * 120_000 * rate);
      }
    }
  });

  it('leaves out nothing for a client that keeps up with much while its answers wait now and then', () => {
    const isPaused = (millis: number): boolean => millis % 100 < 50;
    const { leftOut, oldest } = play({ bytesAMilli: () => 20_000, everyMillis: 100, isPaused });
    expect([leftOut, oldest(0) < 10]).to.deep.equal([0, true]);
  });

  it('bounds what one turn writes to a client that is known to be slow', () => {
    const { oldest, sent } = play({ bytesAMilli: () => 200, atOnce: 50 });
    expect(oldest(10)).to.be.below(3500);
    expect(sent * 20_000).to.be.above(0.85 * 60_000 * 200);
  });

  it('leaves out nothing for a client that keeps up with much at once', () => {
    const { leftOut, oldest } = play({ bytesAMilli: () => 200_000, atOnce: 50, everyMillis: 50 });
    expect([leftOut, oldest(0) < 10]).to.deep.equal([0, true]);
  });

  it('leaves out nothing for a client that keeps up, near or far away', () => {
    for (const wayMillis of [0, 50, 300]) {
      const { leftOut, oldest } = play({ bytesAMilli: () => 20_000, everyMillis: 100, wayMillis });
      expect([leftOut, oldest(0) < 10], `${wayMillis} ms away`).to.deep.equal([0, true]);
    }
  });

  it('grows to what a long way needs', () => {
    const { leftOut } = play({ bytesAMilli: () => 20_000, wayMillis: 200 });
    expect(leftOut).to.be.below(100);
  });

  it('grows again on a way that takes longer than a second, after the client has read nothing for a while', () => {
    const bytesAMilli = (millis: number): number => (millis >= 5000 && millis < 25_000 ? 0 : 20_000);
    const { leftOut, sent } = play({ bytesAMilli, wayMillis: 1500, messageBytes: 2000, seconds: 120 });
    expect(sent + leftOut).to.equal(12_000);
    expect(leftOut).to.be.below(8000);
  });

  it('holds nothing back from a client that answers nothing, which is sent one ping', () => {
    const { leftOut, pings } = play({ bytesAMilli: () => 200, answers: false, seconds: 10 });
    expect([leftOut, pings]).to.deep.equal([0, 1]);
  });

  it('needs one ping for 64 KB, or in 2 s', () => {
    const much = play({ bytesAMilli: () => 20_000, seconds: 10 });
    expect(much.pings).to.be.at.most(10 * Math.ceil(2_000_000 / 65_536));
    const little = play({ bytesAMilli: () => 20_000, messageBytes: 200, everyMillis: 100, seconds: 60 });
    expect(little.pings).to.be.within(29, 31);
    const slow = play({ bytesAMilli: () => 5, messageBytes: 200, seconds: 60 });
    expect(slow.pings).to.be.below(60);
  });
});

describe('a ping behind what was written', () => {
  const KB = 1024;

  function setUp() {
    const clock = { millis: 0 };
    const marker = new PingMarker(() => clock.millis);
    const write = (bytes: number): boolean => {
      marker.wrote(bytes);
      marker.endTurn();
      return marker.isDue;
    };
    return { clock, marker, write };
  }

  /** A client that has answered one. */
  function following() {
    const made = setUp();
    made.marker.follow();
    made.write(10);
    made.marker.answered(made.marker.mark());
    return made;
  }

  it('is due only once somebody asks, and then at once', () => {
    const { marker, write } = setUp();
    expect(write(1000 * KB)).to.equal(false);
    expect([marker.follow(), marker.follow()]).to.deep.equal([true, false]);
    expect([write(0), write(1)]).to.deep.equal([false, true]);
  });

  it('is due soon after another when 64 KB have been written', () => {
    const { marker, write } = setUp();
    marker.follow();
    write(1000 * KB);
    marker.answered(marker.mark());
    expect([write(64 * KB - 1), write(1)]).to.deep.equal([false, true]);
  });

  it('does not count what went before somebody asked', () => {
    const { marker, write } = setUp();
    marker.answered(marker.mark());
    write(10_000 * KB);
    marker.follow();
    expect(marker.isBehind).to.equal(false);
    expect(write(200 * KB)).to.equal(true);
    expect(marker.isBehind).to.equal(true);
  });

  it('is answered by what it carries, and by nothing else', () => {
    const { marker, write } = following();
    const before = marker.mark();
    marker.answered(before);
    write(200 * KB);
    const ping = marker.mark();
    for (const other of ['', 'text', 'longer text', Buffer.from([0, 0, 0, 0]), Buffer.from([0, 0, 0, 9]), before])
      marker.answered(Buffer.from(other as string));
    expect(marker.isBehind).to.equal(true);
    marker.answered(ping);
    expect(marker.isBehind).to.equal(false);
  });

  it('is waited for 2 s, in which the client is read', () => {
    const { clock, marker, write } = following();
    clock.millis = 5000;
    expect(write(10)).to.equal(true);
    const ping = marker.mark();
    marker.pause();
    clock.millis = 60_000;
    marker.resume();
    clock.millis += 2000;
    expect(marker.isBehind).to.equal(false);
    clock.millis += 1;
    expect(marker.isBehind).to.equal(true);
    marker.answered(ping);
    expect(marker.isBehind).to.equal(false);
  });

  it('goes again every 2 s to a client that is behind, which may leave answers out, and is measured from the first', () => {
    const { clock, marker, write } = following();
    write(200 * KB);
    const first = marker.mark();
    const due: number[] = [];
    for (; clock.millis < 10_000; clock.millis += 100) {
      if (!marker.isDue) continue;
      due.push(clock.millis);
      expect(marker.mark()).to.deep.equal(first);
    }
    expect(due).to.deep.equal([2000, 4000, 6000, 8000]);
    marker.answered(first);
    expect([marker.isBehind, marker.isDue]).to.deep.equal([false, false]);
    // 200 KB in 10 s are 40 KB in 2 s.
    write(50 * KB);
    expect(marker.isBehind).to.equal(true);
  });

  it('is not waited for while no answer can come, by a client that is not slow', () => {
    const { clock, marker, write } = following();
    write(200 * KB);
    marker.pause();
    clock.millis = 60_000;
    expect([marker.isBehind, marker.awaitsAnswer]).to.deep.equal([false, true]);
    marker.resume();
    expect(marker.isBehind).to.equal(true);
  });

  it('never leaves a client behind that has read and answered all', () => {
    const step = fc.record({
      bytes: fc.oneof(fc.constant(0), fc.nat(500), fc.nat(60 * KB), fc.nat(400 * KB)),
      millis: fc.oneof(fc.nat(100), fc.nat(4000)),
      answers: fc.nat(4),
      isPaused: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { clock, marker, write } = setUp();
        const unanswered: Buffer[] = [];
        const mark = (isDue: boolean): void => void (isDue && unanswered.push(marker.mark()));
        const answer = (): void => {
          marker.answered(unanswered.shift() as Buffer);
          mark(marker.isDue);
        };
        mark(marker.follow());
        for (const { bytes, millis, answers, isPaused } of steps) {
          // Answers to calls go out whether it is behind or not.
          mark(write(bytes));
          if (isPaused) marker.pause();
          else marker.resume();
          for (let count = 0; count < answers && unanswered.length > 0; count++) answer();
          if (unanswered.length === 0) expect(marker.isBehind).to.equal(false);
          clock.millis += millis;
        }
        while (unanswered.length > 0) answer();
        expect(marker.isBehind).to.equal(false);
      }),
    );
  });
});
