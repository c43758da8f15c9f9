// The processor time of a thread.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { cpuSecondsOf, threadNumber } from './this-thread.js';

describe('the processor time of a thread', () => {
  it('is that of the thread alone, or unknown', async function () {
    const own = threadNumber();
    if (own === undefined || cpuSecondsOf(own) === undefined) this.skip();
    const resting = new Worker(`require('node:worker_threads').parentPort.on('message', () => {});`, { eval: true });
    try {
      await once(resting, 'online');
      const before = cpuSecondsOf(own) as number;
      while ((cpuSecondsOf(own) as number) < before + 0.02);
      const { user, system } = process.cpuUsage();
      expect(cpuSecondsOf(own)).to.be.at.most((user + system) / 1e6 + 0.02);
    } finally {
      await resting.terminate();
    }
    expect(cpuSecondsOf(0x7fffffff)).to.equal(undefined);
  });
});
