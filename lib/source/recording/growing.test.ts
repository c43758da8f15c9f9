// Recordings that are still being written: they open, and grow; and what a recorder holds back, it holds for two seconds at most.
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import { loadHdf5 } from './hdf5-library.js';
import { RowsFile } from './rows-file.js';
import { zstd } from './zstd.js';

const COLUMNS = [{ name: 'o.x', units: 'm', type: { kind: 'number', name: 'double' } }] as const;
const PIECE = 300;

describe('a recording that is being written', () => {
  const here = recordingsHere();

  for (const [name, ending] of [
    ['.trk', 'trk'],
    ['.csv', 'csv'],
    ['.mcap', 'mcap'],
    ['compressed .mcap', 'mcap'],
  ] as const)
    it(`as ${name} opens, and grows until it is whole`, async () => {
      const compress = name.startsWith('compressed') ? { compress: await zstd() } : {};
      const file = new RowsFile(here.path(`a.${ending}`), COLUMNS, {}, false, compress);
      let rows = 0;
      const more = (): void => {
        for (const end = rows + PIECE; rows < end; rows++) file.add(rows / 100, [rows]);
        file.flush();
      };
      more();
      const recording = here.open(here.path(`a.${ending}`));
      for (let piece = 0; piece < 3; piece++) {
        more();
        recording.refresh();
        expect(recording.rows).to.equal(rows);
        const x = recording.columns.find((column) => column.name === 'o.x');
        expect(recording.values(x as typeof recording.time)).to.deep.equal(
          Array.from({ length: rows }, (_, row) => row),
        );
      }
      file.close();
      recording.refresh();
      expect([recording.rows, recording.faults]).to.deep.equal([rows, []]);
    });

  it('of a form that is written at the end is refused in one sentence before', async () => {
    await loadHdf5();
    for (const [name, start] of [
      ['a.h5', '\x89HDF\r\n\x1a\n'],
      ['a.parquet', 'PAR1'],
    ] as const) {
      writeFileSync(here.path(name), Buffer.from(start, 'latin1'));
      expect(() => here.open(here.path(name))).to.throw(new RegExp(`^[^\n]*${name} is [^\n]*$`));
    }
  });

  it('of a simulation has all rows but those of the last two seconds, in every form', async () => {
    const forms = { a: 'ascii', b: 'binary', m: 'mcap' } as const;
    const test = await TestRun.start(
      {},
      (sim) => {
        sim.object('o').component('x', double());
        for (const [name, format] of Object.entries(forms))
          sim.record(name, { format, cycleSeconds: 0.01, variables: ['o.x'] });
      },
      here.path('.'),
    );
    const { now } = Date;
    try {
      // A frame of a hundredth takes a tenth of a second.
      let millis = now();
      Date.now = () => millis;
      for (let frame = 1; frame <= 60; frame++) {
        test.ticks(1);
        millis += 100;
        test.nowMillis += 100;
        test.running.recording.flush(test.nowMillis);
        for (const name of frame < 25 ? [] : ['a.csv', 'b.trk', 'm.mcap']) {
          const recording = here.open(here.path(`log_${name}`));
          expect(recording.rows, `${name} after ${frame} frames`).to.be.at.least(frame - 20);
        }
      }
    } finally {
      Date.now = now;
      test.running.recording.close();
    }
  });
});
