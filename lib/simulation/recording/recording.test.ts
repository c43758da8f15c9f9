// Data recording: groups, their files and what goes wrong with them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Parser } from 'binary-parser';
import { expect } from 'chai';
import { bool, double, enumeration, float, int, longLong, struct, text } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Sim } from '../executive/simulation.js';
import type { RecordOptions } from './record-options.js';

const reference = (file: string): Buffer =>
  readFileSync(new URL(`../../../../compat-tests/reference/${file}`, import.meta.url));

const Phase = enumeration('FlightPhase', { STANDBY: 0, ENTRY: 7 });
const All = struct('Fixture', { t: bool(), f: float(), ll: longLong(), phase: Phase, name: text(8), d3: double(3) });
const Ball = struct('Ball', { pos: double(2, { units: 'm' }), vel: double(2, { units: 'm/s' }), steps: int() });

/** The variables of the files that Trick recorded. */
const VARIABLES = [
  'fx.ball.pos[0]',
  'fx.ball.pos[1]',
  'fx.ball.vel[0]',
  'fx.ball.vel[1]',
  'fx.ball.steps',
  'fx.all.t',
  'fx.all.f',
  'fx.all.ll',
  'fx.all.phase',
];

function buildBall(sim: Sim): void {
  const fx = sim.object('fx');
  fx.component('all', All, { t: true, f: 1.5, ll: -9_007_199_254_740_993n, phase: 'ENTRY' });
  const ball = fx.component('ball', Ball, { pos: [0, 10], vel: [1, 0] });
  sim.job(0.1, (dt) => {
    ball.vel[1] -= 9.81 * dt;
    for (const axis of [0, 1] as const) ball.pos[axis] += ball.vel[axis] * dt;
    if (ball.pos[1] < 0) {
      ball.pos[1] = 0;
      ball.vel[1] *= -0.8;
    }
    ball.steps += 1;
  });
}

const counted = () =>
  new Parser().endianness('little').uint32('length').string('text', { length: 'length', encoding: 'utf8' });
const trkHead = new Parser()
  .endianness('little')
  .string('version', { length: 10 })
  .uint32('count')
  .array('columns', {
    length: 'count',
    type: new Parser()
      .endianness('little')
      .nest('name', { type: counted() })
      .nest('units', { type: counted() })
      .uint32('code')
      .uint32('sizeBytes'),
  })
  .saveOffset('rowsAt');

interface TrkHead {
  readonly version: string;
  readonly columns: readonly {
    readonly name: { readonly text: string };
    readonly units: { readonly text: string };
    readonly code: number;
    readonly sizeBytes: number;
  }[];
  readonly rowsAt: number;
}

