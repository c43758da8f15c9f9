// When a machine counts as busy.
import { expect } from 'chai';
import { Busy } from './busy.js';

function isBusy(...texts: readonly string[]): boolean {
  let shown = '';
  const busy = new Busy(() => shown);
  for (const text of texts) {
    shown = text;
    busy.sample();
  }
  return busy.stop();
}

describe('a machine', () => {
  it('is busy when more is runnable than the one that looks, on average', () => {
    expect(isBusy('9.00 9.00 9.00 1/512 4242', '9.00 9.00 9.00 2/512 4242')).to.equal(false);
    expect(isBusy('0.00 0.00 0.00 1/512 4242', '0.00 0.00 0.00 3/512 4242')).to.equal(true);
  });

  it('is not when nothing is known', () => {
    expect(isBusy('', '')).to.equal(false);
    expect(isBusy()).to.equal(false);
  });
});
