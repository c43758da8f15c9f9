// How soon a recording of a gigabyte is open, how soon its curves are there, and what that takes.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { doubles, trkFile } from '../../lib/testing/aids/trk-file.js';
import { call } from '../http-client.js';
import { LaunchedServer } from '../launch.js';
import type { Measured } from './figure.js';
import type { Row } from './rows.js';

const [COLUMNS, ROWS, ROWS_AT_ONCE] = [100, 1_250_000, 5000];
export const SECONDS = ROWS / 100;
export const COMMAND = fileURLToPath(new URL('../../lib/clients/cli/main.js', import.meta.url));
const POINTS = 2000;

interface Answer {
  readonly series: Readonly<Record<string, { readonly is_sampled?: true }>>;
}

/** A .trk file of 1 GB. */
export function writeRecording(path: string): void {
  const file = openSync(path, 'w');
  const names = Array.from({ length: COLUMNS - 1 }, (_, index) => doubles(`dyn.x[${index}]`, []));
  writeSync(file, trkFile([doubles('sys.exec.out.time', [], 's'), ...names]));
  const rows = new Float64Array(ROWS_AT_ONCE * COLUMNS);
  for (let from = 0; from < ROWS; from += ROWS_AT_ONCE) {
    for (let row = 0; row < ROWS_AT_ONCE; row++)
      for (let column = 0; column < COLUMNS; column++)
        rows[row * COLUMNS + column] = column === 0 ? (from + row) / 100 : Math.sin((from + row) / 1000 / column);
    writeSync(file, new Uint8Array(rows.buffer));
  }
  closeSync(file);
}

/** Milliseconds until whole curves are there, with all peaks. */
async function curveMillis(port: number, indices: readonly number[], stretch: object = {}): Promise<number> {
  const began = performance.now();
  const aliases = indices.map((index) => `dyn.x[${index}]`);
  const ask = () => call<Answer>(port, 'var/history', { aliases, points: POINTS, ...stretch });
  for (let { series } = await ask(); Object.values(series).some(({ is_sampled }) => is_sampled); )
    ({ series } = await ask());
  return performance.now() - began;
}

async function measured(file: string): Promise<Measured> {
  const began = performance.now();
  const options = ['--freeze', '--no-discovery', '--udp', 'off'];
  const server = await LaunchedServer.start(pathToFileURL(file), { program: [COMMAND, 'play'], options });
  const open = performance.now() - began;
  const first = await curveMillis(server.port, [0]);
  const six = await curveMillis(server.port, [1, 2, 3, 4, 5, 6]);
  const zoom = await curveMillis(server.port, [0], { from: 0.4 * SECONDS, to: 0.45 * SECONDS });
  const rows = await curveMillis(server.port, [0], { from: 0.4 * SECONDS, to: 0.4 * SECONDS + 10 });
  const seeking = performance.now();
  await call(server.port, 'sim/seek', { to_sec: 0.7 * SECONDS });
  const seek = performance.now() - seeking;
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.processId}/status`, 'utf8'))?.[1];
  await server.stop();
  return [open, first, six, Math.max(zoom, rows), seek, Number(kilobytes) / 1000];
}

export const RECORDING_ROWS: readonly Row[] = [
  {
    name: 'recording',
    title: 'a .trk file of 1 GB (100 doubles, 1,250,000 rows), played',
    figures: [
      { title: 'until it is served, ms', digits: 0 },
      { title: 'the first whole curve, ms', digits: 0, atMost: 1300 },
      { title: 'six more, ms', digits: 0, atMost: 3000 },
      { title: 'a part of a curve, ms', digits: 0, atMost: 200 },
      { title: 'to another time, ms', digits: 0, atMost: 200 },
      { title: 'most resident, MB', digits: 0, atMost: 300 },
    ],
    start: async () => {
      const directory = mkdtempSync(join(tmpdir(), 'varwire-bench-'));
      const file = join(directory, 'big.trk');
      writeRecording(file);
      return { run: () => measured(file), stop: async () => rmSync(directory, { recursive: true }) };
    },
  },
];
