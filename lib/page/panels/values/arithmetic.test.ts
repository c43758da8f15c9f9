import { expect } from 'chai';
import fc from 'fast-check';
import { calculated } from './arithmetic.js';

describe('a calculation in a field', () => {
  it('has signs, powers, products and sums, in this order', () => {
    const results = ['2*3', '1 + 2*3 - 4/8', '-2^2', '2^3^2', '2^-1', '(1+2)*-3', '2*pi', '1e3/.5', '7'].map(
      calculated,
    );
    expect(results).to.deep.equal([6, 6.5, -4, 512, 0.5, -9, 2 * Math.PI, 2000, 7]);
  });

  it('is nothing else', () => {
    const texts = ['', '2*', '(2', '2)', '2 3', '*2', 'x', '2;3', 'alert(1)', '0x10', '('.repeat(5000), '2**3', '1,5'];
    expect(texts.map(calculated).filter((each) => each !== undefined)).to.deep.equal([]);
  });

  it('is a number or nothing, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'12.e+-*/^()p i') }), (text) => {
        expect(calculated(text)).to.satisfy((each: unknown) => each === undefined || typeof each === 'number');
      }),
    );
  });
});
