// Recordings that clients add, and their limits.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';

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
    run.ask({ kind: 'record', control: { action: 'add', group, options: { cycleSeconds: cycle, variables } } })[0] as {
      error?: string;
    };

  it('write nothing before the past that they begin with, and go on without one of other columns', () => {
    const ask = (control: object) => run.ask({ kind: 'record', control } as never)[0] as { value?: string[] };
    const options = { cycleSeconds: 0.05, variables: ['a.x[0]'] };
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

  const clientAt = (address: string, session: number) => ({ by: { address, session } });
  const addAs = (by: object, group: string, cycle: number) =>
    run.ask({
      kind: 'record',
      control: { action: 'add', group, options: { cycleSeconds: cycle, variables: ['a.x[0]'] } },
      ...by,
    })[0] as {
      error?: string;
    };
  const changeAs = (by: object, group: string, options: object) =>
    run.ask({ kind: 'record', control: { action: 'change', group, options }, ...by } as never)[0] as { error?: string };
  const paths = Array.from({ length: 100 }, (_, index) => `a.x[${index}]`);

  it('are bounded in cycle, rows, values and number', () => {
    expect(add('fast', 1e-6).error).to.equal("a client's recording has a cycle of 0.0001 s or more, not 0.000001");
    for (let i = 0; i < 7; i++) expect(add(`ms${i}`, 0.001).error).to.equal(undefined);
    expect(add('more', 0.001).error).to.equal("a client's recordings may take 7500 rows a second now, not 8000");
    run.ask({ kind: 'record', control: { action: 'remove' } });
    expect(add('wide', 0.001, paths).error).to.equal(undefined);
    expect(add('wider', 0.001, paths).error).to.equal(
      "a client's recordings may take 187500 values a second now, not 200000",
    );
    run.ask({ kind: 'record', control: { action: 'remove' } });
    const many = Array.from({ length: 80 }, () => paths).flat();
    expect(add('once', 1000, many).error).to.equal(undefined);
    expect(add('twice', 1000, many).error).to.equal("a client's recordings may have 15000 values now, not 16000");
    run.ask({ kind: 'record', control: { action: 'remove' } });
    for (let i = 0; i < 37; i++) expect(add(`slow${i}`, 1).error).to.equal(undefined);
    expect(add('one', 1).error).to.equal('a client may have 37 recordings now, not one more');
  });

  it('of one client leave half for others of its address, and those of an address a quarter for other addresses', () => {
    const rowsOf = (by: object, name: string): number => {
      let rows = 0;
      while (!addAs(by, `${name}${rows}`, 0.002).error) rows += 500;
      return rows;
    };
    expect([1, 2, 3].map((client) => rowsOf(clientAt('10.0.0.1', client), `c${client}_`))).to.deep.equal([
      7500, 3500, 2000,
    ]);
    let ofAddress = 13_000;
    for (let client = 4; client < 60; client++)
      for (const cycle of [0.002, 0.01, 0.1])
        if (!addAs(clientAt('10.0.0.1', client), `d${client}_${cycle}`, cycle).error) ofAddress += 1 / cycle;
    expect(ofAddress).to.be.within(14_900, 15_000);
    expect(rowsOf(clientAt('10.0.0.2', 100), 'e')).to.equal(2500);
    expect(rowsOf(clientAt('10.0.0.3', 101), 'f')).to.equal(1000);
  });

  it('are not renewed by connecting anew, and leave the operator alone', () => {
    const most = (address: string, client: number): number => {
      let count = 0;
      while (!addAs(clientAt(address, client), `g${client}_${count}`, 1).error) count++;
      return count;
    };
    const counts = Array.from({ length: 50 }, (_, client) => most('10.0.0.1', client));
    expect(counts.slice(0, 4)).to.deep.equal([37, 19, 9, 5]);
    expect(counts.reduce((sum, count) => sum + count, 0)).to.be.at.most(75);
    expect(most('10.0.0.2', 100)).to.be.at.least(12);
    for (let i = 0; i < 200; i++) expect(addAs({ by: 'operator' }, `own${i}`, 1e-5).error).to.equal(undefined);
    expect(most('10.0.0.3', 101)).to.be.at.least(6);
  });

  it('name few of the variables that they leave out', () => {
    const variables = ['a.x[0]', ...Array.from({ length: 1000 }, (_, index) => `a.y${index}`)];
    const options = { cycleSeconds: 1, variables, unknown: 'leave out' } as const;
    run.ask({ kind: 'record', control: { action: 'add', group: 'some', options } });
    expect(run.said.filter((line) => line.includes('log_some: a has no member y')).length).to.equal(5);
    expect(run.said.at(-1)).to.match(/log_some: 995 more that cannot be recorded are left out$/);
  });

  it('give back what they took, whoever ends them', () => {
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 37; i++) expect(add(`g${i}`, 1).error).to.equal(undefined);
      run.ask({ kind: 'record', control: { action: 'remove' }, ...clientAt('10.0.0.9', 9) });
    }
  });

  it("are borne by whoever makes one more costly, the operator's own too, and by nobody for other changes", () => {
    const [one, other] = [clientAt('10.0.0.1', 1), clientAt('10.0.0.2', 2)];
    addAs({ by: 'operator' }, 'own', 1e-5);
    expect(changeAs(one, 'own', { maxFileBytes: 1e6 }).error).to.equal(undefined);
    for (let i = 0; i < 15; i++) expect(addAs(one, `ms${i}`, 0.002).error).to.equal(undefined);
    expect(changeAs(one, 'ms0', { cycleSeconds: 0.0019 }).error).to.match(/7500 rows a second now, not 7527/);
    expect(changeAs(one, 'ms0', { enabled: false, when: 'change' }).error).to.equal(undefined);
    expect(changeAs(other, 'ms0', { cycleSeconds: 0.0005 }).error).to.equal(undefined);
    // It is the other's now, so the first has room for another one.
    expect(addAs(one, 'again', 0.002).error).to.equal(undefined);
    expect(addAs(other, 'much', 0.0002).error).to.match(/rows a second now, not 7000/);
    expect(changeAs(one, 'own', { cycleSeconds: 2e-6 }).error).to.match(/cycle of 0.0001 s or more/);
    expect(changeAs(one, 'ms0', { variables: [] }).error).to.match(/its variables and its form stay/);
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

  it('have no directory of a client where a recording or a frame log would have its file', () => {
    add('slow', 10);
    const byOperator = { by: 'operator' };
    for (const file of ['log_slow.csv/x', 'log_later.csv/x', 'a/log_later.trk', 'S_job_execution/x', 'DP_Product']) {
      const [saved] = run.ask({ kind: 'checkpoint', file, ...clientAt('10.0.0.1', 1) } as never);
      expect(saved, file).to.have.property('error').that.contains('it is a file of a recording');
    }
    const [saved] = run.ask({ kind: 'checkpoint', file: 'log_slow.csv/x', ...byOperator } as never);
    expect(saved).to.have.property('error').that.contains('it is a file of a recording');
    expect(
      run.ask({ kind: 'checkpoint', file: 'log_book', ...clientAt('10.0.0.1', 1) } as never)[0],
    ).not.to.have.property('error');
  });

  it('are not compared with each part of a long path of a checkpoint', () => {
    add('slow', 10);
    let compared = 0;
    const { recording } = run.running;
    const { owns } = recording;
    recording.owns = (name) => {
      compared++;
      return owns.call(recording, name);
    };
    const [saved] = run.ask({ kind: 'checkpoint', file: `${'a/'.repeat(100)}x`, ...clientAt('10.0.0.1', 1) } as never);
    expect(saved).not.to.have.property('error');
    expect(compared).to.equal(2);
  });

  it("of the frame log's names are for the operator", () => {
    const names = ['frame', 'Timeline', 'timeline_init', 'newtimeline', 'frame_userjobs_main', 'frame_trickjobs'];
    for (const name of names)
      expect(addAs(clientAt('10.0.0.1', 1), name, 0.1).error, name).to.equal(
        `a recording ${name} would have files of the frame log`,
      );
    expect(addAs({ by: 'operator' }, 'frame', 0.1).error).to.equal(undefined);
  });

  it("end when the operator adds a recording of their name; the operator's do not", () => {
    const operator = { by: 'operator' };
    const client = clientAt('10.0.0.1', 1);
    expect(addAs(client, 'late', 0.1).error).to.equal(undefined);
    run.ticks(2);
    expect(addAs(client, 'late', 0.1).error).to.equal('there is a recording late already');
    expect(addAs(operator, 'late', 0.05).error).to.equal(undefined);
    expect(run.said.join('\n')).to.contain(
      'recording late of a client ends: the operator has another one of that name',
    );
    expect(addAs(operator, 'late', 0.05).error).to.equal('there is a recording late already');
    expect(addAs(client, 'late', 0.1).error).to.equal('there is a recording late already');
    run.ticks(20);
    run.running.recording.flush();
    const rows = readFileSync(join(directory, 'log_late.csv'), 'utf8').trim().split('\n').slice(1);
    expect(rows.slice(0, 2).map((row) => Number(row.split(',')[0]))).to.deep.equal([0.05, 0.1]);
  });

  it('may have another form when their client starts them again', () => {
    const client = clientAt('10.0.0.1', 1);
    for (const format of ['ascii', 'binary', 'ascii'] as const) {
      const control = { action: 'add', group: 'again', options: { cycleSeconds: 0.01, variables: ['a.x[0]'], format } };
      expect(run.ask({ kind: 'record', control, ...client } as never)[0]).not.to.have.property('error');
      run.ticks(3);
      run.ask({ kind: 'record', control: { action: 'remove', group: 'again' }, ...client } as never);
      const name = `log_again.${format === 'binary' ? 'trk' : 'csv'}`;
      expect(readFileSync(join(directory, name)).length, name).to.be.above(50);
      rmSync(join(directory, name));
    }
    expect(run.said.join('\n')).not.to.contain('cannot be written');
  });
});
