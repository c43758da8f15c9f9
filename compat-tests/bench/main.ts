// `npm run bench [-- --rows fan100,rtt] [--runs 5] [--seconds 5] [--micro] [--growth] [--attacks [--clients 1,10] [--only NAMES]] [--page [--only PARTS]]`: what serving costs, as tables.

import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { attacksText, selectedAttacks } from './attacks.js';
import { BESIDE_ROWS } from './beside.js';
import { BRIDGE_ROWS } from './bridged.js';
import { EDGE_ROWS } from './edges.js';
import { type Measured, rowLines, TABLE_HEAD } from './figure.js';
import { FLOOR_ROWS, runFloor } from './floor.js';
import { growthText } from './growth.js';
import { ISOLATION_ROWS } from './isolation.js';
import { KRPC_ROWS } from './krpc.js';
import { LARGE_STATE_ROWS } from './large-state.js';
import { runLoad } from './load.js';
import { LoadClient } from './load-client.js';
import { printMicroBenches } from './micro.js';
import { pageText } from './page.js';
import { RECORDING_PAGE_ROWS } from './recording-page.js';
import { RECORDING_ROWS } from './recordings.js';
import { type Bench, ROWS, type Row } from './rows.js';
import { START_UP_ROWS } from './start-up.js';
import { PAGE, withSection, writeResults } from './summary.js';
import { WEB_DOOR_ROWS } from './web-doors.js';

const ALL_ROWS = [
  ...START_UP_ROWS,
  ...ROWS,
  ...BESIDE_ROWS,
  ...BRIDGE_ROWS,
  ...EDGE_ROWS,
  ...FLOOR_ROWS,
  ...ISOLATION_ROWS,
  ...KRPC_ROWS,
  ...WEB_DOOR_ROWS,
  ...LARGE_STATE_ROWS,
  ...RECORDING_ROWS,
  ...RECORDING_PAGE_ROWS,
];
const LIMITS = { runs: 5, seconds: 5, attackSeconds: 30 };

async function measure(row: Row, bench: Bench, runs: number): Promise<Measured[]> {
  const { run, stop } = await row.start(bench);
  const measured: Measured[] = [];
  for (let index = 0; index < runs; index++) measured.push(await run(index));
  await stop();
  return measured;
}

async function table(rows: readonly Row[], bench: Bench, runs: number): Promise<readonly string[]> {
  const lines = [...TABLE_HEAD];
  for (const line of lines) console.log(line);
  for (const row of rows) {
    const added = rowLines(row.name, row.title, row.figures, await measure(row, bench, runs));
    for (const line of added) console.log(line);
    lines.push(...added);
  }
  return lines;
}

function selected(names: string | undefined): readonly Row[] {
  if (names === undefined) return ALL_ROWS;
  return names.split(',').map((name) => {
    const row = ALL_ROWS.find((candidate) => candidate.name === name);
    if (row) return row;
    throw new Error(`there is no row ${name}; there are ${ALL_ROWS.map((known) => known.name).join(', ')}`);
  });
}

function machine(client: LoadClient, runs: number, seconds: number): string {
  const date = new Date().toISOString().slice(0, 10);
  const processor = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`;
  return `${date}, Node ${process.version}, ${processor}; ${runs} runs of ${seconds} s, load client in ${client.kind} on the same machine.`;
}

/** A bystander's waits while others attack; the whole table goes into the results. */
async function attack(only: string | undefined, seconds: number, counts: readonly number[]): Promise<void> {
  const text = await attacksText(selectedAttacks(only), seconds, counts);
  if (only !== undefined) return;
  const date = new Date().toISOString().slice(0, 10);
  const processor = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`;
  writeResults('attacks', `${date}, Node ${process.version}, ${processor}; ${seconds} s an attack.\n\n${text}`);
}

/** All parts together go into docs/performance.md. */
async function writePage(only: string | undefined): Promise<void> {
  const text = await pageText(only);
  console.log(text);
  if (only !== undefined) return;
  const dated = `${new Date().toISOString().slice(0, 10)}, ${text}`;
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), 'page', dated));
}

async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string' },
      runs: { type: 'string', default: `${LIMITS.runs}` },
      seconds: { type: 'string' },
      micro: { type: 'boolean' },
      growth: { type: 'boolean' },
      attacks: { type: 'boolean' },
      clients: { type: 'string', default: '1,10' },
      page: { type: 'boolean' },
      only: { type: 'string' },
    },
  });
  if (values.micro) return printMicroBenches();
  if (values.attacks)
    return attack(values.only, Number(values.seconds ?? LIMITS.attackSeconds), values.clients.split(',').map(Number));
  if (values.page) return writePage(values.only);
  const [runs, seconds] = [Number(values.runs), Number(values.seconds ?? LIMITS.seconds)];
  const client = new LoadClient();
  if (values.growth) {
    const text = await growthText({ client, seconds });
    console.log(text);
    return writeResults('growth', text);
  }
  const rows = selected(values.rows);
  const head = machine(client, runs, seconds);
  console.log(`${head}\n`);
  const lines = await table(rows, { client, seconds }, runs);
  // Written only when all rows have run, so that the table never mixes figures of different days.
  if (rows.length === ALL_ROWS.length) writeResults('table', [head, '', ...lines].join('\n'));
}

const [first, ...others] = process.argv.slice(2);
if (first === 'load') await runLoad(others);
else if (first === 'floor') runFloor(others);
else await bench(process.argv.slice(2));
