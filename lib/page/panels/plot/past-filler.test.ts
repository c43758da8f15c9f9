// Whatever is lost, cut or late, and in whatever order the past and live samples come: no time is missing or there twice.
import { expect } from 'chai';
import fc from 'fast-check';
import { PastFiller } from './past-filler.js';
import { ShownSamples } from './shown-samples.js';

const empty = (): ShownSamples => new ShownSamples(1);
const valueAt = (time: number): number => Math.sin(time);
const settled = async (): Promise<void> => {
  for (let k = 0; k < 20; k++) await Promise.resolve();
};

/** A simulation with a past, and a plot of it. */
class Bench {
  readonly plot = { samples: empty() };
  /** All that the server has kept. */
  kept: number[] = [];
  readonly asked: (readonly [from: number, to: number])[] = [];
  private readonly answers: ((cut: boolean) => void)[] = [];
  private time = 0;
  private lost = 0;
  private isConnected = true;
  millis = 0;
  readonly filler = new PastFiller(
    this.plot,
    empty,
    (from, to) => this.ask(from, to),
    () => {},
    () => this.millis,
  );

  tick(isLost = false, wait = 6000): void {
    this.millis += wait;
    this.time += 1;
    this.kept.push(this.time);
    if (!this.isConnected) return;
    if (isLost) this.lost++;
    else {
      this.take();
    }
  }

  /** A checkpoint of an earlier time is loaded, and shown at once. */
  back(share: number): void {
    this.time = Math.floor(this.time * share);
    this.kept = [...this.kept.filter((time) => time < this.time), this.time];
    this.hasJumped = true;
    if (this.isConnected) this.take();
  }

  /** A recording goes ahead: what lies between is in no past. */
  ahead(): void {
    this.time += 100;
    this.kept.push(this.time);
    this.hasJumped = true;
    if (this.isConnected) this.take();
  }
  private hasJumped = false;

  private take(): void {
    this.filler.take(this.time, [valueAt(this.time)], { dropped: this.lost, hasJumped: this.hasJumped });
    this.lost = 0;
    this.hasJumped = false;
  }

  async cut(): Promise<void> {
    if (!this.isConnected) return;
    this.isConnected = false;
    this.lost = 0;
    this.filler.cut();
    const { latestTime } = this.plot.samples;
    for (const answer of this.answers.splice(0)) answer(true);
    await settled();
    this.missingFrom = latestTime;
  }
  private missingFrom = Number.NaN;

  connect(): void {
    if (this.isConnected) return;
    this.isConnected = true;
    this.filler.want(this.missingFrom);
  }

  async answer(): Promise<void> {
    for (const answer of this.answers.splice(0)) answer(false);
    await settled();
  }

  private async ask(from: number, to: number) {
    this.asked.push([from, to]);
    const isCut = await new Promise<boolean>((resolve) => this.answers.push(resolve));
    if (isCut) throw Object.assign(new Error('cut'), { name: 'ConnectionLost' });
    const times = this.kept.filter((time) => time >= from && time <= to);
    const rows = times.map((time) => ({ time, least: [valueAt(time)], most: [valueAt(time)] }));
    return { rows, isWhole: (this.kept[0] ?? Number.NaN) <= from || from === Number.NEGATIVE_INFINITY };
  }
}

const timesOf = (samples: ShownSamples): number[] => [...samples.allRows()].map(({ time }) => time);
const breaksOf = (samples: ShownSamples): number =>
  samples.drawn(-Infinity, Infinity, 10_000).columns[0]!.filter((value) => value === null).length;

const STEP = fc.oneof(
  { weight: 6, arbitrary: fc.constant('tick' as const) },
  { weight: 2, arbitrary: fc.constantFrom('lose', 'answer', 'cut', 'connect') },
);
const STEP_WITH_BACK = fc.oneof(
  { weight: 9, arbitrary: STEP },
  { weight: 1, arbitrary: fc.constantFrom('back', 'ahead') },
);

