// What ranges of long numbers take: a slice of a slice of one is bounded, as all numbers are, and counted.
import { expect } from 'chai';
import { runProgram } from '../../../testing/aids/script-program.js';
import type { Meter } from './meter.js';

describe('a range of long numbers', () => {
  it('cannot be sliced into longer and longer ones', () => {
    const { text } = runProgram('k = 10**1200\nr = range(0, k)\nfor n in range(50): r = r[::k]\nprint(len(r))');
    expect(text).to.equal('OverflowError: an integer is limited to 4096 bits');
  });

  it('counts its numbers', () => {
    let meter: Meter | undefined;
    runProgram('r = range(0, 10**1200, 10**600)', {
      seeMeter: (seen) => {
        meter = seen;
      },
    });
    expect(meter?.allocatedBytes).to.be.above(1000);
  });
});
