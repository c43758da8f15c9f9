// How often one client may change the catalog.
import { expect } from 'chai';
import { CatalogRate } from './catalog-rate.js';

describe('the rate of changes to the catalog', () => {
  it('bounds many at once and then a second, and nothing else', () => {
    const clock = { nowMillis: 0 };
    const rate = new CatalogRate(clock);
    const ask = () => rate.refusalOf({ kind: 'despawn', object: 'a', isRecursive: false })?.message;
    for (let k = 0; k < 10_000; k++) expect(ask()).to.equal(undefined);
    expect(ask()).to.contain('a client may make and remove 10000 objects and variables at once');
    expect(rate.refusalOf({ kind: 'write', writes: [] })).to.equal(undefined);
    clock.nowMillis = 2;
    expect([ask(), ask()]).to.deep.equal([undefined, undefined]);
    expect(ask()).to.contain('then 1000 a second');
    clock.nowMillis = 1e9;
    for (let k = 0; k < 10_000; k++) expect(ask()).to.equal(undefined);
    expect(ask()).to.be.a('string');
  });
});
