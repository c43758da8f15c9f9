// How much of a value is kept to compare with.
import { expect } from 'chai';
import { Memory } from '../../../model/state/memory.js';
import { LastBytes } from './last-bytes.js';

describe('the bytes that a value was last formatted from', () => {
  const memory = new Memory(new ArrayBuffer(8 * 1024 * 1024));
  const keptBytes = (last: LastBytes): number => (last as unknown as { readonly copy: Buffer }).copy.length;

  it('are kept up to 4,096', () => {
    const last = new LastBytes();
    const isSame = (length: number): boolean => last.isSame(memory, 0, length);
    expect([isSame(4096), isSame(4096), keptBytes(last)]).to.deep.equal([false, true, 4096]);
    expect([isSame(4097), isSame(4097), keptBytes(last)]).to.deep.equal([false, false, 0]);
    expect([isSame(8_000_000), isSame(8_000_000), keptBytes(last)]).to.deep.equal([false, false, 0]);
    expect([isSame(4096), isSame(4096), isSame(8), isSame(8)]).to.deep.equal([false, true, false, true]);
  });
});
