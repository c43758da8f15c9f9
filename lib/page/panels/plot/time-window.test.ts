import { expect } from 'chai';
import fc from 'fast-check';
import {
  edges,
  follow,
  isFollowing,
  LONGEST_SPAN,
  pan,
  pause,
  pinch,
  SHORTEST_SPAN,
  show,
  zoom,
} from './time-window.js';

describe('the time window of a plot', () => {
  it('follows the latest sample', () => {
    expect(edges({ span: 30 }, 100)).to.deep.equal([70, 100]);
    expect(edges({ span: 30 }, Number.NaN)).to.deep.equal([0, 30]);
    expect(edges({ span: 30 }, 10)).to.deep.equal([0, 30]);
    expect(edges({ span: 30 }, -5)).to.deep.equal([-35, -5]);
  });

  it('stands still after a pause, and follows again', () => {
    const paused = pause({ span: 30 }, 100);
    expect(edges(paused, 200)).to.deep.equal([70, 100]);
    expect(edges(pause(paused, 200), 300)).to.deep.equal([70, 100]);
    expect(edges(pause({ span: 30 }, 10), 12)).to.deep.equal([-20, 10]);
    expect(edges(follow(paused), 200)).to.deep.equal([170, 200]);
  });

  it('zooms around the time under the pointer', () => {
    expect(edges(zoom(show(0, 100), 2, 500, 20), 500)).to.deep.equal([10, 60]);
  });

  it('keeps following when it is zoomed while it follows', () => {
    expect(zoom({ span: 30 }, 3, 100, 80)).to.deep.equal({ span: 10 });
  });

  it('moves, and follows again when it is moved beyond the latest', () => {
    expect(edges(pan({ span: 30 }, -20, 100), 100)).to.deep.equal([50, 80]);
    expect(isFollowing(pan(show(50, 80), 20, 100))).to.equal(true);
  });

  it('keeps the time between two fingers between them, while they zoom and move', () => {
    // 100 s on 100 pixels: around 20 s, by 2, and 10 pixels to the right.
    const pinched = pinch(show(0, 100), 2, 100, 20, -10);
    expect(edges(pinched, 100)).to.deep.equal([5, 55]);
    expect(pinch({ span: 30 }, 3, 100, 80, -10)).to.deep.equal({ span: 10 });
  });

  it('never becomes empty or endless', () => {
    const factor = fc.double({ min: 1e-12, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(fc.array(factor, { maxLength: 20 }), fc.double({ min: 0, max: 1e6, noNaN: true }), (factors, at) => {
        let window = show(0, 100);
        for (const each of factors) window = zoom(window, each, 100, at);
        expect(window.span).to.be.within(SHORTEST_SPAN, LONGEST_SPAN);
        expect(Number.isFinite(window.end)).to.equal(true);
      }),
    );
  });
});
