// Names of units with prefixes, and the nearest names of unknown ones.
import { expect } from 'chai';
import { findUnit, nearestUnitNames } from './unit-names.js';

describe('findUnit', () => {
  const found: Record<string, readonly [definition: string, prefix: number]> = {
    m: ['=base', 1],
    METERS: ['=base', 1],
    Gal: ['cm/s^2', 1],
    dag: ['1e-3 kg', 10],
    MegakN: ['m.kg/s^2', 1e9],
  };
  for (const [identifier, [definition, prefix]] of Object.entries(found)) {
    it(`reads ${identifier} as ${definition} times ${prefix}`, () => {
      const { row, prefix: product } = findUnit(identifier) ?? {};
      expect([row?.[0], product]).to.deep.equal([definition, prefix]);
    });
  }

  for (const identifier of ['M', 'KM', 'kkm', 'kilo', 'k', 'meterss', 'deg', 'lbm', 'toString', '']) {
    it(`knows no unit ${JSON.stringify(identifier)}`, () => {
      expect(findUnit(identifier)).to.equal(undefined);
    });
  }
});

describe('nearestUnitNames', () => {
  it('names at most three, the nearest first', () => {
    expect(nearestUnitNames('kelvn')).to.deep.equal(['kelvin']);
    expect(nearestUnitNames('secnd')).to.deep.equal(['second']);
    expect(nearestUnitNames('deg')).to.have.length(3);
  });

  it('names none when nothing is near', () => {
    expect(nearestUnitNames('zzqqyx')).to.deep.equal([]);
  });
});
