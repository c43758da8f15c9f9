// The units that a Trick client asks for, compared with Trick's answers.
import { expect } from 'chai';
import { requestUnits } from './request-units.js';

/** What Trick 25 answered: the number with C's `%.16g`, and the units in braces. */
const shown: [declared: string, value: number, requested: string, number: string, units: string][] = [
  ['m', 1234.5, 'ft', '4050.196850393701', 'ft'],
  ['m', 1234.5, 'km', '1.2345', 'km'],
  ['m', 1234.5, 'm', '1234.5', 'm'],
  ['m', 1234.5, 'inch', '48602.3622047244', 'inch'],
  ['m', 1234.5, 'mile', '0.7670827368169887', 'mile'],
  ['m', 1234.5, 'nmile', '0.6665766738660908', 'nmile'],
  ['m', 1234.5, 'xx', '1234.5', 'm'],
  ['m/s', 10, 'ft/s', '32.80839895013123', 'ft/s'],
  ['m/s', 10, 'km/h', '36', 'km/h'],
  ['m/s', 10, 'knot', '19.43844492440605', 'knot'],
  ['m/s2', 9.80665, 'ft/s2', '32.17404855643044', 'ft/s2'],
  ['m/s2', 9.80665, 'ft/s^2', '32.17404855643044', 'ft/s^2'],
  ['m/s2', 9.80665, 'm s-2', '9.806649999999999', 'm s-2'],
  ['kg', 12.5, 'g', '12500', 'g'],
  ['kg', 12.5, 'lb', '27.5577827731097', 'lb'],
  ['kg', 12.5, 'slug', '0.8565222455957626', 'slug'],
  ['kg*m2', 3, 'slug*ft2', '2.212686893162839', 'slug*ft2'],
  ['N', 100, 'lbf', '22.48089430997105', 'lbf'],
  ['N', 100, 'kN', '0.1', 'kN'],
  ['N*m', 7, 'ft*lbf', '5.162935044940857', 'ft*lbf'],
  ['rad', 0.7853981633974483, 'degree', '45', 'degree'],
  ['rad', 0.7853981633974483, 'arcminute', '2700', 'arcminute'],
  ['rad/s', 0.1, 'degree/s', '5.729577951308233', 'degree/s'],
  ['rad/s', 0.1, 'rpm', '0.9549296585513721', 'rpm'],
  ['degC', 25, 'degF', '76.99999999999989', 'degF'],
  ['degC', 25, 'K', '298.15', 'K'],
  ['K', 300, 'degC', '26.85000000000002', 'degC'],
  ['K', 300, 'degF', '80.32999999999998', 'degF'],
  ['Pa', 101325, 'psi', '14.69594877551345', 'psi'],
  ['Pa', 101325, 'atm', '1', 'atm'],
  ['Pa', 101325, 'kPa', '101.325', 'kPa'],
  ['s', 3600, 'hr', '1', 'hr'],
  ['s', 3600, 'min', '60', 'min'],
  ['s', 3600, 'day', '0.04166666666666666', 'day'],
  ['s', 3600, 'ms', '3600000', 'ms'],
  ['W', 745.7, 'hp', '1.000000134102204', 'hp'],
  ['1', 0.5, 'percent', '50', 'percent'],
  ['--', 7, '1', '7', '--'],
  ['1', 0.5, '1', '0.5', '1'],
  ['1', 0.5, 'xx', '0.5', '1'],
  ['--', 7, 'xx', '7', '--'],
  ['m', 3, 'ft', '9.842519685039369', 'ft'],
  ['m', 2, 'cm', '200', 'cm'],
  ['m', 4503599627370497, 'm', '4503599627370497', 'm'],
];

/** Integers are cut to whole numbers and floats rounded to 8 digits after the conversion, by whoever writes them. */
const narrowed: [declared: string, value: number, requested: string, narrow: (x: number) => number, number: number][] =
  [
    ['m', 1000, 'ft', Math.trunc, 3280],
    ['m', 1000, 'km', Math.trunc, 1],
    ['m', 3000000000, 'km', Math.trunc, 3000000],
    ['m', 4503599627370497, 'km', Math.trunc, 4503599627370],
    ['m', 2.5, 'ft', (x) => Number(Math.fround(x).toPrecision(8)), 8.2020998],
  ];

const unchanged: [declared: string, requested: string, reason: string | RegExp][] = [
  ['m', '--', '"--" asks for no conversion'],
  ['m', '', 'no units were asked for'],
  ['1', '--', '"--" asks for no conversion'],
  ['m', 'kg', 'expected units that convert from "m" (m), found "kg" (kg)'],
  ['m', '1', 'expected units that convert from "m" (m), found "1" (1)'],
  ['--', 'm', 'expected units that convert from "1" (1), found "m" (m)'],
  ['m', 'nonsense', /^units "nonsense": expected a known unit, found "nonsense" at column 1/],
  ['rad', 'deg', /^units "deg": expected a known unit, found "deg" at column 1/],
];

describe('requestUnits', () => {
  for (const [declared, value, requested, number, units] of shown) {
    it(`shows ${value} {${declared}} as ${number} {${units}} for "${requested}"`, () => {
      const answer = requestUnits(declared, requested);
      if ('unchanged' in answer) throw new Error(answer.unchanged);
      expect(answer.shown).to.equal(units);
      expect(Number(answer.converter.convert(value).toPrecision(16))).to.equal(Number(number));
    });
  }

  for (const [declared, value, requested, narrow, number] of narrowed) {
    it(`converts the narrower ${value} {${declared}} to ${number} {${requested}}`, () => {
      const answer = requestUnits(declared, requested);
      if ('unchanged' in answer) throw new Error(answer.unchanged);
      expect(narrow(answer.converter.convert(value))).to.equal(number);
    });
  }

  for (const [declared, requested, reason] of unchanged) {
    it(`leaves {${declared}} unchanged for "${requested}"`, () => {
      const answer = requestUnits(declared, requested);
      if (!('unchanged' in answer)) throw new Error(`shows ${answer.shown}`);
      if (typeof reason === 'string') expect(answer.unchanged).to.equal(reason);
      else expect(answer.unchanged).to.match(reason);
    });
  }

  it('shows what old Trick spellings are mapped to', () => {
    const answer = requestUnits('kg', 'lbm');
    expect('shown' in answer && [answer.shown, answer.converter.convert(4.5359237e-1)]).to.deep.equal(['lb', 1]);
  });

  it('shows units of 1 as "--" for every way to ask for them, of a variable that is declared so', () => {
    const answers = [requestUnits('--', 'xx'), requestUnits('--', '1'), requestUnits('--', 'one')];
    expect(answers.map((answer) => 'shown' in answer && answer.shown)).to.deep.equal(['--', '--', '--']);
  });

  it('gives the declared units as they are for "xx"', () => {
    const answer = requestUnits('m/s', 'xx');
    expect('shown' in answer && [answer.shown, answer.converter.isIdentity]).to.deep.equal(['m/s', true]);
  });

  it('says so when the declared units are no units', () => {
    const answer = requestUnits('blorf', 'm');
    expect('unchanged' in answer && answer.unchanged).to.match(/^units "blorf": expected a known unit/);
  });
});
