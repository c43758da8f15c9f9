// What a page of twenty plots costs the server, beside one WebSocket client with the same subscription.
import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { LaunchedServer } from '../launch.js';
import { addressOf, panelOf } from '../panels-page.js';
import { coresTaken } from './process-cost.js';

const SIMULATION = new URL('./waves.js', import.meta.url);
const PROGRAM = '/usr/bin/chromium';
const [PLOTS, LINES] = [20, 5];
const ALIASES = Array.from({ length: PLOTS * LINES }, (_, k) => `waves.height[${k}]`);
const CHARTS = Array.from({ length: PLOTS }, (_, plot) => ({
  type: 'strip-chart',
  settings: { lines: ALIASES.slice(plot * LINES, (plot + 1) * LINES) },
  columns: 6,
  rows: 5,
}));
const [SETTLE_SECONDS, SECONDS] = [4, 10];

async function idle(): Promise<() => Promise<void>> {
  return async () => {};
}

/** One client that gets what the page gets: all variables at every tick, as bytes. */
async function client(port: number): Promise<() => Promise<void>> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await new Promise((resolve) => socket.once('open', resolve));
  const params = { aliases: ALIASES, cycle_ms: 0, format: 'binary' };
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params }));
  return async () => socket.terminate();
}

async function page(port: number): Promise<() => Promise<void>> {
  const browser = await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] });
  const opened = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await opened.goto(addressOf(port, CHARTS));
  await panelOf(opened, 'strip-chart').locator('output').first().waitFor();
  return () => browser.close();
}

/** Cores that a server uses while somebody is connected. */
async function coresWith(open: (port: number) => Promise<() => Promise<void>>, history: string): Promise<number> {
  const options = ['--no-discovery', '--udp', 'off', '--history', history];
  const server = await LaunchedServer.start(SIMULATION, { options });
  try {
    const close = await open(server.port);
    const cores = await coresTaken(server.processId, SECONDS, SETTLE_SECONDS);
    await close();
    return cores;
  } finally {
    await server.stop();
  }
}

/** One line: processor time of the server, without the simulation that runs anyway. */
export async function pageCostText(): Promise<string> {
  const nobody = await coresWith(idle, 'off');
  const millis = async (...args: Parameters<typeof coresWith>): Promise<number> =>
    1000 * ((await coresWith(...args)) - nobody);
  const one = await millis(client, 'off');
  const without = await millis(page, 'off');
  const kept = await millis(page, '10min');
  const times = (cost: number): string => `${cost.toFixed(1)} ms a second (${(cost / one).toFixed(2)} times as much)`;
  return [
    `- of the server's processor, such a page takes ${times(without)} as one WebSocket client`,
    `  with the same subscription (${one.toFixed(1)} ms a second); with the history kept, ${times(kept)}`,
  ].join('\n');
}
