// How short frames may be made, before the start and after it.
import { expect } from 'chai';
import { FrameLength } from './frame-length.js';

const TICS_PER_SECOND = 1e6;

describe('the length of frames', () => {
  const clock = { isBeforeStart: true, toTics: (seconds: number) => Math.round(TICS_PER_SECOND * seconds) };
  let frame: FrameLength;
  const start = (seconds: number): void => {
    clock.isBeforeStart = true;
    frame = new FrameLength(seconds, 'a software frame', clock);
  };

  it('is what an input file sets before the start, however short', () => {
    start(0.01);
    frame.set(0.000_01);
    clock.isBeforeStart = false;
    expect([frame.tics, frame.ownTics]).to.deep.equal([10, 10]);
    frame.set(0.5);
    frame.set(0.000_01);
    expect([frame.tics, frame.ownTics]).to.deep.equal([10, 10]);
    expect(() => frame.set(0.000_009)).to.throw(
      'a client may make a software frame from 0.00001 to 1 s long, not 0.000009',
    );
  });

  it('is from a millisecond to a second once the simulation runs, unless it was longer', () => {
    start(0.01);
    clock.isBeforeStart = false;
    frame.set(0.001);
    for (const seconds of [0.000_99, 1e-6, 1.1, 999_999])
      expect(() => frame.set(seconds)).to.throw(
        `a client may make a software frame from 0.001 to 1 s long, not ${seconds}`,
      );
    expect([frame.tics, frame.ownTics]).to.deep.equal([1000, 10_000]);
    start(60);
    clock.isBeforeStart = false;
    frame.set(0.1);
    frame.set(60);
    expect(() => frame.set(61)).to.throw(/^a client may make a software frame from 0\.001 to 60 s long/);
  });

  it('is what the operator or the program sets at any time', () => {
    start(0.01);
    clock.isBeforeStart = false;
    frame.set(2, false);
    frame.set(0.5);
    frame.set(2);
    expect(() => frame.set(2.5)).to.throw(/from 0\.001 to 2 s long/);
    expect([frame.tics, frame.ownTics]).to.deep.equal([2_000_000, 2_000_000]);
  });

  it('is a microsecond at least and less than a million seconds at all times', () => {
    start(0.01);
    for (const seconds of [0, -1, 9e-7, 1e6, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => frame.set(seconds)).to.throw(`a software frame is a time in seconds from 1e-6 up, not ${seconds}`);
    expect(frame.tics).to.equal(10_000);
  });
});
