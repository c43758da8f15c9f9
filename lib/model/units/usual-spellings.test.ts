// Spellings that UDUNITS-2 does not know: the sentence names what they mean.
import { expect } from 'chai';
import { converter } from './convert.js';
import { parseUnit } from './parse-unit.js';
import { UnitsError } from './units-error.js';
import { meantUnits } from './usual-spellings.js';

const sentence = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    expect(error).to.be.instanceOf(UnitsError);
    return (error as Error).message;
  }
  throw new Error('these are units');
};

describe('spellings that engineers use', () => {
  /** The variable's units, what somebody asks for, and what they mean. */
  const asked: readonly (readonly [own: string, wanted: string, meant: string])[] = [
    ['rad', 'deg', '"degree"'],
    ['rad', 'DEG', '"degree"'],
    ['rad/s', 'deg/s', '"degree/s"'],
    ['rad/s', 'dps', '"degree/s"'],
    ['rad/s2', 'deg/s^2', '"degree/s^2"'],
    ['rad', 'mas', '"milliarcsecond"'],
    ['rad', 'arc sec', '"arcsecond"'],
    ['rad', 'amin', '"arcminute"'],
    ['rad', 'asec', '"arcsecond"'],
    ['K', 'deg C', '"degC"'],
    ['rad/s', 'revs/min', '"revolution/min"'],
    ['m/s', 'kph', '"km/hour"'],
    ['m/s', 'mph', '"mile/hour"'],
    ['m/s', 'fps', '"ft/s"'],
    ['m/s2', 'fps/s', '"(ft/s)/s"'],
    ['m/s', 'kn', '"knot"'],
    ['N', 'kn', '"kN"'],
    ['m/s2', 'g', '"gravity"'],
    ['m/s2', "g's", '"gravity"'],
    ['kg', 'lbs', '"lb"'],
    ['N', 'lbs', '"lbf"'],
    ['N', 'lb', '"lbf"'],
    ['N m', 'ft-lb', '"ft lbf"'],
    ['N m', 'Nm', '"N m"'],
    ['m', 'NM', '"nmile"'],
    ['Pa', 'psf', '"lbf/ft2"'],
    ['Pa', 'psia', '"psi"'],
    ['s', 'hrs', '"hour"'],
    ['m2', 'sqft', '"ft2"'],
    ['1', 'pct', '"percent"'],
    ['1', 'unitless', '"1"'],
  ];
  for (const [own, wanted, meant] of asked) {
    it(`names ${meant} for ${wanted}`, () => {
      const message = sentence(() => converter(own, wanted));
      expect(message).to.match(/; did you mean .*\?$/);
      expect(message).to.include(meant);
    });
  }

  it('names every meaning where units are declared', () => {
    expect(sentence(() => parseUnit('lbs'))).to.equal(
      'units "lbs": expected a known unit, found "lbs" at column 1; did you mean "lb" or "lbf"?',
    );
  });

  it('names what the units of a value mean, too', () => {
    const own = 'expected units that convert from "d" (s), found "rad" (1); did you mean "degree"?';
    expect(sentence(() => converter('d', 'rad'))).to.equal(own);
    expect(sentence(() => converter('s', 'm'))).to.not.include('mean');
  });

  it('names nothing that does not convert or is not known', () => {
    expect(sentence(() => converter('kg', 'mph'))).to.not.include('mean');
    expect(sentence(() => parseUnit('deg/blorf'))).to.not.include('mean');
    expect(meantUnits('m/s2')).to.deep.equal([]);
    expect(meantUnits(`deg${' m'.repeat(100)}`)).to.deep.equal([]);
  });

  it('knows the units that it names', () => {
    const spellings = "deg dps mas kph mph kn g's gees lbs oz nm nmi ft-lb psf ah kb mb gb ly pc pct none n/a".split(
      ' ',
    );
    for (const spelling of spellings) for (const meant of meantUnits(spelling)) parseUnit(meant);
  });
});
