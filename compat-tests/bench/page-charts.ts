// What twenty charts of two lines cost the browser that draws them.

import { type Browser, chromium } from 'playwright-core';
import { BROWSER } from '../chromium.js';
import { LaunchedServer } from '../launch.js';
import { addressOf } from '../panels-page.js';

const SIMULATION = new URL('./waves.js', import.meta.url);
const [CHARTS, LINES] = [20, 2];
const [SETTLE_SECONDS, SECONDS] = [5, 10];

const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** Seconds of the processor that the browser's processes have taken, by their type. */
async function secondsBy(browser: Browser): Promise<ReadonlyMap<string, number>> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sums = new Map<string, number>();
  for (const { type, cpuTime } of processInfo) sums.set(type, (sums.get(type) ?? 0) + cpuTime);
  return sums;
}

/** Of a core, what each type of process takes. */
export async function sharesWith(port: number): Promise<ReadonlyMap<string, number>> {
  const browser = await chromium.launch({ executablePath: BROWSER as string, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    const charts = Array.from({ length: CHARTS }, (_, chart) => ({
      type: 'strip-chart',
      settings: { lines: [`waves.height[${2 * chart}]`, `waves.height[${2 * chart + 1}]`], span: 10 },
      columns: 6,
      rows: 5,
    }));
    await page.goto(addressOf(port, charts));
    await page
      .locator('.u-over')
      .nth(CHARTS - 1)
      .waitFor();
    await pause(SETTLE_SECONDS);
    const before = await secondsBy(browser);
    await pause(SECONDS);
    const after = await secondsBy(browser);
    return new Map([...after].map(([type, taken]) => [type, (taken - (before.get(type) ?? 0)) / SECONDS]));
  } finally {
    await browser.close();
  }
}

export async function pageChartsText(): Promise<string> {
  const server = await LaunchedServer.start(SIMULATION, { options: ['--no-discovery', '--udp', 'off'] });
  try {
    const shares = await sharesWith(server.port);
    const percent = (type: string): string => `${(100 * (shares.get(type) ?? 0)).toFixed(0)} %`;
    return `- ${CHARTS} charts of ${LINES} lines take ${percent('renderer')} of a core for the page, and ${percent('GPU')} for what draws it`;
  } finally {
    await server.stop();
  }
}
