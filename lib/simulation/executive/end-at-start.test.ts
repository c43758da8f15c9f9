// A run whose terminate time is its start: initialization, the jobs and rows of time 0, then the end.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { int } from '../../model/state/declare.js';
import { run } from '../../run/headless/run.js';
import type { RunOptions } from '../../run/headless/run-options.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Control, ServerControl } from './request.js';
import { type Sim, type SimulationOptions, simulation } from './simulation.js';

describe('a run that ends at time 0', () => {
  let directory: string;
  let seen: string[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-zero-'));
    seen = [];
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const build = (sim: Sim): void => {
    const o = sim.object('o').component('steps', int(), 0);
    sim.record('steps', { variables: ['o.steps'], cycleSeconds: 0.01 });
    sim.job(0.01, () => {
      o.value++;
      seen.push('count');
    });
    sim.job(0.01, () => void seen.push('move'), { class: 'integration' });
    for (const moment of ['initialization', 'shutdown'] as const) sim.job(moment, () => void seen.push(moment));
  };
  const expectWholeEnd = (): void => {
    expect(seen).to.deep.equal(['initialization', 'count', 'shutdown']);
    expect(readFileSync(join(directory, 'log_steps.csv'), 'utf8').split('\n').slice(1)).to.deep.equal([
      '                   0,1',
      '',
    ]);
  };

  const start = (options: Partial<SimulationOptions>, waitsForInput: boolean): Promise<TestRun> =>
    TestRun.start(options, build, directory, { waitsForInput });
  const control = (control: Control | ServerControl) => ({ kind: 'control', control }) as const;

  for (const [what, controls] of [
    ['a terminate time of 0', [{ action: 'stop', atSeconds: 0 }]],
    ['one before it', [{ action: 'stop', atSeconds: -1 }]],
    ['a stop', [{ action: 'stop' }, { action: 'stop', atSeconds: 5 }, { action: 'run' }]],
    [
      'a freeze at 0 besides',
      [
        { action: 'freeze', atSeconds: 0 },
        { action: 'stop', atSeconds: 0 },
      ],
    ],
  ] as const)
    it(`by ${what} in the input file, which runs to its end`, async () => {
      const given = await start({}, true);
      for (const one of controls) given.ask(control(one));
      expect([seen, given.ended]).to.deep.equal([[], []]);
      given.ask(control({ action: 'start' }));
      given.pass(100);
      expectWholeEnd();
      expect(given.ended).to.deep.equal(['the simulation has reached its terminate time']);
    });

  it('by its own terminate time, frozen or not', async () => {
    for (const startFrozen of [false, true]) {
      seen = [];
      const given = await start({ terminateSeconds: 0, startFrozen }, false);
      given.pass(100);
      expectWholeEnd();
      expect(given.last.value('o.steps')).to.equal(1);
      rmSync(join(directory, 'log_steps.csv'));
    }
  });

  it('by a client, while it is frozen at its start', async () => {
    const given = await start({ startFrozen: true }, false);
    given.pass(10);
    given.ask(control({ action: 'stop', atSeconds: 0 }));
    given.pass(10);
    expectWholeEnd();
  });

  it('without a server', async () => {
    const define = (options: Partial<SimulationOptions>) =>
      simulation({ name: 'zero', frameSeconds: 0.01, ...options }, build);
    const inputOf = (text: string): string => {
      const path = join(directory, `${text.length}.py`);
      writeFileSync(path, text);
      return path;
    };
    for (const [own, options] of [
      [{ terminateSeconds: 0 }, { record: { variables: ['o.steps'] } }],
      [{}, { inputFile: inputOf('trick.exec_set_terminate_time(0.0)\n') }],
      [{}, { inputFile: inputOf('trick.stop()\n') }],
    ] satisfies [Partial<SimulationOptions>, RunOptions][]) {
      seen = [];
      const { timeSeconds, end, recorded, values } = await run(define(own), {
        ...options,
        runDirectory: directory,
        read: ['o.steps'],
      });
      expectWholeEnd();
      expect([timeSeconds, end?.exitCode, values['o.steps']]).to.deep.equal([0, 0, 1]);
      expect(recorded.rows).to.deep.equal('record' in options ? [[0, 1]] : []);
      rmSync(join(directory, 'log_steps.csv'));
    }
  });

  it('goes on at the time that comes after the last of several terminate times', async () => {
    const given = await start({}, true);
    given.ask(control({ action: 'stop', atSeconds: 0 }));
    given.ask(control({ action: 'stop', atSeconds: 0.02 }));
    given.ask(control({ action: 'start' }));
    given.pass(100);
    expect(seen.filter((name) => name === 'count')).to.have.length(3);
    expect(given.last.seconds).to.equal(0.02);
  });
});
