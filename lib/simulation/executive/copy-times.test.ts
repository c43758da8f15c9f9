// Exact copies: their times, and the limits on periods and copies.
import { expect } from 'chai';
import { CopyTimes } from './copy-times.js';

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

  it('are fewer when frames carry much', () => {
    const copies = new CopyTimes();
    copies.frameBytes = 0.6e6;
    copies.hold(1000);
    expect(() => copies.hold(1300)).to.throw('1000 times a second at most, not 1770 times');
    copies.frameBytes = 15e6;
    copies.letGo(1000);
    copies.hold(40_000);
    expect(() => copies.hold(9000)).to.throw('40 times a second at most');
  });

  it('end, those most often first, when they carry more than so many bytes a second', () => {
    const copies = new CopyTimes();
    for (const period of [1000, 100_000]) copies.hold(period);
    copies.frameBytes = 15e6;
    let made = 0;
    for (let time = copies.next(0); time <= 10_000_000; time = copies.next(time + 1)) {
      copies.made(time);
      made++;
    }
    // 10 at once, and ten a second of the slow cycle.
    expect(made).to.be.within(109, 114);
    expect(copies.next(1)).to.equal(100_000);
    expect(() => copies.hold(1000)).to.throw('40 times a second at most');
  });

  it('are bounded in the number of cycles', () => {
    const copies = new CopyTimes();
    for (let i = 0; i < 64; i++) copies.hold(1_000_003 + 2 * i);
    expect(() => copies.hold(2_000_003)).to.throw('exact copies are made for 64 cycles at most');
  });
});
