// How soon a page that is loaded again shows the past of ten variables at 100 Hz, of ten minutes and of a day.

import { chromium, type Page } from 'playwright-core';
import { BROWSER } from '../chromium.js';
import { call } from '../http-client.js';
import { LaunchedServer } from '../launch.js';
import { addressOf, until } from '../panels-page.js';

const SIMULATION = new URL('./waves.js', import.meta.url);
const ALIASES = Array.from({ length: 10 }, (_, k) => `waves.height[${k}]`);
const RUNS = 5;

/** Notes when a line is drawn at the beginning of the plot, in milliseconds since the page was asked for. */
const WATCH = `(() => {
  const isDrawn = () => {
    const over = document.querySelector('.u-over')?.getBoundingClientRect();
    const canvas = document.querySelector('.u-over')?.parentElement.querySelector('canvas');
    if (!over || !canvas || over.width < 50) return false;
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

async function shownMillis(page: Page): Promise<number> {
  await page.reload();
  return until(
    () => page.evaluate<number>('globalThis.shownMillis ?? 0'),
    (millis) => millis > 0,
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
      const millis: number[] = [];
      for (let run = 0; run < RUNS; run++) millis.push(await shownMillis(page));
      const [median, worst] = [millis.sort((one, other) => one - other)[Math.floor(RUNS / 2)], millis.at(-1)];
      lines.push(
        `- ten variables over ${settings.span.toFixed(0)} s are shown ${median?.toFixed(0)} ms after a reload (at most ${worst?.toFixed(0)} ms of ${RUNS});`,
        `  the server takes ${(server.residentBytes / 1e6).toFixed(0)} MB`,
      );
    }
    return lines.join('\n');
  } finally {
    await browser.close();
    await server.stop();
  }
}
