// Recordings in Trick's binary form: of all versions and byte orders, cut, growing, damaged.
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { doubles, type TrkColumn, trkFile } from '../../testing/aids/trk-file.js';
import { openRecording } from './open.js';
import type { Recording } from './recording.js';

const REFERENCE = fileURLToPath(new URL('../../../../compat-tests/reference/', import.meta.url));
const TIME = 'sys.exec.out.time';

/** One column of each type that Trick records, with its greatest or least values. */
const ALL: readonly TrkColumn[] = [
  doubles(TIME, [0, 0.1, 0.1], 's'),
  { name: 'a.c', code: 1, sizeBytes: 1, values: [-128, 65, 0] },
  { name: 'a.uc', code: 2, sizeBytes: 1, values: [255, 0, 1] },
  { name: 'a.s', code: 4, sizeBytes: 2, values: [-32768, 1, 2] },
  { name: 'a.us', code: 5, sizeBytes: 2, values: [65535, 1, 2] },
  { name: 'a.i', code: 6, sizeBytes: 4, values: [-2147483648, 1, 2] },
  { name: 'a.ui', code: 7, sizeBytes: 4, values: [4294967295, 1, 2] },
  { name: 'a.l', code: 8, sizeBytes: 8, values: [-1234567n, 1n, 2n] },
  { name: 'a.ul', code: 9, sizeBytes: 8, values: [2n ** 64n - 1n, 1n, 2n] },
  { name: 'a.l32', code: 8, sizeBytes: 4, values: [-1234567, 1, 2] },
  { name: 'a.ul32', code: 9, sizeBytes: 4, values: [4294967295, 1, 2] },
  { name: 'a.f', units: 'hr  ', code: 10, sizeBytes: 4, values: [1.5, -0.25, Number.NaN] },
  doubles('a.d', [0.1, -0, Number.POSITIVE_INFINITY], 'm'),
  { name: 'a.b', code: 12, sizeBytes: 4, values: [-3, 1, 2] },
  { name: 'a.ub', code: 13, sizeBytes: 4, values: [5, 1, 2] },
  { name: 'a.ll', code: 14, sizeBytes: 8, values: [-9007199254740993n, 1n, 2n] },
  { name: 'a.ull', code: 15, sizeBytes: 8, values: [2n ** 63n, 1n, 2n] },
  { name: 'a.e', code: 21, sizeBytes: 4, values: [-7, 1, 2] },
];
/** Rows of several blocks. */
const MANY = 4000;
const FLAG: TrkColumn = { name: 'a.flag', code: 17, sizeBytes: 1, values: [1, 0, 1] };

