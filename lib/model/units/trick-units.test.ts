// Old Trick spellings of units.
import { expect } from 'chai';
import { parseUnit } from './parse-unit.js';
import { mapTrickUnits } from './trick-units.js';

describe('mapTrickUnits', () => {
  const mapped: Record<string, string> = {
    lbm: 'lb',
    rev: 'revolution',
    'n.m.': 'nmile',
    '--': '1',
    r: 'rad',
    'r/s2': 'rad/s2',
    'd/s': 'degree/s',
    'lbm*ft2': 'lb*ft2',
    'sl*ft2': 'slug*ft2',
    'n.m.2': 'nmile2',
    M3: 'mile3',
    'as/(am*rev)^2': 'arcsecond/(arcminute*revolution)^2',
    'J/kWh': 'J/kilowatthour',
    'C/s': 'degC/s',
  };
  for (const [text, expected] of Object.entries(mapped)) {
    it(`maps ${text} to ${expected}`, () => {
      expect(mapTrickUnits(text)).to.equal(expected);
    });
  }

  for (const text of ['m', 'ft/s2', 'kg m2', 'lbm ft', 'lbm4', 'rad', 'day', '', 'no units at all', '((', '2']) {
    it(`leaves ${JSON.stringify(text)} as it is`, () => {
      expect(mapTrickUnits(text)).to.equal(text);
    });
  }

  const old = 'r d as am rev M n.m. sl mt lbm oz v F C R TNT Wh kWh gal dB one cnt --'.split(' ');
  for (const spelling of old) {
    it(`maps ${spelling} to units that parse`, () => {
      const units = mapTrickUnits(spelling);
      expect(units).not.to.equal(spelling);
      expect(parseUnit(units).factor).to.be.greaterThan(0);
    });
  }
});
