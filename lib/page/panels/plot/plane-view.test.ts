import { expect } from 'chai';
import fc from 'fast-check';
import { panPlane, partOf, zoomPlane } from './plane-view.js';

const VIEW = { x: { min: 0, max: 10 }, y: { min: -5, max: 5 } };
const MIDDLE = { across: 0.5, down: 0.5 };

describe('the part of the plane that a plot shows', () => {
  it('is zoomed around a place, which stays where it is', () => {
    expect(zoomPlane(VIEW, 2, MIDDLE)).to.deep.equal({ x: { min: 2.5, max: 7.5 }, y: { min: -2.5, max: 2.5 } });
    expect(zoomPlane(VIEW, 2, { across: 0, down: 0 })).to.deep.equal({ x: { min: 0, max: 5 }, y: { min: 0, max: 5 } });
  });

  it('is moved to the right and down', () => {
    expect(panPlane(VIEW, { across: 0.1, down: 0.2 })).to.deep.equal({
      x: { min: 1, max: 11 },
      y: { min: -7, max: 3 },
    });
  });

  it('is what a frame was drawn around', () => {
    const part = partOf(VIEW, { across: 0.2, down: 0.1 }, { across: 0.4, down: 0.5 });
    expect(part).to.deep.equal({ x: { min: 2, max: 4 }, y: { min: 0, max: 4 } });
  });

  it('keeps its proportions, and never becomes a point or endless, whatever is done to it', () => {
    const share = fc.double({ min: -3, max: 3, noNaN: true });
    const moves = fc.array(fc.tuple(fc.constantFrom(1e-30, 0.5, 1, 1.5, 1e30), share, share), { maxLength: 50 });
    fc.assert(
      fc.property(moves, (all) => {
        let view = VIEW;
        for (const [factor, across, down] of all) view = panPlane(zoomPlane(view, factor, MIDDLE), { across, down });
        const [width, height] = [view.x.max - view.x.min, view.y.max - view.y.min];
        expect(width).to.be.above(0);
        expect(Number.isFinite(width)).to.equal(true);
        expect(width / height).to.be.closeTo(1, 1e-6);
      }),
    );
  });
});
