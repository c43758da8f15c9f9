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

describe('settings of a single value', () => {
  it('are made of anything', () => {
    const none = { alias: undefined, units: undefined, digits: 6 };
    for (const given of [undefined, null, 7, [], { alias: 3, digits: 99 }]) {
      expect(singleValueSettings(given)).to.deep.equal(none);
    }
    expect(singleValueSettings({ alias: 'a', units: 'ft', digits: 3.7 })).to.deep.equal({
      alias: 'a',
      units: 'ft',
      digits: 3,
    });
  });

  it('take one value, and say why they take nothing else', () => {
    expect(withVariable(FACTS)).to.deep.equal({ alias: 'ball.height', units: undefined });
    expect(withVariable({ ...FACTS, dim: [2] })).to.equal('ball.height is an array; put one of its elements here');
    expect(withVariable({ ...FACTS, kind: 'struct' })).to.equal(
      'ball.height is a structure; put one of its members here',
    );
  });
});
