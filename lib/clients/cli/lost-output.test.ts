// Output that is lost: a full disk is a failure with one sentence, a closed pipe is none.
import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { sayWhatIsNotWritten } from './lost-output.js';

describe('output that does not arrive', () => {
  let exitCode: typeof process.exitCode;
  beforeEach(() => {
    exitCode = process.exitCode;
  });
  afterEach(() => {
    process.exitCode = exitCode;
  });

  function saidOf(...codes: readonly string[]): string[] {
    const [output, said] = [new EventEmitter(), [] as string[]];
    sayWhatIsNotWritten(output, (text) => said.push(text));
    for (const code of codes) output.emit('error', Object.assign(new Error(`${code}: no space left`), { code }));
    return said;
  }

  it('is a failure, which is said once', () => {
    expect(saidOf('ENOSPC', 'ENOSPC')).to.deep.equal(['varwire: the output cannot be written: ENOSPC: no space left']);
    expect(process.exitCode).to.equal(1);
  });

  it('is none when the reader has what it wants', () => {
    expect(saidOf('EPIPE')).to.deep.equal([]);
    expect(process.exitCode).to.equal(exitCode);
  });
});
