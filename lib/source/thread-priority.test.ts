// The priority of a thread, where the system has one.
import { existsSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';

const MODULE = new URL('./thread-priority.js', import.meta.url).href;
/** The nice value of the thread that reads it: the 17th field after the name in parentheses. */
const NICE = `Number(readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1].split(' ')[16])`;
const CODE = `
  import { readFileSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  import { preferThisThread } from ${JSON.stringify(MODULE)};
  const before = ${NICE};
  parentPort.postMessage({ before, isPreferred: preferThisThread(), after: ${NICE} });
`;

describe("a thread's priority", () => {
  it('is raised for this thread alone, or stays where that is not allowed', async function () {
    if (!existsSync('/proc/thread-self/stat')) this.skip();
    const nice = () => Number(readFileSync('/proc/thread-self/stat', 'utf8').split(') ')[1]?.split(' ')[16]);
    const own = nice();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(CODE)}`));
    const told = await new Promise<{ before: number; isPreferred: boolean; after: number }>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    expect(told.after).to.equal(told.isPreferred ? -10 : told.before);
    expect(nice()).to.equal(own);
    await worker.terminate();
  });
});
