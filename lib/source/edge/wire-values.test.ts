import { expect } from 'chai';
import fc from 'fast-check';
import { fromJson, toJson } from './wire-values.js';

describe('values in requests of an edge', () => {
  it('are what they were', () => {
    const leaf = fc.oneof(
      fc.double(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.string(),
      fc.boolean(),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        leaf,
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(fc.stringMatching(/^[a-z]+$/), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (one) => void expect(fromJson(toJson(one))).to.deep.equal(one)),
      { numRuns: 200 },
    );
    const packed = Float64Array.of(1, Number.NaN, -0);
    expect(fromJson(toJson([packed]))).to.deep.equal([packed]);
  });

  it('are refused when they are none', () => {
    for (const text of [
      '{"$n":"x"}',
      '{"$n":"1"}',
      `{"$n":"${'9'.repeat(30)}n"}`,
      '{"$b":"AAA=","form":"Float64Array"}',
      '{"$b":"","form":"Map"}',
    ])
      expect(() => fromJson(text), text).to.throw();
  });
});
