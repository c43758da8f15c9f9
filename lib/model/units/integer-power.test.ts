// Whole powers compared with the C library's.
import { expect } from 'chai';
import { integerPower } from './integer-power.js';

describe('integerPower', () => {
  /** Results of the C library's pow. */
  const powers: [base: number, exponent: number, result: number][] = [
    [3, 0, 1],
    [-3, 3, -27],
    [2, -255, 2 ** -255],
    [0.1, 3, 0.0010000000000000002],
    [10, -5, 1e-5],
    [0.3048, 2, 0.09290304],
    [0.3048, -2, 10.763910416709722],
    [1e300, 2, Number.POSITIVE_INFINITY],
    [1e-300, -1, 9.999999999999999e299],
    [7e-100, 3, 3.4300000000000004e-298],
    [3e150, -2, 1.1111111111111109e-301],
    [1e-170, 2, 0],
  ];
  for (const [base, exponent, result] of powers) {
    it(`gives ${base} to the ${exponent} as ${result}`, () => {
      expect(integerPower(base, exponent)).to.equal(result);
    });
  }
});
