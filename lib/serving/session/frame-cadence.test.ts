// Cadence by tick count: which frames a cycle falls on.
import { expect } from 'chai';
import fc from 'fast-check';
import { Reason } from '../../model/frame/header.js';
import { headerOf } from '../../testing/aids/frames.js';
import { frameCadence, isDue } from './frame-cadence.js';

describe('a cadence by frames', () => {
  const sixtieth = 1000 / 60;
  const CASES: readonly [number, number, number, number][] = [
    [33, 10, 4, 40],
    [40, 10, 4, 40],
    [40.0001, 10, 5, 50],
    [100, 10, 10, 100],
    [1, 10, 1, 10],
    [0, 10, 1, 10],
    [-5, 10, 1, 10],
    [sixtieth, sixtieth, 1, 16.6666666667],
    [16.666, sixtieth, 1, 16.6666666667],
    [33.3, sixtieth, 2, 33.3333333333],
    [50, sixtieth, 3, 50],
    [100, sixtieth, 6, 100],
    [16.667, 16.667, 1, 16.667],
    [0.3, 0.1, 3, 0.3],
    [1e12, 1, 1e12, 1e12],
  ];
  for (const [cycle, tick, everyTicks, effectiveCycleMillis] of CASES) {
    it(`of ${cycle} ms at ticks of ${tick} ms is every ${everyTicks}, ${effectiveCycleMillis} ms`, () => {
      expect(frameCadence(cycle, tick)).to.deep.equal({ everyTicks, effectiveCycleMillis });
    });
  }

  it('is never faster than asked, never under a tick, and never a whole tick slower', () => {
    const millis = fc.double({ min: 0.001, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(millis, millis, (cycle, tick) => {
        const { everyTicks, effectiveCycleMillis } = frameCadence(cycle, tick);
        expect(Number.isInteger(everyTicks) && everyTicks >= 1).to.equal(true);
        expect(everyTicks * tick).to.be.at.least(cycle - 2e-9 * tick);
        if (everyTicks > 1) expect((everyTicks - 1) * tick).to.be.lessThan(cycle);
        expect(effectiveCycleMillis / (everyTicks * tick)).to.be.closeTo(1, 1e-11);
      }),
    );
  });

  for (const cycle of [Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`of ${cycle} ms is refused`, () => {
      expect(() => frameCadence(cycle, 10)).to.throw(RangeError, `a cycle is a number of milliseconds, not ${cycle}`);
    });
  }

  it('is due on its multiples of ticks, on every freeze frame, and on no other', () => {
    const cadence = frameCadence(30, 10);
    const due = (reason: Reason) => [0, 1, 2, 3, 4, 5, 6].filter((tick) => isDue(cadence, headerOf({ tick, reason })));
    expect(due(Reason.tick)).to.deep.equal([0, 3, 6]);
    expect(due(Reason.freeze)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(due(Reason.request)).to.deep.equal([]);
    expect(due(Reason.scheduled)).to.deep.equal([]);
  });
});
