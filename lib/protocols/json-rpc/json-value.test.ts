// Values of variables in JSON and back, and names with wildcards.
import { expect } from 'chai';
import fc from 'fast-check';
import type { NumberName, Type } from '../../model/state/type.js';
import { fromJson, toJson } from './json-value.js';

const number = (name: NumberName): Type => ({ kind: 'number', name });

describe('values in JSON', () => {
  it('keep every double through text and back', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const back = fromJson(number('double'), JSON.parse(JSON.stringify(toJson(value))));
        // JSON has no negative zero.
        expect(back).to.deep.equal(value === 0 ? 0 : value);
      }),
    );
  });

  it('keep every 64-bit integer through text and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const back = fromJson(number('long long'), JSON.parse(JSON.stringify(toJson(value))));
        expect(BigInt(back as number | bigint)).to.equal(value);
      }),
    );
  });

  it('are numbers up to 2^53 and text beyond', () => {
    expect(toJson(9007199254740991n)).to.equal(9007199254740991);
    expect(toJson(-9007199254740992n)).to.equal('-9007199254740992');
  });

  it('leave text alone where no number is expected', () => {
    const label: Type = { kind: 'text', form: 'string', capacityBytes: 8 };
    expect(fromJson(label, 'NaN')).to.equal('NaN');
    expect(fromJson(number('int'), '5')).to.equal('5');
    expect(fromJson(number('double'), '5')).to.equal('5');
  });
});
