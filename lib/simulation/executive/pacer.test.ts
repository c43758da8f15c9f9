// The pacer: when the frames of a real-time run begin.
import { expect } from 'chai';
import fc from 'fast-check';
import { Pacer } from './pacer.js';

const FRAME_TICS = 10_000;

function pacerAt(nowMillis: number): Pacer {
  const pacer = new Pacer(1e6, true);
  pacer.restart(nowMillis, 0);
  return pacer;
}

describe('the pacer', () => {
  it('does not drift over three hours of late timers', () => {
    const pacer = pacerAt(1234.5);
    const latest = 8;
    let now = 1234.5;
    let seed = 1;
    for (let tics = 0; tics < 3 * 3600e6; tics += FRAME_TICS) {
      seed = (seed * 48_271) % 2_147_483_647;
      now = Math.max(now, pacer.dueMillis(tics)) + (latest * seed) / 2_147_483_647;
      pacer.started(now, tics);
      pacer.ended(now, tics + FRAME_TICS);
    }
    const wallSeconds = (now - 1234.5) / 1000;
    expect(wallSeconds).to.be.within(3 * 3600 - 0.01, 3 * 3600 - 0.01 + latest / 1000);
    expect(pacer.worstDelayMillis).to.be.at.most(latest + 1e-6);
    expect(pacer.overrunCount).to.equal(0);
    expect(pacer.actualRatio).to.be.closeTo(1, 0.01);
  });

  it('never lets a frame start before its time, whatever ratios it is given', () => {
    const change = fc.record({
      ratio: fc.double({ min: 0.1, max: 10, noNaN: true }),
      frames: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 10 }), (changes) => {
        const pacer = pacerAt(0);
        let now = 0;
        let tics = 0;
        let shownTics = 0;
        for (const { ratio, frames } of changes) {
          pacer.setRatio(ratio, now);
          const startMillis = now;
          for (let i = 0; i < frames; i++) {
            now = Math.max(now, pacer.dueMillis(tics));
            tics += FRAME_TICS;
          }
          shownTics += (now - startMillis) * 1000 * ratio;
        }
        expect(tics).to.be.at.most(shownTics + FRAME_TICS + 1);
      }),
    );
  });

  it('gains nothing by a client that sets the ratio again and again', () => {
    const pacer = pacerAt(0);
    for (let i = 0; i < 1000; i++) pacer.setRatio(1, 5);
    expect(pacer.dueMillis(FRAME_TICS)).to.be.closeTo(10, 1e-9);
    pacer.setRatio(2, 5);
    expect(pacer.dueMillis(FRAME_TICS)).to.be.closeTo(7.5, 1e-9);
  });

  it('refuses what is no ratio and keeps the old one', () => {
    const pacer = pacerAt(0);
    for (const ratio of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => pacer.setRatio(ratio, 0)).to.throw(`a clock ratio is a number above 0, not ${ratio}`);
    }
    expect(pacer.ratio).to.equal(1);
  });

  it('lets every frame start at once while it is off, and counts from the moment it is switched on', () => {
    const pacer = pacerAt(0);
    pacer.setEnabled(false, 0, 0);
    expect(pacer.dueMillis(5e6)).to.equal(Number.NEGATIVE_INFINITY);
    pacer.setEnabled(true, 100, 5e6);
    expect(pacer.dueMillis(5e6 + FRAME_TICS)).to.equal(110);
    pacer.setEnabled(true, 105, 5e6);
    expect(pacer.dueMillis(5e6 + FRAME_TICS)).to.equal(110);
  });

  it('catches up after a short delay and gives up after a long one', () => {
    const pacer = pacerAt(0);
    pacer.started(4000, FRAME_TICS);
    expect(pacer.dueMillis(2 * FRAME_TICS)).to.equal(20);
    pacer.started(3_600_000, 2 * FRAME_TICS);
    expect(pacer.dueMillis(3 * FRAME_TICS)).to.equal(3_600_010);
  });

  it('counts the frames that end after the next one was due', () => {
    const pacer = pacerAt(0);
    pacer.ended(10, FRAME_TICS);
    expect(pacer.overrunCount).to.equal(0);
    pacer.ended(20.5, 2 * FRAME_TICS);
    expect(pacer.overrunCount).to.equal(1);
  });

  it('tells overruns that requests have caused from those of the simulation itself', () => {
    const pacer = pacerAt(0);
    pacer.spentOnRequests(15);
    expect(pacer.ended(24, FRAME_TICS)).to.equal(true);
    expect(pacer.ended(25, 2 * FRAME_TICS)).to.equal(true);
    expect(pacer.ended(29, 3 * FRAME_TICS)).to.equal(false);
    expect(pacer.ended(41, 4 * FRAME_TICS)).to.equal(false);
    expect(pacer.overrunCount).to.equal(3);
  });

  it('takes frames for late by requests while a thread works for clients, until one ends in time', () => {
    const pacer = pacerAt(0);
    expect(pacer.ended(5, FRAME_TICS, true)).to.equal(false);
    expect(pacer.ended(25, 2 * FRAME_TICS, true)).to.equal(true);
    expect(pacer.ended(31, 3 * FRAME_TICS)).to.equal(true);
    expect(pacer.ended(39, 4 * FRAME_TICS)).to.equal(false);
    expect(pacer.ended(51, 5 * FRAME_TICS)).to.equal(false);
    expect(pacer.overrunCount).to.equal(3);
  });

  it('takes no frame for late by a thread that has ended when the time lost is not made up for', () => {
    const pacer = pacerAt(0);
    pacer.ended(5, FRAME_TICS, true);
    expect(pacer.ended(25, 2 * FRAME_TICS, true)).to.equal(true);
    for (let k = 3; k < 100; k++) expect(pacer.ended(12 * k, k * FRAME_TICS)).to.equal(false);
  });

  it('takes no frame of a simulation that is late anyway for late by a thread that works for clients', () => {
    const pacer = pacerAt(0);
    expect(pacer.ended(15, FRAME_TICS)).to.equal(false);
    expect(pacer.ended(25, 2 * FRAME_TICS, true)).to.equal(false);
    expect(pacer.overrunCount).to.equal(2);
  });

  it('measures the ratio that was reached', () => {
    const pacer = pacerAt(0);
    pacer.setRatio(4, 0);
    pacer.ended(500, 1e6);
    pacer.ended(1000, 2e6);
    expect(pacer.actualRatio).to.equal(2);
  });
});
