// Several recordings as one: their rows by time, and names that are told apart.
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { recordingsHere, tableOf } from '../../testing/aids/recordings-here.js';
import { doubles, type TrkColumn, trkFile } from '../../testing/aids/trk-file.js';
import { MergedRecording } from './merged.js';
import type { Recording } from './recording.js';

const { NaN: none } = Number;

describe('recordings together', () => {
  const here = recordingsHere();
  const times = (...values: number[]): TrkColumn => doubles('sys.exec.out.time', values, 's');
  const file = (name: string, ...columns: TrkColumn[]): string => {
    writeFileSync(here.path(name), trkFile(columns));
    return here.path(name);
  };

  it('have a row at each time of one of them, where each has its last values', () => {
    const n: TrkColumn = { name: 'n', code: 14, sizeBytes: 8, values: [-9007199254740993n, 7n] };
    const one = file('one.trk', times(0, 0.5, 1), doubles('x', [1, -0, 3], 'm'));
    const other = file('other.trk', times(0.5, 0.75), n, doubles('x', [4, 5], 'ft'));
    const both = here.open([one, other]);
    expect(tableOf(both)).to.deep.equal({
      'sys.exec.out.time': [0, 0.5, 0.75, 1],
      'run1.x': [1, -0, -0, 3],
      'run2.n': [0n, -9007199254740993n, 7n, 7n],
      'run2.x': [none, 4, 5, 5],
    });
    expect(both.columns.map(({ units }) => units)).to.deep.equal(['s', 'm', '--', 'ft']);
    expect([both.rowAt(0.6), both.rows, both.file]).to.deep.equal([1, 4, `${one} and 1 more`]);
    expect([...both.times()].flatMap((piece) => [...piece])).to.deep.equal([0, 0.5, 0.75, 1]);
  });

  it('of a directory are one run; what two groups have is below the name of the group', () => {
    mkdirSync(here.path('RUN_test'));
    file('RUN_test/log_slow.trk', times(0, 1), doubles('a.x', [1, 2]), doubles('a.y', [3, 4]));
    file('RUN_test/log_fast.trk', times(0, 1), doubles('a.x', [5, 6]));
    writeFileSync(here.path('RUN_test/log_bad.trk'), 'Trick-10-L\xff\xff\xff\x7f', 'latin1');
    const run = here.open(here.path('RUN_test'));
    const alone = { 'fast.a.x': [5, 6], 'slow.a.x': [1, 2], 'a.y': [3, 4] };
    expect(tableOf(run)).to.deep.equal({ 'sys.exec.out.time': [0, 1], ...alone });
    expect(run.faults).to.have.length(1);
    expect(run.faults[0]).to.match(/log_bad\.trk announces 2147483647 variables, too many for it$/);
    const names = here
      .open([here.path('RUN_test'), here.path('RUN_test/log_slow.trk')])
      .columns.map(({ name }) => name);
    expect(names.slice(1)).to.deep.equal(['run1.fast.a.x', 'run1.slow.a.x', 'run1.a.y', 'run2.a.x', 'run2.a.y']);
  });

  it('that cannot be read are refused with one sentence', () => {
    const good = file('a.trk', times(0));
    mkdirSync(here.path('empty'));
    expect(() => here.open(here.path('empty'))).to.throw(
      /empty has no recording such as log_flight\.trk; other files are named one by one$/,
    );
    expect(() => here.open([good, here.path('no.trk')])).to.throw(/no\.trk cannot be read: /);
    writeFileSync(here.path('empty/b.trk'), 'Trick-10-L');
    expect(() => here.open(here.path('empty'))).to.throw(/b\.trk/);
    expect(() => here.open([])).to.throw('one path or more');
    mkdirSync(here.path('many'));
    for (let number = 0; number <= 1000; number++) writeFileSync(here.path(`many/log_${number}.trk`), '');
    expect(() => here.open(here.path('many'))).to.throw(
      /many has 1001 recordings, and 1000 go together: name those that are opened$/,
    );
  });

  it('keep the order of each file: equal times, times that go back, and no times', () => {
    const one = file('one.trk', times(1, 1, 0.5, none), doubles('x', [1, 2, 3, 4]));
    const other = file('other.trk', times(1, 2), doubles('x', [5, 6]));
    expect(tableOf(here.open([one, other]))).to.deep.equal({
      'sys.exec.out.time': [1, 1, 0.5, none, 2],
      'run1.x': [1, 2, 3, 4, 4],
      'run2.x': [5, 5, 5, 5, 6],
    });
  });

  it('have every row of every file, in any order of reading', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3000, size: 'max' });
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 3 }), fc.infiniteStream(fc.nat()), (all, any) => {
        const rising = all.map((given) => {
          let sum = 0;
          return given.map((step) => (sum += step));
        });
        const recordings = rising.map((given, index) => here.of(`${index}.trk`, trkFile([times(...given)])));
        const merged = new MergedRecording('all', recordings.map(named), true);
        const expected = [...new Set(rising.flat())].sort((a, b) => a - b);
        const seen = merged.values(merged.time).map(Number);
        expect([...new Set(seen)]).to.deep.equal(expected);
        for (let tried = 0; tried < 20 && merged.rows > 0; tried++) {
          const row = any.next().value % merged.rows;
          expect(merged.seconds(row)).to.equal(seen[row]);
        }
      }),
      { numRuns: 20 },
    );
  });
  const named = (recording: Recording, index: number) => ({ name: `run${index}`, recording });

  it('show rows that are added, and begin anew when a file does', () => {
    const many = Array.from({ length: 5000 }, (_, row) => row);
    const [one, other] = [file('one.trk', times(...many)), file('other.trk', times(0.5), doubles('x', [1]))];
    const both = here.open([one, other]);
    expect(both.rows).to.equal(5001);
    const row = Buffer.alloc(16);
    row.writeDoubleLE(6000.5);
    row.writeDoubleLE(2, 8);
    appendFileSync(other, row);
    both.refresh();
    const x = both.columns.at(-1) as Recording['time'];
    expect([both.rows, both.seconds(5001), both.value(x, 5001), both.value(x, 5000)]).to.deep.equal([
      5002, 6000.5, 2, 1,
    ]);
    truncateSync(one, 48 + 8 * 3);
    both.refresh();
    expect(both.values(both.time)).to.deep.equal([0, 0.5, 1, 2, 6000.5]);
  });
});
