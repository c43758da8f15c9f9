// The points of a recording's columns, against all of its rows.
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import type { Recording } from './recording.js';
import { RecordingPoints } from './recording-points.js';

const EVER = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, row) => row);
const fileOf = (times: readonly number[], values: readonly number[]): Buffer =>
  trkFile([doubles('sys.exec.out.time', times, 's'), doubles('x', values)]);

describe('the points of a recording', () => {
  const here = recordingsHere();
  const columnOf = (recording: Recording, name: string) => recording.columns.find((each) => each.name === name)!;
  async function prepared(times: readonly number[], values: readonly number[]) {
    const recording = here.of('a.trk', fileOf(times, values));
    const points = new RecordingPoints(recording);
    const x = columnOf(recording, 'x');
    await points.prepare([x]);
    return { points, recording, x };
  }

  it('are all rows of a short stretch, and least and greatest of each part of a long one, with both ends', async () => {
    const step = fc.constantFrom(0, 0.5, 1, 20);
    const rows = fc.array(fc.tuple(step, fc.constantFrom(Number.NaN, 1, 1, -3, 7, 100)), {
      minLength: 1,
      maxLength: 300,
    });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.nat(400),
        fc.nat(400),
        fc.integer({ min: 5, max: 60 }),
        async (all, from, length, most) => {
          let time = 0;
          const times = all.map(([each]) => (time += each));
          const values = all.map(([, value]) => value);
          const { points, x } = await prepared(times, values);
          const found = points.points(x, from, from + length, most);
          const inside = upTo(all.length).filter((row) => times[row]! >= from && times[row]! <= from + length);
          if (inside.length <= most) {
            expect(found.times).to.deep.equal(inside.map((row) => times[row]));
            expect(found.values).to.deep.equal(inside.map((row) => values[row]));
            expect(found.stretchSeconds).to.equal(0);
            return;
          }
          expect(found.isSampled).to.equal(undefined);
          expect(found.times.length).to.be.at.most(most);
          const [known, shown] = [inside.map((row) => values[row]!), found.values as number[]].map((some) =>
            some.filter((value) => !Number.isNaN(value)),
          ) as [number[], number[]];
          expect([Math.min(...shown), Math.max(...shown)]).to.deep.equal([Math.min(...known), Math.max(...known)]);
          expect(shown.length < found.values.length).to.equal(known.length < inside.length);
          const firstAndLast = [inside[0]!, inside.at(-1)!].map((row) => times[row]);
          expect([found.times[0], found.times.at(-1)]).to.deep.equal(firstAndLast);
          for (const [index, value] of found.values.entries())
            expect(inside.some((row) => times[row] === found.times[index] && Object.is(values[row], value))).to.equal(
              true,
            );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are few of many rows at one time', async () => {
    const { points, x } = await prepared(Array(1000).fill(7), upTo(1000));
    const { values } = points.points(x, ...EVER, 10);
    expect([values.length <= 10, values[0], values.at(-1)]).to.deep.equal([true, 0, 999]);
  });

  it('are by time where it goes back, without rows that have none', async () => {
    const { points, x } = await prepared([0, 1, 2, Number.NaN, 0.5, 1.5, 2.5], [1, 2, 3, 4, 5, 6, 7]);
    const { times, values } = points.points(x, ...EVER, 100);
    expect([times, values]).to.deep.equal([
      [0, 0.5, 1, 1.5, 2, 2.5],
      [1, 5, 2, 6, 3, 7],
    ]);
    expect(points.points(x, 1, 1.6, 100).values).to.deep.equal([2, 6]);
  });

  it('grow with the file, and begin anew with one that has become shorter', async () => {
    const whole = fileOf(upTo(4000), upTo(4000));
    const { points, recording, x } = await prepared(upTo(1000), upTo(1000));
    appendFileSync(recording.file, whole.subarray(whole.length - 16 * 3000));
    await points.prepare([x]);
    expect(points.points(x, ...EVER, 50).values.at(-1)).to.equal(3999);
    truncateSync(recording.file, whole.length - 16 * 3990);
    await points.prepare([x]);
    expect(points.points(x, ...EVER, 50).values).to.deep.equal(upTo(10));
  });

  it('are rows here and there as long as nothing has been looked through', async () => {
    const { recording, x } = await prepared(upTo(5000), upTo(5000));
    Object.assign(recording, { quickBytes: 0 });
    const { times, isSampled } = new RecordingPoints(recording).points(x, ...EVER, 100);
    expect([isSampled, times[0], times.at(-1)]).to.deep.equal([true, 0, 4999]);
    expect(times.length).to.be.within(50, 100);
  });

  it('are of texts the times at which they change', async () => {
    const recording = here.of('a.csv', 'time,mode\n0,idle\n1,idle\n2,burn\n3,burn\n4,idle\n');
    const points = new RecordingPoints(recording);
    const mode = columnOf(recording, 'mode');
    await points.prepare([mode]);
    const { times, values, texts } = points.points(mode, ...EVER, 100);
    expect([times, values, texts]).to.deep.equal([
      [0, 2, 4],
      [0, 1, 0],
      ['idle', 'burn'],
    ]);
  });

  it('end with a sentence when the file cannot be read', async () => {
    const { points, recording, x } = await prepared(upTo(100), upTo(100));
    writeFileSync(recording.file, '');
    expect(() => points.points(x, ...EVER, 100)).to.throw('has become shorter while it was read');
  });
});
