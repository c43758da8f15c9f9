// The forms of MCAP files that varwire writes: chunks that are compressed, messages in JSON, and what they keep of a run.
import { readFileSync } from 'node:fs';
import { McapIndexedReader } from '@mcap/core';
import { expect } from 'chai';
import { McapFile, type McapOptions } from '../../simulation/recording/mcap-file.js';
import { type Column, Row, TIME_COLUMN } from '../../simulation/recording/row.js';
import { recordingsHere, tableOf } from '../../testing/aids/recordings-here.js';
import { convert } from './convert.js';
import type { Recording } from './recording.js';
import { loadZstd, unzipped, zstd } from './zstd.js';

const ROWS = 1500;
const MODE = { kind: 'enumeration', name: 'Mode', labels: { IDLE: 0, OFF: 0, BURN: 2 } } as const;
const COLUMNS: readonly Column[] = [
  TIME_COLUMN,
  { name: 'ball.position[0]', units: 'm', type: { kind: 'number', name: 'double' }, offsetBytes: 8 },
  { name: 'ball.single', units: '--', type: { kind: 'number', name: 'float' }, offsetBytes: 16 },
  { name: 'ball.small', units: '--', type: { kind: 'number', name: 'short' }, offsetBytes: 20 },
  { name: 'ball.on', units: '--', type: { kind: 'number', name: 'bool' }, offsetBytes: 22 },
  { name: 'stage.mode', units: '--', type: MODE, offsetBytes: 23 },
];
const FACTS = { simulation: 'lander', seed: '7' };

/** All rows, as they lie in memory. */
const bytesOf = (recording: Recording): Buffer =>
  Buffer.concat([...recording.blocks()].map(({ memory }) => Buffer.from(memory.bytes)));

function fileOf(options: McapOptions): Buffer {
  const file = new McapFile(COLUMNS, { hasLog: true, ...options });
  const row = new Row(COLUMNS);
  const { view } = row.memory;
  const pieces = [file.start(FACTS)];
  for (let index = 0; index < ROWS; index++) {
    row.setTime(index / 100);
    view.setFloat64(8, index === 3 ? -0 : Math.sqrt(index), true);
    view.setFloat32(16, index / 3, true);
    view.setInt16(20, -index, true);
    view.setUint8(22, index % 2);
    view.setInt32(23, 2 * (index % 2), true);
    pieces.push(file.add(row));
    if (index % 200 === 0) pieces.push(file.endChunk());
    if (index === 700) pieces.push(file.say(7, 'warning', 'hot'), file.say(7, 'normal', 'burn ends', 'event'));
  }
  pieces.push(file.end());
  return Buffer.concat(pieces);
}

