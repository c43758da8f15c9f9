// What comes back with time.
import { expect } from 'chai';
import { Rate, Rates } from './rate.js';

describe('a rate', () => {
  it('is so much at once, and then so much a second, up to that again', () => {
    let now = 0;
    const rate = new Rate({ atOnce: 100, perSecond: 10 }, () => now);
    expect([rate.take(60), rate.take(60), rate.take(40), rate.take()]).to.deep.equal([true, false, true, false]);
    now = 1000;
    expect([rate.available, rate.take(10), rate.take()]).to.deep.equal([10, true, false]);
    now = 1e6;
    expect(rate.available).to.equal(100);
  });

  it('may be taken ahead of time, as long as the least is there', () => {
    let now = 0;
    const rate = new Rate({ atOnce: 1, perSecond: 1 }, () => now);
    expect([rate.take(3, 0.5), rate.take(0.1, 0.1)]).to.deep.equal([true, false]);
    now = 2500;
    expect(rate.available).to.equal(0.5);
  });

  it('of each of many forgets the one that has been quiet longest', () => {
    const rates = new Rates({ atOnce: 1, perSecond: 0 }, () => 0);
    for (let k = 0; k < 10_000; k++) rates.of(`${k}`).take();
    rates.of('0');
    rates.of('one more').take();
    expect([rates.has('0'), rates.has('1'), rates.has('one more')]).to.deep.equal([true, false, true]);
  });
});
