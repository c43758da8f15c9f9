// One of each kind at a time.
import { expect } from 'chai';
import { OneOfEach } from './one-of-each.js';

describe('one of each', () => {
  it('lets in one member of each kind, again and again, until it leaves', () => {
    const one = new OneOfEach();
    const [first, second] = [{}, {}];
    expect([
      one.enter('a', first),
      one.enter('a', second),
      one.enter('a', first),
      one.enter('b', second),
    ]).to.deep.equal([true, false, true, true]);
    one.leave('a', second);
    expect(one.enter('a', second)).to.equal(false);
    one.leave('a', first);
    expect([one.enter('a', second), one.enter('a', first)]).to.deep.equal([true, false]);
  });
});
