// Threads of programs that are given to Node on its command line.
import { expect } from 'chai';
import { optionsOfThreads } from './start-thread.js';

describe("Node's options of a thread", () => {
  it('are those of the process, but for the kind of a program that is no file', () => {
    const others = ['--enable-source-maps', '--max-old-space-size=900'];
    for (const kind of [['--input-type=module'], ['--input-type', 'module']])
      expect(optionsOfThreads([...kind, ...others])).to.deep.equal(others);
    expect(optionsOfThreads(others)).to.deep.equal(others);
  });
});
