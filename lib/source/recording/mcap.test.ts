// MCAP files: what is written is read again, and what others write as far as it is known.
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { McapWriter } from '@mcap/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { descriptorOf, KIND } from '../../simulation/recording/mcap-channels.js';
import { field, tag } from '../../simulation/recording/protobuf.js';
import { recordingsHere, tableOf } from '../../testing/aids/recordings-here.js';
import { doubles, type TrkColumn, trkFile } from '../../testing/aids/trk-file.js';
import { convert } from './convert.js';
import type { Recording } from './recording.js';

const none = Number.NaN;
/** Of some chunks, as each object has many values. */
const ROWS = 4000;
const rising = (step: number) => Array.from({ length: ROWS }, (_, row) => row * step);
const wide = (object: string, step: number): TrkColumn[] =>
  Array.from({ length: 14 }, (_, index) => doubles(`${object}.x${index}`, rising(step + index)));
/** All rows, as they lie in memory. */
const bytesOf = (recording: Recording): Buffer =>
  Buffer.concat([...recording.blocks()].map(({ memory }) => Buffer.from(memory.bytes)));
/** Of every type: code, size, values. */
const TYPES = [
  [1, 1, -128, 127],
  [2, 1, 0, 255],
  [4, 2, -32_768, 32_767],
  [5, 2, 0, 65_535],
  [6, 4, -(2 ** 31), 2 ** 31 - 1],
  [7, 4, 0, 2 ** 32 - 1],
  [8, 4, -5, 5],
  [8, 8, -(2n ** 63n), 2n ** 63n - 1n],
  [9, 8, 0n, 2n ** 64n - 1n],
  [10, 4, 0.5, none],
  [11, 8, -0, none],
  [12, 4, -7, 7],
  [13, 4, 0, 7],
  [14, 8, -(2n ** 53n) - 1n, 1n],
  [15, 8, 1n, 2n ** 63n],
  [17, 1, 0, 1],
  [21, 4, -1, 9],
  [21, 2, -1, 9],
] as const;

