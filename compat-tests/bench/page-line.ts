// How soon a page that is opened for the first time, over a slow line, shows the names and values of its first layout.

import { type Browser, chromium } from 'playwright-core';
import { BROWSER } from '../chromium.js';
import { LaunchedServer } from '../launch.js';
import { until } from '../panels-page.js';
import { SlowLine } from './slow-line.js';

const LINE = { roundTripMillis: 300, bytesPerSecond: 50_000 };
const RUNS = 3;

/** Notes when all values of the table are there, and when all is drawn, in milliseconds since the page was asked for. */
const WATCH = `(() => {
  const shown = globalThis.shown = { values: 0, charts: 0 };
  const look = () => {
    const rows = [...document.querySelectorAll('tr[data-alias] .value-column')];
    if (!shown.values && rows.length > 0 && rows.every((row) => row.textContent.trim() !== '–')) shown.values = performance.now();
    const charts = document.querySelectorAll('[data-type=strip-chart]').length;
    if (!shown.charts && charts > 0 && document.querySelectorAll('.u-over').length >= charts) shown.charts = performance.now();
    if (!shown.values || !shown.charts) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

interface Shown {
  readonly values: number;
  readonly charts: number;
}

/** Without anything in its cache. */
async function openedOver(browser: Browser, serverPort: number): Promise<Shown & { readonly bytes: number }> {
  const line = await SlowLine.to(serverPort, LINE);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    await page.goto(`http://127.0.0.1:${line.port}/`);
    const shownOnce = (part: keyof Shown): Promise<Shown> =>
      until(
        () => page.evaluate<Shown>('globalThis.shown'),
        (shown) => shown[part] > 0,
      );
    await shownOnce('values');
    const { bytesDown: bytes } = line;
    return { ...(await shownOnce('charts')), bytes };
  } finally {
    await context.close();
    line.close();
  }
}

export async function pageLineText(): Promise<string> {
  const server = await LaunchedServer.start('sims/lander.js', { options: ['--no-discovery', '--udp', 'off'] });
  const browser = await chromium.launch({ executablePath: BROWSER as string, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const opened = [];
    for (let run = 0; run < RUNS; run++) opened.push(await openedOver(browser, server.port));
    opened.sort((one, other) => one.values - other.values);
    const [{ values, charts, bytes }, worst] = [opened[RUNS >> 1]!, opened.at(-1)!];
    const seconds = (millis: number): string => `${(millis / 1000).toFixed(2)} s`;
    return [
      `- over a line of ${LINE.roundTripMillis} ms there and back and ${LINE.bytesPerSecond / 1000} kB/s, the names and values of the lander's first layout`,
      `  are shown after ${seconds(values)} (at most ${seconds(worst.values)} of ${RUNS}; ${(bytes / 1000).toFixed(0)} kB), its charts after ${seconds(charts)}`,
    ].join('\n');
  } finally {
    await browser.close();
    await server.stop();
  }
}
