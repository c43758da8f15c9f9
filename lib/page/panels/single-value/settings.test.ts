import { expect } from 'chai';
import type { VariableFacts } from '../../data/server.js';
import { singleValueSettings, withVariable } from './settings.js';

const FACTS: VariableFacts = {
  alias: 'ball.height',
  type_path: 'double',
  unit: 'm',
  dim: [],
  about: '',
  access: 'read-write',
  kind: 'number',
};
const NO_LIMITS = { lowAlarm: undefined, lowWarning: undefined, highWarning: undefined, highAlarm: undefined };

describe('settings of a single value', () => {
  it('are made of anything', () => {
    const none = { alias: undefined, units: undefined, digits: 6, limits: NO_LIMITS };
    for (const given of [undefined, null, 7, [], { alias: 3, digits: 99, limits: 'high' }]) {
      expect(singleValueSettings(given)).to.deep.equal(none);
    }
    const limits = { highAlarm: 7, lowAlarm: 'x' };
    expect(singleValueSettings({ alias: 'a', units: 'ft', digits: 3.7, limits })).to.deep.equal({
      alias: 'a',
      units: 'ft',
      digits: 3,
      limits: { ...NO_LIMITS, highAlarm: 7 },
    });
  });

  it('take one value, and say why they take nothing else', () => {
    expect(withVariable(FACTS)).to.deep.equal({ alias: 'ball.height', units: undefined, limits: {} });
    expect(withVariable({ ...FACTS, dim: [2] })).to.equal('ball.height is an array; put one of its elements here');
    expect(withVariable({ ...FACTS, kind: 'struct' })).to.equal(
      'ball.height is a structure; put one of its members here',
    );
  });
});
