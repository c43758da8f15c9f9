// Units text to units, and the errors of text that is none.
import { expect } from 'chai';
import fc from 'fast-check';
import { anyCharacter } from '../../testing/aids/any-character.js';
import { parseUnit } from './parse-unit.js';
import { UnitsError } from './units-error.js';

function messageOf(text: string): string {
  try {
    parseUnit(text);
    return 'no error';
  } catch (error) {
    if (error instanceof UnitsError) return error.message;
    throw error;
  }
}

describe('parseUnit', () => {
  const factors: Record<string, number> = {
    '': 1,
    kilokilometer: 1e6,
    kilokm: 1e6,
    kkilometer: 1e6,
    KILOmeter: 1000,
    dam: 10,
    µm: 1e-6,
    μm: 1e-6,
    inches: 0.025400000000000002,
    percents: 0.01,
    '10 m': 10,
    '10m2': 10,
    '1.000000000000001 m': 1,
    '1.00000000000001 m': 1.00000000000001,
    '2-3.5': -7,
    '2^-1': 0.5,
    nmi: 1.6093440000000001e-6,
    nmile: 1852,
    slug: 14.5939,
    'mol/l': 999.9999999999998,
  };
  for (const [text, factor] of Object.entries(factors)) {
    it(`gives ${JSON.stringify(text)} the factor ${factor}`, () => {
      expect(parseUnit(text).factor).to.equal(factor);
    });
  }

  const offsets: Record<string, readonly [factor: number, offset: number]> = {
    degC: [1, 273.15],
    degC1: [1, 273.15],
    'degree\u00a0Celsius': [1, 273.15],
    degF: [0.5555555555555556, 459.67],
    millidegC: [0.001, 273150],
    'degF @ 5': [0.5555555555555556, 464.67],
    '(K @ 5) @ 5': [1, 10],
    '2 degC': [2, 0],
    '1 degC': [1, 0],
    'degC/10': [0.1, 0],
    'm @ 19700101': [1, 19700101],
    's @ 5.5': [1, 5.5],
  };
  for (const [text, [factor, offset]] of Object.entries(offsets)) {
    it(`gives ${text} the offset ${offset}`, () => {
      expect(parseUnit(text)).to.include({ factor, offset });
    });
  }

  it('counts radians among the dimensions and drops what cancels', () => {
    expect(parseUnit('rpm m/m').dimensions).to.deep.equal({ rad: 1, s: -1 });
    expect(parseUnit('J').dimensions).to.deep.equal({ m: 2, kg: 1, s: -2 });
  });

  it('marks logarithmic units', () => {
    expect(parseUnit('2 lg(re 1 mW)')).to.deep.include({
      factor: 2,
      logarithmBase: 10,
      dimensions: { m: 2, kg: 1, s: -3 },
    });
  });

  it('marks time origins, dates or whole numbers after units of time', () => {
    expect(parseUnit('hour since 1970-01-01 00:00')).to.include({ factor: 3600, timeOrigin: '1970-01-01 00:00' });
    expect(parseUnit('s @ 1970').timeOrigin).to.equal('1970');
  });

  it('gives the same unit for the same text', () => {
    expect(parseUnit('kg m2 s-3')).to.equal(parseUnit('kg m2 s-3'));
  });

  const problems: Record<string, string> = {
    metr: 'units "metr": expected a known unit, found "metr" at column 1; the nearest known are "meter", "metre"',
    'kg/zzqqyx': 'units "kg/zzqqyx": expected a known unit, found "zzqqyx" at column 4',
    kkm: 'units "kkm": expected a known unit, found "kkm" at column 1',
    '0 m': 'units "0 m": expected a number other than 0',
    '1e400': 'units "1e400": expected numbers below 1.7e308 in size',
    '1e-320': 'units "1e-320": expected a factor between 2.3e-308 and 1.7e308 in size',
    '9999999999999999999 m': 'units "9999999999999999999 m": expected whole numbers below 2^63 in size',
    '1e300^2': 'units "1e300^2": expected a factor between 2.3e-308 and 1.7e308 in size',
    'm^256': 'units "m^256": expected an exponent of at most 255, found 256',
    '((m^255)^255)^2': 'units "((m^255)^255)^2": expected powers of at most 32767',
    '1/dBZ': 'units "1/dBZ": a logarithmic unit has no powers',
    'm dBZ': 'units "m dBZ": a logarithmic unit can be multiplied by numbers only',
    'K @ 1970-01-01': 'units "K @ 1970-01-01": a date is the origin of units of time only, not of "K"',
    'm s,': 'units "m s,": expected an operator or the end, found "," at column 4',
  };
  for (const [text, message] of Object.entries(problems)) {
    it(`says what is wrong with ${text}`, () => {
      expect(messageOf(text)).to.equal(message);
    });
  }

  it('throws nothing but UnitsErrors', () => {
    const piece = fc.constantFrom(
      'm',
      'kilo',
      'degC',
      '2',
      '-1',
      '1e99',
      '.',
      ' ',
      '/',
      '^99',
      '²',
      '(',
      ')',
      '@',
      'lg(re ',
      '%',
    );
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(fc.property(text, (anyText) => void messageOf(anyText)));
  });
});
