// A simulation that a test runs by itself.
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, enumeration, int, longLong, pointer } from '../model/state/declare.js';
import { type Sim, type SimulationOptions, simulation } from '../simulation/executive/simulation.js';
import { RequestError, type SimulationRun, start } from './index.js';

const Phase = enumeration('Phase', { STANDBY: 0, ASCENT: 1 });

const startWith = (
  build: (sim: Sim) => void,
  options: Partial<SimulationOptions> = {},
  args: readonly string[] = [],
): Promise<SimulationRun> =>
  start(simulation({ name: 'test', frameSeconds: 0.01, ...options }, build), { arguments: args });

/** Counts the frames in `o.count`. */
function counting(sim: Sim): void {
  const count = sim.object('o').component('count', int());
  sim.job(0.01, function tally() {
    count.value++;
  });
}

describe('a simulation run in a test', () => {
  it('stands at time 0 until it is told to run, then runs just the frames asked for', async () => {
    const run = await startWith(counting);
    expect([run.timeSeconds, run.read('o.count')]).to.deep.equal([0, 0]);
    expect(run.step()).to.equal(1);
    expect([run.timeSeconds, run.read('o.count')]).to.deep.equal([0.01, 1]);
    expect(run.step(9)).to.equal(9);
    run.runFor(0.9);
    expect([run.timeSeconds, run.read('o.count')]).to.deep.equal([1, 100]);
    run.runFor(0.005);
    expect(run.timeSeconds).to.equal(1.01);
  });

  it('waits for no clock: hours pass as fast as they are computed', async () => {
    const run = await startWith(() => undefined, { frameSeconds: 60 });
    run.runFor(36_000);
    expect(run.timeSeconds).to.equal(36_000);
  });

  it('hands the command line on', async () => {
    let given: readonly string[] = [];
    const keepArguments = (sim: Sim): void => {
      given = sim.arguments;
    };
    await startWith(keepArguments, {}, ['--fast']);
    expect(given).to.deep.equal(['--fast']);
  });

  it('reads and writes as a client does, in the units asked for', async () => {
    const run = await startWith((sim) => {
      const o = sim.object('o');
      o.component('x', double(2, { units: 'm' }), [1.5, 2]);
      o.component('n', longLong(), 3n);
      o.component('phase', Phase);
      o.component('nothing', pointer(double()));
      o.component('fixed', int({ access: 'read-only' }));
    });
    expect(run.read('o.x')).to.deep.equal([1.5, 2]);
    expect(run.read('o.x', 'cm')).to.deep.equal([150, 200]);
    expect([run.read('o.n'), run.read('o.nothing[3]')]).to.deep.equal([3n, undefined]);
    run.write('o.x[1]', 3, 'km');
    run.write('o.phase', 'ASCENT');
    expect([run.read('o.x[1]'), run.read('o.phase')]).to.deep.equal([3000, 'ASCENT']);
    expect(() => run.read('o.y')).to.throw(RequestError, 'o has no member y; did you mean o.n or o.x?');
    expect(() => run.read('o.x', 's')).to.throw('expected units that convert');
    expect(() => run.write('o.x[0]', 'far')).to.throw(RequestError, 'o.x[0]');
    expect(() => run.write('o.fixed', 1)).to.throw(RequestError, 'o.fixed is read-only');
    expect(run.read('o.x')).to.deep.equal([1.5, 3000]);
  });

  it('calls functions', async () => {
    const run = await startWith((sim) => {
      sim.function('add', (a: number, b: number) => a + b);
      sim.function('refuse', () => {
        throw new Error('not today');
      });
    });
    expect(run.call('add', 2, 3)).to.equal(5);
    expect(() => run.call('refuse')).to.throw(RequestError, 'function refuse failed: not today');
    expect(() => run.call('ad')).to.throw(RequestError, 'there is no function ad; did you mean');
  });

  it('throws what a job throws, with its name, and is frozen until it is told to run', async () => {
    const thrown = new Error('out of fuel');
    const run = await startWith((sim) => {
      sim.job(0.01, function burn() {
        if (sim.timeSeconds === 0.02) throw thrown;
      });
    });
    expect(() => run.runFor(1))
      .to.throw('job burn failed: out of fuel')
      .with.property('cause', thrown);
    expect([run.timeSeconds, run.isFrozen]).to.deep.equal([0.03, true]);
    expect(run.messages).to.deep.equal([
      { level: 'error', text: 'job burn failed: out of fuel; the simulation is frozen', timeSeconds: 0.02 },
    ]);
    expect(() => run.step()).to.throw('no frame can run, the simulation is frozen at 0.03 s; run() ends a freeze');
    run.run();
    expect(run.step(2)).to.equal(2);
  });

  it('rejects with what the build throws', async () => {
    const failure = await startWith(() => {
      throw new Error('no such planet');
    }).catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'no such planet');
  });

  it('rejects an option that does not exist', async () => {
    const definition = simulation({ name: 'test', frameSeconds: 0.01 }, () => {});
    const failure = await start(definition, { seeds: 1 } as object).catch((error: Error) => error.message);
    expect(failure).to.equal('start has no option seeds; did you mean seed?');
  });

  it('freezes, by its own will and by the test', async () => {
    const run = await startWith((sim) => {
      counting(sim);
      sim.job(0.05, () => sim.timeSeconds > 0 && sim.freeze());
    });
    expect(run.step(100)).to.equal(6);
    expect(run.isFrozen).to.equal(true);
    run.run();
    expect(run.step()).to.equal(1);
    run.freeze();
    expect(() => run.runFor(1)).to.throw('the simulation is frozen at 0.07 s');
  });

  it('waits for a condition in simulation time', async () => {
    const run = await startWith(counting, { terminateSeconds: 2 });
    run.waitUntil(() => run.read('o.count') === 30, 1);
    expect(run.timeSeconds).to.equal(0.3);
    run.waitUntil(() => true, 1);
    expect(run.timeSeconds).to.equal(0.3);
    expect(() => run.waitUntil(() => false, 0.1)).to.throw(
      'what was waited for has not come: 0.1 s have passed at 0.4 s',
    );
    expect(() => run.waitUntil(() => false, 100)).to.throw(
      'has not come: the simulation has ended (the simulation has reached its terminate time) at 2 s',
    );
    expect(run.end).to.deep.equal({ reason: 'the simulation has reached its terminate time', exitCode: 0 });
    expect(() => run.step()).to.throw('no frame can run, the simulation has ended');
    expect(() => run.write('o.count', 1)).to.throw(RequestError, 'the simulation has ended');
  });

  it('refuses what is no number of frames or seconds', async () => {
    const run = await startWith(counting);
    for (const frames of [0, -1, 1.5, Number.NaN]) expect(() => run.step(frames)).to.throw(RangeError);
    for (const seconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => run.runFor(seconds)).to.throw(RangeError);
      expect(() => run.waitUntil(() => true, seconds)).to.throw(RangeError);
    }
    expect(run.timeSeconds).to.equal(0);
  });

  it('writes recordings to the run directory, and has them whole when it is closed', async () => {
    const runDirectory = await mkdtemp(join(tmpdir(), 'varwire-run-'));
    const definition = simulation({ name: 'test', frameSeconds: 0.01 }, (sim) => {
      counting(sim);
      sim.record('count', { variables: ['o.count'], cycleSeconds: 0.01 });
    });
    const run = await start(definition, { runDirectory });
    run.step(3);
    run.close();
    run.close();
    expect(run.end?.exitCode).to.equal(0);
    expect(readdirSync(runDirectory).sort()).to.deep.equal(['log_count.csv', 'log_count.header']);
    await rm(runDirectory, { recursive: true });
    expect(existsSync(runDirectory)).to.equal(false);
  });
});
