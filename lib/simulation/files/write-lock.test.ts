// Who may write a file of a run directory that another server writes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { DiskQuota } from './disk-quota.js';
import { RunDirectory } from './run-directory.js';

const MODULE = JSON.stringify(new URL('./run-directory.js', import.meta.url).href);

describe('a file that a server writes', () => {
  let directory: string;
  const at = (name: string): string => join(directory, name);
  const LOCK = '.log_a.lock';
  const create = () => new RunDirectory(directory).create('log_a.csv', 'HEAD');
  const children: ChildProcess[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-lock-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });

  const PROGRAM = `
    const { RunDirectory } = await import(${MODULE});
    const file = new RunDirectory(process.argv.at(-1)).create('log_a.csv', 'HEAD');
    file.append(Buffer.from('HEAD of the first'));`;

  async function elsewhere(): Promise<ChildProcess> {
    const program = `${PROGRAM} console.log('writes'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, directory]);
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  it('is left alone by another process, with its header, until that is killed', async () => {
    const child = await elsewhere();
    const sentence = `process ${child.pid} is writing it; take another run directory or name`;
    const other = new RunDirectory(directory);
    expect(() => other.create('log_a.csv', 'HEAD')).to.throw(`log_a.csv cannot be written: ${sentence}`);
    expect(() => other.create('log_a.trk', 'HEAD')).to.throw(sentence);
    for (const name of ['log_a.csv', './log_a.header'])
      expect(() => other.replace(name, Buffer.from('x'), 'HEAD'), name).to.throw(sentence);
    expect(() => other.requireFree('log_a.csv')).to.throw(sentence);
    expect(readFileSync(at('log_a.csv'), 'utf8')).to.equal('HEAD of the first');
    other.create('log_b.csv', 'HEAD').close();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(at(LOCK))).to.equal(true);
    const file = create();
    file.append(Buffer.from('HEAD 2'));
    file.close();
    expect(readdirSync(directory)).to.have.members(['log_a.csv', 'log_b.csv']);
  });

  it('is left alone by another server of the same process, until it is closed or its thread has ended', async () => {
    const first = create();
    expect(create).to.throw('another server of this process is writing it');
    first.close();
    create().close();
    if (process.platform !== 'linux') return;
    const program = `const { parentPort } = await import('node:worker_threads'); ${PROGRAM} parentPort.postMessage(1);
      setInterval(() => {}, 1000);`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), { argv: [directory] });
    await once(worker, 'message');
    expect(create).to.throw('another server of this process is writing it');
    await worker.terminate();
    create().close();
  });

  it('is free when the number of its process belongs to another one by now', function () {
    if (process.platform !== 'linux') this.skip();
    const file = create();
    const [number, descriptor, begin, place] = readFileSync(at(LOCK), 'utf8').trim().split(' ');
    file.close();
    expect([number, Number(begin) > 0]).to.deep.equal([String(process.pid), true]);
    for (const left of [`${number} ${descriptor} 1 ${place}`, `1 0 1 ${place}`, `4194303 3 ${begin} ${place}`]) {
      writeFileSync(at(LOCK), `${left}\n`);
      create().close();
    }
  });

  it('is left alone when another container or machine writes it, as long as that renews its lock', () => {
    const old = Date.now() / 1000 - 70;
    for (const [content, sentence] of [
      ['1 3 99 elsewhere/pid:[1]\n', 'a server of another machine or container is writing it'],
      ['', 'another server is writing it'],
    ] as const) {
      writeFileSync(at(LOCK), content);
      expect(create).to.throw(sentence);
      utimesSync(at(LOCK), old, old);
      const file = create();
      utimesSync(at(LOCK), old, old);
      file.renew();
      file.close();
      expect(existsSync(at(LOCK))).to.equal(false);
    }
  });

  it('has a lock that no client can write', () => {
    const limited = new RunDirectory(directory).limitedBy(new DiskQuota());
    const clients = limited.countedFor(limited.accountOf({ address: '10.0.0.1', session: 1 }));
    for (const name of [LOCK, `./${LOCK}`, `${LOCK}/x`, `a/${LOCK}`])
      expect(() => clients.replace(name, Buffer.from('x')), name).to.throw('it would be taken for a lock');
    expect(readdirSync(directory)).to.deep.equal([]);
  });

  it('has one writer when two find the lock of one that has gone at the same moment', async () => {
    const left = '1 0 1 left\n';
    const rounds = 20;
    const program = `
      import { parentPort, workerData } from 'node:worker_threads';
      const { RunDirectory } = await import(${MODULE});
      const { go, directory } = workerData;
      const files = new RunDirectory(directory);
      for (let round = 1; round <= ${rounds}; round++) {
        Atomics.wait(go, 0, round - 1);
        let file;
        try { file = files.create('log_a.csv', 'HEAD'); Atomics.add(go, 2, 1); } catch {}
        Atomics.add(go, 1, 1);
        while (Atomics.load(go, 1) < 2 * round) Atomics.wait(go, 1, 2 * round - 1, 1);
        file?.close();
        Atomics.add(go, 3, 1);
      }
      parentPort.postMessage('done');`;
    const go = new Int32Array(new SharedArrayBuffer(16));
    const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
    const workers = Array.from({ length: 2 }, () => new Worker(url, { workerData: { go, directory } }));
    for (let round = 1; round <= rounds; round++) {
      writeFileSync(at(LOCK), left);
      utimesSync(at(LOCK), 1, 1);
      Atomics.store(go, 2, 0);
      Atomics.store(go, 0, round);
      Atomics.notify(go, 0);
      while (Atomics.load(go, 3) < 2 * round) await new Promise(setImmediate);
      expect(Atomics.load(go, 2), `round ${round}`).to.equal(1);
    }
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
});
