import { expect } from 'chai';
import { readsText } from './client-row.js';

describe('what a client reads', () => {
  it('is told in a line, however much it is', () => {
    expect(readsText({ reads: [], reads_count: 0 })).to.equal('–');
    expect(readsText({ reads: ['a'], reads_count: 1 })).to.equal('a');
    expect(readsText({ reads: ['a', 'b', 'c'], reads_count: 3000 })).to.equal('a, b and 2998 more');
  });
});
