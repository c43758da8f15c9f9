// Fields of ASCII replies, with and without what is known of the variable.
import { expect } from 'chai';
import { decodeField } from './ascii-decoder.js';
import type { Decoded } from './binary-decoder.js';
import { fieldTypeOf } from './list-assembler.js';
import { typeOfCode } from './trick-type.js';
import type { TrickValue } from './value.js';

describe('decodeField', () => {
  const guessed: readonly (readonly [string, unknown])[] = [
    ['-123456', -123456],
    ['1e-07', 1e-7],
    ['-0', -0],
    ['nan', Number.NaN],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['9007199254740993', 9007199254740993n],
    ['0.1,0.2,0.3', [0.1, 0.2, 0.3]],
    ['plain text', 'plain text'],
    ['1,two', '1,two'],
    ['', ''],
    ['BAD_REF', undefined],
  ];
  for (const [field, value] of guessed) {
    it(`takes ${field || 'nothing'} for ${String(value)} where the type is not known`, () => {
      expect(decodeField(field, undefined, false)).to.deep.equal({ value, units: undefined });
    });
  }

  const typed: readonly (readonly [code: number, string, unknown])[] = [
    [3, '42', '42'],
    [17, '1', true],
    [17, '0,1', [false, true]],
    [14, '5', 5n],
    [11, '5', 5],
    [11, '1e+20', 1e20],
    [6, '9007199254740993', 9007199254740992],
  ];
  for (const [code, field, value] of typed) {
    it(`takes ${field} for ${String(value)} of type ${typeOfCode(code).name}`, () => {
      expect(decodeField(field, typeOfCode(code), false).value).to.deep.equal(value);
    });
  }

  it('tells units from values where units were asked for, and only there', () => {
    expect(decodeField('-405039 {ft}', undefined, true)).to.deep.equal({ value: -405039, units: 'ft' });
    expect(decodeField('1,2,3 {m/s2}', undefined, true)).to.deep.equal({ value: [1, 2, 3], units: 'm/s2' });
    expect(decodeField('-123456', undefined, true)).to.deep.equal({ value: -123456, units: undefined });
    expect(decodeField('a {b}', undefined, false)).to.deep.equal({ value: 'a {b}', units: undefined });
  });

  it('gives no value for a field that Trick has cut off', () => {
    expect(decodeField('1'.repeat(8190), undefined, false)).to.deep.equal({
      value: undefined,
      units: undefined,
      isCut: true,
    });
  });
});

describe('fieldTypeOf', () => {
  const decoded = (code: number, elements: number, value: TrickValue): Decoded => ({
    name: 'x',
    type: typeOfCode(code),
    elements,
    value,
  });

  it('takes arrays of characters for text, whose digits are no number, and a single one for its number', () => {
    expect(decodeField('12', fieldTypeOf(decoded(1, 1, 'Orion')), false).value).to.equal('12');
    expect(decodeField('12', fieldTypeOf(decoded(2, 4, [65, 66, 67, 68])), false).value).to.equal('12');
    expect(decodeField('12', fieldTypeOf(decoded(1, 1, 65)), false).value).to.equal(12);
    expect(decodeField('12', fieldTypeOf(undefined), false).value).to.equal(12);
  });
});
