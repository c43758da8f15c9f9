// How soon `varwire plot` shows a recording of a gigabyte in a browser that is open, and how soon zoom and pan are drawn.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { BROWSER } from '../chromium.js';
import type { Measured } from './figure.js';
import { COMMAND, writeRecording } from './recordings.js';
import type { Row } from './rows.js';

const PLOTS = 6;

/** Of each plot: whether a line is drawn at its beginning and its end. `settled` tells when a picture changed last. */
const WATCH = `
const isDrawn = (count) => {
  const all = [...document.querySelectorAll('.u-over')];
  return all.length === count && all.every((over) => {
    const [part, canvas] = [over.getBoundingClientRect(), over.parentElement.querySelector('canvas')];
    const whole = canvas.getBoundingClientRect();
    return [0.02, 0.97].every((at) => {
      const { data } = canvas.getContext('2d').getImageData(part.left - whole.left + at * part.width, part.top - whole.top, 8, part.height);
      for (let k = 0; k < data.length; k += 4)
        if (data[k + 3] > 200 && Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 60) return true;
      return false;
    });
  });
};
globalThis.drawn = (count) => new Promise((done) => {
  const look = () => (isDrawn(count) ? done() : requestAnimationFrame(look));
  look();
});
globalThis.settled = (millis) => new Promise((done) => {
  const canvas = document.querySelector('canvas');
  const sum = () => {
    // A part of it, as reading all of it would take longer than drawing.
    const { data } = canvas.getContext('2d').getImageData(canvas.width / 2 - 50, 0, 100, canvas.height);
    let sum = 0;
    for (let k = 0; k < data.length; k += 4) sum = (31 * sum + data[k] + data[k + 3]) | 0;
    return sum;
  };
  const began = performance.now();
  let [shown, changed] = [sum(), 0];
  const look = () => {
    const next = sum();
    const now = performance.now() - began;
    if (next !== shown) [shown, changed] = [next, now];
    if (now > millis) done(changed);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});`;

interface Plotting {
  readonly child: ChildProcess;
  readonly address: string;
}

async function plotting(...args: readonly string[]): Promise<Plotting> {
  const child = spawn(process.execPath, [COMMAND, 'plot', ...args, '--no-open'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const piece of child.stdout) {
    said += piece;
    const [, address] = /Browser {3}(\S+)\n/.exec(said) ?? [];
    if (address !== undefined) return { child, address };
  }
  throw new Error(`varwire plot has ended: ${said}`);
}

/** Milliseconds from the command to so many curves in the browser, and what then is measured of the page. */
async function shown<T>(
  browser: Browser,
  args: readonly string[],
  count: number,
  more: (page: Page, child: ChildProcess) => Promise<T>,
): Promise<readonly [number, T]> {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.addInitScript(WATCH);
  await page.goto('about:blank');
  const began = performance.now();
  const { child, address } = await plotting(...args);
  try {
    await page.goto(address);
    await page.evaluate(`drawn(${count})`);
    const millis = performance.now() - began;
    return [millis, await more(page, child)];
  } finally {
    child.kill();
    await once(child, 'exit');
    await page.close();
  }
}

const SETTLE_MILLIS = 1500;

/** When a gesture's last picture is there. */
async function settledAfter(page: Page, gesture: () => Promise<void>): Promise<number> {
  const settled = page.evaluate<number>(`settled(${SETTLE_MILLIS})`);
  await gesture();
  return settled;
}

async function gestures(page: Page, child: ChildProcess): Promise<readonly number[]> {
  // Until all peaks are there.
  await page.evaluate('settled(4000)');
  await page.mouse.move(960, 540);
  const zoom = await settledAfter(page, () => page.mouse.wheel(0, -600));
  const pan = await settledAfter(page, () => page.mouse.wheel(300, 0));
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  return [zoom, pan, Number(kilobytes) / 1000];
}

const layout = {
  version: 1,
  tabs: [
    {
      name: 'Six',
      panels: Array.from({ length: PLOTS }, (_, k) => ({
        type: 'run-plot',
        place: { x: 12 * (k % 2), y: 6 * Math.floor(k / 2), columns: 12, rows: 6 },
        settings: { lines: [{ alias: `dyn.x[${k + 1}]` }] },
      })),
    },
  ],
};

async function measured(browser: Browser, file: string, six: string): Promise<Measured> {
  const [first, found] = await shown(browser, [file, 'dyn.x[20]'], 1, gestures);
  const [all] = await shown(browser, [file, '--layout', six], PLOTS, async () => undefined);
  return [first, all, ...found];
}

export const RECORDING_PAGE_ROWS: readonly Row[] = [
  {
    name: 'recording-page',
    title: 'a .trk file of 1 GB in a browser that is open, from the command on',
    figures: [
      { title: 'its first curve, ms', digits: 0, atMost: 1300 },
      { title: 'six plots, ms', digits: 0, atMost: 3000 },
      { title: 'zoom, ms', digits: 0, atMost: 200 },
      { title: 'pan, ms', digits: 0, atMost: 200 },
      { title: 'most resident of the server, MB', digits: 0, atMost: 300 },
    ],
    start: async () => {
      const directory = mkdtempSync(join(tmpdir(), 'varwire-bench-'));
      const [file, six] = [join(directory, 'big.trk'), join(directory, 'six.json')];
      writeRecording(file);
      writeFileSync(six, JSON.stringify(layout));
      const browser = await chromium.launch({
        executablePath: BROWSER as string,
        args: ['--no-sandbox', '--disable-gpu'],
      });
      return {
        run: () => measured(browser, file, six),
        stop: async () => {
          await browser.close();
          rmSync(directory, { recursive: true });
        },
      };
    },
  },
];