describe('an MCAP file', () => {
  const here = recordingsHere();
  const times = (...values: number[]): TrkColumn => doubles('sys.exec.out.time', values, 's');

  /** Writes a .trk file as MCAP, and that as .trk. */
  async function roundTrip(given: Buffer): Promise<Buffer> {
    await convert(here.of('one.trk', given), here.path('one.mcap'));
    await convert(here.open(here.path('one.mcap')), here.path('two.trk'));
    return readFileSync(here.path('two.trk'));
  }

  it('has every type again, bit for bit, in the order of the columns', async () => {
    const columns = TYPES.map(([code, sizeBytes, ...values], index) => {
      return { name: `${index % 2 === 0 ? 'a' : 'b.c'}.x[${index}]`, units: 'm', code, sizeBytes, values };
    });
    const odd = ['x y', 'x_y', 'x.', '.x', '', 'é', 'JOB_x.1.00(scheduled_0.100)'].map((name) => doubles(name, [1, 2]));
    const given = trkFile([times(0, 0.1 + 0.2), ...columns, ...odd]);
    // A long of four bytes is an int, also from .trk to .trk.
    await convert(here.of('one.trk', given), here.path('same.trk'));
    expect((await roundTrip(given)).equals(readFileSync(here.path('same.trk')))).to.equal(true);
  });

  it('keeps the order of rows, and their times: equal ones, lower ones, negative ones, and none', async () => {
    const given = trkFile([times(-2, -2, 1, 0.5, none, 1e300, 3), doubles('x', [1, 2, 3, 4, 5, 6, 7])]);
    expect((await roundTrip(given)).equals(given)).to.equal(true);
  });

  /** A recording of some chunks, in both forms; made once. */
  async function ofChunks(): Promise<{ readonly trk: Buffer; readonly mcap: Buffer }> {
    if (made) return made;
    const trk = trkFile([times(...rising(0.01)), ...wide('a', 1 / 3), ...wide('b', -7)]);
    await convert(here.of('given.trk', trk), here.path('given.mcap'), { compression: 'none' });
    made = { trk, mcap: readFileSync(here.path('given.mcap')) };
    return made;
  }
  let made: Awaited<ReturnType<typeof ofChunks>> | undefined;

  it('of some chunks is read from any row', async () => {
    const { trk, mcap } = await ofChunks();
    const recording = here.of('one.mcap', mcap);
    await convert(recording, here.path('two.trk'));
    expect(readFileSync(here.path('two.trk')).equals(trk)).to.equal(true);
    const [, x] = recording.columns;
    expect([recording.rows, recording.faults, recording.rowAt(20)]).to.deep.equal([ROWS, [], 2000]);
    fc.assert(
      fc.property(fc.nat(ROWS - 1), (row) => {
        expect(recording.value(x as (typeof recording.columns)[0], row)).to.equal(row * (1 / 3));
      }),
      { numRuns: 30 },
    );
  });

  it('is read up to its last whole row wherever it is cut', async () => {
    const { mcap } = await ofChunks();
    const whole = here.of('whole.mcap', mcap);
    const all = bytesOf(whole);
    let most = 0;
    for (let length = 600; length < mcap.length; length += 197_003) {
      let cut: ReturnType<typeof here.open>;
      try {
        cut = here.of('cut.mcap', mcap.subarray(0, length));
      } catch (error) {
        expect((error as Error).message).to.match(/cut\.mcap has no variable$/);
        continue;
      }
      expect(cut.rows).to.be.at.least(most);
      most = cut.rows;
      expect(bytesOf(cut).equals(all.subarray(0, most * cut.rowBytes))).to.equal(true);
    }
    expect(most).to.be.above(ROWS / 2);
    truncateSync(here.path('whole.mcap'), 100);
    expect(() => whole.value(whole.time, 0)).to.throw();
  });

  it('may grow', async () => {
    const { mcap } = await ofChunks();
    const growing = here.of('growing.mcap', mcap.subarray(0, mcap.length / 2));
    expect([growing.rows < ROWS, growing.faults]).to.deep.equal([true, ['it does not end: what is there is read']]);
    writeFileSync(here.path('growing.mcap'), mcap);
    growing.refresh();
    expect([growing.rows, growing.seconds(ROWS - 1), growing.faults]).to.deep.equal([ROWS, (ROWS - 1) * 0.01, []]);
  });

  /** Channels of others: what they are, and messages of them in order. */
  async function ofOthers(
    channels: readonly { topic: string; encoding?: string; message: string; schema: Uint8Array }[],
    messages: readonly (readonly [channel: number, logTime: bigint, data: Uint8Array])[],
    compressChunk?: (data: Uint8Array) => { compression: string; compressedData: Uint8Array },
  ): Promise<Buffer> {
    const written: Uint8Array[] = [];
    const writable = {
      position: () => BigInt(written.reduce((sum, { length }) => sum + length, 0)),
      write: async (bytes: Uint8Array) => void written.push(bytes.slice()),
    };
    const writer = new McapWriter({ writable, ...(compressChunk && { compressChunk }) });
    await writer.start({ profile: '', library: '' });
    const ids: number[] = [];
    for (const { topic, encoding = 'protobuf', message, schema } of channels) {
      const schemaId = await writer.registerSchema({ name: message, encoding, data: schema });
      ids.push(
        await writer.registerChannel({
          schemaId,
          topic,
          messageEncoding: encoding.replace('schema', ''),
          metadata: new Map(),
        }),
      );
    }
    for (const [channel, logTime, data] of messages)
      await writer.addMessage({ channelId: ids[channel] ?? 0, sequence: 0, logTime, publishTime: logTime, data });
    await writer.end();
    return Buffer.concat(written);
  }
  /** A frame of one block: of bytes as they are (0), or of one that is repeated (1). */
  const zstdFrame = (announced: number, kind: 0 | 1, data: Uint8Array): Buffer => {
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeUInt32LE(announced, 5);
    head.writeUIntLE(1 | (kind << 1) | ((kind === 1 ? 128 * 1024 : data.length) << 3), 9, 3);
    return Buffer.concat([head, data, Buffer.alloc(kind === 1 ? 8 : 0)]);
  };
  const double = (value: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  };

  it('of another program has a row for each time, with the last values of each channel', async () => {
    const speed = [
      { name: 'speed', kind: KIND.double },
      { name: 'gear', kind: 17 },
    ];
    const inner = descriptorOf('Stamp', [{ name: 'on', kind: KIND.bool }]);
    // A message Outer with a field `stamp` of the message Stamp: both in one file.
    const stamp = Buffer.concat([field(1, 'stamp'), field(3, 2), field(4, 1), field(5, 11), field(6, '.Stamp')]);
    const outer = field(1, field(4, Buffer.concat([field(1, 'Outer'), field(2, stamp)])));
    const jsonSchema = Buffer.from(
      JSON.stringify({
        type: 'object',
        properties: {
          v: { type: 'number' },
          word: { type: 'string' },
          mode: { type: 'integer', oneOf: [{ const: 1, title: 'IDLE' }] },
          inner: { type: 'object', properties: { on: { type: 'boolean' } } },
        },
      }),
    );
    const file = await ofOthers(
      [
        { topic: '/wheel/left', message: 'Wheel', schema: descriptorOf('Wheel', speed) },
        { topic: '/lamp', message: 'Outer', schema: Buffer.concat([outer, inner]) },
        { topic: '/text', encoding: 'jsonschema', message: 'T', schema: jsonSchema },
      ],
      [
        [0, 1_000_000_000n, Buffer.concat([tag(1, 1), double(2.5), field(2, 3)])],
        [2, 1_000_000_000n, Buffer.from('{"v": 0.1, "word": "NaN", "mode": 1, "inner": {"on": true}}')],
        [2, 1_500_000_000n, Buffer.from('{"v": NaN}')],
        [1, 1_500_000_000n, field(2, field(1, 1))],
        [0, 1_500_000_000n, Buffer.alloc(0)],
        [0, 1_500_000_000n, field(2, 4)],
      ],
    );
    const recording = here.of('other.mcap', file);
    expect(tableOf(recording)).to.deep.equal({
      log_time: [1, 1.5, 1.5],
      'wheel_left.speed': [2.5, 0, 0],
      'wheel_left.gear': [-2, 0, 2],
      'lamp.stamp.on': [false, true, true],
      'text.v': [0.1, Number.NaN, Number.NaN],
      'text.mode': [1n, 0n, 0n],
      'text.inner.on': [true, false, false],
    });
    expect(recording.faults).to.deep.equal([]);
  });

  it('that cannot be read is refused with one sentence', async () => {
    const wheel = { topic: 'w', message: 'W', schema: descriptorOf('W', [{ name: 'v', kind: KIND.double }]) };
    const refusal = (file: Uint8Array): string => {
      try {
        return here.of('bad.mcap', file).faults.join('; ');
      } catch (error) {
        return (error as Error).message.replace(/.*\/bad/, 'bad');
      }
    };
    const bytes = Buffer.concat([tag(1, 1), double(1)]);
    const compressed = (compressedData: (data: Uint8Array) => Uint8Array, compression = 'zstd') =>
      ofOthers([wheel], [[0, 0n, bytes]], (data) => ({ compression, compressedData: compressedData(data) }));
    const zstd = await compressed((data) => data);
    expect(refusal(zstd)).to.match(
      /^bad\.mcap is damaged at byte \d+: a chunk cannot be decompressed: invalid zstd data$/,
    );
    const bz2 = await compressed((data) => data, 'bz2');
    expect(refusal(bz2)).to.equal('bad.mcap is compressed with bz2, which is not read');
    const lz4 = await compressed((data) => data, 'lz4');
    expect(refusal(lz4)).to.match(
      /^bad\.mcap is damaged at byte \d+: a chunk cannot be decompressed: invalid lz4 data$/,
    );
    const bomb = await compressed(() => zstdFrame(2 ** 30, 1, Buffer.of(0)));
    expect(refusal(bomb)).to.match(
      /^bad\.mcap is damaged at byte \d+: a chunk cannot be decompressed: \d+ bytes are compressed from 1073741824$/,
    );
    const whole = here.of('zstd.mcap', await compressed((data) => zstdFrame(data.length, 0, data)));
    const framed = (data: Uint8Array): Buffer => {
      const head = Buffer.from([4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 0, 0, 0, 0x80]);
      head.writeUInt16LE(data.length, 7);
      return Buffer.concat([head, data, Buffer.alloc(4)]);
    };
    for (const each of [whole, here.of('lz4.mcap', await compressed(framed, 'lz4'))])
      expect(tableOf(each)).to.deep.equal({ log_time: [0], 'w.v': [1] });
    expect(refusal(await ofOthers([], []))).to.equal('bad.mcap has no variable');
    const json = { ...wheel, encoding: 'json' };
    expect(refusal(await ofOthers([json], [[0, 0n, bytes]]))).to.equal(
      'bad.mcap has no variable: w is left out: its messages are json, not protobuf, or JSON with a schema',
    );
    expect(refusal(await ofOthers([{ ...wheel, message: 'V' }], [[0, 0n, bytes]]))).to.match(
      /^bad\.mcap is damaged at byte \d+: its schema has no message V$/,
    );
    const long = Buffer.from(zstd.subarray(0, 8 + 9));
    long[8] = 6;
    long.writeBigUInt64LE(2n ** 63n, 9);
    expect(refusal(long)).to.equal('bad.mcap has no variable');
  });

  it('of any bytes is read or refused in one sentence', async () => {
    const columns = TYPES.map(([code, sizeBytes, ...values], index) => ({
      name: `a.x${index}`,
      code,
      sizeBytes,
      values,
    }));
    await convert(here.of('one.trk', trkFile([times(0, 1), ...columns])), here.path('one.mcap'));
    const whole = readFileSync(here.path('one.mcap'));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (offset, damage) => {
        const bytes = Buffer.from(whole);
        bytes.set(damage.subarray(0, bytes.length - offset), offset);
        try {
          const recording = here.of('any.mcap', bytes);
          for (const column of recording.columns) expect(recording.values(column).length).to.be.at.most(2);
          for (const fault of recording.faults) expect(fault).to.not.match(/\n/);
        } catch (error) {
          expect((error as Error).message)
            .to.match(/any\.mcap/)
            .and.not.match(/\n/);
        }
      }),
      { numRuns: 150 },
    );
  });
});
