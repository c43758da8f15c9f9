// The rows of a past that goes on while it is read.
import { expect } from 'chai';
import fc from 'fast-check';
import { RowReader, type RowSource } from './row-reader.js';

/** A variable with the value of its time, of which there are more rows whenever it is asked. */
class GrowingPast implements RowSource {
  asked = 0;

  constructor(
    readonly times: number[],
    private readonly growth: number,
  ) {}

  extent() {
    const [from, to] = [this.times[0] as number, this.times.at(-1) as number];
    return { from, to, wholeFrom: from };
  }

  async points(_: string, from: number, to: number, most: number) {
    if (++this.asked > 1000) throw new Error('it is asked for ever');
    for (let left = this.growth; left > 0; left--) this.times.push(this.extent().to + 0.01);
    const all = this.times.filter((time) => time >= from && time <= to);
    const times = all.slice(0, most);
    return { times, values: times, stretchSeconds: times.length < all.length ? 1 : 0 };
  }

  async settled(): Promise<void> {}
}

const past = fc.record({
  steps: fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), { maxLength: 30 }),
  growth: fc.constantFrom(0, 1, 50),
});

const timesOf = (steps: readonly number[]): number[] => {
  const times = [1];
  for (const step of steps) times.push((times.at(-1) as number) + step);
  return times;
};

describe('a past that goes on while it is read', () => {
  it('is read from its first row to the one that was the last when the reading began', async () => {
    await fc.assert(
      fc.asyncProperty(past, async ({ steps, growth }) => {
        const times = timesOf(steps);
        const source = new GrowingPast([...times], growth);
        const reader = new RowReader(source, { path: 'x' }, false, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
        const read: number[] = [];
        while (!reader.isOver) {
          const before = await reader.readOn();
          read.push(...reader.times.slice(before));
        }
        expect(read).to.deep.equal(times);
      }),
      { numRuns: 50 },
    );
  });

  it('has a value at any time up to that row, wherever it is read from', async () => {
    const asked = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(past, asked, async ({ steps, growth }, shares) => {
        const times = timesOf(steps);
        const [first, last] = [times[0] as number, times.at(-1) as number];
        const all = shares.map((share) => first + share * (last - first)).sort((one, other) => one - other);
        const source = new GrowingPast([...times], growth);
        const reader = new RowReader(source, { path: 'x' }, false, all[0] as number, Number.POSITIVE_INFINITY);
        for (const seconds of all) {
          while (reader.isBefore(seconds)) await reader.readTowards(seconds);
          expect(reader.valueAt(seconds)).to.be.closeTo(seconds, 1e-9);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is at hand in part only, when millions of rows lie before the time that is asked for', async () => {
    const times = Array.from({ length: 200_000 }, (_, row) => row);
    const reader = new RowReader(new GrowingPast(times, 0), { path: 'x' }, false, 0, Number.POSITIVE_INFINITY);
    let most = 0;
    while (reader.isBefore(199_990.5)) {
      await reader.readTowards(199_990.5);
      most = Math.max(most, reader.times.length);
    }
    expect([reader.valueAt(199_990.5), most < 50_000]).to.deep.equal([199_990.5, true]);
  });
});
