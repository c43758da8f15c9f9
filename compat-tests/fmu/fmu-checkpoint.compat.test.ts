// Checkpoints of simulations with FMUs: back in time, in another process, after a crash, and where an FMU cannot.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FmuOptions, readVariable, type Value } from '../../lib/index.js';
import type { Request } from '../../lib/source/source.js';
import { type LocalSource, startServedSource } from '../../lib/testing/aids/local-source.js';
import { Balls, ballOf } from './balls.js';
import type { TestFmu } from './test-fmus.js';

describe('a checkpoint of a simulation with an FMU', function () {
  this.timeout(30_000);
  let balls: Balls;
  let runDirectory: string;
  const open: LocalSource[] = [];

  before(async function () {
    balls = await Balls.compiled(this);
    runDirectory = mkdtempSync(join(tmpdir(), 'varwire-fmu-checkpoint-'));
  });
  afterEach(async () => {
    balls.closeRuns();
    for (const local of open.splice(0)) await local.source.close();
  });
  after(() => {
    balls?.fmus.remove();
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
    const definition = ballOf(balls.fmus.make(name, fmu), options);
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
        run.step(2);
        const file = `${generation} ${kind}`;
        expect(run.ask({ kind: 'checkpoint', file })).to.not.have.property('error');
        const then = run.ball;
        // A tick comes in the first step, and bounces in the others.
        run.step(1);
        const soon = run.ball;
        run.step(10);
        const end = run.ball;
        expect(run.ask({ kind: 'load-checkpoint', file })).to.not.have.property('error');
        expect(run.ball).to.deep.equal(then);
        run.step(11);
        expect(run.ball).to.deep.equal(end);
        const other = await start('ball', { generation }, { kind });
        other.ask({ kind: 'load-checkpoint', file });
        other.step(1);
        expect(other.ball).to.deep.equal(soon);
        other.step(10);
        expect(other.ball).to.deep.equal(end);
      });
    }

  it('is where it goes on after a crash in a step, at loading and at saving, in a new process', async () => {
    const run = await start('ball', { generation: 2 }, { isolated: true });
    run.step(3);
    run.ask({ kind: 'checkpoint', file: 'before' });
    run.step(2);
    const { ball } = run;
    const goesOn = (): void => {
      expect(run.isFrozen).to.equal(true);
      expect(run.ask({ kind: 'load-checkpoint', file: 'before' })).to.not.have.property('error');
      run.ask({ kind: 'control', control: { action: 'run' } });
      run.step(2);
      expect(run.ball).to.deep.equal(ball);
    };
    run.ask(write('ball.mode', 1));
    run.step(1);
    expect(run.ask({ kind: 'checkpoint', file: 'lost' }).error).to.match(
      /ball.saved_state cannot be read: .*is lost in a step/,
    );
    goesOn();
    // It says that it can load its state, and cannot.
    run.ask(write('ball.mode', 23));
    run.step(1);
    run.ask({ kind: 'checkpoint', file: 'breaks' });
    const there = run.ball;
    expect(run.ask({ kind: 'load-checkpoint', file: 'breaks' }).error).to.contain(
      'ball (ball.fmu) is lost when its state was restored: its process has ended by a segmentation fault',
    );
    expect(run.ball).to.deep.equal(there);
    run.step(1);
    goesOn();
    run.ask(write('ball.mode', 22));
    run.step(1);
    expect(run.ask({ kind: 'checkpoint', file: 'lost' }).error).to.contain(
      'ball (ball.fmu) is lost when its state was saved: its process has ended by a segmentation fault',
    );
    run.step(1);
    goesOn();
  });

  it('is left out by an option where saving crashes at once', async () => {
    const set = { 'ball.mode': 22 };
    expect(await balls.start(2, { isolated: true }, { set }).catch(({ message }: Error) => message)).to.match(
      /ball \(ball2.fmu\) is lost when its state was saved: .*; checkpoints: false \(-- --no-checkpoints\) runs it without$/,
    );
    const run = await balls.start(2, { checkpoints: false }, { set });
    run.step();
    expect(run.read('ball.mode')).to.equal(22);
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
});
