// What is said of a recording's times.
import { expect } from 'chai';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { survey } from './survey.js';

describe('what is in a recording', () => {
  const here = recordingsHere();
  const surveyed = (times: readonly number[]) =>
    survey(here.of('a.trk', trkFile([doubles('sys.exec.out.time', times, 's')])));

  it('are its variables, reach and rate', () => {
    const { variables, ...rest } = surveyed([0, 0.1, 0.2, 0.1 + 0.2, 0.4]);
    expect(variables).to.deep.equal([{ name: 'sys.exec.out.time', units: 's', type: 'double' }]);
    expect(rest).to.deep.equal({
      rows: 5,
      firstSeconds: 0,
      lastSeconds: 0.4,
      stepSeconds: 0.1,
      gaps: 0,
      firstGaps: [],
      equalTimes: 0,
      earlierTimes: 0,
      noTimes: 0,
    });
  });

  it('are gaps, and times that are equal, go back or are none', () => {
    const found = surveyed([0, 1, 2, 5, 5, 6, 4, Number.NaN, 5, 6, 7, 20]);
    expect(found).to.include({ stepSeconds: 1, gaps: 2, equalTimes: 1, earlierTimes: 1, noTimes: 1 });
    expect(found.firstGaps).to.deep.equal([
      { fromSeconds: 2, toSeconds: 5 },
      { fromSeconds: 7, toSeconds: 20 },
    ]);
  });

  it('may be nothing', () => {
    expect(surveyed([])).to.include({
      rows: 0,
      firstSeconds: undefined,
      lastSeconds: undefined,
      stepSeconds: undefined,
    });
    expect(surveyed([7])).to.include({ rows: 1, firstSeconds: 7, lastSeconds: 7, stepSeconds: undefined });
  });
});
