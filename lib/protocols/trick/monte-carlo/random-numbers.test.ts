// Random numbers against values of std::mt19937, and those that NASA's own verification of its Monte Carlo keeps.
import { expect } from 'chai';
import { GslNumbers, MersenneTwister, StandardNumbers } from './random-numbers.js';

describe('random numbers of a Monte Carlo', () => {
  it('are those of the Mersenne twister', () => {
    const engine = new MersenneTwister(5489);
    let last = 0;
    for (let count = 0; count < 10_000; count++) last = engine.word();
    // ISO C++ [rand.predef]
    expect(last).to.equal(4_123_659_995);
  });

  it('are distributed as libstdc++ does it', () => {
    const digits = (draw: () => number) => [draw(), draw(), draw()].map((drawn) => drawn.toPrecision(16));
    const [uniform, normal] = [new StandardNumbers(0), new StandardNumbers(2)];
    expect(digits(() => uniform.uniform(10, 20)).slice(0, 2)).to.deep.equal(['15.92844616516683', '18.44265744256598']);
    expect(digits(() => normal.normal(10, 2)).slice(0, 2)).to.deep.equal(['9.954870507417668', '11.32489560639709']);
    const integer = new StandardNumbers(1);
    expect([integer.integer(0, 2), integer.integer(0, 2)]).to.deep.equal([1, 2]);
  });

  it('are distributed as GSL does it', () => {
    expect(new MersenneTwister(4357).word()).to.equal(4_293_858_116);
    // The example of GSL's manual.
    const numbers = new GslNumbers(0);
    expect(Array.from({ length: 10 }, () => numbers.poisson(3)).join(' ')).to.equal('2 5 5 2 1 0 3 4 1 1');
  });

  for (const [name, numbers] of [
    ['libstdc++', new StandardNumbers(7)],
    ['GSL', new GslNumbers(7)],
  ] as const) {
    it(`have their means and deviations, with the distributions of ${name}`, () => {
      const of = (draw: () => number) => {
        const drawn = Array.from({ length: 20_000 }, draw);
        const mean = drawn.reduce((sum, x) => sum + x, 0) / drawn.length;
        return { mean, deviation: Math.sqrt(drawn.reduce((sum, x) => sum + (x - mean) ** 2, 0) / drawn.length) };
      };
      const normal = of(() => numbers.normal(4, 2));
      expect([normal.mean, normal.deviation]).to.satisfy(
        ([m, d]: number[]) => Math.abs((m ?? 0) - 4) < 0.06 && Math.abs((d ?? 0) - 2) < 0.05,
      );
      const uniform = of(() => numbers.uniform(-1, 3));
      expect(uniform.mean).to.be.closeTo(1, 0.04);
      expect(uniform.deviation).to.be.closeTo(4 / Math.sqrt(12), 0.03);
      for (const mean of [0, 0.5, 9, 45]) {
        const poisson = of(() => numbers.poisson(mean));
        expect(poisson.mean).to.be.closeTo(mean, 0.03 * mean + 0.01);
        expect(poisson.deviation).to.be.closeTo(Math.sqrt(mean), 0.03 * Math.sqrt(mean) + 0.01);
      }
    });
  }
});
