// Recordings that clients add, and their limits.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double } from '../model/declare.js';
import { TestRun } from '../testing/aids/simulation-run.js';

describe('recordings that clients add', () => {
  let directory: string;
  let run: TestRun;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-record-'));
    run = await TestRun.start({}, (sim) => void sim.object('a').component('x', double(100)), directory);
    run.ticks(1);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const add = (group: string, cycle: number, variables = ['a.x[0]']) =>
    run.ask({ kind: 'record', control: { action: 'add', group, options: { cycle, variables } } })[0] as {
      error?: string;
    };

  it('write nothing before the past that they begin with, and go on without one of other columns', () => {
    const ask = (control: object) => run.ask({ kind: 'record', control } as never)[0] as { value?: string[] };
    const options = { cycle: 0.05, variables: ['a.x[0]'] };
    const { value } = ask({ action: 'add with past', group: 'late', options });
    expect(value).to.deep.equal(['0.05']);
    ask({ action: 'add with past', group: 'other', options });
    run.ticks(11);
    run.running.recording.flush();
    expect(existsSync(join(directory, 'log_late.csv'))).to.equal(false);
    const bytes = (text: string) => new Uint8Array(Buffer.from(text));
    const head = 'sys.exec.out.time {s},a.x[0] {--}\n';
    ask({ action: 'begin', group: 'late', past: { start: bytes(head), rows: bytes('0,7\n') } });
    ask({ action: 'begin', group: 'other', past: { start: bytes('else'), rows: bytes('0,7\n') } });
    ask({ action: 'remove' });
    const rowsOf = (name: string) =>
      readFileSync(join(directory, name), 'utf8').replaceAll(' ', '').trim().split('\n').slice(1);
    expect(rowsOf('log_late.csv')).to.deep.equal(['0,7', '0.05,0', '0.1,0']);
    expect(rowsOf('log_other.csv')).to.deep.equal(['0.05,0', '0.1,0']);
  });

  it('are bounded in cycle, rows, values and number', () => {
    expect(add('fast', 1e-6).error).to.equal("a client's recording has a cycle of 0.0001 s or more, not 0.000001");
    for (let i = 0; i < 20; i++) expect(add(`ms${i}`, 0.001).error).to.equal(undefined);
    expect(add('more', 0.0001).error).to.equal('the recordings of clients may take 20000 rows a second, not 30000');
  });

  it('are at most a hundred', () => {
    for (let i = 0; i < 100; i++) expect(add(`slow${i}`, 1).error).to.equal(undefined);
    expect(add('one', 1).error).to.equal('clients may add 100 recordings, and there are as many');
  });

  it('give back what they took, and count what clients change of others', () => {
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 100; i++) expect(add(`g${i}`, 1).error).to.equal(undefined);
      run.ask({ kind: 'record', control: { action: 'remove' } });
    }
    for (let i = 0; i < 19; i++) add(`ms${i}`, 0.001);
    const change = (group: string, cycle: number) =>
      run.ask({ kind: 'record', control: { action: 'change', group, options: { cycle } } })[0] as { error?: string };
    expect(change('ms0', 0.0004).error).to.equal('the recordings of clients may take 20000 rows a second, not 20500');
    expect(change('ms0', 0.001).error).to.equal(undefined);
    expect(change('ms0', 0.0005).error).to.equal(undefined);
  });

  it('replace no file that is not a recording, and are replaced by no checkpoint', () => {
    writeFileSync(join(directory, 'log_mine.csv'), 'precious');
    add('mine', 0.01);
    add('live', 0.01);
    run.ticks(5);
    run.ask({ kind: 'record', control: { action: 'now' } });
    expect(readFileSync(join(directory, 'log_mine.csv'), 'utf8')).to.equal('precious');
    expect(existsSync(join(directory, 'log_live.csv'))).to.equal(true);
    expect(run.said.join('\n')).to.contain('log_mine: log_mine.csv cannot be written: there is a file of this name');
    const [saved] = run.ask({ kind: 'checkpoint', file: 'log_live.csv' });
    expect(saved).to.have.property('error').that.contains('it is a file of a recording');
  });

  it('have their names from when they are added, whatever the spelling', () => {
    add('slow', 10);
    for (const file of ['log_slow.csv', './log_slow.header', join(directory, 'log_slow.csv')]) {
      const [saved] = run.ask({ kind: 'checkpoint', file });
      expect(saved).to.have.property('error').that.contains('it is a file of a recording');
    }
    run.ask({ kind: 'record', control: { action: 'now' } });
    expect(run.said.join('\n')).to.not.contain('cannot be written');
    expect(existsSync(join(directory, 'log_slow.csv'))).to.equal(true);
  });
});
