import { expect } from 'chai';
import { limitState, limitsFault } from './limits.js';

describe('limits', () => {
  const limits = { lowAlarm: -10, lowWarning: -5, highWarning: 5, highAlarm: 10 };
  it('are broken beyond their bound, the alarm before the warning', () => {
    const states = [0, 5, 5.1, 10, 10.1, -5.1, -11].map((value) => limitState(value, limits));
    expect(states).to.deep.equal(['normal', 'normal', 'warning', 'warning', 'alarm', 'warning', 'alarm']);
  });

  it('are broken by NaN, and none by none', () => {
    expect(limitState(Number.NaN, { highWarning: 1 })).to.equal('warning');
    expect(limitState(Number.NaN, {})).to.equal('normal');
    expect(limitState(Infinity, { lowAlarm: 0 })).to.equal('normal');
  });

  it('out of order are refused', () => {
    expect(limitsFault({ lowWarning: 5, highWarning: 1 })).to.equal('low warning (5) is above high warning (1)');
    expect(limitsFault({ highAlarm: Number.NaN })).to.equal('high alarm must be a number');
    expect(limitsFault(limits)).to.equal(undefined);
  });
});
