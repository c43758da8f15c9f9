import { expect } from 'chai';
import { sceneOf } from '../poses/poses.js';
import { NO_TRAIL, sceneSettings } from './settings.js';
import { DISTANCES, followedOf, STEEPEST, usualDistance, viewAfter, zoomed } from './view.js';

const VIEW = { azimuth: -60, elevation: 20, distance: 10 };
const { poses } = sceneOf({
  poses: [
    { name: 'earth', position: 'e', body: { radius: 6e6 } },
    { name: 'site', position: 's' },
    { name: 'ship', position: 'p', shape: { kind: 'box', size: [2, 4, 4] } },
  ],
});
const [earth, site, ship] = poses;

describe('the view of a 3D panel', () => {
  it('turns, zooms and goes back by keys, within bounds', () => {
    expect(viewAfter(VIEW, 'ArrowLeft')).to.deep.equal({ ...VIEW, azimuth: -70 });
    expect(viewAfter({ ...VIEW, elevation: 85 }, 'ArrowUp')).to.deep.equal({ ...VIEW, elevation: STEEPEST });
    expect(viewAfter(VIEW, '-')).to.deep.equal({ ...VIEW, distance: 12.5 });
    expect([viewAfter(VIEW, 'End'), viewAfter(VIEW, 'x')]).to.deep.equal(['usual', undefined]);
    expect(zoomed(VIEW, 1e300).distance).to.equal(DISTANCES.least);
  });

  it('has the chosen pose in the middle, or the first that has a shape, and shows it as a whole', () => {
    expect([undefined, 'earth', 'gone'].map((name) => followedOf(poses, name))).to.deep.equal([2, 0, 2]);
    expect(followedOf(poses.slice(0, 2), undefined)).to.equal(1);
    expect(followedOf(poses.slice(0, 1), undefined)).to.equal(0);
    expect(usualDistance(ship!, 0, 1e7)).to.equal(18);
    expect(usualDistance(earth!, 0, 1e7)).to.equal(2.1e7);
    expect([0, 50, 1e300].map((spread) => usualDistance(site!, 0, spread))).to.deep.equal([10, 100, DISTANCES.most]);
  });

  it('is read from a layout, whatever that holds', () => {
    const usual = sceneSettings({});
    for (const given of [undefined, 7, [], { follow: 3, view: { azimuth: 'x' }, span: -1 }])
      expect(sceneSettings(given)).to.deep.equal(usual);
    const chosen = { ...usual, follow: 'ship', trail: NO_TRAIL, hasGrid: false, view: VIEW };
    expect(sceneSettings(JSON.parse(JSON.stringify(chosen)))).to.deep.equal(chosen);
    expect(sceneSettings({ view: { ...VIEW, distance: 1e99 } }).view).to.equal(undefined);
  });
});
