// A sparse log writes one line a second.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { SparseLog } from './sparse-log.js';

describe('a sparse log', () => {
  it('lets one line a second through, and says how many it left out', () => {
    const clock = new ManualClock();
    const lines: unknown[] = [];
    const log = new SparseLog(clock, (...line) => lines.push(line));
    for (let count = 0; count < 25; count++) {
      log.say('warning', `line ${count}`, { count });
      clock.advance(100);
    }
    expect(lines).to.deep.equal([
      ['warning', 'line 0', { count: 0 }],
      ['warning', 'line 10 (9 more like this since the last line)', { count: 10, leftOut: 9 }],
      ['warning', 'line 20 (9 more like this since the last line)', { count: 20, leftOut: 9 }],
    ]);
  });
});
