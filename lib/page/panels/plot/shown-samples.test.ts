import { expect } from 'chai';
import fc from 'fast-check';
import { ShownSamples } from './shown-samples.js';

/** Samples with room for few, so that they are thinned soon. */
function filled(count: number, valueAt: (k: number) => number, mostRows = 64): ShownSamples {
  const samples = new ShownSamples(1, mostRows);
  for (let k = 0; k < count; k++) samples.add(k, [valueAt(k)]);
  return samples;
}
const numbersOf = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

describe('the samples of a plot', () => {
  it('are drawn one by one while they fit', () => {
    const { times, columns } = filled(5, (k) => k * k).drawn(0, 4, 100);
    expect(times).to.deep.equal([0, 1, 2, 3, 4]);
    expect(columns).to.deep.equal([[0, 1, 4, 9, 16]]);
  });

  it('include one neighbour on each side of the window, so that lines reach the edge', () => {
    expect(filled(8, (k) => k).drawn(2.5, 4.5, 100).times).to.deep.equal([2, 3, 4, 5]);
  });

  it('are thinned for a narrow plot, and a single peak among a thousand is still drawn', () => {
    const samples = filled(1000, (k) => (k === 417 ? 99 : k === 600 ? -99 : 0), 8192);
    const { times, columns } = samples.drawn(0, 1000, 50);
    expect(times.length).to.be.below(110);
    expect(Math.max(...numbersOf(columns[0]!))).to.equal(99);
    expect(Math.min(...numbersOf(columns[0]!))).to.equal(-99);
  });

  it('end at the latest sample, however far they are thinned', () => {
    const { times, columns } = filled(1001, (k) => k, 8192).drawn(0, 1000, 20);
    expect(times.at(-1)).to.equal(1000);
    expect(columns[0]?.at(-1)).to.equal(1000);
  });

  it('show the extremes of all samples in order of time, whatever comes', () => {
    const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 70 }), (given, most) => {
        const { times, columns } = filled(given.length, (k) => given[k]!, 32).drawn(-1, given.length, most);
        const drawn = numbersOf(columns[0]!);
        expect(Math.max(...drawn)).to.equal(Math.max(...given));
        expect(Math.min(...drawn)).to.equal(Math.min(...given));
        expect(times.every((time, k) => k === 0 || time >= times[k - 1]!)).to.equal(true);
      }),
    );
  });

  it('stay within their memory for a year at 100 Hz, in steps', () => {
    const samples = new ShownSamples(5);
    for (let k = 0; k < 200_000; k++) samples.add(k * 1577, [k, k, k, k, k]);
    expect(samples.count).to.be.at.most(8192);
    expect(samples.drawn(-Infinity, Infinity, 1000).times.length).to.be.at.most(2 * 1000 + 2);
  });

  it('are cut off where time goes back, as when a checkpoint is loaded', () => {
    const samples = filled(8, (k) => k);
    samples.add(3, [33]);
    expect(samples.latestTime).to.equal(3);
    const { times, columns } = samples.drawn(0, 10, 100);
    expect(times).to.deep.equal([0, 1, 2, 2.5, 3]);
    expect(columns[0]).to.deep.equal([0, 1, 2, null, 33]);
  });

  it('of one time count when they differ: a value that was set in a freeze is an upright line', () => {
    const samples = filled(2, (k) => k);
    samples.add(1, [1]);
    samples.add(1, [7]);
    expect(samples.drawn(0, 2, 100).columns[0]).to.deep.equal([0, 1, 7]);
  });

  it('are not joined over a lost connection, also when they are thinned', () => {
    const samples = filled(100, () => 1, 64);
    samples.interrupt();
    for (let k = 200; k < 300; k++) samples.add(k, [2]);
    expect(samples.drawn(0, 300, 60).columns[0]).to.include(null);
  });

  it('that cannot be reached leave a gap in one line only', () => {
    const samples = new ShownSamples(2);
    samples.add(0, [1, 1]);
    samples.add(1, [Number.NaN, 2]);
    expect(samples.drawn(0, 1, 10).columns).to.deep.equal([
      [1, null],
      [1, 2],
    ]);
  });

  it('without values are not joined over, also where they are thinned, come again and are cut', () => {
    // 200 falling numbers, then 100 times nothing, and so on; the second line has all values.
    const isHole = (k: number): boolean => k % 300 >= 200;
    const samples = new ShownSamples(2, 1024);
    for (let k = 0; k < 6000; k++) samples.add(k, [isHole(k) ? Number.NaN : -k, k]);
    samples.cutFrom(5850);
    const again = new ShownSamples(2, 1024);
    again.replace([...samples.allRows()]);
    for (const each of [samples, again]) {
      const { times, columns } = each.drawn(0, 6000, 250);
      // One group more at each end of a hole.
      expect(times.length).to.be.below(2 * (250 + 40));
      const [holed, whole] = columns as [(number | null)[], (number | null)[]];
      // The last is that of the cut.
      expect(whole.slice(0, -1)).not.to.include(null);
      for (const [k, value] of holed.entries()) {
        const [time, next] = [times[k] as number, holed[k + 1]];
        if (typeof value !== 'number' || typeof next !== 'number') continue;
        // A bucket has 32 samples, and a quarter of them may be those of a hole.
        const joined = Array.from({ length: (times[k + 1] as number) - time }, (_, after) => time + after);
        expect(joined.filter(isHole).length, `a line over a hole, at ${time}`).to.be.at.most(8);
      }
      expect(holed.filter((value) => value === null).length).to.be.above(30);
    }
  });

  it('fall where they fall, also alone between two holes', () => {
    const sawtooth = [1, 0, Number.NaN, Number.NaN];
    const samples = filled(400, (k) => sawtooth[k % 4] as number, 256);
    const values = samples.drawn(0, 400, 200).columns[0] as (number | null)[];
    const pairs = values.flatMap((value, k) =>
      value !== null && values[k + 1] != null ? [[value, values[k + 1]]] : [],
    );
    expect(pairs.length).to.be.above(50);
    expect(pairs.filter(([first, second]) => first !== 1 || second !== 0)).to.deep.equal([]);
  });

  it('that are missing every other time are thinned all the same', () => {
    const samples = filled(100_000, (k) => (k % 2 === 0 ? k : Number.NaN), 8192);
    const { times } = samples.drawn(0, 100_000, 1000);
    expect([times[0], times.at(-1)]).to.deep.equal([0, 99_999]);
    // A group may end at a hole when it has a quarter of its stretch.
    expect(times.length).to.be.at.most(4 * 2 * 1000);
  });

  it('take the history of the server before what they have', () => {
    const live = new ShownSamples(1);
    for (const time of [10, 11]) live.add(time, [time]);
    const older = [8, 9].map((time) => ({ time, least: [time - 0.5], most: [time + 0.5] }));
    live.replace([...older, ...live.allRows()]);
    expect([...live.rows(0, 20)].map(({ time, most }) => [time, ...most])).to.deep.equal([
      [8, 8.5],
      [9, 9.5],
      [10, 10],
      [11, 11],
    ]);
  });

  it('keep the peaks of thinned ones when other samples come before them', () => {
    const live = filled(64, (k) => (k === 3 ? 99 : k === 5 ? -99 : 0));
    live.replace([...live.allRows()]);
    const drawn = numbersOf(live.drawn(-1, 64, 100).columns[0]!);
    expect([Math.min(...drawn), Math.max(...drawn)]).to.deep.equal([-99, 99]);
  });

  it('have nothing of what lay ahead when time goes back, also where they are thinned', () => {
    const samples = filled(31, (k) => (k > 21 ? 99 : 0), 16);
    samples.cutFrom(22);
    for (let k = 22; k < 60; k++) samples.add(k, [0]);
    for (const most of [4, 8, 100]) {
      expect(Math.max(...numbersOf(samples.drawn(0, 60, most).columns[0]!))).to.equal(0);
    }
  });

  it('thinned or not, are drawn up to a gap and on after it, without a line across', () => {
    const samples = filled(101, () => 1, 8192);
    samples.interrupt();
    for (let k = 500; k < 600; k++) samples.add(k, [2]);
    for (const most of [1000, 60, 30]) {
      const { times, columns } = samples.drawn(0, 600, most);
      const gap = columns[0]!.indexOf(null);
      expect([times[gap - 1], times[gap + 1]]).to.deep.equal([100, 500]);
      expect([columns[0]![gap - 1], columns[0]![gap + 1]]).to.deep.equal([1, 2]);
    }
  });

  it('keep the fine ones fine when older ones come before them', () => {
    const live = filled(20, (k) => k);
    live.replace([{ time: -1, least: [-1], most: [-1] }, ...live.allRows()]);
    expect([...live.rows(13, 19)].map(({ time }) => time)).to.deep.equal([13, 14, 15, 16, 17, 18, 19]);
    expect(live.near(-1)?.least[0]).to.equal(-1);
  });

  it('are refined where more has been asked for, and tell since when all are there', () => {
    const samples = new ShownSamples(1);
    const thinned = [0, 10, 20, 30].map((time) => ({ time, least: [time], most: [time], isThinned: true }));
    samples.replace(thinned);
    for (let time = 40; time < 50; time++) samples.add(time, [time]);
    expect(samples.wholeTime).to.equal(40);
    const finer = Array.from({ length: 15 }, (_, k) => ({ time: 8 + k, least: [100], most: [100] }));
    samples.refine(finer, 10, 20);
    expect(samples.rows(0, 30).map(({ time }) => time)).to.deep.equal([
      0, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 30,
    ]);
    expect(samples.drawn(10.5, 12, 100).columns[0]).to.deep.equal([100, 100, 100]);
    // Rows that are no finer change nothing.
    samples.refine([{ time: 12, least: [5], most: [5] }], 10, 20);
    expect(samples.rows(10, 20)).to.have.length(11);
  });

  it('keep more of what is shown than of all else', () => {
    const samples = new ShownSamples(1, 1024);
    for (let time = 0; time < 900; time++) samples.add(time, [time]);
    samples.drawn(700, 900, 1000);
    for (let time = 900; time < 1100; time++) samples.add(time, [time]);
    expect(samples.count).to.be.below(1024);
    expect(samples.rows(710, 890)).to.have.length(181);
    expect(samples.rows(0, 700).length).to.be.below(300);
    expect(samples.wholeTime).to.be.within(690, 1090);
  });

  it('tell the values nearest to a cursor', () => {
    const samples = filled(8, (k) => k * 10);
    expect(samples.near(2.6)).to.deep.include({ time: 3, least: [30], most: [30] });
    expect(samples.near(-5)?.time).to.equal(0);
    expect(samples.near(99)?.time).to.equal(7);
    expect(new ShownSamples(1).near(1)).to.equal(undefined);
  });
});
