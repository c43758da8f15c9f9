// What counts as a late frame while a server is attacked.
import { expect } from 'chai';
import { lateFrames } from './attacks.js';

describe('late frames of an attacked simulation', () => {
  const before = { overruns: 3, runs: 150, atMillis: 1000 };

  it('are those that the simulation has counted', () => {
    expect(lateFrames(before, { overruns: 8, runs: 1150, atMillis: 11_000 })).to.equal(5);
  });

  it('are those that never came, too, of which it counts one', () => {
    expect(lateFrames(before, { overruns: 4, runs: 650, atMillis: 11_000 })).to.equal(500);
  });

  it('are none when more frames came than were due', () => {
    expect(lateFrames(before, { overruns: 3, runs: 2150, atMillis: 11_000 })).to.equal(0);
  });
});
