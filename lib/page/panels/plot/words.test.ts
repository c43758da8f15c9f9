import { expect } from 'chai';
import { Words } from './words.js';

describe('texts as numbers', () => {
  it('are the same for the same text, up to a bound', () => {
    const words = new Words();
    expect([words.numberOf('coast'), words.numberOf('burn'), words.numberOf('coast')]).to.deep.equal([0, 1, 0]);
    expect([words.textOf(1), words.textOf(7)]).to.deep.equal(['burn', '']);
    const numbers = Array.from({ length: 5000 }, (_, k) => words.numberOf(`word ${k}`));
    expect(numbers.filter(Number.isNaN)).to.have.length(5000 - 4094);
    expect(words.numberOf('burn')).to.equal(1);
  });
});
