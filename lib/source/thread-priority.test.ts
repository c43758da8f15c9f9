// The priority of a thread, where the system has one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { State } from '../model/state/state.js';
import { type DeskOutcome, type DeskTask, DiskQuota, readModelOf } from '../simulation/executive/desk.js';
import { DeskThread } from './desk-thread.js';

const MODULE = new URL('./thread-priority.js', import.meta.url).href;
const DESK = new URL('../run/serve/desk-worker.js', import.meta.url);
/** The nice value of the thread that reads it: the 17th field after the name in parentheses. */
const NICE = `Number(readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1].split(' ')[16])`;
const CODE = `
  import { readFileSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  import { preferOtherThreads, preferThisThread } from ${JSON.stringify(MODULE)};
  const before = ${NICE};
  parentPort.postMessage({ before, isPreferred: preferThisThread(), after: ${NICE} });
  parentPort.once('message', () => {
    preferOtherThreads();
    parentPort.postMessage(${NICE});
  });
`;

describe("a thread's priority", () => {
  it('is raised for this thread alone, or stays where that is not allowed', async function () {
    if (!existsSync('/proc/thread-self/stat') || getPriority() >= 5) this.skip();
    const nice = () => Number(readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1]?.split(' ')[16]);
    const own = nice();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(CODE)}`));
    const told = await new Promise<{ before: number; isPreferred: boolean; after: number }>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    expect(told.after).to.equal(told.isPreferred ? -10 : told.before);
    expect(nice()).to.equal(own);
    const yielding = new Promise<number>((resolve) => worker.once('message', resolve));
    worker.postMessage('yield');
    expect(await yielding).to.equal(5);
    await worker.terminate();
  });
});

/** The numbers of this process's threads that let others go first. */
const yieldingThreads = (): string[] =>
  readdirSync('/proc/self/task').filter((thread) => {
    try {
      return readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')[16] === '5';
    } catch {
      // It has ended.
      return false;
    }
  });

describe('the thread for checkpoints', () => {
  it('lets the server and the simulation go first', async function () {
    if (!existsSync('/proc/thread-self/stat') || getPriority() >= 5) this.skip();
    const before = new Set(yieldingThreads());
    const { limitBytes, words } = new DiskQuota(0);
    const start = { runDirectory: tmpdir(), quota: { limitBytes, words }, wake: undefined };
    const outcome = await new Promise<DeskOutcome>((resolve) => {
      const desk = new DeskThread(DESK, start, () => undefined);
      const work: DeskTask = { kind: 'load', file: 'no such checkpoint', model: readModelOf(new State()) };
      // What a busy machine has no time to send at once goes out later, as a simulation does it in each turn.
      const collecting = setInterval(() => desk.collect(), 5);
      desk.submit(work, (answer) => {
        clearInterval(collecting);
        resolve(answer);
      });
    });
    expect(outcome.kind).to.equal('refused');
    expect(yieldingThreads().filter((thread) => !before.has(thread))).to.have.length(1);
  });
});
