// How much may be on its way to a client: clients that read at some speed, by a clock that the test moves.
import { expect } from 'chai';
import fc from 'fast-check';
import { DeliveryWindow } from './delivery-window.js';

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
  const window = new DeliveryWindow(() => now);
  const onItsWay: { bytes: number; readonly madeMillis?: number; readonly marker?: Buffer }[] = [];
  const answering: { readonly atMillis: number; readonly marker: Buffer }[] = [];
  const ages: { readonly atMillis: number; readonly age: number }[] = [];
  const held: Buffer[] = [];
  let [leftOut, markers, mayRead] = [0, 0, 0];
  const mark = (isDue: boolean): void => {
    if (!isDue) return;
    markers++;
    onItsWay.push({ bytes: 6, marker: window.mark() });
  };
  mark(window.follow());
  const send = (): void => {
    mark(window.isMarkerDueAgain);
    for (let count = 0; count < atOnce; count++) {
      if (window.isBehind) {
        leftOut++;
        continue;
      }
      window.wrote(messageBytes);
      onItsWay.push({ bytes: messageBytes, madeMillis: now });
    }
    mark(window.endTurn());
  };
  const read = (): void => {
    mayRead += bytesAMilli(now);
    for (let next = onItsWay[0]; next && mayRead >= next.bytes; next = onItsWay[0]) {
      mayRead -= next.bytes;
      onItsWay.shift();
      if (next.madeMillis !== undefined) ages.push({ atMillis: now, age: now - next.madeMillis });
      if (next.marker && answers) held.push(next.marker);
    }
    if (isPaused(now)) return;
    for (const marker of held.splice(answersLatest ? held.length - 1 : 0))
      answering.push({ atMillis: now + wayMillis, marker });
    held.length = 0;
    if (onItsWay.length === 0) mayRead = 0;
  };
  for (; now < seconds * 1000; now++) {
    if (isPaused(now)) window.pause();
    else window.resume();
    while (answering[0] && answering[0].atMillis <= now) {
      window.answered(answering.shift()!.marker);
      mark(window.isMarkerDue);
    }
    if (now % everyMillis === 0) send();
    read();
  }
  const oldest = (fromSecond: number): number =>
    Math.max(...ages.filter(({ atMillis }) => atMillis >= 1000 * fromSecond).map(({ age }) => age));
  return { leftOut, markers, sent: ages.length, oldest };
}

describe('the window on what is on its way to a client', () => {
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
        expect(all!.sent * 20_000, `pauses ${index}`).to.be.above(0.85 * 120_000 * rate);
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

  it('holds nothing back from a client that answers nothing, which is sent one marker', () => {
    const { leftOut, markers } = play({ bytesAMilli: () => 200, answers: false, seconds: 10 });
    expect([leftOut, markers]).to.deep.equal([0, 1]);
  });

  it('needs one marker for 64 KB, or in 2 s', () => {
    const much = play({ bytesAMilli: () => 20_000, seconds: 10 });
    expect(much.markers).to.be.at.most(10 * Math.ceil(2_000_000 / 65_536));
    const little = play({ bytesAMilli: () => 20_000, messageBytes: 200, everyMillis: 100, seconds: 60 });
    expect(little.markers).to.be.within(29, 31);
    const slow = play({ bytesAMilli: () => 5, messageBytes: 200, seconds: 60 });
    expect(slow.markers).to.be.below(60);
  });
});

