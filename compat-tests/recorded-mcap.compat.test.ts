// MCAP files as other programs read them: by their indexes, and by the schemas that they have in them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    reader = await McapIndexedReader.Initialize({ readable });
  });
  after(() => rmSync(directory, { recursive: true }));

  it('has a channel for each object, indexes, and chunks of half a megabyte', () => {
    expect([...reader.channelsById.values()].map(({ topic }) => topic)).to.deep.equal(['sys', 'ball', 'air']);
    expect(reader.statistics).to.include({ messageCount: BigInt(3 * ROWS), channelCount: 3, schemaCount: 3 });
    const sizes = reader.chunkIndexes.map(({ uncompressedSize }) => Number(uncompressedSize));
    expect(sizes).to.have.length.above(3);
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
});