async function ran(steps: readonly string[], early: number, knowsTime = false): Promise<Bench> {
  const bench = new Bench();
  bench.kept = [];
  for (let k = 0; k < early; k++) bench.kept.push(k / 100);
  if (knowsTime) bench.filler.begin(bench.kept.at(-1) ?? 0);
  else bench.filler.want(Number.NaN);
  for (const step of steps) {
    if (step === 'tick' || step === 'lose') bench.tick(step === 'lose');
    else if (step === 'back') bench.back(0.5);
    else if (step === 'ahead') bench.ahead();
    else if (step === 'cut') await bench.cut();
    else if (step === 'answer') await bench.answer();
    else bench.connect();
  }
  bench.connect();
  for (let k = 0; k < 3; k++) {
    bench.tick();
    await bench.answer();
  }
  return bench;
}

describe('the past of a plot', () => {
  it('joins what comes without a missing time, a time that is there twice, or a gap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 60 }), fc.nat(40), fc.boolean(), async (steps, early, knowsTime) => {
        const { plot, kept } = await ran(steps, early, knowsTime);
        expect(timesOf(plot.samples)).to.deep.equal(kept);
        expect(breaksOf(plot.samples)).to.equal(0);
        for (const { time, least, most } of plot.samples.allRows())
          expect([...least, ...most]).to.deep.equal([valueAt(time), valueAt(time)]);
      }),
    );
  });

  it('is that of the simulation also when time goes back or ahead, in sight or while the page is cut off', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP_WITH_BACK, { maxLength: 60 }), fc.boolean(), async (steps, knowsTime) => {
        const { plot, kept } = await ran(steps, 3, knowsTime);
        expect(timesOf(plot.samples)).to.deep.equal(kept);
      }),
    );
  });

  it('is shown before the first sample comes, when the time is known', async () => {
    const bench = new Bench();
    bench.kept = [-2, -1];
    bench.filler.begin(-1);
    await bench.answer();
    expect(timesOf(bench.plot.samples)).to.deep.equal([-2, -1]);
  });

  it('is asked for once in a second at most, while messages are lost', async () => {
    const bench = new Bench();
    for (let k = 0; k < 2000; k++) {
      bench.tick(k % 2 === 0, 10);
      await bench.answer();
    }
    expect(bench.asked).to.have.length(20);
    expect(bench.asked[1]![0]).to.be.below(bench.asked[1]![1]);
  });

  it('keeps the gap of a cut that the server has no past of', async () => {
    const bench = new Bench();
    for (let k = 0; k < 3; k++) bench.tick();
    await bench.cut();
    for (let k = 0; k < 3; k++) bench.tick();
    bench.kept = [];
    bench.connect();
    for (let k = 0; k < 3; k++) {
      bench.tick();
      await bench.answer();
    }
    expect(timesOf(bench.plot.samples)).to.deep.equal([1, 2, 3, 7, 8, 9]);
    expect(breaksOf(bench.plot.samples)).to.equal(1);
  });

  it('begins anew where time jumped during a cut and nobody knows how far', () => {
    const bench = new Bench();
    for (let k = 0; k < 3; k++) bench.tick();
    bench.filler.cut();
    bench.filler.take(2.5, [1], { dropped: 0, hasJumped: true });
    bench.filler.take(3.5, [1], { dropped: 0, hasJumped: false });
    expect(timesOf(bench.plot.samples)).to.deep.equal([2.5, 3.5]);
  });

  it('has a gap where time went ahead in sight', () => {
    const bench = new Bench();
    for (let k = 0; k < 3; k++) bench.tick();
    bench.ahead();
    bench.tick();
    expect(timesOf(bench.plot.samples)).to.deep.equal([1, 2, 3, 103, 104]);
    expect(breaksOf(bench.plot.samples)).to.equal(1);
  });

  it('changes nothing after the plot has been closed', async () => {
    const bench = new Bench();
    bench.kept = [-2, -1];
    bench.filler.want(Number.NaN);
    bench.tick();
    bench.filler.close();
    await bench.answer();
    expect(timesOf(bench.plot.samples)).to.deep.equal([1]);
  });
});
