// Recordings in another form: the same values, bit for bit.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { recordingsHere, tableOf } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { convert } from './convert.js';
import { loadHdf5 } from './hdf5-library.js';

describe('a recording that is converted', () => {
  const here = recordingsHere();

  before(loadHdf5);

  for (const between of ['csv', 'mcap', 'h5', 'parquet'])
    it(`has all doubles and 64-bit integers again, bit for bit, from .trk to .${between} and back`, async () => {
      const anyRows = fc.array(fc.tuple(fc.double(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), {
        minLength: 1,
      });
      await fc.assert(
        fc.asyncProperty(anyRows, async (rows) => {
          // An integer that a double does not hold makes the column one of 64 bits.
          const integers = [2n ** 62n + 1n, ...rows.map(([, integer]) => integer)];
          const values = [0.1, ...rows.map(([number]) => number)];
          const times = values.map((_, row) => row / 10);
          const n = { name: 'n', code: 14, sizeBytes: 8, values: integers };
          const given = trkFile([doubles('sys.exec.out.time', times, 's'), doubles('a.x', values, 'm'), n]);
          expect(await convert(here.of('one.trk', given), here.path(`one.${between}`))).to.deep.equal([]);
          await convert(here.open(here.path(`one.${between}`)), here.path('two.trk'));
          expect(readFileSync(here.path('two.trk')).equals(given)).to.equal(true);
        }),
        { numRuns: 30 },
      );
    });

  it("has the form of Trick's own text when that is asked for", async () => {
    const recording = here.of(
      'a.trk',
      trkFile([doubles('sys.exec.out.time', [0, 0.1], 's'), doubles('a.x', [1, 1 / 3], 'm')]),
    );
    await convert(recording, here.path('a.csv'), { isTricks: true });
    expect(readFileSync(here.path('a.csv'), 'utf8')).to.equal(
      'sys.exec.out.time {s},a.x {m}\n                   0,                   1\n                 0.1,  0.3333333333333333\n',
    );
  });

  it('has its time first, by the name of Trick, and in .trk no text', async () => {
    const recording = here.of('a.csv', 'note,x [m],time [ms]\nup,1,0\n"a, ""b""",2,500\n');
    expect(await convert(recording, here.path('a.trk'))).to.deep.equal(['note']);
    expect(tableOf(here.open(here.path('a.trk')))).to.deep.equal({ 'sys.exec.out.time': [0, 0.5], x: [1, 2] });
    await convert(recording, here.path('b.csv'));
    expect(readFileSync(here.path('b.csv'), 'utf8')).to.equal(
      '"sys.exec.out.time {s}","note {--}","x {m}"\n0,"up",1\n0.5,"a, ""b""",2\n',
    );
  });

  it('leaves what is there as it is when it cannot be written', async () => {
    const recording = here.of('a.trk', trkFile([doubles('t', [0])]));
    const refusal = (file: string): Promise<string> =>
      convert(recording, here.path(file)).then(String, (error: Error) => error.message);
    expect(await refusal('a.mat')).to.match(/a\.mat would be of a form that is not written: /);
    expect(await refusal('no/a.csv')).to.match(/a\.csv cannot be written: /);
    writeFileSync(here.path('b.csv'), 'mine');
    writeFileSync(recording.file, '');
    expect(await refusal('b.csv')).to.include('has become shorter');
    expect(readFileSync(here.path('b.csv'), 'utf8')).to.equal('mine');
    expect(readdirSync(dirname(recording.file)).sort()).to.deep.equal(['a.trk', 'b.csv']);
    expect(existsSync(here.path('a.mat'))).to.equal(false);
  });
});
