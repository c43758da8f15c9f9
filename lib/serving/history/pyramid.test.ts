// The past of one number, compared with a plain list of all its samples.
import { expect } from 'chai';
import fc from 'fast-check';
import { Pyramid } from './pyramid.js';

const EVER = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** All samples that a pyramid has been given, without those that time going back has made untrue. */
class Plain {
  samples: { time: number; value: number }[] = [];

  add(time: number, value: number): void {
    this.samples = this.samples.filter((sample) => sample.time < time);
    this.samples.push({ time, value });
  }
}

const filled = (count: number, valueAt: (index: number) => number = Math.sin): [Pyramid, Plain] => {
  const [pyramid, plain] = [new Pyramid(), new Plain()];
  for (let index = 0; index < count; index++) {
    pyramid.add(index, valueAt(index));
    plain.samples.push({ time: index, value: valueAt(index) });
  }
  return [pyramid, plain];
};

type Step = { readonly dt: number; readonly count: number } | { readonly back: number } | { readonly shrinkTo: number };

function play(steps: readonly Step[], pyramid: Pyramid, plain: Plain): void {
  let time = 0;
  let count = 0;
  for (const each of steps) {
    if ('back' in each) time *= each.back;
    else if ('shrinkTo' in each) pyramid.shrink(each.shrinkTo);
    else
      for (let index = 0; index < each.count; index++) {
        time += each.dt;
        const value = Math.sin(count++ * 1.7) * count;
        if (index === 0) plain.add(time, value);
        else plain.samples.push({ time, value });
        pyramid.add(time, value);
      }
  }
}

