import { expect } from 'chai';
import fc from 'fast-check';
import { bytesText, clockText, numberText } from './number-text.js';
import { isSwitch, plottable, type ValueKind, valueText } from './value-text.js';

const DOUBLE: ValueKind = { kind: 'number', type_path: 'double' };
const BOOL: ValueKind = { kind: 'number', type_path: 'bool' };
const PHASE: ValueKind = { kind: 'enumeration', type_path: 'Phase', labels: { ASCENT: 0, LANDED: 3 } };

describe('numbers on the page', () => {
  const shown: readonly (readonly [value: number, digits: number, text: string])[] = [
    [0, 6, '0'],
    [-0, 6, '−0'],
    [12, 6, '12'],
    [-2.71234567, 6, '−2.71235'],
    [0.1, 6, '0.100000'],
    [0.00001234, 3, '1.23e−5'],
    [1234567.891, 6, '1234568'],
    [6.02214076e23, 4, '6.022e23'],
    [9007199254740991, 6, '9007199254740991'],
    [1e300, 1, '1e300'],
    [Number.NaN, 6, 'NaN'],
    [Infinity, 6, '∞'],
    [-Infinity, 6, '−∞'],
  ];
  for (const [value, digits, text] of shown) {
    it(`${value} with ${digits} digits is ${text}`, () => expect(numberText(value, digits)).to.equal(text));
  }

  it('are within half a unit of their last digit', () => {
    const plain = fc.double({ min: 1e-3, max: 1e8, noNaN: true });
    fc.assert(
      fc.property(plain, fc.integer({ min: 2, max: 12 }), (value, digits) => {
        expect(Number(numberText(value, digits))).to.be.closeTo(value, Math.max(value * 10 ** (1 - digits), 0.5));
      }),
    );
  });

  it('of seconds are a clock from a minute on', () => {
    expect(clockText(9.5)).to.equal('9.50 s');
    expect(clockText(59.999)).to.equal('1:00.00');
    expect(clockText(3723.456)).to.equal('1:02:03.46');
    expect(clockText(-61, 0)).to.equal('−1:01');
  });

  it('of bytes have a multiple', () => {
    expect([512, 1234, 5_000_000, 123_456_789].map(bytesText)).to.deep.equal(['512 B', '1.2 kB', '5.0 MB', '123 MB']);
  });
});

describe('values on the page', () => {
  it('are words for enumerations and switches', () => {
    expect(valueText(3, PHASE)).to.equal('LANDED');
    expect(valueText(7, PHASE)).to.equal('7');
    expect(valueText(1, BOOL)).to.equal('on');
    expect(valueText(false, BOOL)).to.equal('off');
    expect(isSwitch(DOUBLE)).to.equal(false);
  });

  it('are short for arrays, and a dash for what cannot be reached', () => {
    expect(valueText([1.5, 'NaN'], DOUBLE, 3)).to.equal('[1.50, NaN]');
    expect(valueText([1, 2, 3, 4, 5, 6, 7, 8], DOUBLE)).to.equal('[1, 2, 3, 4, 5, 6, … 8 in all]');
    expect(valueText({ x: 1, y: [2, 3] }, { kind: 'struct', type_path: 'Point' })).to.equal('{x: 1, y: [2, 3]}');
    expect(valueText(Float64Array.of(1, -2), DOUBLE)).to.equal('[1, −2]');
    expect(valueText(12n, DOUBLE)).to.equal('12');
    expect(valueText(null, DOUBLE)).to.equal('–');
  });

  it('keep every digit of a 64-bit integer', () => {
    expect(valueText('-9223372036854775808', { kind: 'number', type_path: 'long long' })).to.equal(
      '−9223372036854775808',
    );
  });

  it('are drawn as numbers, or not at all', () => {
    expect(['12', true, 'Infinity', 'text', '', null].map((value) => plottable(value))).to.deep.equal([
      ...[12, 1, Infinity],
      ...[Number.NaN, Number.NaN, Number.NaN],
    ]);
  });
});
