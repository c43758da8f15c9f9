// Arguments in the order of a command's parameters.
import { expect } from 'chai';
import { bindArguments, type Parameter } from './parameter.js';
import type { ScriptValue } from './values.js';

const PARAMETERS: readonly Parameter[] = [
  { name: 'name', type: 'text' },
  { name: 'value', type: 'value', standard: 5n },
  { name: 'count', type: 'integer', standard: 7n },
];
const bound = (positional: readonly ScriptValue[], keywords: [string, ScriptValue][] = []): readonly ScriptValue[] =>
  bindArguments('f', PARAMETERS, { positional: [...positional], keywords });

describe('the arguments of a command', () => {
  it('are those that are given, with the standard values of those that are left out', () => {
    expect(bound(['a'])).to.deep.equal(['a', 5n, 7n]);
    expect(bound(['a', null])).to.deep.equal(['a', null, 7n]);
    expect(bound(['a', 1n, true])).to.deep.equal(['a', 1n, 1n]);
    expect(bound(['a'], [['count', 3n]])).to.deep.equal(['a', 5n, 3n]);
  });

  it('are refused when they are too few, too many or of another type', () => {
    expect(() => bound([])).to.throw("f() missing 1 required positional argument: 'name'");
    expect(() => bound(['a', 1n, 2n, 3n])).to.throw('f() takes from 1 to 3 positional arguments but 4 were given');
    expect(() => bound([1n])).to.throw("f() argument 'name' must be text, not int");
    expect(() => bound(['a', 1n, 1.5])).to.throw("f() argument 'count' must be a whole number, not float");
  });

  it('are numbers where they are the text of one, also for a truth value', () => {
    const truth = (value: ScriptValue): ScriptValue | undefined =>
      bindArguments('f', [{ name: 'on', type: 'boolean' }], { positional: [value], keywords: [] })[0];
    expect(['1', '0', '0.0', 2.5, 0n, true].map(truth)).to.deep.equal([true, false, false, true, false, true]);
    for (const other of ['True', '', null])
      expect(() => truth(other)).to.throw(/^f\(\) argument 'on' must be True or False, not (str|NoneType)$/);
    expect(bound(['a', 1n, '4'])).to.deep.equal(['a', 1n, 4n]);
  });

  it('are checked in their places, without the search that keywords need', () => {
    const positional = ['a'];
    positional.slice = () => {
      throw new Error('searched');
    };
    expect(bindArguments('f', PARAMETERS, { positional, keywords: [] })).to.deep.equal(['a', 5n, 7n]);
  });
});
