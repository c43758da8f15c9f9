import { expect } from 'chai';
import { timeText } from './time-text.js';

describe('simulation time as text', () => {
  const cases: readonly [seconds: number, text: string][] = [
    [0, '0.00'],
    [12.345, '12.35'],
    [1234567.891, '1\u202f234\u202f567.89'],
    [-3.5, '−3.50'],
    [Number.NaN, '–'],
  ];
  for (const [seconds, text] of cases) {
    it(`${seconds} is ${text}`, () => expect(timeText(seconds)).to.equal(text));
  }
});