describe('a .trk file', () => {
  let directory: string;
  let opened: Recording[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-trk-'));
  });
  afterEach(() => {
    for (const recording of opened) recording.close();
    opened = [];
    rmSync(directory, { recursive: true });
  });
  const at = (name: string): string => join(directory, name);
  function open(path: string): Recording {
    const recording = openRecording(path);
    opened.push(recording);
    return recording;
  }
  function openBytes(bytes: Uint8Array, name = 'log_a.trk'): Recording {
    writeFileSync(at(name), bytes);
    return open(at(name));
  }
  const valuesOf = (recording: Recording) => recording.columns.map((column) => recording.values(column));

  it('of a real Trick is read', () => {
    const recording = open(`${REFERENCE}log_ball_trk.trk`);
    expect([recording.format, recording.rows, recording.faults]).to.deep.equal(['Trick-10, little-endian', 31, []]);
    expect(recording.columns.map(({ name, units }) => `${name} {${units}}`)).to.include.members([
      'sys.exec.out.time {s}',
      'fx.ball.vel[1] {m/s}',
    ]);
    const first = recording.columns.map((column) => recording.value(column, 0));
    expect(first).to.deep.equal([0, 0.1, 9.9019, 1, -0.981, 1, true, 1.5, -9007199254740993n, 7].map(near(first)));
    expect(recording.seconds(30)).to.equal(3);
    expect(recording.values(recording.time, 2, 4)).to.deep.equal([0.2, 0.3]);
  });

  for (const version of ['05', '07', '10'])
    for (const order of ['L', 'B'] as const)
      it(`of version ${version} is read, ${order === 'B' ? 'big' : 'little'}-endian, with every type`, () => {
        const recording = openBytes(trkFile([...ALL, FLAG], version, order));
        expect(valuesOf(recording)).to.deep.equal([...ALL.map(({ values }) => values), [true, false, true]]);
        expect(recording.columns.find(({ name }) => name === 'a.f')?.units).to.equal('hr');
      });

  it('keeps the order of rows whose times are equal', () => {
    const recording = openBytes(trkFile([doubles(TIME, [0, 1, 1, 2]), doubles('x', [0, 1, 2, 3])]));
    expect([1, 1.5, 9, -1].map((seconds) => recording.rowAt(seconds))).to.deep.equal([2, 2, 3, 0]);
  });

  it('is read up to its last whole row wherever it is cut', () => {
    const bytes = trkFile([...ALL, FLAG]);
    const headBytes = bytes.length - 3 * 87;
    // The first columns to the byte, others here and there, and the rows at their ends.
    const ends = [1, 2, 3].flatMap((row) => [-1, 0, 1, 40].map((more) => headBytes + 87 * (row - 1) + more));
    const lengths = Array.from({ length: 70 }, (_, index) => (index < 50 ? index : 50 + (index - 50) * 19));
    for (const length of [...lengths.filter((each) => each < headBytes), ...ends]) {
      if (length < headBytes) {
        expect(() => openBytes(bytes.subarray(0, length))).to.throw(/no .trk file|ends within|too many|no recording/);
        continue;
      }
      const recording = openBytes(bytes.subarray(0, length));
      const rows = Math.floor((length - headBytes) / recording.rowBytes);
      expect(recording.rows).to.equal(rows);
      expect(valuesOf(recording)[5]).to.deep.equal([-2147483648, 1, 2].slice(0, rows));
      expect(recording.faults.length).to.equal((length - headBytes) % recording.rowBytes === 0 ? 0 : 1);
    }
  });

  it('may grow, by rows that are whole', () => {
    const bytes = trkFile([doubles(TIME, [0, 1, 2]), doubles('x', [5, 6, 7])]);
    const recording = openBytes(bytes.subarray(0, -20));
    expect(recording.values(recording.time)).to.deep.equal([0]);
    appendFileSync(at('log_a.trk'), bytes.subarray(-20));
    expect(recording.rows).to.equal(1);
    recording.refresh();
    expect([recording.rows, recording.faults, recording.seconds(2)]).to.deep.equal([3, [], 2]);
  });

  it('is read in blocks, and row by row, to the same values', () => {
    const wide = Array.from({ length: 20 }, (_, index) => doubles(`x${index}`, []));
    const many = Array.from({ length: MANY }, (_, index) => index / 100);
    const recording = openBytes(trkFile([doubles(TIME, many), ...wide, doubles('x', many)]));
    expect([...recording.blocks()].length).to.be.greaterThan(2);
    for (const column of [recording.time, recording.columns.at(-1) as typeof recording.time])
      expect(isDeepStrictEqual(recording.values(column), many)).to.equal(true);
    expect(recording.rowAt(33.335)).to.equal(3333);
    expect(recording.seconds(MANY - 1)).to.equal((MANY - 1) / 100);
  });

  it('that has become shorter is told of in one sentence', () => {
    const recording = openBytes(trkFile([doubles(TIME, [0, 1, 2])]));
    truncateSync(at('log_a.trk'), 50);
    expect(() => recording.values(recording.time)).to.throw('log_a.trk has become shorter while it was read');
  });

  it('of types that are not known is read without them', () => {
    const strange: TrkColumn = { name: 'a.text', code: 3, sizeBytes: 5, values: [1, 2] };
    const recording = openBytes(trkFile([doubles(TIME, [0, 1]), strange, doubles('x', [3, 4])]));
    expect(valuesOf(recording)).to.deep.equal([
      [0, 1],
      [3, 4],
    ]);
    expect(recording.faults).to.deep.equal(['a.text is left out: a value of 5 bytes of type 3 is not known']);
  });

  it('that announces more than it has is refused in one sentence, without memory for it', () => {
    const bytes = trkFile([doubles(TIME, [0, 1])]);
    for (const count of [1_000_000_000, -1, 0]) {
      bytes.writeInt32LE(count, 10);
      expect(() => openBytes(bytes)).to.throw(`log_a.trk announces ${count} variables`);
    }
    bytes.writeInt32LE(1, 10);
    bytes.writeInt32LE(2_000_000_000, 14);
    expect(() => openBytes(bytes)).to.throw('has 2000000000 bytes');
  });

  it('that is none is refused in one sentence', () => {
    expect(() => open(at('nothing.trk'))).to.throw(/nothing.trk cannot be read: /);
    expect(() => open('/dev/null')).to.throw('cannot be read: it is not a file');
  });

  it('of any bytes is read or refused in one sentence', () => {
    const whole = trkFile([...ALL, FLAG]);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (offset, damage) => {
        const bytes = Buffer.from(whole);
        bytes.set(damage.subarray(0, bytes.length - offset), offset);
        try {
          for (const values of valuesOf(openBytes(bytes))) expect(values.length).to.be.lessThan(whole.length);
        } catch (error) {
          expect((error as Error).message)
            .to.match(/log_a\.trk/)
            .and.not.match(/\n/);
        } finally {
          for (const recording of opened.splice(0)) recording.close();
        }
      }),
    );
  });
});

/** Numbers that are meant as near the ones that were read. */
const near =
  (read: readonly unknown[]) =>
  (meant: unknown, index: number): unknown =>
    typeof meant === 'number' && Math.abs(Number(read[index]) - meant) < 1e-12 ? read[index] : meant;
