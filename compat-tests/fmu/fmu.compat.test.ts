// FMUs as objects of simulations: values, writes, connections, and everything that native code can do wrong.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, type FmuOptions, int, simulation } from '../../lib/index.js';
import { type SimulationRun, type StartOptions, start } from '../../lib/testing/index.js';
import { commandHere } from '../command-here.js';
import { TestFmus } from './test-fmus.js';

describe('an FMU', function () {
  this.timeout(30_000);
  let fmus: TestFmus;
  const runs: SimulationRun[] = [];

  before(async function () {
    const compiled = await TestFmus.compiled([{ generation: 2 }, { generation: 3 }]);
    if (typeof compiled === 'string') {
      console.log(`      skipped: ${compiled}`);
      return this.skip();
    }
    fmus = compiled;
  });
  after(() => fmus?.remove());
  afterEach(() => {
    for (const run of runs.splice(0)) run.close();
  });

  /** A simulation of one ball. */
  const ballOf = async (
    generation: 2 | 3,
    options: FmuOptions = {},
    more: StartOptions = {},
  ): Promise<SimulationRun> => {
    const file = fmus.make(`ball${generation}`, { generation });
    const definition = simulation({ name: 'test', frameSeconds: 0.1 }, async (sim) => {
      await sim.fmu('ball', file, { isolated: false, ...options });
    });
    const run = await start(definition, more);
    runs.push(run);
    return run;
  };

  for (const generation of [2, 3] as const)
    for (const isolated of [true, false])
      it(`of FMI ${generation}.0 ${isolated ? 'in its process' : 'on the thread'} has its values, and takes those that it may`, async () => {
        const set = { 'ball.g': -5, 'ball.label': 'é', 'ball.h{cm}': 50 };
        const run = await ballOf(generation, { isolated }, { set });
        expect(run.read('ball.h')).to.equal(0.5);
        expect(run.read('ball.der_v')).to.equal(-5);
        expect(run.read(generation === 2 ? 'ball.shown_label' : 'ball.label')).to.equal('é');
        const wheel = generation === 2 ? 'ball.wheel.list' : 'ball.list';
        expect(run.read(wheel)).to.deep.equal([1, 2, 3]);
        for (const [path, value] of Object.entries({ u: 3, gear: 'second', on: true, [wheel.slice(5)]: [4, 5, 6] }))
          run.write(`ball.${path}`, value);
        run.step();
        expect([run.read('ball.y'), run.read('ball.gear'), run.read('ball.off')]).to.deep.equal(
          [6, 'second', false].map((v, i) => (i === 1 && generation === 2 ? 'second' : v)),
        );
        expect(run.read(wheel)).to.deep.equal([4, 5, 6]);
        expect(run.read('ball.h', 'm')).to.be.closeTo(0.5 - 0.5 * 5 * 0.01, 1e-12);
        expect(() => run.write('ball.g', 1)).to.throw('ball.g is read-only');
        expect(() => run.write('ball.y', 1)).to.throw('ball.y is read-only');
        if (generation === 2) {
          expect(() => run.write('ball.floor.e', 2)).to.throw(/2/);
          run.write('ball.floor.e', 0.5);
          expect(run.read('ball.y_alias')).to.equal(6);
        } else {
          run.write('ball.big', -9007199254740995n);
          run.step();
          expect(run.read('ball.big')).to.equal(-9007199254740995n);
          expect(['i8', 'u8', 'i16', 'u16', 'u32'].map((name) => run.read(`ball.${name}`))).to.deep.equal(
            Array(5).fill(102),
          );
          expect(run.read('ball.u64')).to.equal(102n);
          // A step that an event ends early goes on after it; ticks come every quarter of a second.
          run.runFor(0.8);
          expect([run.timeSeconds, run.read('ball.ticks')]).to.deep.equal([1, 4]);
        }
      });

  const ENDS = {
    1: /^job ball failed: ball \(ball2.fmu\) is lost in a step: its process has ended by a segmentation fault$/,
    2: /^job ball failed: ball \(ball2.fmu\) has not returned in a step in time, and its process was ended$/,
    3: /^job ball failed: ball \(ball2.fmu\) is lost in a step: it has ended its process with exit code 3$/,
    5: /^job ball failed: ball \(ball2.fmu\): fmi2DoStep returned Error: the valve is stuck at 0.1 s$/,
    7: /^job ball failed: ball \(ball2.fmu\) is lost in a step: its process has ended by an abort$/,
    15: /^job ball failed: ball \(ball2.fmu\) is lost in a step: its process has ended by a floating-point exception$/,
    11: /^job ball failed: ball \(ball2.fmu\) is lost in a step: what its process has written is no answer$/,
    // What it logs on a thread of its own waits for the step, and the step for that thread.
    14: /^job ball failed: ball \(ball2.fmu\) has not returned in a step in time, and its process was ended$/,
    12: /^job ball failed: ball \(ball2.fmu\): fmi2DoStep returned -5$/,
  };
  it('that crashes, hangs, exits or fails freezes the run with one sentence, now and when it goes on', async () => {
    await Promise.all(
      Object.entries(ENDS).map(async ([mode, sentence]) => {
        const run = await ballOf(2, { isolated: true, limitSeconds: 0.5 });
        run.step();
        run.write('ball.mode', Number(mode));
        expect(() => run.step()).to.throw(sentence);
        expect(run.isFrozen).to.equal(true);
        run.run();
        expect(() => run.step()).to.throw(sentence);
      }),
    );
  });

  it('that changes the directory, the locale and the signal handlers of its process changes nobody else, and can be ended', async () => {
    const [directory, settings] = [process.cwd(), { isolated: true, limitSeconds: 0.5 }];
    const [upset, beside] = [await ballOf(2, settings), await ballOf(2, settings)];
    upset.write('ball.mode', 16);
    for (const run of [upset, beside]) run.step(3);
    expect([upset, beside].map((run) => run.read('ball.shown_label'))).to.deep.equal(['/', 'plant']);
    const later = await ballOf(2, settings);
    later.step(3);
    for (const run of [upset, later])
      for (const name of ['ball.h', 'ball.v']) expect(run.read(name)).to.equal(beside.read(name));
    expect(later.read('ball.shown_label')).to.equal('plant');
    expect([process.cwd(), process.env.TZ === 'Asia/Tokyo']).to.deep.equal([directory, false]);
    upset.write('ball.mode', 2);
    expect(() => upset.step()).to.throw(ENDS[2]);
  });

  it('that crashes when it is ended or freed has done its run, which says so', async () => {
    for (const generation of [2, 3] as const)
      for (const mode of [17, 18]) {
        const run = await ballOf(generation, { isolated: true }, { set: { 'ball.mode': mode } });
        run.step(2);
        run.close();
        expect(run.end?.exitCode, `${generation} ${mode}`).to.equal(0);
        expect(run.messages.map(({ level, text }) => `${level}: ${text}`)).to.include(
          `warning: ball (ball${generation}.fmu) is lost at its end: its process has ended by a segmentation fault`,
        );
      }
  });

  it('is stepped from times that are counted and not summed up', async () => {
    for (const generation of [2, 3] as const) {
      const run = await ballOf(generation);
      for (let steps = 0; steps < 2000; steps++) {
        run.step();
        // In version 3.0, a tick at 0.25 s and each half a second later parts this step.
        if (generation === 3 && steps % 5 === 2) continue;
        if (run.read('ball.asked') !== steps / 10) expect(run.read('ball.asked')).to.equal(steps / 10);
      }
      expect([run.timeSeconds, run.read('ball.ticks')]).to.deep.equal([200, generation === 3 ? 800 : 0]);
    }
  });

  it('that ends the simulation ends the run', async () => {
    for (const generation of [2, 3] as const) {
      const run = await ballOf(generation);
      // 8 MB of stack are no reason to crash.
      run.write('ball.mode', 13);
      run.step();
      expect(run.read('ball.h')).to.be.below(1);
      run.write('ball.mode', 6);
      run.step();
      expect(run.end).to.deep.equal({ reason: 'ball has ended the simulation', exitCode: 0 });
    }
  });

  it('that logs without end is heard in part, with its numbers and texts in place', async () => {
    for (const generation of [2, 3] as const) {
      const run = await ballOf(generation, { logging: true });
      run.write('ball.mode', 4);
      run.step(3);
      run.close();
      const said = run.messages.map(({ text }) => text).filter((text) => text.startsWith('ball'));
      expect(said).to.have.length(101);
      expect(said.at(-1)).to.match(/^ball has logged \d{6} more lines, which are left out$/);
      if (generation === 3) continue;
      expect(said[0]).to.match(/^ball: test: ball has 2 states, 0.12 and 1e\+10, 3 4 5 6 file:\/\/\/.*\/resources$/);
      expect(said[1]).to.equal('ball: test: line 0 of many');
    }
  });

  it('gets what jobs and connections give it, in its units', async () => {
    const file = fmus.make('ball2', { generation: 2 });
    const definition = simulation({ name: 'test', frameSeconds: 0.1 }, async (sim) => {
      const one = await sim.fmu('one', file, { isolated: false });
      const two = await sim.fmu('two', file, { isolated: false });
      sim.connect(one.out.h, two.in.u);
      expect(() => sim.connect(one.out.h, two.in.u)).to.throw('two.u is connected with one.h already');
      expect(() => sim.connect(one.out.v, one.in.u)).to.throw(/one.v does not fit one.u: /);
      expect(() => sim.connect(one.out.h, two.out.h)).to.throw('two.h is no input');
      expect(() => one.in.h).to.throw('one has no input or tunable parameter h');
      expect(() => one.out.height).to.throw(/one has no variable height/);
      sim.job(0.1, () => {
        one.in.u = sim.timeSeconds;
        one.in.gear = 2;
        one.in['wheel.list[0]'] = Number(one.out['der(v)']);
      });
    });
    const run = await start(definition);
    runs.push(run);
    const before = run.read('one.h', 'cm') as number;
    expect([run.read('two.u'), run.read('two.y')]).to.deep.equal([before, 2 * before]);
    run.step(2);
    // For the whole step, an input has the value of its beginning.
    expect(run.read('one.y')).to.be.closeTo(0.2, 1e-12);
    expect(run.read('two.u')).to.be.closeTo(100 * (1 - 0.5 * 9.81 * 0.01), 1e-9);
    expect([run.read('one.gear'), run.read('one.wheel.list[0]')]).to.deep.equal(['second', -9.81]);
  });

  it('is the same bouncing ball as co-simulation, as model exchange and in TypeScript', async () => {
    const typed = await start(
      simulation({ name: 'typed', frameSeconds: 0.1 }, (sim) => {
        const ball = sim.object('ball').components({ h: double(), v: double(), bounces: int() }, { h: 1 });
        const happen = (): void => {
          [ball.h, ball.v] = [0, -0.7 * ball.v];
          ball.bounces++;
        };
        sim.integrate(ball, () => ({ h: ball.v, v: -9.81 }), {
          method: 'rk4',
          events: [{ value: () => ball.h, direction: 'falling', happen }],
        });
      }),
    );
    runs.push(typed);
    const all = [typed];
    for (const generation of [2, 3] as const) {
      all.push(await ballOf(generation));
      for (const method of ['rk4', 'rkf45'] as const)
        all.push(
          await ballOf(generation, { kind: 'model exchange', method, isolated: method === 'rk4' && generation === 2 }),
        );
    }
    for (const run of all) run.runFor(2);
    for (const [index, run] of all.entries()) {
      for (const name of ['ball.h', 'ball.v'])
        expect(run.read(name), `${index} ${name}`).to.be.closeTo(typed.read(name) as number, 1e-9);
      expect(run.read('ball.bounces')).to.equal(4);
    }
  });

  it('that refuses a step, or a part of it, gets shorter ones', async () => {
    for (const generation of [2, 3] as const)
      for (const [kind, mode] of [
        ['co-simulation', 'long'],
        ['co-simulation', 'half'],
        ['model exchange', 'long'],
      ] as const) {
        const [plain, refuses] = [await ballOf(generation, { kind }), await ballOf(generation, { kind })];
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
    const direct = await ballOf(2, { kind: 'model exchange', method: 'rk4' }, { set: { 'ball.mode': 8 } });
    expect(() => direct.runFor(1)).to.throw(/job ball failed: the rate of .* is NaN at 0\.\d+ s/);
    const fixed = fmus.make('fixed', {
      generation: 2,
      replace: { 'canHandleVariableCommunicationStepSize="true"': '' },
    });
    const run = await start(
      simulation({ name: 'test', frameSeconds: 0.1 }, async (sim) => {
        await sim.fmu('ball', fixed, { isolated: false });
      }),
      { set: { 'ball.mode': 8 } },
    );
    runs.push(run);
    expect(() => run.step()).to.throw('ball (fixed.fmu): fmi2DoStep has discarded a step of 0.1 s');
  });

  it('as model exchange has its time events at their time, and takes writes as events', async () => {
    for (const generation of [2, 3] as const) {
      const run = await ballOf(generation, { kind: 'model exchange' });
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

  it('that cannot run here says why', async () => {
    const refusal = async (name: string, replace: Record<string, string>, platform?: string): Promise<string> => {
      const file = fmus.make(name, { generation: 2, replace, ...(platform !== undefined && { platform }) });
      const definition = simulation({ name: 'test', frameSeconds: 0.1 }, async (sim) => {
        await sim.fmu('ball', file, { isolated: false });
      });
      return start(definition).then(
        () => 'runs',
        (error: Error) => error.message,
      );
    };
    expect(await refusal('tool', { '<CoSimulation ': '<CoSimulation needsExecutionTool="true" ' })).to.match(
      /tool.fmu cannot run here: it needs the tool that made it/,
    );
    const [other, here] = process.arch === 'x64' ? ['aarch64-linux', 'x64'] : ['x86_64-linux', process.arch];
    expect(await refusal('elsewhere', {}, other)).to.match(
      new RegExp(
        `elsewhere.fmu cannot run here: it has only binaries for ${other}, and ball is to run on linux ${here}$`,
      ),
    );
    expect(await refusal('none', { 'modelIdentifier="ball" canHandle': 'modelIdentifier="other" canHandle' })).to.match(
      /none.fmu cannot run here: it has only binaries for \w+, and other is to run on linux \w+$/,
    );
    expect(await refusal('guid', { 'guid="{ball}"': 'guid="{other}"' })).to.match(
      /ball \(guid.fmu\): fmi2Instantiate made no instance: the guid is \{other\}/,
    );
  });

  it('says what to install where koffi is missing', async () => {
    const hook = join(fmus.directory, 'without-koffi.cjs');
    writeFileSync(
      hook,
      `const Module = require('node:module');
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (name === 'koffi') throw Object.assign(new Error("Cannot find module 'koffi'"), { code: 'MODULE_NOT_FOUND' });
  return resolve(name, ...more);
};`,
    );
    const file = fmus.make('ball2', { generation: 2 });
    const { code, complaint } = await commandHere(['run', file, '--fast', '--until', '1'], {
      NODE_OPTIONS: `--require=${hook}`,
    });
    expect(code).to.equal(1);
    expect(complaint).to.match(
      /^varwire: Ball \(ball2.fmu\): FMUs need the package koffi, which calls their libraries: npm i koffi\b/,
    );
    expect((await commandHere(['fmu', 'info', file], { NODE_OPTIONS: `--require=${hook}` })).code).to.equal(0);
  });

  it('is shown and run by the command', async () => {
    const file = fmus.make('ball2', { generation: 2 });
    const info = await commandHere(['fmu', 'info', file]);
    expect(info.output).to.contain(
      'ball2.fmu: Ball, FMI 2.0, made by by hand\na ball\nco-simulation: its state can be in',
    );
    expect(info.output).to.match(/^floor\.e +Float64 +always +0\.7 +what is kept of the speed$/m);
    expect(info.output).to.match(/^wheel\.list\[0\] +rev\/min|^wheel\.list\[0\] +0\.10/m);
    const ran = await commandHere([
      'run',
      file,
      '--fast',
      '--until',
      '1',
      '--set',
      'Ball.h=2',
      '--read',
      'Ball.h',
      '--',
      '--not-isolated',
    ]);
    expect(ran.output, ran.complaint).to.match(/^Ball\.h\t0\.\d+\n$/);
    const ends = ['run', file, '--fast', '--until', '0.1', '--set', 'Ball.mode=17', '--read', 'Ball.mode'];
    const ended = await commandHere(ends);
    expect([ended.code, ended.output]).to.deep.equal([0, 'Ball.mode\t17\n']);
    expect(ended.complaint).to.contain('Ball (ball2.fmu) is lost at its end: ');
    const refused = await commandHere(['run', file, '--fast', '--until', '1', '--', '--what']);
    expect(refused.complaint).to.match(/an FMU takes --model-exchange, .* after --, not --what/);
  });
});
