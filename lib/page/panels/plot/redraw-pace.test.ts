import { expect } from 'chai';
import { RedrawPace } from './redraw-pace.js';

/** Drawings of a plot of 300 pixels, asked for at 60 Hz for a second, while samples come at 100 Hz. */
function drawings(span: number, shownAt: (seconds: number) => { to: number; latest: number }): number {
  const pace = new RedrawPace();
  let count = 0;
  for (let frame = 0; frame < 60; frame++) {
    const seconds = Math.floor((frame * 100) / 60) / 100;
    const shown = { ...shownAt(seconds), secondsPerPixel: span / 300 };
    if (!pace.isDue(shown, (frame * 1000) / 60)) continue;
    pace.drew(shown, (frame * 1000) / 60);
    count++;
  }
  return count;
}

const following = (seconds: number) => ({ to: 100 + seconds, latest: 100 + seconds });

describe('the pace of redrawing', () => {
  it('is as fast as the browser while each sample moves the plot by a pixel', () => {
    expect(drawings(3, following)).to.equal(60);
  });

  it('is that of the pixels while the plot moves more slowly', () => {
    expect(drawings(15, following)).to.be.within(18, 20);
    expect(drawings(600, following)).to.be.within(9, 10);
  });

  it('shows what was set in a freeze, where time stands still', () => {
    expect(drawings(30, () => ({ to: 100, latest: 100 }))).to.be.within(9, 10);
  });

  it('draws a paused plot once, whatever comes after it', () => {
    expect(drawings(3, (seconds) => ({ to: 50, latest: 100 + seconds }))).to.equal(1);
  });

  it('draws at once when time goes back, and when something else has changed', () => {
    const pace = new RedrawPace();
    const shown = { to: 100, latest: 100, secondsPerPixel: 1 };
    pace.drew(shown, 0);
    expect(pace.isDue(shown, 1)).to.equal(false);
    expect(pace.isDue({ ...shown, latest: 99, to: 99 }, 1)).to.equal(true);
    pace.reset();
    expect(pace.isDue(shown, 1)).to.equal(true);
  });
});
