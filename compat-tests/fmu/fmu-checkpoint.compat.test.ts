// Checkpoints of simulations with FMUs: back in time, in another process, after a crash, and where an FMU cannot.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FmuOptions, readVariable, simulation, type Value } from '../../lib/index.js';
import type { Request } from '../../lib/source/source.js';
import { type LocalSource, startServedSource } from '../../lib/testing/aids/local-source.js';
import { type TestFmu, TestFmus } from './test-fmus.js';

describe('a checkpoint of a simulation with an FMU', function () {
  this.timeout(30_000);
  let fmus: TestFmus;
  let runDirectory: string;
  const open: LocalSource[] = [];

  before(async function () {
    const compiled = await TestFmus.compiled([
      { generation: 2 },
      { generation: 3 },
      { generation: 2, macros: ['BREAKS_ON_LOAD'] },
    ]);
    if (typeof compiled === 'string') {
      console.log(`      skipped: ${compiled}`);
      return this.skip();
    }
    fmus = compiled;
    runDirectory = mkdtempSync(join(tmpdir(), 'varwire-fmu-checkpoint-'));
  });
  afterEach(async () => {
    for (const local of open.splice(0)) await local.source.close();
  });
  after(() => {
    fmus?.remove();
    if (runDirectory) rmSync(runDirectory, { recursive: true });
  });

  class Run {
    constructor(private readonly local: LocalSource) {}

    read(path: string): Value | undefined {
      const { catalog, state } = this.local.host.running;
      const variable = catalog.find(path);
      return variable && readVariable(variable, state.arena.memory);
    }

    /** The numbers of the ball. */
    get ball(): readonly unknown[] {
      return ['h', 'v', 'bounces', 'ticks', 'u', 'y', 'ticked'].map((name) => this.read(`ball.${name}`));
    }

    ask(request: Request): { readonly error?: string } {
      let outcome: object = {};
      this.local.host.running.submit(request, (answer) => {
        outcome = answer;
      });
      this.local.host.running.applyRequests();
      return outcome;
    }

    step(frames: number): void {
      for (let i = 0; i < frames; i++) this.local.host.running.advance();
    }

    get isFrozen(): boolean {
      return this.local.host.running.executive.isHeld;
    }
  }

  const start = async (name: string, fmu: TestFmu, options: FmuOptions = {}): Promise<Run> => {
    const file = fmus.make(name, fmu);
    const definition = simulation({ name: 'test', frameSeconds: 0.1 }, async (sim) => {
      await sim.fmu('ball', file, { isolated: false, ...options });
    });
    const facts = { directory: '.', file: 'built', runDirectory, arguments: [], nowMillis: () => 0 };
    const local = await startServedSource(definition, facts);
    open.push(local);
    return new Run(local);
  };
  const write = (path: string, value: Value): Request => ({ kind: 'write', writes: [{ path, value }] });

  for (const generation of [2, 3] as const)
    for (const kind of ['co-simulation', 'model exchange', 'scheduled execution'] as const) {
      if (generation === 2 && kind === 'scheduled execution') continue;
      it(`restores one of FMI ${generation}.0 for ${kind} to the last bit, also in another run`, async () => {
        const run = await start('ball', { generation }, { kind });
        run.ask(write('ball.u', 3));
        run.step(7);
        const file = `${generation} ${kind}`;
        expect(run.ask({ kind: 'checkpoint', file })).to.not.have.property('error');
        const then = run.ball;
        run.step(6);
        const end = run.ball;
        expect(run.ask({ kind: 'load-checkpoint', file })).to.not.have.property('error');
        expect(run.ball).to.deep.equal(then);
        run.step(6);
        expect(run.ball).to.deep.equal(end);
        const other = await start('ball', { generation }, { kind });
        other.ask({ kind: 'load-checkpoint', file });
        other.step(6);
        expect(other.ball).to.deep.equal(end);
      });
    }

  it('is where it goes on after a crash, in a new process', async () => {
    const run = await start('ball', { generation: 2 }, { isolated: true });
    run.step(3);
    run.ask({ kind: 'checkpoint', file: 'before' });
    run.step(2);
    const { ball } = run;
    run.ask(write('ball.mode', 1));
    run.step(1);
    expect(run.isFrozen).to.equal(true);
    expect(run.ask({ kind: 'checkpoint', file: 'lost' }).error).to.match(
      /ball.saved_state cannot be read: .*is lost in a step/,
    );
    expect(run.ask({ kind: 'load-checkpoint', file: 'before' })).to.not.have.property('error');
    run.ask({ kind: 'control', control: { action: 'run' } });
    run.step(2);
    expect(run.ball).to.deep.equal(ball);
  });

  it('is refused with one sentence when the FMU cannot save its state', async () => {
    const flag = 'canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>\n<Unit';
    const run = await start('unable', { generation: 2, replace: { [flag]: '/>\n<Unit' } });
    const why = 'ball (unable.fmu) cannot save and restore its state, so there are no checkpoints with it';
    expect(run.ask({ kind: 'checkpoint', file: 'no' }).error).to.contain(why);
    run.step(2);
    const { ball } = run;
    expect(run.ask({ kind: 'load-checkpoint', file: '', text: 'ball.h = 2;\n' }).error).to.contain(why);
    expect(run.ball).to.deep.equal(ball);
  });

  it('leaves the state as it was when the FMU crashes at loading, though it says that it can', async () => {
    const run = await start('breaks', { generation: 2, macros: ['BREAKS_ON_LOAD'] }, { isolated: true });
    run.ask({ kind: 'checkpoint', file: 'breaks' });
    run.step(3);
    const { ball } = run;
    expect(run.ask({ kind: 'load-checkpoint', file: 'breaks' }).error).to.contain(
      'ball (breaks.fmu) is lost when its state was restored: its process has ended by a segmentation fault',
    );
    expect(run.ball).to.deep.equal(ball);
  });
});
