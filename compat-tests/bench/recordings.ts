// How soon a recording of a gigabyte is open, how soon its curves are there, and what that takes.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Frame, Lease, openRecording, playRecording } from '../../lib/index.js';
import type { Variable } from '../../lib/model/state/variable.js';
import { convert } from '../../lib/source/recording/convert.js';
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

const [WIDE_COLUMNS, WIDE_ROWS, STEPS] = [20_000, 400, 100];
const WIDE_FORMS = ['trk', 'csv', 'mcap', 'parquet'] as const;

/** A recording of many columns in every form. */
async function writeWide(directory: string): Promise<void> {
  const column = (index: number) =>
    doubles(
      `dyn${index % 20}.x[${Math.floor(index / 20)}]`,
      Array.from({ length: WIDE_ROWS }, (_, row) => Math.sin(row * index)),
    );
  const times = Array.from({ length: WIDE_ROWS }, (_, row) => row / 100);
  const columns = Array.from({ length: WIDE_COLUMNS }, (_, index) => column(index));
  const file = join(directory, 'wide.trk');
  writeFileSync(file, trkFile([doubles('sys.exec.out.time', times, 's'), ...columns]));
  const recording = openRecording(file);
  for (const form of WIDE_FORMS.slice(1))
    await convert(recording, join(directory, `wide.${form}`), { compression: 'none' });
  recording.close();
}

/** Milliseconds of processor time for a row of which one variable is watched. */
async function rowMillis(file: string): Promise<number> {
  const { source } = playRecording(openRecording(file));
  const lease = new Lease();
  const variable = source.catalog.find('dyn3.x[7]') as Variable;
  const watched = [{ isCarriedBy: (frame: Frame) => frame.carries(variable) }];
  source.onFrame((frame) => lease.ask(watched, frame));
  const step = (frames: number) => source.submit({ kind: 'control', control: { action: 'step', frames } });
  // Once over other rows, until the engine has compiled it.
  for (let row = 0; row < STEPS; row++) await step(1);
  const before = process.cpuUsage();
  for (let row = 0; row < STEPS; row++) await step(1);
  const { user, system } = process.cpuUsage(before);
  await source.close();
  return (user + system) / 1000 / STEPS;
}

export const RECORDING_ROWS: readonly Row[] = [
  {
    name: 'recording-wide',
    title: 'a recording of 20,000 doubles, played; one of them is watched',
    figures: WIDE_FORMS.map((form) => ({ title: `CPU ms for a row of .${form}`, digits: 2 })),
    start: async () => {
      const directory = mkdtempSync(join(tmpdir(), 'varwire-bench-'));
      await writeWide(directory);
      const run = async (): Promise<Measured> => {
        const figures: number[] = [];
        for (const form of WIDE_FORMS) figures.push(await rowMillis(join(directory, `wide.${form}`)));
        return figures;
      };
      return { run, stop: async () => rmSync(directory, { recursive: true }) };
    },
  },
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
