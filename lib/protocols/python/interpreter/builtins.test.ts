// The words of blocks, which no object of a client may hide.
import { expect } from 'chai';
import { hidesWord } from '../../../model/state/reserved-names.js';
import { BUILTINS } from './builtins.js';

describe('the words of blocks', () => {
  it('are no names for objects of clients', () => {
    expect([...BUILTINS.keys()].filter((name) => !hidesWord(name))).to.deep.equal([]);
  });
});
