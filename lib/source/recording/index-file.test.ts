// Indexes of large recordings of text: found again, void when the file changes, written where that is possible.
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { readIndex, writeIndex } from './index-file.js';
import { openRecording } from './open.js';
import { RecordingFile } from './recording-file.js';
import { RecordingPoints } from './recording-points.js';
import { survey } from './survey.js';

const LARGE = 4.1e6;
const CONTENT = {
  facts: { a: [1, 'ä'] },
  numbers: [Float64Array.of(1, Number.NaN), Float64Array.of(), Float64Array.of(3)],
};

describe('an index of a recording', () => {
  const here = recordingsHere();
  const cache = process.env.XDG_CACHE_HOME;
  beforeEach(() => {
    process.env.XDG_CACHE_HOME = here.path('cache');
  });
  afterEach(() => {
    if (cache === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = cache;
  });
  const made = (name: string, content = Buffer.alloc(LARGE, 'x')): RecordingFile => {
    writeFileSync(here.path(name), content);
    return RecordingFile.open(here.path(name));
  };

  it('lies beside it under a name that no program reads, and is void when the file has changed', () => {
    const file = made('a.csv');
    writeIndex(file, 'text', CONTENT);
    expect(readdirSync(here.path('.')).sort()).to.deep.equal(['.a.csv.varwire-index', 'a.csv']);
    expect(readIndex(file, 'text')).to.deep.equal(CONTENT);
    expect(readIndex(file, 'text by another time')).to.equal(undefined);
    utimesSync(file.path, 1, 1);
    file.look();
    expect(readIndex(file, 'text')).to.equal(undefined);
    file.close();
  });

  it('is in the cache of the user where nothing can be written, and not made for a small file', () => {
    mkdirSync(here.path('.a.csv.varwire-index'));
    const file = made('a.csv');
    writeIndex(file, 'text', CONTENT);
    expect(readdirSync(here.path('cache/varwire'))).to.have.length(1);
    expect(readIndex(file, 'text')).to.deep.equal(CONTENT);
    const small = made('small.csv', Buffer.from('time\n1\n'));
    writeIndex(small, 'text', CONTENT);
    expect(readdirSync(here.path('cache/varwire'))).to.have.length(1);
    for (const each of [file, small]) each.close();
  });

  it('that is damaged is passed over, and made again', () => {
    const file = made('a.csv');
    const index = here.path('.a.csv.varwire-index');
    for (const content of ['', 'varwire-index 2\n', `varwire-index 2\n${'\xff'.repeat(40)}`]) {
      writeFileSync(index, content, 'latin1');
      expect(readIndex(file, 'text')).to.equal(undefined);
    }
    file.close();
  });

  it('gives the same rows, faults and points as the file', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row / 100},${row % 1000},burn,${2n ** 62n}`);
    const content = `time,x,mode,n\n${rows.map((row) => row.padEnd(205)).join('\n')}\nstray\n`;
    const parts: number[] = [];
    const first = here.of('a.csv', content);
    const again = openRecording(first.file, { progress: (part) => parts.push(part) });
    expect(existsSync(here.path('.a.csv.varwire-index'))).to.equal(true);
    expect(parts).to.deep.equal([]);
    const facts = [first, again].map(({ rows, columns, faults }) => ({ rows, columns, faults }));
    expect(facts[1]).to.deep.equal(facts[0]);
    expect(again.rows).to.equal(20_000);
    expect(survey(again)).to.deep.equal(survey(here.of('b.csv', content)));
    expect(again.timeFigures).to.include({ rows: 20_000, stepSeconds: 0.01, gaps: 0 });
    const [x] = again.columns.filter(({ name }) => name === 'x');
    expect(again.values(x!, 10_000, 10_003)).to.deep.equal([0, 1, 2]);
    const points = new RecordingPoints(again);
    await points.prepare([x!]);
    const { values, isSampled } = points.points(x!, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 500);
    expect([Math.min(...(values as number[])), Math.max(...(values as number[])), isSampled]).to.deep.equal([
      0,
      999,
      undefined,
    ]);
    again.close();
  });
});
