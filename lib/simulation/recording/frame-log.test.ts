// The log of job times, with a clock that a test sets.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTrk } from '../../testing/aids/plot-readers.js';
import { DiskQuota } from '../files/disk-quota.js';
import { RunDirectory } from '../files/run-directory.js';
import { FrameLog } from './frame-log.js';
import { jobList, type LoggedJob, numbered } from './job-list.js';

const JOBS: readonly LoggedJob[] = [
  { number: 1, name: 'ball.fly', jobClass: 'integration', order: 60_000, cycleSeconds: 0.01, startSeconds: 0 },
  { number: 2, name: 'ball.look', jobClass: 'sensor', order: 7, cycleSeconds: 0.125, startSeconds: 0.5 },
  { number: 3, name: 'begin | now', jobClass: 'initialization', order: 60_000 },
];

describe('the frame log', () => {
  let directory: string;
  let millis: number;
  let said: string[];
  let log: FrameLog;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-frame-log-'));
    millis = 5000;
    said = [];
    log = new FrameLog({
      files: new RunDirectory(directory),
      clientFiles: new RunDirectory(directory, new DiskQuota()),
      jobs: () => JOBS,
      frameSeconds: () => 0.01,
      nowMillis: () => millis,
      say: (text) => said.push(text),
    });
  });
  afterEach(() => {
    log.close();
    rmSync(directory, { recursive: true });
  });

  const read = (name: string): string => readFileSync(join(directory, name), 'latin1');
  const passes = (by: number): number => {
    millis += by;
    return millis;
  };
  const runs = (number: number, forMillis: number, isCyclic = true): void => {
    const start = millis;
    log.job(number, start, passes(forMillis), isCyclic);
  };
  /** A frame: 1 ms of requests, its jobs, 2 ms of the snapshot. */
  const frame = (atSeconds: number, ...jobs: readonly (readonly [number: number, forMillis: number])[]): void => {
    log.turnStarts();
    passes(1);
    log.frameStarts(atSeconds);
    for (const [number, forMillis] of jobs) runs(number, forMillis);
    log.jobsEnd();
    passes(2);
    log.frameEnds(-0.25);
  };

  it('has a line for each run of a job, from the moment at which it was switched on', () => {
    log.switchOn(false);
    frame(0, [1, 3], [2, 0.5]);
    log.flush();
    expect(read('log_newtimeline.csv')).to.equal(
      [
        'jobID,startTime,stopTime',
        ' 1.01, 0.000000000, 0.001000000',
        ' 2.01, 0.001000000, 0.004000000',
        ' 2.02, 0.004000000, 0.004500000',
        ' 1.02, 0.004500000, 0.006500000',
        '',
      ].join('\n'),
    );
    expect(read('log_timeline.csv').split('\n').slice(1, 9)).to.deep.equal([
      '0.000000000,0,0',
      '0.000000000,1.010000,0',
      '0.001000000,1.010000,0',
      '0.001000000,0,0',
      '0.001000000,0,0',
      '0.001000000,0,2.010000',
      '0.004000000,0,2.010000',
      '0.004000000,0,0',
    ]);
  });

  it('keeps what runs outside frames apart', () => {
    log.switchOn(false);
    runs(3, 4, false);
    log.flush();
    expect(read('log_newtimeline.csv').split('\n')).to.have.length(2);
    expect(read('log_timeline_init.csv').split('\n').slice(1)).to.deep.equal([
      '0.000000000,0,0',
      '0.000000000,0,3.010000',
      '0.004000000,0,3.010000',
      '0.004000000,0,0',
      '',
    ]);
  });

  it('has a row of each frame, with the time that each job took in it', () => {
    log.switchOn(false);
    frame(0, [1, 3], [1, 2]);
    frame(0.01, [2, 5]);
    log.close();
    expect(tableOf(readFileSync(join(directory, 'log_frame.trk')))).to.deep.equal([
      ['sys.exec.out.time', 'trick_real_time.rt_sync.frame_time', 'trick_real_time.rt_sync.frame_overrun'],
      [0, 0.007, -0.25],
      [0.01, 0.007, -0.25],
    ]);
    expect(tableOf(readFileSync(join(directory, 'log_frame_userjobs_main.trk')))).to.deep.equal([
      ['sys.exec.out.time', 'JOB_ball.fly.2.01(integration_0.010)', 'JOB_ball.look.2.02(sensor_0.125)'],
      [0, 0.005, 0],
      [0.01, 0, 0.005],
    ]);
    expect(tableOf(readFileSync(join(directory, 'log_frame_trickjobs.trk')))[2]).to.deep.equal([0.01, 0.001, 0.002, 0]);
  });

  it('has what koviz takes for its report of real time', () => {
    log.switchOn(false);
    frame(0, [1, 3]);
    log.close();
    expect(Number(/^Trick version = (\d+)$/m.exec(read('S_run_summary'))?.[1])).to.be.at.least(17);
    const list = read('S_job_execution');
    expect(list).to.match(
      /^Thread information\nTrick::Threads \(\S+\)\n *process_type = scheduled\n *cpus = none assigned\n/,
    );
    const [, , , , , cycle] = /^.*trick_sys\.sched\.advance_sim_time.*$/m.exec(list)?.[0].split('|') ?? [];
    expect(Number(cycle)).to.equal(0.01);
    const [names = []] = tableOf(readFileSync(join(directory, 'log_frame_trickjobs.trk')));
    expect(names.at(-1)).to.match(
      /^JOB_trick_sys\.sched\.advance_sim_time\.\d+\.\d+\(system_advance_sim_time_0\.010\)$/,
    );
  });

  it('costs nothing while it is off, and goes on in the same files', () => {
    frame(0, [1, 3]);
    expect(readdirSync(directory)).to.deep.equal([]);
    log.switchOn(false);
    frame(0.01, [1, 3]);
    log.switchOff();
    expect(read('log_newtimeline.csv').split('\n')).to.have.length(5);
    frame(0.02, [1, 3]);
    log.switchOn(false);
    frame(0.03, [1, 3]);
    log.switchOff();
    expect(read('log_newtimeline.csv').split('\n')).to.have.length(8);
  });

  it('knows a job no more whose number means another one', () => {
    let isThere = true;
    const [first] = JOBS as [LoggedJob];
    log = new FrameLog({
      files: new RunDirectory(directory),
      clientFiles: new RunDirectory(directory),
      frameSeconds: () => 0.01,
      jobs: () => [{ ...first, isThere: () => isThere }],
      nowMillis: () => millis,
      say: () => undefined,
    });
    log.switchOn(false);
    frame(0, [1, 3]);
    isThere = false;
    frame(0.01, [1, 3]);
    log.flush();
    expect(read('log_newtimeline.csv').match(/ 2\.01/g)).to.have.length(1);
  });

  it('is in its files half a second later', () => {
    log.switchOn(false);
    frame(0, [1, 3]);
    frame(0.01, [1, 3]);
    expect(read('log_newtimeline.csv').split('\n')).to.have.length(5);
    frame(0.02, [1, 500]);
    expect(read('log_newtimeline.csv').split('\n')).to.have.length(11);
  });

  it('ends at its number of samples, with all of them in the files', () => {
    for (const samples of [0, -1, 0.5, Number.NaN, 1e9])
      expect(() => log.setMostSamples(samples)).to.throw('a frame log has 1 to 1000000 samples, not');
    log.setMostSamples(5);
    log.switchOn(false);
    for (let number = 0; number < 5; number++) frame(number, [1, 1]);
    expect(said).to.deep.equal(['the frame log has come to its 5 samples and ends']);
    expect(read('log_newtimeline.csv').trimEnd().split('\n')).to.have.length(6);
    expect(log.isOn).to.equal(false);
  });

  it('replaces for a client only what varwire has made', () => {
    writeFileSync(join(directory, 'log_newtimeline.csv'), 'mine');
    expect(() => log.switchOn(true)).to.throw('log_newtimeline.csv cannot be written: there is a file of this name');
    expect(log.isOn).to.equal(false);
    expect(read('log_newtimeline.csv')).to.equal('mine');
    rmSync(join(directory, 'log_newtimeline.csv'));
    log.switchOn(true);
    log.close();
    log.switchOn(true);
    for (const name of [
      'S_job_execution',
      'S_run_summary',
      'log_frame.trk',
      './log_frame.header',
      'DP_Product/DP_rt_frame.xml',
    ])
      expect(log.owns(name), name).to.equal(true);
    expect(log.owns('log_other.trk')).to.equal(false);
  });

  it('lists the jobs as Trick does', () => {
    const lines = jobList(numbered(JOBS)).split('\n');
    expect(lines.filter((line) => /^\s+1 [|].*$/.test(line))).to.deep.equal([
      '      1 |   0 |initialization           | 60000 |          |          |          |  2.01 | begin _ now',
      '      1 |   0 |integration              | 60000 | 0.000000 |     0.01 |    1e+37 |  1.01 | ball.fly',
      '      1 |   0 |sensor                   | 7     | 0.500000 |    0.125 |    1e+37 |  1.02 | ball.look',
    ]);
  });

  it('numbers at most 99 jobs of an object below one number', () => {
    const ids = numbered(Array.from({ length: 200 }, (_, number) => ({ ...(JOBS[0] as LoggedJob), number }))).map(
      ({ id }) => id,
    );
    expect([ids[0], ids[98], ids[99], ids[198]]).to.deep.equal(['1.01', '1.99', '2.01', '3.01']);
    expect(new Set(ids).size).to.equal(200);
  });
});

/** The names of a file's columns, then its rows, to the nanosecond. */
function tableOf(bytes: Buffer): (readonly (string | number)[])[] {
  const { columns, rows } = readTrk(bytes);
  expect(columns.every(({ units }) => units === 's')).to.equal(true);
  return [columns.map(({ name }) => name), ...rows.map((row) => row.map(round))];
}

const round = (seconds: number): number => Math.round(seconds * 1e9) / 1e9;
