// What a page of twenty plots costs the server, beside one WebSocket client with the same subscription.

import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { BROWSER } from '../chromium.js';
import { LaunchedServer } from '../launch.js';
import { addressOf, panelOf } from '../panels-page.js';
import { coresTaken } from './process-cost.js';

const SIMULATION = new URL('./waves.js', import.meta.url);
const [PLOTS, LINES] = [20, 5];
const ALIASES = Array.from({ length: PLOTS * LINES }, (_, k) => `waves.height[${k}]`);
const CHARTS = Array.from({ length: PLOTS }, (_, plot) => ({
  type: 'strip-chart',
  settings: { lines: ALIASES.slice(plot * LINES, (plot + 1) * LINES) },
  columns: 6,
  rows: 5,
}));
/** A server that has just started compiles and collects; after that, it is measured with each for so long. */
const [START_SECONDS, SETTLE_SECONDS, SECONDS] = [10, 4, 10];

type Open = (port: number) => Promise<() => Promise<void>>;

const nobody: Open = async () => async () => {};

/** One client that gets what the page gets: all variables at every tick, as bytes. */
const client: Open = async (port) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  await new Promise((resolve) => socket.once('open', resolve));
  const params = { aliases: ALIASES, cycle_ms: 0, format: 'binary' };
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params }));
  return async () => socket.terminate();
};

const page: Open = async (port) => {
  const browser = await chromium.launch({ executablePath: BROWSER as string, args: ['--no-sandbox', '--disable-gpu'] });
  const opened = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await opened.goto(addressOf(port, CHARTS));
  await panelOf(opened, 'strip-chart').locator('output').first().waitFor();
  return () => browser.close();
};

/** Milliseconds of the processor that one server takes in a second, with each of these connected in turn. */
async function millisWith(history: string, opens: readonly Open[]): Promise<readonly number[]> {
  const options = ['--no-discovery', '--udp', 'off', '--history', history];
  const server = await LaunchedServer.start(SIMULATION, { options });
  try {
    await coresTaken(server.processId, 0, START_SECONDS);
    const taken: number[] = [];
    for (const open of opens) {
      const close = await open(server.port);
      taken.push(1000 * (await coresTaken(server.processId, SECONDS, SETTLE_SECONDS)));
      await close();
    }
    return taken;
  } finally {
    await server.stop();
  }
}

/** Two lines: what a page takes of the server, without what the simulation takes anyway. */
export async function pageCostText(): Promise<string> {
  const [idle = 0, one = 0, without = 0] = await millisWith('off', [nobody, client, page]);
  const [idleToo = 0, kept = 0] = await millisWith('10min', [nobody, page]);
  const times = (cost: number): string =>
    `${cost.toFixed(1)} ms a second (${(cost / (one - idle)).toFixed(2)} times as much)`;
  return [
    `- of the server's processor, such a page takes ${times(without - idle)} as one WebSocket client with`,
    `  the same subscription, ${(one - idle).toFixed(1)} ms; with the history kept, ${times(kept - idleToo)}`,
  ].join('\n');
}
