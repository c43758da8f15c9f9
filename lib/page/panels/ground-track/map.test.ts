import { expect } from 'chai';
import { onGround, overSphere } from '../poses/body-fixed.js';
import { UNTURNED } from '../poses/frames.js';
import { degreesText, eastOf, lineStep, piecesOf, regionAround, WHOLE_MAP } from './map.js';
import { groundTrackSettings, withPosition } from './settings.js';

const RADIUS = 6_378_137;
const FACTS = { type_path: 'double', unit: 'm', about: '', access: 'read-only', kind: 'number' } as const;

describe('a ground track', () => {
  it('has latitude, longitude and altitude in axes that turn with the body', () => {
    const over = overSphere([0, RADIUS + 100, 0], RADIUS);
    expect([over.longitude, over.latitude, over.altitude]).to.deep.equal([Math.PI / 2, 0, 100]);
    expect(overSphere([0, 0, -2 * RADIUS], RADIUS).latitude).to.equal(-Math.PI / 2);
    // A body that has turned a quarter to the east has what stood over its longitude 0 now over 90 degrees west.
    const turned = { position: [10, 0, 0], attitude: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] } as const;
    expect(onGround(turned, RADIUS, [10 + RADIUS, 0, 0]).longitude).to.be.closeTo(-Math.PI / 2, 1e-9);
    expect(onGround({ position: [0, 0, 0], attitude: UNTURNED }, RADIUS, [RADIUS, 0, 0]).longitude).to.equal(0);
  });

  it('is interrupted at the date line, at whose both sides it ends, and where there is none', () => {
    const at = (longitude: number, latitude: number) => ({ longitude, latitude });
    expect(piecesOf([170, 178, -178, -170], [0, 10, 20, 30], 0)).to.deep.equal([
      [at(170, 0), at(178, 10), at(180, 15)],
      [at(-180, 15), at(-178, 20), at(-170, 30)],
    ]);
    expect(piecesOf([-179, 179], [0, 2], 0)).to.deep.equal([
      [at(-179, 0), at(-180, 1)],
      [at(180, 1), at(179, 2)],
    ]);
    expect(piecesOf([1, null, 2, 3], [1, 2, 2, null], 0)).to.deep.equal([[at(1, 1)], [at(2, 2)]]);
    // A map around the date line has no edge there.
    expect(piecesOf([178, -178], [0, 0], 180)).to.deep.equal([[at(178, 0), at(182, 0)]]);
  });

  it('is shown on the whole map, or in the part around it, also over the date line', () => {
    const now = { longitude: -179.9, latitude: 60 };
    const part = regionAround([{ longitude: 179.9, latitude: 60 }, now], now, 2);
    expect(eastOf(part.middle.longitude, 180)).to.be.closeTo(0, 1e-9);
    expect(part.halfWidth).to.be.closeTo(0.12, 1e-9);
    expect(part.halfHeight).to.be.closeTo(0.03, 1e-9);
    const far = [0, 90, 179, -90].map((longitude) => ({ longitude, latitude: 50 }));
    expect(regionAround(far, now, 2)).to.equal(WHOLE_MAP);
  });

  it('has lines at round degrees', () => {
    expect([84, 31, 11, 0.7].map(lineStep)).to.deep.equal([90, 45, 15, 1]);
    for (const [least, step] of [
      [0.3, 0.5],
      [0.06, 0.1],
      [0.0012, 0.002],
    ] as const)
      expect(lineStep(least)).to.be.closeTo(step, 1e-9);
    expect(degreesText(-12.5, ['N', 'S'], 1)).to.equal('12.5° S');
    expect(degreesText(0.0001, ['E', 'W'], 1)).to.equal('0.0°');
  });

  it('is of the first poses, of chosen ones, or of a variable of three numbers', () => {
    const usual = {
      pose: undefined,
      body: undefined,
      alias: undefined,
      part: 'auto',
      span: undefined,
      followsCursor: true,
    };
    for (const given of [undefined, 3, [], { pose: 7, part: 'half', span: -1 }])
      expect(groundTrackSettings(given)).to.deep.equal(usual);
    expect(withPosition({ ...FACTS, alias: 'a', dim: [3] })).to.deep.equal({ alias: 'a' });
    expect(withPosition({ ...FACTS, alias: 'a', dim: [2] })).to.match(/^a is no position/);
  });
});
