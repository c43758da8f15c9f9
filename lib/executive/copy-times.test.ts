// Exact copies: their times, and the limits on periods and copies.
import { expect } from 'chai';
import { CopyTimes, mostCopies } from './copy-times.js';

describe('exact copies', () => {
  it('are bounded by how many all sessions together want in a second', () => {
    const copies = new CopyTimes();
    for (let period = 1000; period < 1010; period++) copies.hold(period);
    expect(() => copies.hold(1010)).to.throw('exact copies are made 10000 times a second at most, not 10946 times');
    expect(copies.next(1010)).to.equal(2000);
    // A copy that is made anyway costs nothing more.
    copies.hold(2000);
    copies.hold(1003);
    for (let period = 1000; period < 1010; period++) copies.letGo(period);
    copies.letGo(2000);
    expect(copies.next(1)).to.equal(1003);
  });

  it('are fewer when a copy is large, and one cycle may always be had', () => {
    expect([mostCopies(2000), mostCopies(100_000), mostCopies(1e6)]).to.deep.equal([10_000, 5000, 1000]);
    const copies = new CopyTimes();
    copies.hold(100, 1000);
    expect(() => copies.hold(130, 1000)).to.throw('1000 times a second at most');
    expect(copies.next(130)).to.equal(200);
  });

  it('are bounded in the number of cycles', () => {
    const copies = new CopyTimes();
    for (let i = 0; i < 64; i++) copies.hold(1_000_003 + 2 * i);
    expect(() => copies.hold(2_000_003)).to.throw('exact copies are made for 64 cycles at most');
  });
});
