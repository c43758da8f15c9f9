// Recordings while their variables, and others, are deleted and declared anew.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Catalog } from '../../model/state/catalog.js';
import { double } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { RecordOptions } from './record-options.js';

describe('a recording whose variables come anew', () => {
  let directory: string;
  let run: TestRun;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-record-'));
    run = await TestRun.start({}, () => {}, directory);
    declare('int last');
    run.write('last', 7);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const declare = (declaration: string) => run.ask({ kind: 'declare', declaration });
  const start = (group: string, options: RecordOptions) =>
    run.ask({ kind: 'record', control: { action: 'add', group, options: { cycleSeconds: 0.01, ...options } } });
  const read = (file: string): Buffer => readFileSync(join(directory, file));
  const rows = (file: string): string[] => read(file).toString().replaceAll(' ', '').trim().split('\n').slice(1);
  const texts = (): string[] => run.said.map((line) => line.replace(/^.*?(error|warning): /, ''));
  const SENTENCE = 'log_a: r has another type or other units than its column; recording of it ends';

  for (const [format, before, now] of [
    ['ascii', 'char r', 'double r'],
    ['binary', 'double r', 'char r'],
    ['ascii', 'int r', 'unsigned int r'],
  ] as const)
    it(`ends with one sentence, and no other recording does: ${before}, ${now}`, () => {
      const file = format === 'ascii' ? 'log_a.csv' : 'log_a.trk';
      declare(before);
      start('a', { format, variables: ['r', 'last'] });
      start('other', { variables: ['last'] });
      run.ticks(2);
      run.running.recording.flush();
      const { length } = read(file);
      run.ask({ kind: 'delete-memory', what: 'r' });
      declare(now);
      run.ticks(3);
      run.running.recording.close();
      expect(read(file)).to.have.length(length);
      expect(rows('log_other.csv')).to.have.length(5);
      expect(texts()).to.deep.equal([SENTENCE]);
    });

  it('ends when only its changes were looked at', () => {
    declare('char r');
    start('a', { variables: ['last'], changes: ['r'], when: 'change' });
    run.ticks(1);
    run.ask({ kind: 'delete-memory', what: 'r' });
    declare('double r');
    run.ticks(2);
    expect(texts()).to.deep.equal([SENTENCE]);
  });

  it('ends again when it is switched on again', () => {
    declare('char r');
    start('a', { variables: ['r'] });
    run.ticks(1);
    run.ask({ kind: 'delete-memory', what: 'r' });
    declare('double r');
    run.ticks(1);
    run.ask({ kind: 'record', control: { action: 'change', group: 'a', options: { enabled: true } } });
    run.ticks(2);
    expect(texts()).to.deep.equal([SENTENCE, SENTENCE]);
  });

  it('goes on where a variable comes anew as it was', () => {
    declare('int r');
    start('a', { variables: ['r'] });
    run.ticks(1);
    run.ask({ kind: 'delete-memory', what: 'r' });
    declare('int r');
    run.write('r', 5);
    run.ticks(1);
    run.running.recording.close();
    expect(rows('log_a.csv').at(-1)).to.match(/,5$/);
    expect(texts()).to.deep.equal([]);
  });

  it('goes on without what it has left out when another variable comes', () => {
    start('a', { variables: ['none', 'last'], changes: ['none'], unknown: 'leave out' });
    run.ticks(1);
    declare('int none');
    run.ticks(1);
    run.running.recording.close();
    expect(rows('log_a.csv')).to.deep.equal(['0,7', '0.01,7']);
    const sentence = 'log_a: there is no object none; it is left out';
    expect(texts()).to.deep.equal([sentence, sentence]);
    run.ask({ kind: 'delete-memory', what: 'none' });
    expect(texts()).to.have.length(2);
  });

  describe('of many values', () => {
    const COUNT = 500;
    const names = Array.from({ length: COUNT }, (_, index) => `r[${index}]`);
    const forget = (what: string) => run.ask({ kind: 'delete-memory', what });
    const ends = (): string[] => rows('log_a.csv').map((row) => row.split(',').at(-1) as string);

    /** How many of the many are looked up meanwhile. */
    function lookedUp(act: () => void): number {
      const { find } = Catalog.prototype;
      let count = 0;
      Catalog.prototype.find = function (path) {
        if (path.endsWith(']')) count++;
        return find.call(this, path);
      };
      try {
        act();
      } finally {
        Catalog.prototype.find = find;
      }
      return count;
    }

    beforeEach(() => {
      declare(`double r[${COUNT}]`);
      run.write(names.at(-1) as string, 1);
    });

    it('looks up none of them when another variable comes or goes', () => {
      start('a', { variables: names, changes: names });
      const count = lookedUp(() => {
        for (let change = 0; change < 10; change++) {
          declare('int other');
          run.ticks(1);
          forget('other');
          run.ticks(1);
        }
      });
      expect(count).to.be.below(COUNT / 10);
      run.running.recording.close();
      expect(texts()).to.deep.equal([]);
    });

    it('finds them together where they lie now when they come anew', () => {
      start('a', { variables: names, changes: names, when: 'change' });
      run.ticks(1);
      const count = lookedUp(() => {
        forget('r');
        declare('double between');
        declare(`double r[${COUNT}]`);
        run.write(names.at(-1) as string, 2);
        run.ticks(2);
      });
      expect(count).to.be.below(COUNT / 10);
      run.running.recording.close();
      expect(ends()).to.deep.equal(['1', '2']);
      expect(texts()).to.deep.equal([]);
    });

    it('finds them when the object that they belong to has changed', () => {
      const { state } = run.running;
      state.addObject('o');
      state.addComponent('o', 'list', double(COUNT));
      const inObject = names.map((name) => name.replace('r', 'o.list'));
      start('a', { variables: inObject });
      run.ticks(1);
      const count = lookedUp(() => {
        state.addComponent('o', 'more', double());
        run.write(inObject.at(-1) as string, 3);
        run.ticks(1);
      });
      expect(count).to.be.below(COUNT / 10);
      run.running.recording.close();
      expect(ends()).to.deep.equal(['0', '3']);
    });

    it('knows what has changed since its last row, however long ago that was', () => {
      start('a', { variables: names, cycleSeconds: 100 });
      run.ticks(1);
      const count = lookedUp(() => {
        for (let change = 0; change < 1500; change++) {
          declare('int other');
          forget('other');
          void run.running.catalog;
          run.running.recording.flush();
        }
        run.ask({ kind: 'record', control: { action: 'now', group: 'a' } });
      });
      expect(count).to.be.below(COUNT / 10);
      expect(ends()).to.deep.equal(['1', '1']);
    });
  });
});
