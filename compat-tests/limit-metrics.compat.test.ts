// Every bound of docs/limits.md has a metric that the server shows, and what is left out at one is counted.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { ask, rpc } from './asking.js';
import { post } from './http-client.js';
import { KrpcClient } from './krpc/client.js';
import { LaunchedServer } from './launch.js';
import { WireClient } from './wire-client.js';

const PAGE = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8').split('\n');
const WITHOUT = /^none: \w/;

/** The last cells of the tables that have a column for metrics. */
function metricCells(): { readonly row: string; readonly cell: string }[] {
  const cells: { row: string; cell: string }[] = [];
  let hasMetrics = false;
  PAGE.forEach((line, index) => {
    if (!line.startsWith('|')) hasMetrics = false;
    const row = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const cell = row.at(-2) ?? '';
    if (cell === 'metric') hasMetrics = true;
    else if (hasMetrics && !/^-/.test(cell)) cells.push({ row: `${index + 1}: ${row[1]}`, cell });
  });
  return cells;
}

describe('the metrics of bounds', () => {
  let directory: string;
  let server: LaunchedServer;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-bounds-'));
    server = await LaunchedServer.start('sims/ball.js', {
      options: ['--no-discovery', '--udp', 'off', '--krpc', '127.0.0.1:0', '--run-dir', directory],
    });
  });
  after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  const call = (method: string, params: object): Promise<unknown> =>
    post(server.port, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();

  it('are shown by the server, for each row of the page', async () => {
    // Protocols that nobody speaks are not loaded.
    const krpc = await KrpcClient.tcp(server.krpcPorts);
    await call('world.list_components', {});
    const shown = await metrics();
    krpc.close();
    const wrong: string[] = [];
    let without = 0;
    for (const { row, cell } of metricCells()) {
      if (cell === 'the same' || cell === 'as above') continue;
      if (WITHOUT.test(cell)) {
        without++;
        continue;
      }
      const named = [...cell.matchAll(/`([a-z]+_\w+)(?:\{(\w+)="([^"]+)"\})?/g)];
      if (named.length === 0) wrong.push(`${row}: ${cell}`);
      for (const [, name, label, value] of named) {
        // A code is shown once there was an error with it, and a status once there was such an answer.
        const sample =
          label === undefined || label === 'code' || label === 'status' ? ` ${name} ` : `${name}{${label}="${value}"}`;
        if (!shown.includes(sample)) wrong.push(`${row}: ${sample}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(without).to.equal(15);
  });

  const count = async (bound: string): Promise<number> => {
    const [, text] =
      new RegExp(`^varwire_left_out_total\\{bound="${bound}"\\} (\\d+)$`, 'm').exec(await metrics()) ?? [];
    return Number(text);
  };
  const grows = async (bound: string, act: () => Promise<unknown>): Promise<void> => {
    const before = await count(bound);
    await act();
    const until = performance.now() + PATIENCE_MILLIS;
    // Some of it is done after the answer.
    while ((await count(bound)) === before) expect(performance.now(), bound).to.be.below(until);
  };
  const run = (text: string) => call('trick/run', { text });

  it('count what is left out', async () => {
    const missing = Array.from({ length: 30 }, (_, k) => `ball.missing${k}`);
    await grows('explained_aliases', () => call('var/get', { aliases: missing, lenient: true }));
    await grows('suggested_names', () => call('var/get', { aliases: [`ball.${'x'.repeat(500)}`] }));
    await grows('completed_items', () => call('trick/complete', { text: 'trick.' }));
    await grows('completed_text', () => call('trick/complete', { text: 'a'.repeat(5000) }));
    const publish = (count: number) => run(`for i in range(${count}): trick.message_publish(0, "said")`);
    await grows('kept_messages', () => Promise.all(Array.from({ length: 7 }, () => publish(190))));
    await grows('log_lines', () => publish(300));
    const client = await WireClient.tcp(server.port);
    const tell = async (text: string): Promise<void> => {
      client.send(`${text}\ntrick.var_send_once("ball.position[0]")\n`);
      await client.line();
    };
    await grows('tag_characters', () => tell(`trick.var_set_client_tag("${'x'.repeat(300)}")`));
    const unknown = Array.from({ length: 150 }, (_, k) => `trick.var_add("ball.nothing${k}")`).join('\n');
    // The first hundred are named in the log, twenty a second of them with the nearest name.
    await grows('logged_names', () => grows('explained_names', () => tell(unknown)));
    client.close();
  });

  it('count files of which a list has no more rows', async () => {
    await run('trick.checkpoint("first")');
    const checkpoint = readFileSync(join(directory, 'first'));
    for (let k = 0; k < 1000; k++) writeFileSync(join(directory, `chkpnt_${k}`), checkpoint);
    await grows('checkpoint_rows', () => call('sim/checkpoints', {}));
    for (let k = 0; k < 9000; k++) writeFileSync(join(directory, `log_${k}.csv`), '');
    await grows('recording_rows', () => grows('listed_files', () => call('recording/list', {})));
  }).timeout(60_000);

  it('count the sessions of events that are closed for others', async function () {
    // Other systems have one address of their own.
    if (process.platform !== 'linux') this.skip();
    const body = rpc('trick/run', { text: 'trick.add_read(0.0, "1")' });
    const from = (localAddress: string) => ask({ port: server.port, path: '/jsonrpc', body, localAddress });
    await grows('idle_event_sessions', () =>
      Promise.all(Array.from({ length: 70 }, (_, k) => from(`127.0.1.${k + 1}`))),
    );
  });
});
