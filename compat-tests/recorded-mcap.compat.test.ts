// MCAP files as other programs read them: by their indexes, and by the schemas that they have in them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { McapIndexedReader } from '@mcap/core';
import { expect } from 'chai';
import { doubles, trkFile } from '../lib/testing/aids/trk-file.js';
import { commandHere } from './command-here.js';

const ROWS = 20_000;
const TIMES = Array.from({ length: ROWS }, (_, row) => row / 8);
const N = { name: 'ball.n', code: 14, sizeBytes: 8, values: TIMES.map((_, row) => -(2n ** 60n) - BigInt(row)) };

describe('an MCAP file that varwire convert writes', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-mcap-'));
  let reader: McapIndexedReader;
  let bytes: Buffer;
  before(async () => {
    const position = doubles('ball.position[0]', TIMES.map(Math.sqrt), 'm');
    const wind = doubles('air.wind', Array(ROWS).fill(Number.NaN), 'm/s');
    const columns = [doubles('sys.exec.out.time', TIMES, 's'), position, wind, N];
    writeFileSync(join(directory, 'log_a.trk'), trkFile(columns));
    expect(await commandHere(['convert', 'log_a.trk', 'a.mcap'], {}, directory)).to.include({ code: 0, complaint: '' });
    bytes = readFileSync(join(directory, 'a.mcap'));
    const readable = {
      size: async () => BigInt(bytes.length),
      read: async (offset: bigint, size: bigint) => bytes.subarray(Number(offset), Number(offset + size)),
    };
    const zstd: typeof import('@foxglove/wasm-zstd') = createRequire(import.meta.url)('@foxglove/wasm-zstd');
    await zstd.isLoaded;
    const decompressHandlers = { zstd: (chunk: Uint8Array, size: bigint) => zstd.decompress(chunk, Number(size)) };
    reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  });
  after(() => rmSync(directory, { recursive: true }));

  it('has a channel for each object, indexes, and chunks of half a megabyte that are compressed', () => {
    expect([...reader.channelsById.values()].map(({ topic }) => topic)).to.deep.equal(['sys', 'ball', 'air']);
    expect(reader.statistics).to.include({ messageCount: BigInt(3 * ROWS), channelCount: 3, schemaCount: 3 });
    const sizes = reader.chunkIndexes.map(({ uncompressedSize }) => Number(uncompressedSize));
    expect(sizes).to.have.length.above(3);
    for (const { compression } of reader.chunkIndexes) expect(compression).to.equal('zstd');
    for (const size of sizes.slice(0, -1)) expect(size).to.be.within(256 * 1024, 1024 * 1024);
  });

  it('is read from any time, exactly, by the schemas in it', async () => {
    const found: Record<string, unknown>[] = [];
    const [from, to] = [1000n * 10n ** 9n, 1000n * 10n ** 9n + 125_000_000n];
    for await (const message of reader.readMessages({ startTime: from, endTime: to })) {
      const channel = reader.channelsById.get(message.channelId);
      const schema = reader.schemasById.get(channel?.schemaId ?? 0);
      const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, schema?.data ?? new Uint8Array()));
      const described = registry.getMessage(schema?.name ?? '');
      if (!described) throw new Error(`there is no ${schema?.name}`);
      const { $typeName, ...values } = fromBinary(described, message.data) as unknown as Record<string, unknown>;
      found.push({ topic: channel?.topic, time: message.logTime, ...values });
    }
    expect(found).to.deep.equal(
      [8000, 8001].flatMap((row) => {
        const time = BigInt(row * 125_000_000);
        return [
          { topic: 'sys', time, execOutTime: row / 8 },
          { topic: 'ball', time, position0: Math.sqrt(row / 8), n: -(2n ** 60n) - BigInt(row) },
          { topic: 'air', time, wind: Number.NaN },
        ];
      }),
    );
  });

  it('says of each field what it was recorded from', () => {
    const [, ball] = [...reader.channelsById.values()];
    expect(JSON.parse(ball?.metadata.get('position_0') ?? '')).to.deep.equal({
      index: 1,
      name: 'ball.position[0]',
      units: 'm',
      code: 11,
      bytes: 8,
    });
  });

  it('is told of, compared and played as any recording', async () => {
    const info = await commandHere(['info', 'a.mcap'], {}, directory);
    expect(info.output).to.match(/^a\.mcap: MCAP, protobuf\n20000 rows from 0 to 2499\.875 s /);
    const { output } = await commandHere(['diff', 'log_a.trk', 'a.mcap'], {}, directory);
    expect(output).to.equal(`0 of 3 variables differ in ${ROWS} rows\n`);
  });

  it('is told of with the rows before its damage, and compared, converted and drawn with those', async () => {
    const [damaged] = reader.chunkIndexes.slice(2);
    const broken = Buffer.from(bytes);
    broken.fill(7, Number(damaged?.chunkStartOffset) + 1000, Number(damaged?.chunkStartOffset) + 1008);
    writeFileSync(join(directory, 'b.mcap'), broken);
    const sentence =
      /^(varwire: )?b\.mcap is damaged at byte \d+: a chunk (has another checksum|cannot be decompressed: invalid zstd data)$/m;
    const info = await commandHere(['info', 'b.mcap'], {}, directory);
    expect(info.output).to.match(sentence);
    const rows = Number(/\n(\d+) rows from 0 to /.exec(info.output)?.[1]);
    expect(rows).to.be.within(1000, ROWS - 1000);
    const converted = await commandHere(['convert', 'b.mcap', 'b.trk'], {}, directory);
    expect([converted.code, converted.complaint]).to.satisfy(
      ([code, said]: [number, string]) => code === 0 && sentence.test(said),
    );
    const { output, complaint } = await commandHere(['diff', 'b.mcap', 'b.trk'], {}, directory);
    expect(output).to.equal(`0 of 3 variables differ in ${rows} rows\n`);
    expect(complaint).to.match(sentence);
    const drawn = await commandHere(['plot', 'b.mcap', 'ball.n', '--text'], {}, directory);
    expect(drawn.output).to.match(/^\S+ {2}ball\.n {2}[^\n]*\n$/);
    expect(drawn.complaint).to.match(sentence);
  });

  it('may have its messages in JSON, and its chunks as they are', async () => {
    const args = ['convert', 'log_a.trk', 'json.mcap', '--encoding', 'json', '--compression', 'none', '--to', '10'];
    expect(await commandHere(args, {}, directory)).to.include({ code: 0, complaint: '' });
    const text = readFileSync(join(directory, 'json.mcap'), 'latin1');
    expect(text).to.include('{"position_0":0,"n":-1152921504606846976}').and.include('jsonschema');
    const info = await commandHere(['info', 'json.mcap'], {}, directory);
    expect(info.output).to.match(/^json\.mcap: MCAP, JSON\n81 rows from 0 to 10 s /);
    const wrong = await commandHere([...args.slice(0, 3), '--force', '--encoding', 'xml'], {}, directory);
    expect([wrong.code, wrong.complaint]).to.deep.equal([2, 'varwire: --encoding takes protobuf or json, not xml\n']);
  });
});
