// When jobs run and rows are recorded after a checkpoint has taken time back or ahead.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import { saveCheckpoint } from './checkpoint.js';
import type { DeskOutcome, DeskTask } from './desk.js';

describe('after a checkpoint was loaded', () => {
  let directory: string;
  let run: TestRun;
  let ranAt: number[];
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-times-'));
    ranAt = [];
    run = await TestRun.start(
      {},
      (sim) => {
        const x = sim.object('o').component('x', double());
        const note = () => {
          x.value = Math.round(100 * sim.timeSeconds);
          ranAt.push(sim.timeSeconds);
        };
        sim.job(0.05, note, { phaseSeconds: 0.02 });
        sim.record('g', { cycleSeconds: 0.1, variables: ['o.x'] });
      },
      directory,
    );
    run.ticks(17);
    run.ask({ kind: 'checkpoint', file: 'early' });
    run.ticks(30);
    run.ask({ kind: 'checkpoint', file: 'late' });
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const load = (file: string): void => {
    run.ask({ kind: 'load-checkpoint', file });
    ranAt = [];
  };
  let flushes = 0;
  const rows = (): string[] => {
    run.running.recording.flush(1e9 * ++flushes);
    const lines = readFileSync(join(directory, 'log_g.csv'), 'utf8').trim().split('\n').slice(1);
    return lines.map((line) => line.replaceAll(' ', ''));
  };

  it('jobs run and rows are taken at the times that come next from there, back', () => {
    const before = rows();
    load('early');
    expect(run.last.seconds).to.equal(0.17);
    run.ticks(20);
    expect(ranAt).to.deep.equal([0.17, 0.22, 0.27, 0.32]);
    expect(rows().slice(before.length)).to.deep.equal(['0.2,17', '0.3,27']);
  });

  it('and ahead', () => {
    load('early');
    const before = rows();
    load('late');
    expect(run.last.seconds).to.equal(0.47);
    run.ticks(20);
    expect(ranAt).to.deep.equal([0.47, 0.52, 0.57, 0.62]);
    expect(rows().slice(before.length)).to.deep.equal(['0.5,47', '0.6,57']);
  });
});

describe('a checkpoint that is written while the simulation goes on', () => {
  it('tells the time of its state, by the clock', async () => {
    const run = await TestRun.start({ clock: { label: 'TAI', seconds: (elapsed) => 1000 + elapsed } });
    let written = (_: DeskOutcome): void => undefined;
    const submit = (_: DeskTask, done: typeof written): void => {
      written = done;
    };
    const desk = { ...run.running.desk, submit };
    const { state, catalog, executive, pacer, nowMillis, clientFiles } = run.running;
    const answers: unknown[] = [];
    run.ticks(3);
    const say = () => undefined;
    saveCheckpoint({ state, catalog, executive, pacer, nowMillis, desk, say, clientFiles }, { file: '' }, (finish) =>
      answers.push(finish()),
    );
    run.ticks(5);
    written({ kind: 'saved' });
    expect(answers).to.deep.equal([{ file: 'chkpnt_0.030000', seconds: 1000.03 }]);
    expect(run.last.header.clockSeconds).to.be.closeTo(1000.08, 1e-9);
  });
});
