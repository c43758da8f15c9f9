// How soon a page that is loaded again shows the past of ten variables at 100 Hz, of ten minutes and of a day.

import { chromium, type Page } from 'playwright-core';
import { BROWSER } from '../chromium.js';
import { call } from '../http-client.js';
import { LaunchedServer } from '../launch.js';
import { addressOf, until } from '../panels-page.js';
import { median } from './figure.js';

const SIMULATION = new URL('./ten-waves.js', import.meta.url);
const ALIASES = Array.from({ length: 10 }, (_, k) => `waves.height[${k}]`);
const RUNS = 5;

/** Notes when the chart is there, and when a line is drawn at its beginning, in milliseconds since the page was asked for. */
const WATCH = `(() => {
  const isDrawn = () => {
    const over = document.querySelector('.u-over')?.getBoundingClientRect();
    const canvas = document.querySelector('.u-over')?.parentElement.querySelector('canvas');
    if (!over || !canvas || over.width < 50) return false;
    globalThis.chartMillis ??= performance.now();
    const all = canvas.getBoundingClientRect();
    const { data } = canvas.getContext('2d').getImageData(over.left - all.left + 0.02 * over.width, over.top - all.top, 8, over.height);
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 200 && Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 60)
        return true;
    return false;
  };
  const look = () => isDrawn() ? globalThis.shownMillis = performance.now() : requestAnimationFrame(look);
  requestAnimationFrame(look);
})()`;

interface Shown {
  readonly millis: number;
  /** When its empty chart was there. */
  readonly chartMillis: number;
}

async function shownAfterReload(page: Page): Promise<Shown> {
  await page.reload();
  return until(
    () => page.evaluate<Shown>('({ millis: globalThis.shownMillis ?? 0, chartMillis: globalThis.chartMillis ?? 0 })'),
    ({ millis }) => millis > 0,
  );
}

const secondsOf = async (port: number): Promise<number> =>
  (await call<{ sim_time: { sec_si: number } }>(port, 'sim/status', {})).sim_time.sec_si;

/** Runs as fast as it can until that time, and then in real time. */
async function hasten(port: number, end: number): Promise<void> {
  await call(port, 'sim/control', { action: 'real_time', enabled: false });
  while ((await secondsOf(port)) < end) await new Promise((resolve) => setTimeout(resolve, 1000));
  await call(port, 'sim/control', { action: 'real_time', enabled: true });
}

/** A line for each length of the past, in seconds. */
export async function pagePastText(lengths: readonly number[]): Promise<string> {
  const options = ['--no-discovery', '--udp', 'off', ...ALIASES.flatMap((alias) => ['--keep', alias])];
  const server = await LaunchedServer.start(SIMULATION, { options });
  const browser = await chromium.launch({ executablePath: BROWSER as string, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.addInitScript(WATCH);
    const lines: string[] = [];
    for (const length of lengths) {
      await hasten(server.port, length);
      const settings = { lines: ALIASES, span: await secondsOf(server.port) };
      await page.goto('about:blank');
      await page.goto(addressOf(server.port, [{ type: 'strip-chart', settings, columns: 24, rows: 16 }]));
      const shown: Shown[] = [];
      for (let run = 0; run < RUNS; run++) shown.push(await shownAfterReload(page));
      const middle = median(shown.map(({ millis }) => millis));
      const worst = Math.max(...shown.map(({ millis }) => millis));
      const ratio = median(shown.map(({ millis, chartMillis }) => millis / chartMillis));
      lines.push(
        `- ten variables over ${settings.span.toFixed(0)} s are shown ${middle.toFixed(0)} ms after a reload (at most ${worst.toFixed(0)} ms of ${RUNS}),`,
        `  ${ratio.toFixed(2)} times as late as their empty chart; the server takes ${(server.residentBytes / 1e6).toFixed(0)} MB`,
      );
    }
    return lines.join('\n');
  } finally {
    await browser.close();
    await server.stop();
  }
}
