// What a page shows of a simulation that runs as fast as possible, and how soon it freezes.

import { chromium, type Page } from 'playwright-core';
import { BROWSER } from '../chromium.js';
import { call } from '../http-client.js';
import { LaunchedServer } from '../launch.js';
import { until } from '../panels-page.js';
import { median } from './figure.js';

const SECONDS = 6;
const FREEZES = 5;

const framesOf = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    const start = performance.now();
    let frames = 0;
    const count = (now) => {
      frames++;
      if (now - start < ${SECONDS * 1000}) requestAnimationFrame(count);
      else done((1000 * frames) / (now - start));
    };
    requestAnimationFrame(count);
  })`);

/** Milliseconds from the key until the page says that the simulation stands still. */
async function freezeMillis(page: Page): Promise<number> {
  await page.evaluate(`document.addEventListener('keydown', ({ timeStamp }) => {
    const look = () => {
      if (document.title.includes('(freeze)')) globalThis.frozenMillis = performance.now() - timeStamp;
      else requestAnimationFrame(look);
    };
    globalThis.frozenMillis = 0;
    requestAnimationFrame(look);
  }, { capture: true, once: true })`);
  await page.keyboard.press(' ');
  return until(
    () => page.evaluate<number>('globalThis.frozenMillis'),
    (millis) => millis > 0,
  );
}

/** @param name of a simulation with a first layout of its own. */
async function fastText(name: string): Promise<string> {
  const server = await LaunchedServer.start(`sims/${name}.js`, { options: ['--no-discovery', '--udp', 'off'] });
  const browser = await chromium.launch({ executablePath: BROWSER as string, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`http://127.0.0.1:${server.port}/`);
    await page.locator('.u-over').first().waitFor();
    await call(server.port, 'sim/control', { action: 'real_time', enabled: false });
    const frames = await framesOf(page);
    const freezes: number[] = [];
    for (let run = 0; run < FREEZES; run++) {
      freezes.push(await freezeMillis(page));
      await call(server.port, 'sim/control', { action: 'run' });
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    return [
      `- the first layout of the ${name} as fast as possible: ${frames.toFixed(1)} frames a second; it shows a freeze ${median(freezes).toFixed(0)} ms after the key`,
      `  (at most ${Math.max(...freezes).toFixed(0)} ms of ${FREEZES})`,
    ].join('\n');
  } finally {
    await browser.close();
    await server.stop();
  }
}

export const pageFastText = async (): Promise<string> => [await fastText('ball'), await fastText('lander')].join('\n');
