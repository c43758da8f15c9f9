// When the soak says that memory has grown.
import { expect } from 'chai';
import { MemorySamples } from './memory.js';

/** Samples of an hour whose floor is given; every second sample and the whole end lie above it for the moment. */
function samples(floorOf: (second: number) => number, seconds = 3600): MemorySamples {
  const made = new MemorySamples();
  for (let second = 0; second < seconds; second++) {
    const isRaised = second % 2 === 0 || (second > 0.8 * seconds && second % 3 > 0);
    made.add(floorOf(second) * (isRaised ? 1.5 : 1));
  }
  return made;
}

describe('memory of a long run', () => {
  it('is flat while its floor is, however it rises for moments', () => {
    expect(samples(() => 160).isFlat).to.equal(true);
  });

  it('has grown when its floor has: by a twentieth in each quarter, or at the end', () => {
    expect(samples((second) => 160 * (1 + (0.2 * second) / 3600)).isFlat).to.equal(false);
    expect(samples((second) => (second > 3000 ? 180 : 160)).isFlat).to.equal(false);
  });

  it('needs two minutes for a statement, and leaves out a server that has gone', () => {
    expect(samples(() => 160, 119).isFlat).to.equal(undefined);
    expect(samples(() => Number.NaN).summary).to.equal('no samples');
    expect(samples(() => 160, 120).summary).to.match(/^160\.0, 160\.0, 160\.0, 160\.0 MiB \(lowest tenths/);
  });
});
