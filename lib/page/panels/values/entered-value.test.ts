import { expect } from 'chai';
import fc from 'fast-check';
import { enteredValue, stepOf, steppedText } from './entered-value.js';
import { numberText } from './number-text.js';
import type { ValueKind } from './value-text.js';

const DOUBLE: ValueKind = { kind: 'number', type_path: 'double' };
const BOOL: ValueKind = { kind: 'number', type_path: 'bool' };
const UCHAR: ValueKind = { kind: 'number', type_path: 'unsigned char' };
const TEXT: ValueKind = { kind: 'text', type_path: 'std::string' };
const PHASE: ValueKind = { kind: 'enumeration', type_path: 'Phase', labels: { ASCENT: 0, LANDED: 3 } };

describe('what is typed into an editor', () => {
  const taken: readonly (readonly [text: string, kind: ValueKind, value: unknown])[] = [
    ['12', DOUBLE, 12],
    [' -1.5e3 ', DOUBLE, -1500],
    ['−2.5', DOUBLE, -2.5],
    ['.5', DOUBLE, 0.5],
    ['0xff', DOUBLE, 255],
    ['-inf', DOUBLE, '-Infinity'],
    ['nan', DOUBLE, 'NaN'],
    ['18446744073709551615', { kind: 'number', type_path: 'unsigned long long' }, '18446744073709551615'],
    ['-0x7fffffffffffffff', { kind: 'number', type_path: 'long' }, '-9223372036854775807'],
    ['100000000000000000000', DOUBLE, 1e20],
    ['2*3', DOUBLE, 6],
    ['2*3', UCHAR, 6],
    ['landed', PHASE, 'LANDED'],
    ['3', PHASE, 3],
    ['on', BOOL, true],
    ['0', BOOL, false],
    [' as it is ', TEXT, ' as it is '],
  ];
  for (const [text, kind, value] of taken) {
    it(`"${text}" is ${JSON.stringify(value)} for ${kind.type_path}`, () => {
      expect(enteredValue(text, kind)).to.deep.equal({ value });
    });
  }

  const refused: readonly (readonly [text: string, kind: ValueKind, fault: string])[] = [
    ['', DOUBLE, 'expected a value'],
    ['1,5', DOUBLE, '1,5 is not a number'],
    ['ten', DOUBLE, 'ten is not a number'],
    ['1e400', DOUBLE, '1e400 is larger than a double can be'],
    ['1.5', UCHAR, '1.5 is no whole number'],
    ['7/2', UCHAR, '7/2 is no whole number'],
    ['1/0', DOUBLE, '1/0 is larger than a double can be'],
    ['0/0', DOUBLE, '0/0 is not a number'],
    ['two m', DOUBLE, 'two m is not a number'],
    ['FLYING', PHASE, 'FLYING is none of ASCENT, LANDED'],
    ['toString', PHASE, 'toString is none of ASCENT, LANDED'],
    ['maybe', BOOL, 'maybe is neither on nor off'],
    ['1', { kind: 'struct', type_path: 'Ball' }, 'a structure is set by its members'],
  ];
  for (const [text, kind, fault] of refused) {
    it(`"${text}" is refused for ${kind.type_path}: ${fault}`, () => {
      expect(enteredValue(text, kind)).to.deep.equal({ fault });
    });
  }

  it('may be in other units, which stand behind a blank', () => {
    const texts = ['45 deg', '45 degree', '-2*3 m/s2', '1e3 km / h', '5 %'];
    expect(texts.map((text) => enteredValue(text, DOUBLE))).to.deep.equal([
      { value: 45, units: 'degree' },
      { value: 45, units: 'degree' },
      { value: -6, units: 'm/s2' },
      { value: 1000, units: 'km / h' },
      { value: 5, units: '%' },
    ]);
  });

  it('is the number that was shown, if it was not changed', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const entered = enteredValue(numberText(value, 17), DOUBLE);
        expect('value' in entered && Number(entered.value)).to.be.closeTo(value, Math.abs(value) * 1e-12);
      }),
    );
  });

  it('moves by one of its last digit', () => {
    expect(['5', '1.25', '2e3', '1.5e-3'].map(stepOf)).to.deep.equal([1, 0.01, 1000, 0.0001]);
    expect(steppedText('1.25', 1)).to.equal('1.26');
    expect(steppedText('−0.1', 1)).to.equal('0.0');
    expect(steppedText('9', 10)).to.equal('19');
    expect(steppedText('2e3', -1)).to.equal('1000');
    for (const text of ['abc', '45 deg', '2*3']) expect(steppedText(text, 1)).to.equal(undefined);
  });
});
