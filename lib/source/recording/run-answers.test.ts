// What is answered of recorded runs, and that no name leads out of their directories.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { McapFile } from '../../simulation/recording/mcap-file.js';
import { Row, TIME_COLUMN } from '../../simulation/recording/row.js';
import { type RunQuestion, runAnswer } from './run-answers.js';

const table = (rows: readonly (readonly number[])[]): string =>
  ['sys.exec.out.time {s},ball.x {m},ball.y {m}', ...rows.map((row) => row.join(','))].join('\n').concat('\n');

const ROWS = [0, 1, 2, 3, 5].map((seconds) => [seconds, 10 - seconds, seconds ** 2]);

describe('questions about recorded runs', () => {
  let outside: string;
  let directories: string[];
  before(() => {
    outside = mkdtempSync(join(tmpdir(), 'varwire-runs-'));
    directories = ['runs', 'more'].map((name) => join(outside, name));
    for (const directory of directories) mkdirSync(join(directory, 'RUN_a'), { recursive: true });
    const [runs = '', more = ''] = directories;
    writeFileSync(join(outside, 'secret.csv'), table(ROWS));
    writeFileSync(join(runs, 'log_a.csv'), table(ROWS));
    writeFileSync(join(runs, 'notes.md'), 'no recording');
    writeFileSync(join(runs, '.hidden.csv'), table(ROWS));
    writeFileSync(
      join(runs, 'RUN_a', 'log_a.csv'),
      table(ROWS.map(([t = 0, x = 0, y = 0]) => [t, x, t > 1 ? y + t : y])),
    );
    writeFileSync(join(runs, 'broken.trk'), 'Trick-10');
    writeFileSync(join(more, 'log_a.csv'), 'hidden by the first');
    writeFileSync(join(more, 'RUN_a', 'log_b.csv'), table([]));
    symlinkSync('../secret.csv', join(runs, 'out.csv'));
    symlinkSync('..', join(runs, 'up'));
    symlinkSync('log_a.csv', join(runs, 'in.csv'));
  });
  after(() => rmSync(outside, { recursive: true }));

  // biome-ignore lint/suspicious/noExplicitAny: whatever is answered
  const ask = (question: object): any =>
    runAnswer(directories, { offset: 0, limit: 50, samples: 10, ...question } as unknown as RunQuestion);
  const page = (offset: number, limit: number) => ask({ kind: 'list', offset, limit });

  it('are of the rows before the first damage', () => {
    const file = new McapFile([TIME_COLUMN]);
    const row = new Row([TIME_COLUMN]);
    const pieces = [file.start({})];
    for (const [seconds = 0] of ROWS) {
      row.setTime(seconds);
      file.add(row);
      pieces.push(file.endChunk());
    }
    const bytes = Buffer.concat([...pieces, file.end()]);
    // In the message of the third chunk, behind the heads of both.
    const place = Buffer.concat(pieces.slice(0, 3)).length + 49 + 31 + 4;
    bytes[place] = (bytes[place] as number) ^ 1;
    const path = join(directories[0] as string, 'damaged.mcap');
    writeFileSync(path, bytes);
    const found = ask({ kind: 'open', file: 'damaged.mcap' });
    rmSync(path);
    expect([found.rows, found.last_seconds]).to.deep.equal([2, 1]);
    expect(found.faults[0]).to.match(/damaged\.mcap is damaged at byte \d+: a chunk has another checksum$/);
  });

  it('tell which files there are, in pages', () => {
    const names = ['RUN_a/log_a.csv', 'RUN_a/log_b.csv', 'broken.trk', 'log_a.csv'];
    const { files, total, more } = page(0, 50);
    expect([files.map(({ file }: { file: string }) => file), total, more]).to.deep.equal([names, 4, false]);
    expect(page(1, 2)).to.deep.include({ files: files.slice(1, 3), more: true });
    expect(page(9, 2)).to.deep.include({ files: [], more: false });
  });

  it('tell what a file has', () => {
    const { variables, ...found } = ask({ kind: 'open', file: 'log_a.csv', limit: 2 });
    expect(found).to.deep.include({ rows: 5, first_seconds: 0, last_seconds: 5, duration_seconds: 5, step_seconds: 1 });
    expect(found).to.deep.include({ gaps: 1, first_gaps: [{ from: 3, to: 5 }], total: 3, more: true });
    expect(variables[1]).to.deep.include({ name: 'ball.x', units: 'm' });
    expect(ask({ kind: 'open', file: 'in.csv' }).rows).to.equal(5);
  });

  it('tell values with the times of the least and the greatest', () => {
    const found = ask({ kind: 'read', file: 'log_a.csv', names: ['ball.y', 'ball.z'], from: 1, to: 3, samples: 2 });
    expect(found).to.deep.equal({
      rows: 3,
      times: [1, 3],
      series: {
        'ball.y': {
          ...{ units: 'm', least: 1, least_sec: 1, greatest: 9, greatest_sec: 3, mean: 14 / 3, values: [1, 9] },
        },
      },
      missing: { 'ball.z': 'the recording has no variable ball.z; did you mean ball.x or ball.y?' },
    });
  });

  it('tell where two differ first and most', () => {
    const question = { kind: 'compare', one: 'log_a.csv', other: 'RUN_a/log_a.csv', tolerance: 0, relative: 0 };
    const found = ask(question);
    expect(found).to.deep.include({ rows_compared: 5, variables_compared: 2, variables_that_differ: 1, more: false });
    expect(found.differences).to.deep.equal([
      {
        name: 'ball.y',
        rows: 3,
        first: { seconds: 2, one: 4, other: 6, by: 2 },
        largest: { seconds: 5, one: 25, other: 30, by: 5 },
      },
    ]);
    expect(ask({ ...question, tolerance: 5 }).variables_that_differ).to.equal(0);
    expect(ask({ ...question, other: 'log_a.csv' }).variables_that_differ).to.equal(0);
  });

  for (const file of [
    ...['../secret.csv', 'out.csv', 'up/secret.csv', '/etc/passwd', '/dev/zero', 'notes.md', 'RUN_a', '', '.', '..'],
    ...['nosuch.csv', 'log_a.csv\0', `${'../'.repeat(50)}etc/passwd`, 'x'.repeat(5000), 'RUN_a/../../secret.csv', '~'],
  ])
    it(`do not reach ${JSON.stringify(file.slice(0, 30))}`, () => {
      for (const question of [
        { kind: 'open', file },
        { kind: 'read', file, names: ['ball.x'] },
        { kind: 'compare', one: file, other: 'log_a.csv', tolerance: 0, relative: 0 },
      ])
        expect(() => ask(question)).to.throw(/^there is no recorded file .*$/);
    });

  it('are refused for a file that is no recording', () => {
    expect(() => ask({ kind: 'open', file: 'broken.trk' })).to.throw(/^[^\n]{10,300}$/);
  });
});
