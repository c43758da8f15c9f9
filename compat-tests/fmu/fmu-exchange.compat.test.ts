// FMUs that an integrator solves, and steps that an FMU ends early or refuses.
import { expect } from 'chai';
import type { FmuOptions } from '../../lib/index.js';
import { Balls } from './balls.js';

const EXCHANGE: FmuOptions = { kind: 'model exchange' };

describe('an FMU as model exchange', function () {
  this.timeout(30_000);
  let balls: Balls;
  before(async function () {
    balls = await Balls.compiled(this);
  });
  afterEach(() => balls.closeRuns());
  after(() => balls?.fmus.remove());

  it('has its time events at their time, and takes writes as events', async () => {
    for (const generation of [2, 3] as const) {
      const run = await balls.start(generation, EXCHANGE);
      run.step(2);
      expect(run.read('ball.ticks')).to.equal(0);
      run.step();
      expect(run.read('ball.ticks')).to.equal(1);
      run.step(2);
      expect([run.timeSeconds, run.read('ball.ticks')]).to.deep.equal([0.5, 2]);
      run.write('ball.u', 4);
      run.step();
      expect(run.read('ball.y')).to.equal(8);
    }
  });

  it('without states has its time events', async () => {
    const STATES = {
      2: '<Derivatives><Unknown index="3"/><Unknown index="4"/></Derivatives>',
      3: '<ContinuousStateDerivative valueReference="6"/><ContinuousStateDerivative valueReference="7"/>',
    };
    for (const generation of [2, 3] as const) {
      const fmu = { name: 'stair', generation, replace: { [STATES[generation]]: '' } };
      const run = await balls.start(fmu, EXCHANGE);
      run.step(5);
      expect([run.read('ball.h'), run.read('ball.ticks'), run.read('ball.asked')]).to.deep.equal([1, 2, 0]);
    }
  });

  it('that wants an event after a step of the integrator, or the end, has it there', async () => {
    for (const generation of [2, 3] as const) {
      const run = await balls.start(generation, { ...EXCHANGE, method: 'rk4' }, { set: { 'ball.mode': 24 } });
      // Its speed is beyond 1 m/s after the second step, and the event takes it away.
      run.step(2);
      expect([run.read('ball.v'), run.read('ball.ticks')]).to.deep.equal([0, 1000]);
      run.step();
      expect(run.read('ball.v')).to.be.closeTo(-0.981, 1e-12);
      run.write('ball.mode', 6);
      run.step();
      expect(run.end).to.deep.equal({ reason: 'ball has ended the simulation', exitCode: 0 });
    }
  });

  it('has errors that are relative to the nominal values of its states, where these can be', async () => {
    for (const generation of [2, 3] as const) {
      const after = async (nominal: number) => {
        const set = { 'ball.nominal': nominal, 'ball.u{cm}': 5 };
        const run = await balls.start(generation, EXCHANGE, { set });
        run.runFor(0.4);
        return { height: run.read('ball.h') as number, evaluations: run.read('ball.asked') as number };
      };
      const [usual, tiny, large] = [await after(1), await after(1e-6), await after(1e6)];
      expect(tiny.evaluations, 'a small nominal value').to.be.above(usual.evaluations);
      expect(large.evaluations, 'a large nominal value').to.be.below(usual.evaluations);
      // The speed of a fall with drag, integrated once more.
      const exact = 1 - (9.81 / 5) * (0.4 - (1 - Math.exp(-2)) / 5);
      for (const { height } of [usual, tiny]) expect(height).to.be.closeTo(exact, 1e-8);
      expect(large.height).to.be.closeTo(exact, 1e-2);
      for (const wrong of [0, -1]) expect(await after(wrong)).to.deep.equal(usual);
    }
  });

  it('is asked for its rates as often as the method says, also where it has time events', async () => {
    const NONE = {
      2: ['numberOfEventIndicators="1"', 'numberOfEventIndicators="0"'],
      3: ['<EventIndicator valueReference="0"/>', ''],
    } as const;
    for (const generation of [2, 3] as const) {
      const replace = Object.fromEntries([NONE[generation]]);
      const run = await balls.start({ name: 'plain', generation, replace }, { ...EXCHANGE, method: 'rk4' });
      const asked = Array.from({ length: 4 }, () => {
        run.step();
        return run.read('ball.asked') as number;
      });
      // In the third step a tick ends a part.
      expect(asked.map((count, i) => count - (asked[i - 1] ?? 0))).to.deep.equal([4, 4, 8, 4]);
    }
  });

  it('or as co-simulation that refuses a step, or a part of it, gets shorter ones', async () => {
    for (const generation of [2, 3] as const)
      for (const [kind, mode] of [
        ['co-simulation', 'long'],
        ['co-simulation', 'half'],
        ['model exchange', 'long'],
      ] as const) {
        const [plain, refuses] = [await balls.start(generation, { kind }), await balls.start(generation, { kind })];
        refuses.write('ball.mode', mode === 'long' ? 8 : 9);
        for (const run of [plain, refuses]) run.runFor(1.5);
        for (const name of ['ball.h', 'ball.v', 'ball.bounces', 'ball.ticks'])
          expect(refuses.read(name), `${generation} ${kind} ${mode} ${name}`).to.be.closeTo(
            plain.read(name) as number,
            1e-9,
          );
        refuses.write('ball.mode', 10);
        if (kind === 'co-simulation')
          expect(() => refuses.step()).to.throw(
            /ball \(ball\d.fmu\): it refuses every step from 1.5\d* s, however short/,
          );
      }
    const direct = await balls.start(2, { kind: 'model exchange', method: 'rk4' }, { set: { 'ball.mode': 8 } });
    expect(() => direct.runFor(1)).to.throw(/job ball failed: the rate of .* is NaN at 0\.\d+ s/);
    const replace = { 'canHandleVariableCommunicationStepSize="true"': '' };
    const run = await balls.start({ name: 'fixed', generation: 2, replace }, {}, { set: { 'ball.mode': 8 } });
    expect(() => run.step()).to.throw('ball (fixed.fmu): fmi2DoStep has discarded a step of 0.1 s');
  });
});
