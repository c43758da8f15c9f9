// Recordings that cannot begin, or end by themselves: what the answer says, what is listed, and what stays open.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Sim } from '../executive/simulation.js';
import { DiskQuota } from '../files/disk-quota.js';
import type { RecordOptions } from './record-options.js';
import type { RecordControl } from './recording.js';

describe('a recording that cannot be written', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-ended-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const OPTIONS = { cycleSeconds: 0.01, variables: ['a.x[0]'] };
  const start = (own?: RecordOptions, others: Parameters<typeof TestRun.start>[3] = {}): Promise<TestRun> => {
    const build = (sim: Sim): void => {
      sim.object('a').component('x', double(1000));
      if (own) sim.record('own', own);
    };
    return TestRun.start({}, build, directory, others);
  };
  const client = { by: { address: '10.0.0.1', session: 1 } };
  const ask = (run: TestRun, control: RecordControl): { readonly error?: string; readonly value?: unknown } =>
    run.ask({ kind: 'record', control, ...client })[0] as never;
  const listed = (run: TestRun): unknown => ask(run, { action: 'list' }).value;
  const at = (name: string): string => join(directory, name);
  const rows = (name: string): number => readFileSync(at(name), 'utf8').trim().split('\n').length - 1;

  /** Files of the directory that this process has open. */
  const open = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((descriptor) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${descriptor}`);
        return path.startsWith(directory) ? [path.slice(directory.length + 1)] : [];
      } catch {
        return [];
      }
    });

  it('is not one that the input file has recorded a row of already: it goes on at the start', async () => {
    const run = await start(OPTIONS, { waitsForInput: true });
    expect(ask(run, { action: 'now' }).error).to.equal(undefined);
    run.running.recording.flush();
    run.ask({ kind: 'control', control: { action: 'start' } });
    run.ticks(2);
    run.running.recording.close();
    expect([run.ended, rows('log_own.csv')]).to.deep.equal([[], 3]);
  });

  it('is refused with the reason where its file cannot be made, and is not listed', async () => {
    mkdirSync(at('log_dir.csv'));
    writeFileSync(at('log_notes.csv'), 'precious');
    const run = await start();
    run.ticks(1);
    for (const [group, sentence] of [
      ['dir', 'log_dir: log_dir.csv cannot be written: it is not a file'],
      ['notes', 'log_notes: log_notes.csv cannot be written: there is a file of this name that no client has made'],
    ] as const) {
      expect(ask(run, { action: 'add', group, options: OPTIONS }).error).to.equal(sentence);
      expect(ask(run, { action: 'now', group }).error).to.equal(undefined);
    }
    expect(listed(run)).to.deep.equal([]);
    expect(readFileSync(at('log_notes.csv'), 'utf8')).to.equal('precious');
  });

  it('of the simulation is not listed where its file cannot be made, and begins when that is mended', async () => {
    mkdirSync(at('log_own.csv'));
    const run = await start(OPTIONS);
    run.ticks(2);
    const sentence = /^log_own: log_own.csv cannot be written: /;
    expect(listed(run)).to.deep.equal([]);
    expect(ask(run, { action: 'enable' }).error).to.match(sentence);
    expect(ask(run, { action: 'change', group: 'own', options: { enabled: true } }).error).to.match(sentence);
    expect(ask(run, { action: 'now' }).error).to.match(sentence);
    rmSync(at('log_own.csv'), { recursive: true });
    expect(ask(run, { action: 'enable', group: 'own' }).error).to.equal(undefined);
    expect(listed(run)).to.deep.equal(['ascii own']);
    run.ticks(3);
    run.running.recording.flush();
    expect(rows('log_own.csv')).to.equal(3);
  });

  it('is refused where there is no room for its first row', async () => {
    const wide = { cycleSeconds: 0.01, variables: Array.from({ length: 1000 }, (_, index) => `a.x[${index}]`) };
    const answers: [boolean, boolean][] = [];
    for (const blocks of [2, 20, 26, 28, 30, 32, 60]) {
      for (const name of readdirSync(directory)) rmSync(at(name));
      const run = await start(undefined, { quota: new DiskQuota(4096 * blocks) });
      run.ticks(1);
      const { error } = ask(run, { action: 'add', group: 'wide', options: wide });
      run.ticks(1);
      run.running.recording.flush();
      const isWritten = existsSync(at('log_wide.csv')) && rows('log_wide.csv') > 0;
      expect(listed(run)).to.deep.equal(error === undefined ? ['ascii wide'] : []);
      run.running.recording.close();
      answers.push([error === undefined, isWritten]);
    }
    for (const [isTaken, isWritten] of answers) expect(isWritten).to.equal(isTaken);
    expect(answers.map(([isTaken]) => isTaken)).to.include.members([true, false]);
  });

  it('is closed and not listed when the quota is used up, keeps its rows, and goes on behind them when there is room', async () => {
    const quota = new DiskQuota(4096 * 40);
    quota.change(0, 4096 * 34);
    const run = await start(undefined, { quota });
    run.ticks(1);
    expect(ask(run, { action: 'add', group: 'a', options: OPTIONS }).error).to.equal(undefined);
    expect(open()).to.have.members(['log_a.csv', '.log_a.lock']);
    run.ticks(1000);
    run.running.recording.flush();
    expect(run.said.at(-1)).to.match(/log_a: a client's files may take .*; recording of it ends$/);
    expect(listed(run)).to.deep.equal([]);
    expect(open()).to.deep.equal([]);
    expect(readdirSync(directory)).to.have.members(['log_a.csv', 'log_a.header']);
    const before = rows('log_a.csv');
    expect(before).to.be.above(100);
    expect(ask(run, { action: 'enable', group: 'a' }).error).to.match(/may take/);
    quota.change(4096 * 34, 0);
    expect(ask(run, { action: 'enable', group: 'a' }).error).to.equal(undefined);
    expect(listed(run)).to.deep.equal(['ascii a']);
    run.ticks(5);
    run.running.recording.flush();
    expect(rows('log_a.csv')).to.equal(before + 5);
    run.running.recording.close();
    expect(open()).to.deep.equal([]);
  });

  it('gives back its name and its share', async () => {
    const quota = new DiskQuota(4096 * 40);
    quota.change(0, 4096 * 36);
    const run = await start(undefined, { quota });
    run.ticks(1);
    expect(ask(run, { action: 'add', group: 'a', options: OPTIONS }).error).to.equal(undefined);
    run.ticks(700);
    run.running.recording.flush();
    expect(listed(run)).to.deep.equal([]);
    quota.change(4096 * 36, 0);
    expect(ask(run, { action: 'add', group: 'a', options: { ...OPTIONS, format: 'binary' } }).error).to.equal(
      undefined,
    );
    expect(listed(run)).to.deep.equal(['binary a']);
    expect(run.running.recording.figures.recordings.held).to.equal(1);
  });

  it('is refused when there is no room for the past that it begins with', async () => {
    const run = await start(undefined, { quota: new DiskQuota(4096 * 12) });
    run.ticks(1);
    expect(ask(run, { action: 'add with past', group: 'late', options: OPTIONS }).error).to.equal(undefined);
    const start_ = new Uint8Array(Buffer.from('sys.exec.out.time {s},a.x[0] {--}\n'));
    const past = { start: start_, rows: new Uint8Array(Buffer.alloc(40_000, '0,7\n')) };
    run.ticks(2);
    expect(ask(run, { action: 'begin', group: 'late', past }).error).to.match(/^log_late: .* may take /);
    expect(listed(run)).to.deep.equal([]);
    expect(open()).to.deep.equal([]);
  });

  it('is not listed when it has come to its size, and goes on behind it when that is raised', async () => {
    const run = await start({ ...OPTIONS, maxFileBytes: 30 });
    run.ticks(20);
    expect(listed(run)).to.deep.equal([]);
    expect(open()).to.deep.equal([]);
    const before = rows('log_own.csv');
    ask(run, { action: 'change', group: 'own', options: { maxFileBytes: 1000, enabled: true } });
    expect(listed(run)).to.deep.equal(['ascii own']);
    run.ticks(4);
    run.running.recording.close();
    expect(rows('log_own.csv')).to.equal(before + 4);
  });

  describe('because another server writes it', () => {
    let first: TestRun;
    beforeEach(async () => {
      first = await start(OPTIONS);
      first.ticks(3);
    });
    afterEach(() => first.running.recording.close());
    const sentence = /log_own\.(csv|header) cannot be written: another server of this process is writing it; /;
    const isWhole = (): void => {
      first.ticks(2);
      first.running.recording.flush();
      expect(rows('log_own.csv')).to.equal(5);
    };

    it('ends a run whose own it is, before its first frame, and the other goes on', async () => {
      const failed = await start(OPTIONS).catch((error: Error) => error.message);
      expect(failed).to.match(sentence);
      const waiting = await start({ ...OPTIONS, format: 'binary' }, { waitsForInput: true });
      waiting.ask({ kind: 'control', control: { action: 'start' } });
      expect(waiting.ended[0]).to.match(sentence);
      isWhole();
    });

    it('is refused to a client; another name is not', async () => {
      const second = await start();
      second.ticks(1);
      expect(ask(second, { action: 'add', group: 'own', options: OPTIONS }).error).to.match(sentence);
      expect(ask(second, { action: 'add', group: 'other', options: OPTIONS }).error).to.equal(undefined);
      const [saved] = second.ask({ kind: 'checkpoint', file: 'log_own.csv', by: 'operator' });
      expect(saved).to.have.property('error').that.matches(sentence);
      isWhole();
    });

    it('is refused to a frame log, none of whose files it replaces', async () => {
      const second = await start();
      first.running.frameLog.switchOn(false);
      const jobs = readFileSync(at('S_job_execution'));
      const names = readdirSync(directory);
      rmSync(at('DP_Product'), { recursive: true });
      expect(() => second.running.frameLog.switchOn(false)).to.throw('another server of this process is writing it');
      expect(readFileSync(at('S_job_execution'))).to.deep.equal(jobs);
      expect(readdirSync(directory)).to.have.members(names.filter((name) => name !== 'DP_Product'));
      first.running.frameLog.close();
      isWhole();
    });
  });
});