describe('data recording', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-recording-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const read = (file: string): Buffer => readFileSync(join(directory, file));
  const lines = (file: string): string[] => read(file).toString().trimEnd().split('\n');

  async function run(recordings: Readonly<Record<string, RecordOptions>>, build = buildBall): Promise<TestRun> {
    const options = { realTime: false, terminateSeconds: 3.01 };
    return TestRun.start(
      options,
      (sim) => {
        for (const [name, recording] of Object.entries(recordings)) sim.record(name, recording);
        return build(sim);
      },
      directory,
    );
  }

  it('writes the files that Trick writes, byte for byte', async () => {
    const test = await run({
      ball_csv: { format: 'ascii', cycleSeconds: 0.1, variables: VARIABLES },
      ball_trk: { format: 'binary', cycleSeconds: 0.1, variables: VARIABLES },
    });
    test.ticks(302);
    expect(test.ended).to.have.length(1);
    for (const file of ['log_ball_csv.csv', 'log_ball_csv.header', 'log_ball_trk.trk', 'log_ball_trk.header']) {
      expect(read(file).toString('latin1')).to.equal(reference(file).toString('latin1'), file);
    }
  });

  it('writes a .trk file that a reader of the format understands', async () => {
    const test = await run({
      b: { format: 'binary', cycleSeconds: 0.5, variables: ['fx.ball.pos[1]', 'fx.ball.steps'] },
    });
    test.ticks(302);
    const head: TrkHead = trkHead.parse(read('log_b.trk'));
    expect(head.version).to.equal('Trick-10-L');
    expect(head.columns.map((one) => [one.name.text, one.units.text, one.code, one.sizeBytes])).to.deep.equal([
      ['sys.exec.out.time', 's', 11, 8],
      ['fx.ball.pos[1]', 'm', 11, 8],
      ['fx.ball.steps', '--', 6, 4],
    ]);
    const rows = new Parser().array('rows', {
      readUntil: 'eof',
      type: new Parser().endianness('little').doublele('time').doublele('height').int32('steps'),
    });
    const { rows: found } = rows.parse(read('log_b.trk').subarray(head.rowsAt));
    expect(found.map(({ time, steps }: { time: number; steps: number }) => [time, steps])).to.deep.equal([
      [0, 1],
      [0.5, 6],
      [1, 11],
      [1.5, 16],
      [2, 21],
      [2.5, 26],
      [3, 31],
    ]);
  });

  it('records at exact times between frames, after the jobs of that time', async () => {
    const test = await run({ b: { cycleSeconds: 0.0025, variables: ['fx.ball.steps'] } }, (sim) => {
      const ball = sim.object('fx').component('ball', Ball);
      sim.job(0.0025, () => {
        ball.steps++;
      });
    });
    test.ticks(1);
    test.running.recording.close();
    expect(lines('log_b.csv').map((line) => line.trim())).to.deep.equal([
      'sys.exec.out.time {s},fx.ball.steps {--}',
      '0,1',
      '0.0025,2',
      '0.005,3',
      '0.0075,4',
    ]);
  });

  const steps = (sim: Sim) => {
    const ball = sim.object('fx').component('ball', Ball);
    sim.job(0.02, () => {
      ball.steps++;
    });
  };
  const seen = async (when: RecordOptions['when']) => {
    const test = await run({ b: { cycleSeconds: 0.01, variables: ['fx.ball.steps'], ...(when && { when }) } }, steps);
    test.ticks(4);
    test.running.recording.close();
    return lines('log_b.csv')
      .slice(1)
      .map((line) => line.trim());
  };

  it('writes every row, changes, or changes as steps', async () => {
    expect(await seen('always')).to.deep.equal(['0,1', '0.01,1', '0.02,2', '0.03,2']);
    expect(await seen('change')).to.deep.equal(['0,1', '0.02,2']);
    expect(await seen('change step')).to.deep.equal(['0,1', '0.02,1', '0.02,2']);
  });

  it('goes on where a checkpoint takes time back to, also to before the recording was made', async () => {
    const test = await run({ a: { cycleSeconds: 0.02, variables: ['fx.ball.steps'] } });
    test.ticks(1);
    test.ask({ kind: 'checkpoint', file: 'early' });
    test.ticks(5);
    const late = {
      action: 'add',
      group: 'late',
      options: { cycleSeconds: 0.02, variables: ['fx.ball.steps'] },
    } as const;
    test.ask({ kind: 'record', control: late });
    test.ticks(2);
    expect(test.ask({ kind: 'load-checkpoint', file: 'early' })[0]).to.have.property('frame');
    test.ticks(4);
    test.running.recording.close();
    const times = (file: string) =>
      lines(file)
        .slice(1)
        .map((line) => Number(line.split(',')[0]));
    expect(times('log_a.csv')).to.deep.equal([0, 0.02, 0.04, 0.06, 0.02, 0.04]);
    expect(times('log_late.csv')).to.deep.equal([0.06, 0.02, 0.04]);
  });

  it('is switched by clients, all of it or by group, and takes a row when asked', async () => {
    const test = await run({
      a: { cycleSeconds: 0.01, variables: ['fx.ball.steps'], enabled: false },
      b: { cycleSeconds: 0.01, variables: ['fx.ball.steps'] },
    });
    test.ticks(1);
    expect(test.ask({ kind: 'record', control: { action: 'disable' } })[0]).to.have.property('frame');
    test.ticks(1);
    test.ask({ kind: 'record', control: { action: 'enable', group: 'a' } });
    test.ticks(1);
    test.ask({ kind: 'record', control: { action: 'now', group: 'b' } });
    const times = (file: string) =>
      lines(file)
        .slice(1)
        .map((line) => Number(line.split(',')[0]));
    test.running.recording.close();
    expect([times('log_a.csv'), times('log_b.csv')]).to.deep.equal([[0.02], [0, 0.03]]);
    expect(test.ask({ kind: 'record', control: { action: 'enable', group: 'c' } })[0]).to.have.property('frame');
    expect(test.said.at(-1)).to.match(/warning: there is no recording c; did you mean a or b\?$/);
    expect(test.ask({ kind: 'record', control: { action: 'remove', group: 'c' } })[0]).to.deep.equal({
      error: 'there is no recording c; did you mean a or b?',
    });
  });

  /** Rows without the blanks before their numbers. */
  const rows = (file: string): string[] => lines(file).map((line) => line.replaceAll(' ', ''));

  it('names columns, watches other variables, separates and shortens as asked', async () => {
    const test = await run(
      {
        a: {
          cycleSeconds: 0.01,
          when: 'change',
          changes: ['fx.ball.steps'],
          variables: [{ path: 'fx.ball.vel[1]', name: 'fall' }],
          delimiter: ';',
          isSinglePrecision: true,
        },
      },
      (sim) => {
        const ball = sim.object('fx').component('ball', Ball);
        sim.job(0.01, () => {
          ball.vel[1] += 1 / 3;
        });
        sim.job(0.02, () => {
          ball.steps++;
        });
      },
    );
    test.ticks(4);
    test.running.recording.close();
    expect(rows('log_a.txt')).to.deep.equal(['sys.exec.out.time{s};fall{m/s}', '0;0.33333333', '0.02;1']);
    expect(lines('log_a.header').slice(1).join('\n')).to.match(/^log_a\tfloat.*\nlog_a\tfloat.*fall$/);
  });

  it('writes eight digits as C does', async () => {
    const values = [123456789.123, 1e-5 / 3, -0.1234567891, 1e8, 12345678];
    const test = await run({ a: { cycleSeconds: 0.01, variables: ['x.y[0]'], isSinglePrecision: true } }, (sim) => {
      const y = sim.object('x').component('y', double(1));
      let at = 0;
      sim.job(0.01, () => {
        y[0] = values[at++] ?? 0;
      });
    });
    test.ticks(5);
    test.running.recording.close();
    expect(
      rows('log_a.csv')
        .slice(1)
        .map((row) => row.split(',')[1]),
    ).to.deep.equal(['1.2345679e+08', '3.3333333e-06', '-0.12345679', '1e+08', '12345678']);
  });

  it('leaves out what it cannot record where that is asked, and goes on', async () => {
    const variables = ['fx.ball.step', 'fx.all.name', 'fx.ball.steps'];
    const test = await run({ a: { cycleSeconds: 0.01, variables, unknown: 'leave out' } });
    test.ticks(1);
    test.running.recording.close();
    expect(rows('log_a.csv')).to.deep.equal(['sys.exec.out.time{s},fx.ball.steps{--}', '0,1']);
    expect(test.said.map((line) => line.replace(/^.*?warning: /, ''))).to.deep.equal([
      'log_a: fx.ball has no member step; did you mean fx.ball.steps?; it is left out',
      'fx.all.name is not a single number; only those are recorded; it is left out',
    ]);
  });

  it('takes a row once where two cycles meet', async () => {
    const test = await run({ a: { cycleSeconds: 0.02, moreCyclesSeconds: [0.03], variables: ['fx.ball.steps'] } });
    test.ticks(7);
    test.running.recording.close();
    expect(
      rows('log_a.csv')
        .slice(1)
        .map((row) => row.split(',')[0]),
    ).to.deep.equal(['0', '0.02', '0.03', '0.04', '0.06']);
  });

  it('is changed, listed and removed by name, with all its rows', async () => {
    const test = await run({
      a: { cycleSeconds: 0.01, variables: ['fx.ball.steps'] },
      b: { format: 'binary', variables: [] },
    });
    const control = (asked: object) => test.ask({ kind: 'record', control: asked as never })[0] as { error?: string };
    expect(control({ action: 'list' }))
      .to.have.property('value')
      .that.deep.equals(['ascii a', 'binary b']);
    test.ticks(2);
    control({ action: 'change', group: 'a', options: { cycleSeconds: 0.02 } });
    test.ticks(4);
    expect(control({ action: 'change', group: 'a', options: { variables: [] } }).error).to.equal(
      'the recording a runs; its variables and its form stay as they are',
    );
    expect(control({ action: 'change', group: 'a', options: { cycleSeconds: 1e-6 } }).error).to.match(
      /0.0001 s or more/,
    );
    control({ action: 'remove', group: 'a' });
    test.ticks(3);
    expect(
      rows('log_a.csv')
        .slice(1)
        .map((row) => row.split(',')[0]),
    ).to.deep.equal(['0', '0.01', '0.02', '0.04']);
    expect(control({ action: 'list' }))
      .to.have.property('value')
      .that.deep.equals(['binary b']);
    control({ action: 'remove' });
    expect(control({ action: 'list' }))
      .to.have.property('value')
      .that.deep.equals([]);
  });

  it('ends with the file when it is full, and the simulation goes on', async () => {
    const test = await run({ b: { cycleSeconds: 0.01, variables: ['fx.ball.steps'], maxFileBytes: 50 } });
    test.ticks(20);
    test.running.recording.close();
    expect(lines('log_b.csv')).to.have.length(3);
    expect(test.said).to.deep.equal(['0.02 warning: log_b has come to its 50 bytes; recording of it ends']);
  });

  it('ends with one sentence where it cannot write, and the simulation goes on', async () => {
    const test = await TestRun.start(
      { realTime: false },
      (sim) => {
        sim.record('b', { cycleSeconds: 0.01, variables: ['fx.ball.steps'] });
        buildBall(sim);
      },
      join(fileURLToPath(import.meta.url), 'inside'),
    );
    test.ticks(10);
    test.running.recording.flush(10_000);
    expect(test.said[0]).to.match(
      /error: log_b: log_b.header cannot be written: the run directory cannot be made: a part of its path is not a directory; /,
    );
    expect(test.said).to.have.length(1);
    expect(test.running.executive.timeTics).to.be.greaterThan(0);
    expect(readdirSync(directory)).to.deep.equal([]);
  });

  const refused: [string, Partial<RecordOptions>, string][] = [
    ['b', { variables: ['fx.ball.step'] }, 'log_b: fx.ball has no member step; did you mean fx.ball.steps?'],
    ['b', { variables: ['fx.all.d3'] }, 'fx.all.d3 is not a single number; only those are recorded'],
    ['b', { variables: ['fx.all.name'] }, 'fx.all.name is not a single number; only those are recorded'],
    ['../b', {}, 'a recording is named with letters, digits and _, not "../b"'],
    ['b', { cycleSeconds: 0 }, 'recording b needs a cycle in seconds from 1e-6 up, not 0'],
  ];
  for (const [name, options, sentence] of refused) {
    it(`refuses to start with ${sentence}`, async () => {
      const failed = await run({ [name]: { variables: [], ...options } }).catch((error: Error) => error.message);
      expect(failed).to.equal(sentence);
    });
  }
});
