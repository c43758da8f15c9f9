// FMUs as objects of simulations: values, writes, connections, and why one cannot run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, int, simulation } from '../../lib/index.js';
import type { SimulationRun } from '../../lib/testing/index.js';
import { commandHere } from '../command-here.js';
import { Balls } from './balls.js';
import type { TestFmu } from './test-fmus.js';

/** A number of each type that no smaller one has. */
const NUMBERS = {
  i8: -128,
  u8: 255,
  i16: -32768,
  u16: 65535,
  u32: 4294967295,
  u64: 18446744073709551615n,
  big: -9007199254740995n,
  single: 0.1,
};

/** A ball of FMI 3.0. */
function takesAllTypes(run: SimulationRun): void {
  for (const [name, value] of Object.entries(NUMBERS)) {
    run.write(`ball.${name}`, value);
    run.step();
    expect(run.read(`ball.${name}`)).to.equal(name === 'single' ? Math.fround(0.1) : value);
  }
  // Row by row, as many as a structural parameter says.
  expect([run.read('ball.columns'), run.read('ball.matrix')]).to.deep.equal([
    3n,
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  ]);
  run.write('ball.matrix', [
    [1, 2, 9],
    [4, 5, 6],
  ]);
  expect(() => run.write('ball.columns', 4n)).to.throw('ball.columns is read-only');
  run.step();
  expect([run.read('ball.corner'), run.read('ball.matrix[1][0]')]).to.deep.equal([9, 4]);
  expect(run.read('ball.height')).to.equal(run.read('ball.h'));
  // A step that an event ends early goes on after it; ticks come every quarter of a second.
  run.runFor(1);
  expect([run.timeSeconds, run.read('ball.ticks')]).to.deep.equal([2, 8]);
}

/** When it is ended, or when it is freed. */
function crashesAtItsEnd(run: SimulationRun, generation: 2 | 3): void {
  run.write('ball.mode', generation === 2 ? 17 : 18);
  run.step();
  run.close();
  expect(run.end?.exitCode).to.equal(0);
  expect(run.messages.map(({ level, text }) => `${level}: ${text}`)).to.include(
    `warning: ball (ball${generation}.fmu) is lost at its end: its process has ended by a segmentation fault`,
  );
}