describe('an MCAP file of varwire', () => {
  const here = recordingsHere();
  const plain = fileOf({});

  /** The file as other programs read it. */
  const readerOf = (bytes: Uint8Array) =>
    McapIndexedReader.Initialize({
      readable: {
        size: async () => BigInt(bytes.length),
        read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
      },
      decompressHandlers: { zstd: (chunk, length) => unzipped(chunk, Number(length)) },
    });

  it('that is converted has its chunks compressed, its rows, and what was said and done', async () => {
    const given = here.of('a.mcap', plain);
    for (const compression of ['zstd', 'none'] as const) {
      await convert(given, here.path(`${compression}.mcap`), { compression });
      const again = here.open(here.path(`${compression}.mcap`));
      expect(again.uncheckedBytes, 'it is opened by its summary').to.be.above(0);
      again.check();
      expect([again.faults, again.format]).to.deep.equal([[], 'MCAP, protobuf']);
      expect(bytesOf(again).equals(bytesOf(given))).to.equal(true);
      expect(again.messages).to.deep.equal(given.messages);
      expect(again.messages.map(({ text, mark = 'none' }) => `${text} ${mark}`)).to.deep.equal([
        'hot none',
        'burn ends event',
      ]);
      expect(again.facts).to.deep.equal({ version: given.facts.version, ...FACTS });
    }
    const [zstd, none] = ['zstd', 'none'].map((name) => readFileSync(here.path(`${name}.mcap`))) as [Buffer, Buffer];
    expect(zstd.length).to.be.below(0.8 * none.length);
    const reader = await readerOf(zstd);
    expect(new Set(reader.chunkIndexes.map(({ compression }) => compression))).to.deep.equal(new Set(['zstd', '']));
    let messages = 0;
    for await (const _ of reader.readMessages({ topics: ['ball'] })) messages++;
    expect(messages).to.equal(ROWS);
  });

  it('has a part of what was said when it is converted in part', async () => {
    await convert(here.of('a.mcap', plain), here.path('part.mcap'), {}, { toSeconds: 5 });
    expect([here.open(here.path('part.mcap')).rows, here.open(here.path('part.mcap')).messages]).to.deep.equal([
      501,
      [],
    ]);
  });

  it('in JSON has a schema that has one type for each value, and is read again', async () => {
    const bytes = fileOf({ encoding: 'json' });
    const reader = await readerOf(bytes);
    const [, ball, stage] = [...reader.schemasById.values()].map(({ encoding, data }) => ({
      encoding,
      ...(encoding === 'jsonschema' && JSON.parse(Buffer.from(data).toString())),
    }));
    expect(ball).to.deep.equal({
      encoding: 'jsonschema',
      title: 'ball',
      type: 'object',
      properties: {
        position_0: { type: 'number', description: 'ball.position[0] {m}' },
        single: { type: 'number', description: 'ball.single {--}' },
        small: { type: 'integer', description: 'ball.small {--}' },
        on: { type: 'boolean', description: 'ball.on {--}' },
      },
    });
    expect(stage.properties.mode).to.deep.equal({
      type: 'integer',
      description: 'stage.mode {--}',
      oneOf: [
        { const: 0, title: 'IDLE' },
        { const: 2, title: 'BURN' },
      ],
    });
    const last: Record<string, unknown> = {};
    for await (const { channelId, data } of reader.readMessages({ startTime: BigInt(ROWS - 1) * 10_000_000n }))
      last[reader.channelsById.get(channelId)?.topic ?? ''] = JSON.parse(Buffer.from(data).toString());
    expect(last).to.deep.equal({
      sys: { exec_out_time: (ROWS - 1) / 100 },
      ball: { position_0: Math.sqrt(ROWS - 1), single: Math.fround((ROWS - 1) / 3), small: 1 - ROWS, on: true },
      stage: { mode: 2 },
    });
    const [json, protobuf] = [here.of('json.mcap', bytes), here.of('a.mcap', plain)];
    expect(json.format).to.equal('MCAP, JSON');
    expect(bytesOf(json).equals(bytesOf(protobuf))).to.equal(true);
    expect(json.columns).to.deep.equal(protobuf.columns);
    expect(json.messages).to.deep.equal(protobuf.messages);
  });

  it('in JSON leaves out what JSON has no number for', async () => {
    const recording = here.of('a.csv', 'time,o.x,o.n\n0,nan,9007199254740993\n1,inf,1\n2,-0.5,2\n');
    await convert(recording, here.path('a.mcap'), { encoding: 'json' });
    const { 'o.x': x, 'o.n': n } = tableOf(here.open(here.path('a.mcap')));
    expect(x).to.deep.equal([Number.NaN, Number.NaN, -0.5]);
    expect(n).to.deep.equal([9007199254740992n, 1n, 2n]);
    const messages = /"x":[^}]*|"n":[^}]*/g;
    await convert(recording, here.path('b.mcap'), { encoding: 'json', compression: 'none' });
    expect(readFileSync(here.path('b.mcap'), 'latin1').match(messages)).to.include('"n":9007199254740993');
  });

  it('that is compressed is read up to its last whole chunk wherever it is cut', async () => {
    const bytes = fileOf({ compress: await zstd() });
    const whole = bytesOf(here.of('a.mcap', bytes));
    const rows: number[] = [];
    for (let cut = 2000; cut < bytes.length; cut += 3919) {
      const recording = here.of('cut.mcap', bytes.subarray(0, cut));
      rows.push(recording.rows);
      expect(bytesOf(recording).equals(whole.subarray(0, recording.rows * recording.rowBytes)), `${cut}`).to.equal(
        true,
      );
    }
    expect(rows).to.deep.equal([...rows].sort((one, other) => one - other));
    expect(rows.at(-1)).to.be.above(ROWS / 2);
  });

  it('has no chunk that takes more memory than it says', async () => {
    // Blocks of 128 KB of one byte each, in a frame that does not say how long it is.
    const block = Buffer.alloc(4);
    block.writeUIntLE(2 + 8 * 128 * 1024, 0, 3);
    const last = Buffer.from(block);
    last[0] = (last[0] as number) | 1;
    const bomb = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]), ...Array(2000).fill(block), last]);
    for (const load of [async () => undefined, loadZstd]) {
      await load();
      expect(() => unzipped(bomb, 1000)).to.throw('invalid zstd data');
    }
  });
});
