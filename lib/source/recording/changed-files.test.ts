// Files that other programs change while they are open: cut, torn, replaced, removed, written by two.
import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { recordingsHere, tableOf } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { convert } from './convert.js';
import type { Recording } from './recording.js';

const ROWS = 400;

/** What is done to a file, in the order in which it is done; `more` has its first rows, and others. */
const CHANGES: Readonly<Record<string, (path: string, before: Buffer, more: Buffer) => void>> = {
  'has half a row more': (path, before, more) => appendFileSync(path, more.subarray(before.length, before.length + 9)),
  'is cut within a row': (path, before) => truncateSync(path, before.length - 5),
  'is cut to nothing': (path) => truncateSync(path, 0),
  'is cut within its head': (path) => truncateSync(path, 20),
  'is written by two': (path, before) => appendFileSync(path, before),
  'has other bytes': (path, before) =>
    appendFileSync(path, Buffer.alloc(1000, 0xff).fill('\n', 0, 3).fill(before, 500)),
  'is written anew in its place': (path, _, more) => writeFileSync(path, more),
  'is replaced by another': (path, _, more) => {
    writeFileSync(`${path}.new`, more);
    renameSync(`${path}.new`, path);
  },
  'is removed': (path) => rmSync(path),
};

describe('a file that is open', () => {
  const here = recordingsHere();

  /** Rows that are read, or the sentence that tells why none can be. */
  function readAgain(recording: Recording): number | string {
    try {
      recording.refresh();
      for (const values of Object.values(tableOf(recording))) expect(values).to.have.length(recording.rows);
      return recording.rows;
    } catch (error) {
      return (error as Error).message;
    }
  }

  for (const ending of ['trk', 'csv', 'mcap'] as const)
    for (const [what, change] of Object.entries(CHANGES))
      it(`as .${ending} and ${what} is read on, or told of in one sentence`, async () => {
        const whole = (rows: number): Buffer => {
          const times = Array.from({ length: rows }, (_, row) => row / 10);
          return trkFile([doubles('sys.exec.out.time', times, 's'), doubles('x', times.map(Math.sqrt), 'm')]);
        };
        const forms: Buffer[] = [];
        for (const rows of [ROWS, 2 * ROWS]) {
          const file = here.path(`made.${ending}`);
          await convert(here.of('made_of.trk', whole(rows)), file);
          forms.push(readFileSync(file));
          rmSync(file);
        }
        const [before, more] = forms as [Buffer, Buffer];
        const path = here.path(`flight.${ending}`);
        const recording = here.of(`flight.${ending}`, before);
        const first = recording.values(recording.time, 0, 10);
        change(path, before, more);
        const found = readAgain(recording);
        if (typeof found === 'string') expect(found).to.match(/^\S*flight\.\S+ (?!.*\n)/);
        else if (found > 10) expect(recording.values(recording.time, 0, 10)).to.deep.equal(first);
        // What is lost comes back with the file.
        if (what !== 'is removed' && what !== 'is replaced by another') {
          writeFileSync(path, more);
          expect(readAgain(recording)).to.equal(2 * ROWS);
        } else expect(readAgain(recording)).to.equal(ROWS);
      });
});
