// Values from Bevy's clients: long lists of numbers cost little, and sentences name what does not fit.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { fromBrp } from './value.js';

describe('a value from a client of Bevy', () => {
  const { type } = double(3);

  it('is taken as it is when it is a list of numbers', () => {
    const list = [1, 2, 3];
    expect(fromBrp(type, list, 'a')).to.equal(list);
  });

  it('is refused with the place of what is no number, and a list of another length', () => {
    expect(() => fromBrp(type, [1, 'two', 3], 'a')).to.throw(/^a\[1\]/);
    expect(() => fromBrp(type, [1, 2], 'a')).to.throw('invalid length 2, expected an array of 3 elements');
  });
});
