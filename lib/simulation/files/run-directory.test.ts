// The run directory: what may be read and written there.
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import { RunDirectory, RunFileError } from './run-directory.js';

describe('run directory', () => {
  let root: string;
  let directory: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'varwire-run-'));
    directory = join(root, 'RUN_test');
    writeFileSync(join(root, 'secret'), 'x');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('replaces files as a whole and leaves nothing else behind', () => {
    const files = new RunDirectory(directory);
    files.replace('a', Buffer.from('one'));
    files.replace(join(directory, 'a'), Buffer.from('two'));
    expect(readFileSync(join(directory, 'a'), 'utf8')).to.equal('two');
    expect(files.read('a').toString()).to.equal('two');
    expect(readdirSync(directory)).to.deep.equal(['a']);
  });

  it('never writes into the file that it replaces, so that one is whole however the process ends', () => {
    const files = new RunDirectory(directory);
    files.replace('a', Buffer.from('the old one'));
    const old = openSync(join(directory, 'a'), 'r');
    try {
      files.replace('a', Buffer.from('new'));
      expect(readFileSync(old, 'utf8')).to.equal('the old one');
      expect(readFileSync(join(directory, 'a'), 'utf8')).to.equal('new');
    } finally {
      closeSync(old);
    }
  });

  it('says when it cannot be made', () => {
    for (const path of [join(root, 'secret', 'RUN_test'), join(root, 'secret')]) {
      const files = new RunDirectory(path);
      expect(() => files.replace('a', Buffer.from('y'))).to.throw(
        RunFileError,
        'a cannot be written: the run directory cannot be made',
      );
    }
  });

  it('says so at once where the system has room for nothing', function () {
    if (process.platform !== 'linux') this.skip();
    const files = new RunDirectory('/proc/varwire/RUN_test');
    expect(() => files.replace('a', Buffer.from('y'))).to.throw(RunFileError, /the run directory cannot be made/);
  });

  it('refuses every spelling of a file outside, for writing and for reading', () => {
    const files = new RunDirectory(directory);
    mkdirSync(directory);
    for (const name of ['../secret', 'a/../../secret', join(root, 'secret'), '/etc/passwd', '.', '..', '', 'a/../b']) {
      expect(() => files.replace(name, Buffer.from('y')), name).to.throw(
        RunFileError,
        'is not a file in the run directory',
      );
      expect(() => files.read(name), name).to.throw(RunFileError, 'is not a file in the run directory');
    }
    expect(readFileSync(join(root, 'secret'), 'utf8')).to.equal('x');
  });

  it('refuses names with signs that a terminal obeys', () => {
    const files = new RunDirectory(directory);
    for (const name of [
      '\u001b[31mred',
      'two\nlines',
      'a\0',
      '\u202egnp.exe',
      'a/\u007f',
      '\u061c',
      '\u200b',
      '\ud800',
    ]) {
      const refused = /is not a file's name: it has signs that nobody sees$/;
      expect(() => files.replace(name, Buffer.from('y')), name).to.throw(RunFileError, refused);
    }
    const longest = 'ü'.repeat(111);
    const tooLong = `"${'ü'.repeat(40)}…" is not a file's name: it has more than 223 bytes`;
    expect(() => files.replace(`${longest}ab`, Buffer.from('y'))).to.throw(RunFileError, tooLong);
    files.replace(`${longest}a`, Buffer.from('y'));
    rmSync(join(directory, `${longest}a`));
    files.replace('Größe 2.csv', Buffer.from('y'));
    expect(readdirSync(directory)).to.deep.equal(['Größe 2.csv']);
  });

  describe('names that are relative to the working directory, as Trick reads them,', () => {
    const before = process.cwd();
    const files = () => new RunDirectory('RUN_test');
    const read = (name: string) => files().read(name, 'HEAD').toString();
    beforeEach(() => {
      process.chdir(root);
      mkdirSync(join(directory, 'RUN_test'), { recursive: true });
      mkdirSync(join(root, 'RUN_other'));
    });
    afterEach(() => process.chdir(before));

    it('mean the file in the run directory from either place', () => {
      writeFileSync(join(directory, 'a'), 'one');
      expect([read('RUN_test/a'), read('a'), read(join(directory, 'a')), read('./RUN_test/./a')]).to.deep.equal(
        Array(4).fill('one'),
      );
      writeFileSync(join(directory, 'RUN_test', 'b'), 'two');
      expect(read('RUN_test/b')).to.equal('two');
    });

    it('mean a file elsewhere below the working directory only if it begins as one of that kind', () => {
      writeFileSync(join(root, 'RUN_other', 'c'), 'HEAD and more');
      expect([read('RUN_other/c'), read(join(root, 'RUN_other', 'c'))]).to.deep.equal(Array(2).fill('HEAD and more'));
      expect(() => files().read('RUN_other/c')).to.throw('there is no such file');
      expect(() => read('secret')).to.throw('secret cannot be read: there is no such file');
      expect(() => read(join(root, 'secret'))).to.throw('is not a file in the run directory');
      expect(() => read('../RUN_other/c')).to.throw('is not a file in the run directory');
      expect(() => read('RUN_other')).to.throw('there is no such file');
      expect(() => read('nowhere')).to.throw(
        'nowhere cannot be read: there is no such file in the run directory, and no checkpoint in the working directory',
      );
    });

    it('do not follow links out', () => {
      const outside = mkdtempSync(join(tmpdir(), 'varwire-outside-'));
      writeFileSync(join(outside, 'd'), 'HEAD of a file outside');
      symlinkSync(outside, join(root, 'RUN_other', 'link'));
      symlinkSync(join(outside, 'd'), join(root, 'RUN_other', 'file'));
      symlinkSync(join(outside, 'd'), join(directory, 'file'));
      expect(() => read('RUN_other/link/d')).to.throw('a symbolic link leads out of the run directory');
      expect(() => read('RUN_other/file')).to.throw('there is no such file');
      expect(() => read('RUN_test/file')).to.throw('a symbolic link leads out of the run directory');
      rmSync(outside, { recursive: true });
    });
  });

  it('says why a file cannot be read', () => {
    const files = new RunDirectory(directory);
    mkdirSync(join(directory, 'd'), { recursive: true });
    expect(() => files.read('none')).to.throw('none cannot be read: there is no such file');
    expect(() => files.read('d')).to.throw('d cannot be read: it is not a file');
    expect(() => files.read('a\0b')).to.throw("is not a file's name");
  });

  describe('checkpoints in it', () => {
    const S = struct('S', { x: double() });
    const start = () => {
      let owner = 0;
      const at: number[] = [];
      return TestRun.start(
        {},
        (sim) => {
          const s = sim.object('a').component('s', S);
          sim.object('b').mirror('m', S, {
            get: () => ({ x: owner }),
            set: ({ x }) => {
              if (x === 13) throw new RangeError('b.m takes no 13');
              owner = x;
            },
          });
          const count = () => {
            s.x++;
            at.push(sim.timeSeconds);
          };
          sim.job(0.02, count, { phaseSeconds: 0.01 });
        },
        directory,
      ).then((run) => Object.assign(run, { at }));
    };

    it('goes on from its simulation time, frame count and state, with jobs on their grids', async () => {
      const run = await start();
      run.ticks(4);
      run.write('b.m.x', 5);
      expect(run.ask({ kind: 'checkpoint', file: '' })[0]).to.have.property('frame');
      expect(readdirSync(directory)).to.deep.equal(['chkpnt_0.040000']);
      run.ticks(5);
      run.write('b.m.x', 6);
      const [loaded] = run.ask({ kind: 'load-checkpoint', file: join(directory, 'chkpnt_0.040000') });
      expect(loaded).to.deep.equal({ frame: run.last.header.number });
      expect([
        run.last.seconds,
        run.last.header.frameCount,
        run.last.value('a.s.x'),
        run.last.value('b.m.x'),
      ]).to.deep.equal([0.04, 4, 2, 5]);
      run.ticks(3);
      expect(run.at).to.deep.equal([0.01, 0.03, 0.05, 0.07, 0.05]);
      expect([run.last.seconds, run.last.value('a.s.x')]).to.deep.equal([0.07, 3]);
    });

    it('goes on from the start of the run too', async () => {
      const run = await start();
      run.ask({ kind: 'checkpoint', file: 'start' });
      run.ticks(4);
      run.ask({ kind: 'load-checkpoint', file: 'start' });
      expect([run.last.seconds, run.last.header.frameCount, run.last.value('a.s.x')]).to.deep.equal([0, 0, 0]);
      run.ticks(1);
      expect(run.at.at(-1)).to.equal(0.03);
    });

    it('changes nothing when a mirror refuses its value', async () => {
      const run = await start();
      run.ticks(2);
      run.write('b.m.x', 5);
      writeFileSync(join(directory, '..', 'ignored'), '');
      run.ask({ kind: 'checkpoint', file: 'c' });
      writeFileSync(join(directory, 'c'), 'a.s.x = 7;\nb.m.x = 13;\ntrick_sys.sched.time_tic_value = 1000000;\n');
      expect(run.ask({ kind: 'load-checkpoint', file: 'c' })).to.deep.equal([{ error: 'b.m takes no 13' }]);
      run.ticks(1);
      expect([run.last.seconds, run.last.value('a.s.x'), run.last.value('b.m.x')]).to.deep.equal([0.03, 1, 5]);
    });

    it('refuses a file that does not fit with its line', async () => {
      const run = await start();
      run.ask({ kind: 'checkpoint', file: 'c' });
      writeFileSync(join(directory, 'c'), 'a.s.x = 7;\na.s.y = 1;\n');
      expect(run.ask({ kind: 'load-checkpoint', file: 'c' })).to.deep.equal([
        { error: 'line 2: a.s has no member y; did you mean x?' },
      ]);
      expect(run.ask({ kind: 'checkpoint', file: '../c' })[0])
        .to.have.property('error')
        .that.includes('not a file in the run directory');
    });
  });
});