describe('markers', () => {
  const KB = 1024;

  function setUp() {
    const clock = { millis: 0 };
    const window = new DeliveryWindow(() => clock.millis);
    const write = (bytes: number): boolean => {
      window.wrote(bytes);
      return window.endTurn();
    };
    return { clock, window, write };
  }

  it('tell whether a client takes what it is sent, also one that has answered none', () => {
    const { clock, window, write } = setUp();
    window.follow();
    write(1);
    const marker = window.mark();
    clock.millis = 2000;
    expect([window.isUnanswered, window.isBehind]).to.deep.equal([false, false]);
    clock.millis = 2001;
    expect([window.isUnanswered, window.isBehind]).to.deep.equal([true, false]);
    window.answered(marker);
    expect(window.isUnanswered).to.equal(false);
  });

  it('are due only once somebody asks, and then at once', () => {
    const { window, write } = setUp();
    expect(write(1000 * KB)).to.equal(false);
    expect([window.follow(), window.follow()]).to.deep.equal([true, false]);
    expect([write(0), write(1)]).to.deep.equal([false, true]);
  });

  it('are answered by the latest of several, and by nothing else', () => {
    const { window, write } = setUp();
    window.follow();
    write(10);
    window.answered(window.mark());
    const [, second] = [window.mark(), write(200 * KB) && window.mark()];
    write(0);
    expect(window.isBehind).to.equal(true);
    for (const other of ['', 'text', 'longer text', Buffer.from([0, 0, 0, 0]), Buffer.from([0, 0, 0, 9])])
      window.answered(Buffer.from(other as string));
    expect(window.isBehind).to.equal(true);
    window.answered(second as Buffer);
    expect(window.isBehind).to.equal(false);
  });

  it('age only while the client is read', () => {
    const { clock, window, write } = setUp();
    window.follow();
    write(10);
    window.answered(window.mark());
    clock.millis = 5000;
    expect(write(10)).to.equal(true);
    const marker = window.mark();
    window.pause();
    clock.millis = 60_000;
    window.resume();
    clock.millis += 2000;
    expect(window.isBehind).to.equal(false);
    clock.millis += 1;
    expect(window.isBehind).to.equal(true);
    window.answered(marker);
    expect(window.isBehind).to.equal(false);
  });

  it('go again every 2 s behind the same bytes to a client that is behind: some leave an answer out', () => {
    const { clock, window, write } = setUp();
    window.follow();
    write(10);
    window.answered(window.mark());
    write(200 * KB);
    window.mark();
    const due: number[] = [];
    let again: Buffer | undefined;
    for (; clock.millis < 10_000; clock.millis += 100) {
      if (!window.isMarkerDueAgain) continue;
      due.push(clock.millis);
      again = window.mark();
    }
    expect(due).to.deep.equal([2100, 4200, 6300, 8400]);
    window.answered(again as Buffer);
    expect([window.isBehind, window.isMarkerDueAgain]).to.deep.equal([false, false]);
    // It was measured from the first on: 200 KB in 10 s are 40 KB in 2 s.
    write(50 * KB);
    expect(window.isBehind).to.equal(true);
  });

  it('that went again are not waited for once the first has been answered', () => {
    const { clock, window, write } = setUp();
    window.follow();
    write(10);
    window.answered(window.mark());
    write(200 * KB);
    const first = window.mark();
    clock.millis = 3000;
    window.mark();
    window.answered(first);
    clock.millis = 60_000;
    expect([window.isBehind, window.isMarkerDueAgain]).to.deep.equal([false, false]);
  });

  it('go again at most 64 times', () => {
    const { clock, window, write } = setUp();
    window.follow();
    write(10);
    window.answered(window.mark());
    write(200 * KB);
    let count = 0;
    for (; clock.millis < 1_000_000; clock.millis += 100) {
      if (!window.isMarkerDueAgain) continue;
      window.mark();
      count++;
    }
    expect(count).to.equal(64);
  });

  it('are not waited for while no answer can come, of a client that is not slow', () => {
    const { clock, window, write } = setUp();
    window.follow();
    write(10);
    window.answered(window.mark());
    write(200 * KB);
    window.pause();
    clock.millis = 60_000;
    expect([window.isBehind, window.awaitsAnswer]).to.deep.equal([false, true]);
    window.resume();
    expect(window.isBehind).to.equal(true);
  });

  it('bound a slow client to what it reads while no answer can come', () => {
    const { clock, window, write } = setUp();
    window.follow();
    write(10);
    window.answered(window.mark());
    write(200 * KB);
    const marker = window.mark();
    clock.millis = 4000;
    window.answered(marker);
    // It takes 50 KB a second.
    window.pause();
    let [written, answerable] = [0, 0];
    for (; clock.millis < 24_000; clock.millis += 100) {
      if (window.isBehind) continue;
      write(20 * KB);
      written += 20;
      if (!window.awaitsAnswer) answerable = written;
    }
    expect(answerable).to.be.within(80, 100);
    expect(written).to.be.within(1050, 1120);
  });

  it('are forgotten beyond 64, of clients that answer none', () => {
    const { window, write } = setUp();
    window.follow();
    write(10);
    const all = Array.from({ length: 1000 }, () => window.mark());
    window.answered(all.at(-1) as Buffer);
    write(200 * KB);
    expect(window.isBehind).to.equal(true);
  });

  it('never leave a client behind that has read and answered all', () => {
    const step = fc.record({
      bytes: fc.oneof(fc.constant(0), fc.nat(500), fc.nat(60 * KB), fc.nat(400 * KB)),
      millis: fc.oneof(fc.nat(100), fc.nat(4000)),
      answers: fc.nat(4),
      isPaused: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { clock, window, write } = setUp();
        const unanswered: Buffer[] = [];
        const mark = (isDue: boolean): void => void (isDue && unanswered.push(window.mark()));
        const answer = (): void => {
          window.answered(unanswered.shift() as Buffer);
          mark(window.isMarkerDue);
        };
        mark(window.follow());
        for (const { bytes, millis, answers, isPaused } of steps) {
          // Answers to calls go out whether it is behind or not.
          mark(write(bytes));
          if (isPaused) window.pause();
          else window.resume();
          for (let count = 0; count < answers && unanswered.length > 0; count++) answer();
          if (unanswered.length === 0) expect(window.isBehind).to.equal(false);
          clock.millis += millis;
          expect(unanswered.length).to.be.at.most(64);
        }
        while (unanswered.length > 0) answer();
        expect(window.isBehind).to.equal(false);
      }),
    );
  });

  it('do not count what went before somebody asked', () => {
    const { window, write } = setUp();
    window.answered(window.mark());
    write(10_000 * KB);
    window.follow();
    expect(window.isBehind).to.equal(false);
    expect(write(200 * KB)).to.equal(true);
    expect(window.isBehind).to.equal(true);
  });
});
