// How often one client may change the catalog, and go to other times of a recording.
import { expect } from 'chai';
import { RequestRates } from './request-rates.js';

describe('the rates of requests', () => {
  it('bound many changes of the catalog at once and then a second, and nothing else', () => {
    const clock = { nowMillis: 0 };
    const rate = new RequestRates(clock);
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

  it('bound seeks by themselves', () => {
    const clock = { nowMillis: 0 };
    const rates = new RequestRates(clock);
    const seek = () => rates.refusalOf({ kind: 'control', control: { action: 'seek', toSeconds: 1 } })?.message;
    for (let k = 0; k < 200; k++) expect(seek()).to.equal(undefined);
    expect(seek()).to.equal('a client may go to 200 times of a recording at once, then 100 a second; ask again later');
    expect(rates.refusalOf({ kind: 'control', control: { action: 'run' } })).to.equal(undefined);
    expect(rates.refusalOf({ kind: 'despawn', object: 'a', isRecursive: false })).to.equal(undefined);
    clock.nowMillis = 10;
    expect([seek(), seek() === undefined]).to.deep.equal([undefined, false]);
  });
});
