// Skipped cycles: all are counted, and told of only when they go on.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { SkippedCycles } from './skipped-cycles.js';

describe('skipped cycles', () => {
  let clock: ManualClock;
  let told: number[];
  let skipped: SkippedCycles;

  beforeEach(() => {
    clock = new ManualClock();
    told = [];
    skipped = new SkippedCycles(clock, (total) => told.push(total));
  });

  /** So many times, half a second apart. */
  function skip(times: number): void {
    for (let time = 0; time < times; time++) {
      skipped.add(3);
      clock.advance(500);
    }
  }

  it('are told of when they have gone on for a second', () => {
    skip(4);
    expect([told, skipped.total]).to.deep.equal([[9, 12], 12]);
  });

  it('of a moment, or now and then, are counted only', () => {
    for (let moment = 0; moment < 5; moment++) {
      skip(2);
      clock.advance(2000);
    }
    expect([told, skipped.total]).to.deep.equal([[], 30]);
  });

  it('are none when none was left out', () => {
    for (let time = 0; time < 10; time++) {
      skipped.add(0);
      clock.advance(500);
    }
    expect([told, skipped.total]).to.deep.equal([[], 0]);
  });
});
