// Rows of the past: at which times, and which values.
import { expect } from 'chai';
import { Catalog } from '../../model/state/catalog.js';
import { double, int } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import type { Variable } from '../../model/state/variable.js';
import { type PastPoints, type PastRows, pastRows } from './past.js';

const state = new State();
const probe = state.addObject('probe');
probe.component('x', double(), 0);
probe.component('n', int(), 0);
const catalog = new Catalog(state.describe());
const recordables = ['probe.x', 'probe.n'].map((name) => ({ name, variable: catalog.find(name) as Variable }));

const ROWS: PastRows = { format: 'ascii', cycleSeconds: 1, when: 'always', before: 100, timeOf: (seconds) => seconds };

function textOf(points: readonly PastPoints[], more: Partial<PastRows> = {}): string[] {
  const made = [...pastRows(recordables, points, { ...ROWS, ...more })].filter((row) => row !== undefined);
  return made.map(({ bytes }) => Buffer.from(bytes).toString().replaceAll(' ', '').trim());
}

describe('rows of the past', () => {
  const times = [0, 1, 2, 3, 4];
  const counted = { times, values: [10, 11, 12, 13, 14] };

  it('are those before the recording, one in each cycle', () => {
    const points = [{ times, values: [0, 0.5, 1, 1.5, 2] }, counted];
    expect(textOf(points, { before: 4 })).to.deep.equal(['0,0,10', '1,0.5,11', '2,1,12', '3,1.5,13']);
    expect(textOf(points, { cycleSeconds: 2 })).to.deep.equal(['0,0,10', '2,1,12', '4,2,14']);
  });

  it('begin where all variables have a value, with none in a gap', () => {
    const points = [{ times: [1, 2, 2.5, 4], values: [1, 2, null, 4] }, counted];
    expect(textOf(points)).to.deep.equal(['1,1,11', '2,2,12', '4,4,14']);
  });

  it('have on the line what has no point of its own then, and the last value of an integer', () => {
    const points = [
      { times: [0, 4], values: [0, 8] },
      { times: [0, 1, 3], values: [5, 6, 7] },
    ];
    expect(textOf(points)).to.deep.equal(['0,0,5', '1,2,6', '3,6,7', '4,8,7']);
  });

  it('give way at each time, also where there is no row', () => {
    const many = Array.from({ length: 50 }, (_, k) => k / 100);
    const points = [0, 1].map(() => ({ times: many, values: many }));
    const made = [...pastRows(recordables, points, ROWS)];
    expect([made.length, made.filter((row) => row !== undefined).length]).to.deep.equal([50, 1]);
  });

  it('are only those that have changed, where the recording takes only those', () => {
    const points = [
      { times, values: [1, 1, 2, 2, 1] },
      { times, values: [3, 3, 3, 3, 3] },
    ];
    expect(textOf(points, { when: 'change' })).to.deep.equal(['0,1,3', '2,2,3', '4,1,3']);
  });

  it('have the time of the simulation, whatever its clock shows, and are the bytes of a .trk file too', () => {
    const points = [
      { times: [1001], values: [2.5] },
      { times: [1001], values: [-1] },
    ];
    const [row] = pastRows(recordables, points, {
      ...{ format: 'binary', cycleSeconds: 1, when: 'always', before: 2 },
      timeOf: (seconds) => seconds - 1000,
    });
    const expected = Buffer.alloc(20);
    expected.writeDoubleLE(1, 0);
    expected.writeDoubleLE(2.5, 8);
    expected.writeInt32LE(-1, 16);
    expect(Buffer.from(row!.bytes).toString('hex')).to.equal(expected.toString('hex'));
  });
});
