// Files that clients cause: their quota, and the files that they may replace.
import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DiskQuota } from './disk-quota.js';
import { RunDirectory } from './run-directory.js';

describe('what clients cause to be written in the run directory', () => {
  let root: string;
  let directory: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'varwire-client-'));
    directory = join(root, 'RUN_test');
    mkdirSync(directory);
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const files = (quotaBytes?: number) => new RunDirectory(directory, new DiskQuota(quotaBytes));
  const bytes = (length: number) => Buffer.alloc(length, 'x');

  it('replaces what varwire has made, now or before, and nothing else', () => {
    writeFileSync(join(directory, 'input.py'), 'trick.stop(5)\n');
    writeFileSync(join(directory, 'old'), 'HEAD of one that was made before');
    writeFileSync(join(directory, 'empty'), '');
    const ours = files();
    for (const name of ['input.py', 'empty'])
      expect(() => ours.replace(name, bytes(9), 'HEAD'), name).to.throw(
        `${name} cannot be written: there is a file of this name that varwire has not made`,
      );
    expect(() => ours.create('input.py', 'HEAD')).to.throw('that varwire has not made');
    ours.replace('old', bytes(9), 'HEAD');
    ours.replace('new', bytes(9), 'HEAD');
    ours.replace('new', bytes(8), 'HEAD');
    expect(readFileSync(join(directory, 'input.py'), 'utf8')).to.equal('trick.stop(5)\n');
    expect(readFileSync(join(directory, 'new'), 'utf8')).to.equal('xxxxxxxx');
  });

  it('replaces for a client what clients have made, in this run or an earlier one, and nothing else that begins alike', () => {
    const client = { address: '10.0.0.1', session: 1 };
    const begin = () => {
      const operators = new RunDirectory(directory);
      const limited = operators.limitedBy(new DiskQuota());
      return { operators, clients: limited.countedFor(limited.accountOf(client)) };
    };
    const refuses = (clients: RunDirectory, name: string): void => {
      const sentence = `${name} cannot be written: there is a file of this name that no client has made`;
      expect(() => clients.replace(name, bytes(9), 'HEAD'), name).to.throw(sentence);
      expect(() => clients.create(name, 'HEAD'), name).to.throw(sentence);
    };
    writeFileSync(join(directory, 'by hand'), 'HEAD');
    const first = begin();
    const log = first.operators.create('log', 'HEAD');
    log.append(Buffer.from('HEAD of a recording'));
    log.close();
    for (const name of ['theirs', 'given', 'other format']) first.clients.replace(name, Buffer.from('HEAD 1'), 'HEAD');
    first.operators.replace('given', Buffer.from('HEAD 2'), 'HEAD');
    const second = begin();
    for (const { clients } of [first, second]) {
      for (const name of ['by hand', 'log', 'given']) refuses(clients, name);
      expect(() => clients.replace('other format', bytes(9), 'TAIL')).to.throw('has another format');
      clients.replace('theirs', Buffer.from('HEAD 3'), 'HEAD');
      clients.create('theirs', 'HEAD').close();
      clients.replace('theirs', Buffer.from('HEAD 4'), 'HEAD');
    }
    expect(readFileSync(join(directory, 'log'), 'utf8')).to.equal('HEAD of a recording');
    expect(readFileSync(join(directory, 'given'), 'utf8')).to.equal('HEAD 2');
    second.operators.replace('theirs', Buffer.from('HEAD 5'), 'HEAD');
    refuses(second.clients, 'theirs');
  });

  it('leaves a file alone while it is written, whoever asks', () => {
    const operators = new RunDirectory(directory);
    const limited = operators.limitedBy(new DiskQuota());
    const clients = limited.countedFor(limited.accountOf({ address: '10.0.0.1', session: 1 }));
    for (const writer of [operators, clients]) {
      const log = writer.create('log', 'HEAD');
      log.append(Buffer.from('HEAD 1'));
      for (const other of [operators, clients]) {
        expect(() => other.create('log', 'HEAD')).to.throw('log cannot be written: it is being written');
        expect(() => other.replace('./log', bytes(1), 'HEAD')).to.throw('it is being written');
      }
      expect(readFileSync(join(directory, 'log'), 'utf8')).to.equal('HEAD 1');
      log.close();
      operators.replace('log', bytes(1));
      rmSync(join(directory, 'log'));
    }
  });

  it("knows a client's file by itself and not by its name, whoever has put another there", () => {
    const operators = new RunDirectory(directory);
    const limited = operators.limitedBy(new DiskQuota());
    const clients = limited.countedFor(limited.accountOf({ address: '10.0.0.1', session: 1 }));
    const at = (name: string): string => join(directory, name);
    for (const name of ['moved over', 'copied over', 'linked']) clients.replace(name, Buffer.from('HEAD 1'), 'HEAD');
    writeFileSync(at('gold'), 'HEAD gold');
    renameSync(at('gold'), at('moved over'));
    rmSync(at('copied over'));
    writeFileSync(at('copied over'), 'HEAD gold');
    for (const name of ['moved over', 'copied over'])
      expect(() => clients.replace(name, bytes(9), 'HEAD'), name).to.throw('that no client has made');
    linkSync(at('linked'), at('kept'));
    clients.create('linked', 'HEAD').close();
    expect(readFileSync(at('kept'), 'utf8')).to.equal('HEAD 1');
  });

  it('does not follow symbolic links out of it, at any depth, neither for writing nor for reading', () => {
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'secret'), 'x');
    mkdirSync(join(directory, 'in'));
    symlinkSync(join(root, 'outside'), join(directory, 'in', 'link'));
    symlinkSync(join(root, 'outside', 'secret'), join(directory, 'file'));
    symlinkSync(join(root, 'outside', 'none'), join(directory, 'dangling'));
    const ours = files();
    for (const name of ['in/link/a', 'in/link/deeper/a'])
      expect(() => ours.replace(name, bytes(1)), name).to.throw('a symbolic link leads out of the run directory');
    for (const name of ['in/link/secret', 'file'])
      expect(() => ours.read(name), name).to.throw('a symbolic link leads out of the run directory');
    for (const name of ['file', 'dangling']) {
      expect(() => ours.replace(name, bytes(1)), name).to.throw('it is a symbolic link');
      expect(() => ours.create(name), name).to.throw('it is a symbolic link');
    }
    expect(readdirSync(join(root, 'outside'))).to.deep.equal(['secret']);
    expect(readFileSync(join(root, 'outside', 'secret'), 'utf8')).to.equal('x');
  });

  it('takes no more room than the operator has given, small files by their blocks', () => {
    const ours = files(20_000);
    ours.replace('a', bytes(8192));
    ours.replace('b', bytes(1));
    expect(() => ours.replace('c', bytes(8192))).to.throw('the 20 kB that clients may have written are used up');
    ours.replace('a', bytes(1));
    ours.replace('c', bytes(8192));
    expect(readdirSync(directory)).to.deep.equal(['a', 'b', 'c']);
  });

  it('keeps a file that grows at a whole piece when there is no room for the next', () => {
    const file = files(8192).create('log.trk');
    file.append(bytes(5000));
    expect(() => file.append(bytes(5000))).to.throw('used up');
    expect(file.sizeBytes).to.equal(5000);
    file.append(bytes(3000));
    file.close();
    expect(readFileSync(join(directory, 'log.trk')).length).to.equal(8000);
  });

  it('keeps a file at a whole piece when the disk is full in the middle of one', function () {
    if (process.platform === 'win32') this.skip();
    // A process whose files may have 4 KB is told so in the middle of a write, as by a full disk.
    const program = `
      import { RunDirectory } from ${JSON.stringify(new URL('./run-directory.js', import.meta.url).href)};
      const file = new RunDirectory(process.cwd()).create('log.csv', '');
      const append = (text) => { try { file.append(Buffer.from(text)); } catch ({ code }) { console.log(code); } };
      append('a'.repeat(3000));
      append('b'.repeat(3000));
      append('c'.repeat(1000));`;
    const command = `ulimit -f 4; exec "$0" --input-type=module -e "$1"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, program], { cwd: directory });
    expect([String(stdout), String(stderr)]).to.deep.equal(['EFBIG\n', '']);
    const text = readFileSync(join(directory, 'log.csv'), 'latin1');
    expect(text).to.equal('a'.repeat(3000) + 'c'.repeat(1000));
  });
});
