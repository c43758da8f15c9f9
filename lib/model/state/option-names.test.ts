// Options that do not exist are refused with a sentence that names the one that was meant.
import { expect } from 'chai';
import { requireOptions } from './option-names.js';

const NAMES = ['name', 'frameSeconds', 'cycleMillis', 'mostStateBytes', 'read'];
const check = (options: object) => () => requireOptions('it', options, NAMES);

describe('the options of a call', () => {
  it('are those that exist', () => {
    expect(check({})).not.to.throw();
    expect(check({ name: 'a', frameSeconds: 1, cycleMillis: 1, mostStateBytes: 1, read: [] })).not.to.throw();
  });

  for (const [stray, meant] of [
    ['frame', 'frameSeconds'],
    ['frameTime', 'frameSeconds'],
    ['frameMs', 'frameSeconds'],
    ['frame_sec', 'frameSeconds'],
    ['cycle', 'cycleMillis'],
    ['cycleSeconds', 'cycleMillis'],
    ['mostState', 'mostStateBytes'],
    ['reed', 'read'],
  ] as const) {
    it(`have ${meant} where one of another name is given: ${stray}`, () => {
      expect(check({ [stray]: 1 })).to.throw(RangeError, `it has no option ${stray}; did you mean ${meant}?`);
    });
  }

  it('are listed when none has a name that is near', () => {
    const sentence = 'it has no option colour; there are name, frameSeconds, cycleMillis, mostStateBytes, read';
    expect(check({ colour: 1 })).to.throw(RangeError, sentence);
  });
});