describe('an FMU', function () {
  this.timeout(30_000);
  let balls: Balls;
  before(async function () {
    balls = await Balls.compiled(this);
  });
  afterEach(() => balls.closeRuns());
  after(() => balls?.fmus.remove());

  for (const generation of [2, 3] as const)
    for (const isolated of [true, false])
      it(`of FMI ${generation}.0 ${isolated ? 'in its process' : 'on the thread'} has its values, and takes those that it may`, async () => {
        const set = { 'ball.g': -5, 'ball.label': 'é', 'ball.h{cm}': 50 };
        const run = await balls.start(generation, { isolated }, { set });
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
          takesAllTypes(run);
        }
        if (isolated) crashesAtItsEnd(run, generation);
      });

  it('runs with what is odd in its description', async () => {
    const long = 'é'.repeat(200);
    const replace = {
      'description="a ball"': 'description="una pelota pequeña"',
      'start="plant"': `start="${long}"`,
      'start="0.7" min="0" max="1"': 'start="0.7" min="0" max="0.5" unit="bananas" displayUnit="pears"',
      'canHandleVariableCommunicationStepSize="true"': 'fixedInternalStepSize="0.05"',
      '<BaseUnit m="1"/>': '<BaseUnit m="1"/><DisplayUnit name="foot" factor="3.28"/>',
      'start="1" unit="m"': 'start="1" unit="m" displayUnit="foot"',
    };
    const given = 'ü'.repeat(200);
    const run = await balls.start({ name: 'odd', generation: 2, replace }, {}, { set: { 'ball.label': given } });
    // What begins outside its range stays there until somebody writes.
    expect(run.read('ball.floor.e')).to.equal(0.7);
    expect(() => run.write('ball.floor.e', 0.7)).to.throw(/0\.7/);
    // A text has room for twice its start and for 255 bytes at least, and is cut between characters.
    expect([run.read('ball.label'), run.read('ball.shown_label')]).to.deep.equal([given, given.slice(0, 127)]);
    const tooLong = balls.start(
      { name: 'odd', generation: 2, replace },
      {},
      { set: { 'ball.label': 'é'.repeat(401) } },
    );
    expect(await tooLong.catch(({ message }: Error) => message)).to.match(/label/);
    // The unit is the variable's own.
    expect([run.read('ball.h'), run.read('ball.h', 'cm')]).to.deep.equal([1, 100]);
    run.step();
    expect(run.read('ball.label')).to.equal(given);
    const { output } = await commandHere(['fmu', 'info', join(balls.fmus.directory, 'odd.fmu')]);
    expect(output).to.contain('\nco-simulation: steps of 0.05 s only; ');
    expect(output).to.contain('\nuna pelota pequeña\n');
    expect(output).to.contain(
      'floor.e has the unit bananas, of which too little is known, so it is shown without units',
    );
  });

  it('gets what jobs and connections give it, in its units', async () => {
    const file = balls.fmus.make('ball2', { generation: 2 });
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
    const run = await balls.run(definition);
    const before = run.read('one.h', 'cm') as number;
    expect([run.read('two.u'), run.read('two.y')]).to.deep.equal([before, 2 * before]);
    run.step(2);
    // For the whole step, an input has the value of its beginning.
    expect(run.read('one.y')).to.be.closeTo(0.2, 1e-12);
    expect(run.read('two.u')).to.be.closeTo(100 * (1 - 0.5 * 9.81 * 0.01), 1e-9);
    expect([run.read('one.gear'), run.read('one.wheel.list[0]')]).to.deep.equal(['second', -9.81]);
  });

  it('is the same bouncing ball as co-simulation, as model exchange and in TypeScript', async () => {
    const typed = await balls.run(
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
    const all = [typed];
    for (const generation of [2, 3] as const) {
      all.push(await balls.start(generation));
      for (const method of ['rk4', 'rkf45'] as const)
        all.push(
          await balls.start(generation, {
            kind: 'model exchange',
            method,
            isolated: method === 'rk4' && generation === 2,
          }),
        );
    }
    for (const run of all) run.runFor(2);
    for (const [index, run] of all.entries()) {
      for (const name of ['ball.h', 'ball.v'])
        expect(run.read(name), `${index} ${name}`).to.be.closeTo(typed.read(name) as number, 1e-9);
      expect(run.read('ball.bounces')).to.equal(4);
    }
  });

  it('that cannot run here says why', async () => {
    const refusal = (name: string, replace: Record<string, string>, library?: string): Promise<string> => {
      const fmu: TestFmu = { generation: 2, replace, ...(library !== undefined && { library }) };
      return balls.start({ ...fmu, name }).then(
        () => 'runs',
        (error: Error) => error.message,
      );
    };
    expect(await refusal('tool', { '<CoSimulation ': '<CoSimulation needsExecutionTool="true" ' })).to.match(
      /tool.fmu cannot run here: it needs the tool that made it/,
    );
    const [other, here] = process.arch === 'x64' ? ['aarch64-linux', 'x64'] : ['x86_64-linux', process.arch];
    expect(await refusal('elsewhere', {}, `binaries/${other}/ball.so`)).to.match(
      new RegExp(
        `elsewhere.fmu cannot run here: it has only binaries for ${other}, and ball is to run on linux ${here}$`,
      ),
    );
    expect(await refusal('none', { 'modelIdentifier="ball" canHandle': 'modelIdentifier="other" canHandle' })).to.match(
      /none.fmu cannot run here: it has only binaries for \w+, and other is to run on linux \w+$/,
    );
    expect(await refusal('sources', {}, 'sources/ball.c')).to.match(
      /sources.fmu cannot run here: it has no binaries at all, and ball is to run on linux \w+$/,
    );
    expect(await refusal('guid', { 'guid="{ball}"': 'guid="{other}"' })).to.match(
      /ball \(guid.fmu\): fmi2Instantiate made no instance: the guid is \{other\}/,
    );
  });

  it('says what to install where koffi is missing', async () => {
    const hook = join(balls.fmus.directory, 'without-koffi.cjs');
    writeFileSync(
      hook,
      `const Module = require('node:module');
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (name === 'koffi') throw Object.assign(new Error("Cannot find module 'koffi'"), { code: 'MODULE_NOT_FOUND' });
  return resolve(name, ...more);
};`,
    );
    const file = balls.fmus.make('ball2', { generation: 2 });
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
    const file = balls.fmus.make('ball2', { generation: 2 });
    const info = await commandHere(['fmu', 'info', file]);
    expect(info.output).to.contain(
      'ball2.fmu: Ball, FMI 2.0, made by by hand\na ball\nco-simulation: its state can be in',
    );
    expect(info.output).to.match(/^floor\.e +Float64 +always +0\.7 +what is kept of the speed$/m);
    expect(info.output).to.match(/^wheel\.list\[0\] +rev\/min|^wheel\.list\[0\] +0\.10/m);
    const words = `run ${file} --fast --until 1 --set Ball.h=2 --read Ball.h -- --not-isolated`.split(' ');
    const ran = await commandHere(words);
    expect(ran.output, ran.complaint).to.match(/^Ball\.h\t0\.\d+\n$/);
    const refused = await commandHere(['run', file, '--fast', '--until', '1', '--', '--what']);
    expect(refused.complaint).to.match(/an FMU takes --model-exchange, .* after --, not --what/);
  });
});
