// Random streams: repeatable, restored with their state, and of the right distributions.
import { expect } from 'chai';
import { RandomStream, seeded } from './random.js';

const stream = (seed = 1, name = 'test'): RandomStream => new RandomStream(Uint32Array.from(seeded(name, [seed])));
const many = (draw: () => number, count = 100_000): number[] => Array.from({ length: count }, draw);
const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;

function momentsOf(list: readonly number[]): { readonly mean: number; readonly variance: number } {
  const centre = mean(list);
  let sum = 0;
  for (const x of list) sum += (x - centre) ** 2;
  return { mean: centre, variance: sum / list.length };
}

describe('a random stream', () => {
  it('repeats itself from the same name and seed, and only then', () => {
    const first = many(() => 0, 5);
    const draw = (one: RandomStream): number[] => first.map(() => one.uniform());
    expect(draw(stream(1))).to.deep.equal(draw(stream(1)));
    const others = [stream(2), stream(-1), stream(1.5), stream(1, 'tess'), stream(1, '')].map((one) => one.uniform());
    expect(new Set([...others, stream(1).uniform()])).to.have.length(6);
  });

  it('goes on from a state that was put back', () => {
    const state = Uint32Array.from(seeded('wind', [7]));
    const wind = new RandomStream(state);
    wind.normal();
    const kept = Uint32Array.from(state);
    const expected = [wind.normal(), wind.poisson(100), wind.uniform(2, 3)];
    state.set(kept);
    expect([wind.normal(), wind.poisson(100), wind.uniform(2, 3)]).to.deep.equal(expected);
  });

  it('follows the reference of xoshiro128**', () => {
    // The first results for the state 1, 2, 3, 4, by the authors' own definition.
    const state = Uint32Array.of(1, 2, 3, 4);
    const one = new RandomStream(state);
    // Its first results are 11520, 0, 5927040 and 70819200; two make one number.
    expect(one.uniform()).to.equal(((11520 >>> 5) * 2 ** 26) / 2 ** 53);
    expect([...state]).to.deep.equal(referenceState(2));
    expect(one.uniform()).to.equal(((5927040 >>> 5) * 2 ** 26 + (70819200 >>> 6)) / 2 ** 53);
    expect([...state]).to.deep.equal(referenceState(4));
  });

  it('is spread evenly', () => {
    const one = stream();
    const list = many(() => one.uniform());
    const { mean: centre, variance: spread } = momentsOf(list);
    expect(centre).to.be.closeTo(0.5, 0.005);
    expect(spread).to.be.closeTo(1 / 12, 0.002);
    expect(Math.min(...list.slice(0, 50_000))).to.be.at.least(0);
    expect(Math.max(...list.slice(0, 50_000))).to.be.below(1);
    const bins = new Array<number>(20).fill(0);
    for (const x of list) bins[Math.floor(x * 20)]!++;
    for (const count of bins) expect(count).to.be.within(4600, 5400);
    const faces = many(() => one.integer(1, 6), 60_000);
    for (let face = 1; face <= 6; face++) expect(faces.filter((x) => x === face).length).to.be.within(9500, 10_500);
  });

  it('is normal where it should be', () => {
    const one = stream(3);
    const list = many(() => one.normal(10, 2));
    const { mean: centre, variance: spread } = momentsOf(list);
    expect(centre).to.be.closeTo(10, 0.03);
    expect(spread).to.be.closeTo(4, 0.1);
    const within = (limit: number): number => list.filter((x) => Math.abs(x - 10) < 2 * limit).length / list.length;
    expect(within(1)).to.be.closeTo(0.6827, 0.006);
    expect(within(2)).to.be.closeTo(0.9545, 0.004);
    expect(within(3)).to.be.closeTo(0.9973, 0.001);
    expect(one.normal(5, 0)).to.equal(5);
  });

  for (const wanted of [0.1, 3, 29, 31, 400, 1e6]) {
    it(`has Poisson's mean and variance of ${wanted}`, () => {
      const one = stream(4);
      const list = many(() => one.poisson(wanted), 50_000);
      const { mean: centre, variance: spread } = momentsOf(list);
      expect(centre).to.be.closeTo(wanted, 5 * Math.sqrt(wanted / 50_000));
      expect(spread / wanted).to.be.closeTo(1, wanted < 1 ? 0.1 : 0.04);
      expect(list.every((x) => Number.isInteger(x) && x >= 0)).to.equal(true);
    });
  }

  it('refuses what is no distribution', () => {
    expect(() => stream().normal(0, -1)).to.throw('a standard deviation is a number from 0 up, not -1');
    expect(() => stream().poisson(-1)).to.throw('the mean of a Poisson distribution');
    expect(() => stream().poisson(Number.NaN)).to.throw('the mean of a Poisson distribution');
    expect(() => stream().integer(3, 2)).to.throw('a random integer lies between two whole numbers, not 3 and 2');
    expect(stream().poisson(0)).to.equal(0);
  });
});

/** The published recurrence, written with big integers. */
function referenceState(steps: number): number[] {
  const mask = 0xffffffffn;
  let [s0, s1, s2, s3] = [1n, 2n, 3n, 4n] as [bigint, bigint, bigint, bigint];
  for (let i = 0; i < steps; i++) {
    const t = (s1 << 9n) & mask;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = ((s3 << 11n) | (s3 >> 21n)) & mask;
  }
  return [s0, s1, s2, s3].map(Number);
}
