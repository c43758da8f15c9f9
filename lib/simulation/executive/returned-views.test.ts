// What a build may return: views under the names of their objects, or anything that holds no views.
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import { run } from '../../run/headless/run.js';
import { type Sim, simulation } from './simulation.js';

/** What a simulation whose build returns this fails with; empty when it does not. */
const refusalOf = (build: (sim: Sim) => unknown): Promise<string> =>
  run(simulation({ name: 'a', frameSeconds: 1 }, build), { untilSeconds: 1 }).then(
    () => '',
    (error: Error) => error.message,
  );

const Tank = struct('Tank', { level: double() });
const build = (sim: Sim) => ({
  plant: sim.object('plant').components({ height: double(), three: double(3), tank: Tank }),
  pump: sim.object('pump').component('speed', double()),
});

describe('what a build returns', () => {
  it('are views under their own names, alone or in objects', async () => {
    expect(await refusalOf((sim) => ({ plant: build(sim).plant }))).to.equal('');
    expect(await refusalOf((sim) => ({ pump: { speed: build(sim).pump } }))).to.equal('');
  });

  it('is refused under another name, whose variable a client would not find', async () => {
    expect(await refusalOf((sim) => ({ factory: build(sim).plant }))).to.include(
      'the build returns factory.height, but there is no such variable',
    );
    expect(await refusalOf((sim) => ({ plant: { four: build(sim).plant.three } }))).to.include('plant.four');
    expect(await refusalOf((sim) => ({ pump: { speed: build(sim).plant.three } }))).to.include('pump.speed');
  });

  it('may be anything else, as of a function of one expression', async () => {
    for (const returned of [undefined, null, 3, 'text', [], () => 1])
      expect(await refusalOf(() => returned)).to.equal('');
    expect(await refusalOf((sim) => sim.object('a'))).to.equal('');
    expect(await refusalOf((sim) => build(sim).plant)).to.equal('');
    expect(await refusalOf((sim) => sim.job(1, () => undefined))).to.equal('');
  });
});