describe('a pyramid of samples', () => {
  it('answers samples as they came, while there are few', () => {
    const [pyramid] = filled(5, (index) => index * index);
    expect(pyramid.points(...EVER, 100)).to.deep.equal({
      times: [0, 1, 2, 3, 4],
      values: [0, 1, 4, 9, 16],
      stretchSeconds: 0,
    });
    expect(pyramid.points(1, 3, 100).times).to.deep.equal([1, 2, 3]);
  });

  it('has no value between the last one before a jump and the first after it, also where all was thinned', () => {
    const nulls = ({ times, values }: ReturnType<Pyramid['points']>) => times.filter((_, k) => values[k] === null);
    const [pyramid] = filled(10_000);
    pyramid.addJump(50_000, 1);
    pyramid.add(50_000, 7);
    expect(nulls(pyramid.points(...EVER, 100))).to.deep.equal([10_000]);
    // Both ends of a span belong to it.
    expect(nulls(pyramid.points(9_000, 10_000, 100))).to.deep.equal([10_000]);
    expect(nulls(pyramid.points(10_000, 60_000, 100))).to.deep.equal([10_000]);
    pyramid.addJump(20_000, 1);
    pyramid.add(20_000, 7);
    expect(nulls(pyramid.points(...EVER, 100))).to.deep.equal([10_000]);
    pyramid.addJump(100.25, 0.5);
    pyramid.add(100.25, 7);
    expect(pyramid.points(...EVER, 100).times.at(-1)).to.equal(100.25);
    const [gap, ...others] = nulls(pyramid.points(...EVER, 100));
    // Of thinned samples only the least and the greatest have times.
    expect(gap).to.be.within(96, 100.2);
    expect(others).to.deep.equal([]);
  });

  it('keeps every peak of a hundred thousand samples, at its time', () => {
    const peaks = new Map([
      [7, 50],
      [30_123, -70],
      [99_999, 90],
    ]);
    const [pyramid] = filled(100_000, (index) => peaks.get(index) ?? Math.sin(index));
    const { times, values } = pyramid.points(...EVER, 200);
    expect(times.length).to.be.at.most(200);
    for (const [time, value] of peaks) expect(values[times.indexOf(time)]).to.equal(value);
    expect(times).to.deep.equal([...times].sort((a, b) => a - b));
  });

  it('answers the first and the last sample of a span, however thinned, so that lines reach its ends', () => {
    const [pyramid] = filled(60_000, (index) => Math.sin(index / 7));
    for (const most of [4, 5, 50, 999]) {
      const { times } = pyramid.points(59_000, 59_990, most);
      expect([times[0], times.at(-1)]).to.deep.equal([59_000, 59_990]);
      expect(times.length).to.be.at.most(most);
    }
  });

  it('answers a part of the past more finely than the whole', () => {
    const [pyramid] = filled(60_000);
    const { times } = pyramid.points(30_000, 31_000, 500);
    expect(times.length).to.be.within(100, 500);
    expect(times[0]).to.be.within(30_000, 30_064);
    expect(times.at(-1)).to.be.within(30_936, 31_000);
  });

  it('has the whole past in bounded memory: every value of the latest stretch, before it every peak, and the first value', () => {
    const peaks = new Map([
      [3, 50],
      [512_345, -70],
      [999_000, 90],
    ]);
    const pyramid = new Pyramid(1000);
    for (let time = 0; time < 1_000_000; time++) pyramid.add(time, peaks.get(time) ?? Math.sin(time));
    expect(pyramid.extent).to.include({ from: 0, to: 999_999 });
    expect(pyramid.extent?.wholeFrom).to.be.within(998_500, 999_000);
    expect(pyramid.bytes).to.be.below(2_000_000);
    const whole = pyramid.points(...EVER, 1000);
    for (const [time, value] of peaks) expect(whole.values[whole.times.indexOf(time)]).to.equal(value);
    expect([whole.times[0], whole.times.at(-1)]).to.deep.equal([0, 999_999]);
    expect(whole.stretchSeconds).to.be.within(1000, 5000);
    const late = pyramid.points(999_500, 999_999, 1000);
    expect([late.times.length, late.stretchSeconds]).to.deep.equal([500, 0]);
    const early = pyramid.points(500_000, 600_000, 10_000);
    expect(early.times.length).to.be.above(90);
    expect(early.stretchSeconds).to.be.within(256, 1024);
    expect(early.values).to.include(-70);
  });

  it('has less of the details in less memory, and the whole past in the least', () => {
    const [pyramid] = filled(300_000, (time) => (time === 7 ? 50 : Math.sin(time)));
    expect(pyramid.bytes).to.be.above(2_000_000);
    pyramid.shrink(1_000_000);
    expect(pyramid.bytes).to.be.within(900_000, 1_000_000);
    const { times } = pyramid.points(290_000, 290_100, 1000);
    pyramid.shrink(0);
    expect(pyramid.bytes).to.be.below(160_000);
    expect(pyramid.points(290_000, 290_100, 1000).times.length).to.be.below(times.length);
    const all = pyramid.points(...EVER, 1000);
    expect(all.values[all.times.indexOf(7)]).to.equal(50);
    expect([all.times[0], all.times.at(-1)]).to.deep.equal([0, 299_999]);
  });

  it('takes the last value for one time, as it is in a freeze', () => {
    const [pyramid] = filled(3);
    pyramid.add(2, 42);
    expect(pyramid.points(...EVER, 100).values.at(-1)).to.equal(42);
  });

  it('forgets what lay after a time to which the simulation goes back', () => {
    const [pyramid] = filled(50_000, (index) => index);
    pyramid.add(20_000.5, -1);
    const { times, values } = pyramid.points(...EVER, 10_000);
    expect(Math.max(...times)).to.equal(20_000.5);
    expect(values.at(-1)).to.equal(-1);
    expect(times.at(-2)).to.be.within(19_900, 20_000);
    expect(times[0]).to.equal(0);
  });

  it('replaces a value in the extremes too when another comes at the same time', () => {
    const [pyramid] = filled(2, () => 0);
    pyramid.add(2, 1000);
    pyramid.add(2, 0);
    for (let time = 3; time < 20_000; time++) pyramid.add(time, 0);
    expect(Math.max(...(pyramid.points(...EVER, 100).values as number[]))).to.equal(0);
  });

  it('remembers the latest thousand times without a value', () => {
    const pyramid = new Pyramid();
    const gapsUpTo = (count: number): (number | undefined)[] => {
      const { times, values } = pyramid.points(...EVER, 10_000);
      const gaps = times.filter((_, index) => values[index] === null);
      expect(gaps.length).to.equal(Math.min(1000, count));
      return [gaps[0], gaps.at(-1)];
    };
    const add = (from: number, to: number): void => {
      for (let time = from; time < to; time++) {
        pyramid.add(time, 1);
        pyramid.addGap(time + 0.5);
      }
    };
    add(0, 1000);
    expect(gapsUpTo(1000)).to.deep.equal([0.5, 999.5]);
    add(1000, 1002);
    expect(gapsUpTo(1002)).to.deep.equal([2.5, 1001.5]);
  });

  it('shows a time without a value once', () => {
    const [pyramid] = filled(2);
    for (const time of [2, 3, 4]) pyramid.addGap(time);
    pyramid.add(5, 1);
    pyramid.addGap(6);
    expect(pyramid.points(...EVER, 100)).to.deep.equal({
      times: [0, 1, 2, 5, 6],
      values: [0, Math.sin(1), null, 1, null],
      stretchSeconds: 0,
    });
  });

  it('keeps NaN where there is nothing else, and numbers where there are some', () => {
    const [all] = filled(30_000, () => Number.NaN);
    expect(new Set(all.points(...EVER, 100).values)).to.deep.equal(new Set([Number.NaN]));
    const [some] = filled(30_000, (index) => (index === 4_321 ? 5 : Number.NaN));
    expect(some.points(...EVER, 100).values).to.include(5);
  });

  it('tells of NaN in every stretch and every level that has some, however few points are wanted', () => {
    const isHole = (index: number): boolean => index % 1000 >= 600;
    const [pyramid] = filled(30_000, (index) => (isHole(index) ? Number.NaN : index));
    for (const most of [300, 1000, 5000]) {
      const { times, values } = pyramid.points(...EVER, most);
      expect(times.length).to.be.at.most(most);
      for (const [k, time] of times.entries()) {
        if (k > 0) expect(time).to.be.above(times[k - 1] as number);
        expect(values[k]).to.deep.equal(isHole(time) ? Number.NaN : time);
        const isJoined = k > 0 && !Number.isNaN(values[k]) && !Number.isNaN(values[k - 1]);
        if (isJoined) expect(Math.floor(time / 1000)).to.equal(Math.floor((times[k - 1] as number) / 1000));
      }
    }
    expect(pyramid.points(...EVER, 1000).values.filter(Number.isNaN).length).to.be.above(29);
  });

  it('is right whatever comes: in order, within what was, and with the extremes of all', () => {
    const step = fc.oneof(
      {
        weight: 20,
        arbitrary: fc.record({ dt: fc.constantFrom(0.5, 1, 1, 1, 3), count: fc.integer({ min: 1, max: 4000 }) }),
      },
      { weight: 1, arbitrary: fc.record({ back: fc.double({ min: 0, max: 1, noNaN: true }) }) },
      { weight: 5, arbitrary: fc.record({ shrinkTo: fc.integer({ min: 0, max: 300_000 }) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.integer({ min: 2, max: 500 }), (steps, most) => {
        const [pyramid, plain] = [new Pyramid(1000), new Plain()];
        play(steps, pyramid, plain);
        const { times, values } = pyramid.points(...EVER, most);
        expect(times.length).to.be.at.most(most);
        for (let index = 1; index < times.length; index++)
          expect(times[index]).to.be.greaterThan(times[index - 1] as number);
        const truth = new Map(plain.samples.map((sample) => [sample.time, sample.value]));
        for (const [index, at] of times.entries()) expect(truth.get(at)).to.equal(values[index]);
        const all = plain.samples.map(({ value }) => value);
        if (all.length === 0) return;
        expect(Math.max(...(values as number[]))).to.equal(Math.max(...all));
        expect(Math.min(...(values as number[]))).to.equal(Math.min(...all));
      }),
      { numRuns: 60 },
    );
  });
});
