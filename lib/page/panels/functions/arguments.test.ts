import { expect } from 'chai';
import { enteredArguments, type Parameter } from './arguments.js';

const parameter = (name: string, type: string, dim: readonly number[] = []): Parameter => ({
  ...{ name, type, dim, unit: '1', about: '' },
});

describe('arguments in the form of a function', () => {
  it('are what was typed, with units and calculations', () => {
    const all = [parameter('x', 'double'), parameter('n', 'int'), parameter('name', 'std::string')];
    expect(enteredArguments(all, { x: '45 deg', n: '2*3', name: '7' })).to.deep.equal({
      arguments: { x: 45, n: 6, name: '7' },
      units: { x: 'degree' },
    });
    const lists = [parameter('v', 'double', [3]), parameter('mode', 'Mode'), parameter('on', 'bool')];
    expect(enteredArguments(lists, { v: '[1, 2,3]', mode: 'FAST', on: 'true' })).to.deep.equal({
      arguments: { v: [1, 2, 3], mode: 'FAST', on: true },
      units: {},
    });
  });

  it('are refused at their fields', () => {
    const all = [parameter('x', 'double'), parameter('n', 'int'), parameter('v', 'double', [2])];
    expect(enteredArguments(all, { x: '', n: '1.5', v: '1, x' })).to.deep.equal({
      faults: {
        x: 'expected a value',
        n: '1.5 is no whole number',
        v: 'expected numbers with commas between them: 1, 2, 3',
      },
    });
  });
});
