// Recordings that are text: Trick's, varwire's, and tables of other programs.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { openRecording } from './open.js';
import type { Recording } from './recording.js';

const REFERENCE = fileURLToPath(new URL('../../../../compat-tests/reference/', import.meta.url));

describe('a recording that is text', () => {
  let directory: string;
  let opened: Recording[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-csv-'));
  });
  afterEach(() => {
    for (const recording of opened.splice(0)) recording.close();
    rmSync(directory, { recursive: true });
  });
  function open(path: string, time?: string): Recording {
    const recording = openRecording(path, time === undefined ? {} : { time });
    opened.push(recording);
    return recording;
  }
  function read(text: string | Uint8Array, time?: string, name = 'flight.csv'): Recording {
    writeFileSync(join(directory, name), text);
    return open(join(directory, name), time);
  }
  const tableOf = (recording: Recording) =>
    Object.fromEntries(
      recording.columns.map((column) => [`${column.name} {${column.units}}`, recording.values(column)]),
    );
  const timesOf = (recording: Recording) => recording.values(recording.time);

  it('of a real Trick is read as its .trk file is, with the types of its .header file', () => {
    const [text, binary] = [open(`${REFERENCE}log_ball_csv.csv`), open(`${REFERENCE}log_ball_trk.trk`)];
    const byHeader = open(`${REFERENCE}log_ball_csv.header`);
    expect(byHeader.file).to.equal(text.file);
    expect(tableOf(byHeader)).to.deep.equal(tableOf(text));
    expect([text.rows, text.faults]).to.deep.equal([binary.rows, []]);
    for (const [index, column] of binary.columns.entries()) {
      const [read, meant] = [text.values(text.columns[index] as typeof column), binary.values(column)];
      // 16 digits are not always enough for a double.
      for (const [row, value] of meant.entries())
        if (typeof value === 'bigint') expect(read[row]).to.equal(value);
        else expect(Number(read[row])).to.be.closeTo(Number(value), 1e-14);
    }
  });

  const TABLES: readonly [what: string, text: string, table: object, time: string][] = [
    [
      'titles of Trick, and a second heading where a recording began anew',
      'sys.exec.out.time {s},a.x[0] {m}\n    0,   1\n  0.1,  -2\nsys.exec.out.time {s},a.x[0] {m}\n  0,  3\n',
      { 'sys.exec.out.time {s}': [0, 0.1, 0], 'a.x[0] {m}': [1, -2, 3] },
      'sys.exec.out.time',
    ],
    [
      "Trick's titles with blanks between columns",
      'sys.exec.out.time {s} a.x[0] {m} a.y {m/s}\n   0    1   2\n   1  nan  -inf\n',
      { 'sys.exec.out.time {s}': [0, 1], 'a.x[0] {m}': [1, Number.NaN], 'a.y {m/s}': [2, Number.NEGATIVE_INFINITY] },
      'sys.exec.out.time',
    ],
    [
      "another of Trick's delimiters",
      'sys.exec.out.time {s} : a.x {m} : a.y {--}\n0 : 1 : 2\n',
      { 'sys.exec.out.time {s}': [0], 'a.x {m}': [1], 'a.y {--}': [2] },
      'sys.exec.out.time',
    ],
    [
      "varwire's history, with empty cells",
      'time {s},ball.x {m},ball.n\n0,1,\n0.5,,9007199254740993\n',
      { 'time {s}': [0, 0.5], 'ball.x {m}': [1, Number.NaN], 'ball.n {--}': [Number.NaN, 9007199254740992] },
      'time',
    ],
    [
      'lists, as watch and Monte Carlo print them, which are columns of their own',
      'time,a.p {m},word\n0,"[1, -2]",[up]\n1,"[[3], [nan]]",[1]\n2,,x\n',
      {
        'time {s}': [0, 1, 2],
        'a.p[0] {m}': [1, 3, Number.NaN],
        'a.p[1] {m}': [-2, Number.NaN, Number.NaN],
        'word {--}': ['[up]', '[1]', 'x'],
      },
      'time',
    ],
    [
      'integers that a double does not hold',
      'time,n,u,ok\n0,-9007199254740993,18446744073709551615,true\n1,5,1,false\n',
      {
        'time {s}': [0, 1],
        'n {--}': [-9007199254740993n, 5n],
        'u {--}': [18446744073709551615n, 1n],
        'ok {--}': [true, false],
      },
      'time',
    ],
    [
      'semicolons and decimal commas, in lines of Windows, with a mark of the byte order',
      '\uFEFFZeit;Time [ms];Höhe (m)\r\n1,5;0;1,25\r\n0,5;500;-2,5e3\r\n',
      { 'Zeit {--}': [1.5, 0.5], 'Time {s}': [0, 0.5], 'Höhe {m}': [1.25, -2500] },
      'Time',
    ],
    [
      'quotes, with separators and quotes in them',
      '"Time (sec)","x, the ""first"" {m}"\n"0","1"\n1,2\n',
      { 'Time {s}': [0, 1], 'x, the "first" {m}': [1, 2] },
      'Time',
    ],
    [
      'comments above, and a heading that is one',
      '# made by hand\n#\n# Time (s), Thrust (N)\n0, 0\n0.1, 50\n',
      { 'Time {s}': [0, 0.1], 'Thrust {N}': [0, 50] },
      'Time',
    ],
    [
      'nanoseconds since 1970, called %time',
      '%time,field.a\n1500000000000000000,1\n1500000000500000000,2\n',
      { 'time {s}': [1500000000, 1500000000.5], 'field.a {--}': [1, 2] },
      'time',
    ],
    [
      'a line of units, blanks, text, and signs for nothing',
      'note\ttime\tspeed\n-\ts\tm/s\nup\t0\t1\nup\t1\t -\ndown\t2\t3\n',
      { 'note {-}': ['up', 'up', 'down'], 'time {s}': [0, 1, 2], 'speed {m/s}': [1, Number.NaN, 3] },
      'time',
    ],
    [
      'dates and times in columns of their own',
      'Date,Time,RSSI\n2021-08-28,12:00:00.500,-40\n2021-08-28,12:00:01.000,-41\n',
      { 'Date {--}': ['2021-08-28', '2021-08-28'], 'Time {s}': [1630152000.5, 1630152001], 'RSSI {--}': [-40, -41] },
      'Time',
    ],
    [
      'two columns of times, one of which stands still',
      'time,timestamp,x\n0,5,1\n0,6,2\n',
      { 'time {--}': [0, 0], 'timestamp {s}': [5, 6], 'x {--}': [1, 2] },
      'timestamp',
    ],
    ['no heading', '0 1\n0.5 2\n', { 'column_1 {s}': [0, 0.5], 'column_2 {--}': [1, 2] }, 'column_1'],
    ['negative times, and no end of the last line', 'ts,x\n-2,1\n-1,2', { 'ts {s}': [-2, -1], 'x {--}': [1, 2] }, 'ts'],
  ];
  for (const [what, text, table, time] of TABLES)
    it(`is read with ${what}`, () => {
      const recording = read(text);
      expect(tableOf(recording)).to.deep.equal(table);
      expect(recording.time.name).to.equal(time);
    });

  it('has the column of times that is asked for', () => {
    const text = 'time,other\n0,5\n1,7\n';
    expect(timesOf(read(text, 'OTHER'))).to.deep.equal([5, 7]);
    expect(() => read(text, 'third')).to.throw('flight.csv has no column third');
  });

  it('says how many lines and cells it passes over', () => {
    const recording = read('time,x\n0,1\n1,2,3\nno,4\n2,?\n3,5\n');
    expect(tableOf(recording)).to.deep.equal({ 'time {s}': [0, 2, 3], 'x {--}': [1, Number.NaN, 5] });
    expect(recording.faults).to.deep.equal([
      '2 lines have no time or another number of cells, and are passed over',
      '1 cells of x are no numbers, and read as NaN',
    ]);
  });

  it('is read in blocks, and row by row, to the same values', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => index / 100);
    const recording = read(`time,x\n${many.map((time) => `${time},${2 * time}`).join('\n')}\n`);
    expect([...recording.blocks()].length).to.be.greaterThan(5);
    expect(timesOf(recording)).to.deep.equal(many);
    expect(recording.rowAt(333.335)).to.equal(33_333);
    expect(recording.value(recording.columns[1] as Recording['time'], 49_999)).to.equal(999.98);
  });

  it('may grow, also in a last line that had not ended', () => {
    const recording = read('time,x\n0,1\n1,2');
    expect(timesOf(recording)).to.deep.equal([0, 1]);
    appendFileSync(recording.file, '5\n2,3\n');
    recording.refresh();
    expect(tableOf(recording)).to.deep.equal({ 'time {s}': [0, 1, 2], 'x {--}': [1, 25, 3] });
  });

  it('of Trick is read up to its last whole row wherever it is cut', () => {
    const head = 'sys.exec.out.time {s},a.x {m},a.n {--}\n';
    const rows = ['   0,   1.25,7\n', '   0.1,   -3,8\n', '  10,   0,9\n'];
    const text = head + rows.join('');
    fc.assert(
      fc.property(fc.integer({ min: head.length + (rows[0]?.length ?? 0), max: text.length }), (length) => {
        const recording = read(text.slice(0, length));
        const whole = text.slice(head.length, length).split('\n').length - 1;
        expect(timesOf(recording)).to.deep.equal([0, 0.1, 10].slice(0, whole));
        recording.close();
        opened = [];
      }),
    );
  });

  for (const [what, text, sentence] of [
    ['nothing', '', 'is no recording: none of its first lines has a number'],
    ['words alone', 'a,b\nc,d\n', 'is no recording: none of its first lines has a number'],
    ['bytes', 'PK\0\0\x01,1\n', 'is neither a .trk file nor text'],
    ['a line without end', `time,x\n0,1\n${'1'.repeat(5 * 1024 * 1024)}`, 'has a line of more than 4 MB'],
    ['too many columns', `time${',x'.repeat(100_001)}\n0${',1'.repeat(100_001)}\n`, 'has 100002 columns, too many'],
  ] as const)
    it(`of ${what} is refused in one sentence`, () => {
      expect(() => read(text)).to.throw(`flight.csv ${sentence}`);
    });

  it('of any text is read or refused in one sentence', () => {
    const piece = fc.constantFrom(
      ',',
      ';',
      '\n',
      '"',
      '{',
      '}',
      '#',
      ' ',
      'time',
      '0',
      '1.5',
      'x',
      '\t',
      '-',
      'é',
      '[0]',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          const recording = read(pieces.join(''));
          for (const values of Object.values(tableOf(recording))) expect(values.length).to.equal(recording.rows);
        } catch (error) {
          expect((error as Error).message).to.match(/^\S*flight\.csv .*$/);
        }
      }),
    );
  });
});
