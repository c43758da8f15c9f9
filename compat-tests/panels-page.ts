// The page at / with a layout of panels, opened in a browser, as a person has it before them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { Chromium } from './chromium.js';
import { type ServerHere, showOutputOfFailure } from './launch.js';

/** Between two readings of what is awaited; what takes long is read less often, as a reading may cost more than what it waits for. */
const [FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS] = [50, 400];

export interface PanelWish {
  readonly type: string;
  readonly settings?: object;
  /** Cells; 24 columns are the width of the page. */
  readonly columns?: number;
  readonly rows?: number;
}

/** Panels side by side, in rows. */
function layoutOf(panels: readonly PanelWish[]): object {
  let [x, y, height] = [0, 0, 0];
  const placed = panels.map(({ type, settings = {}, columns = 12, rows = 10 }, index) => {
    if (x + columns > 24) [x, y, height] = [0, y + height, 0];
    const place = { x, y, columns, rows };
    [x, height] = [x + columns, Math.max(height, rows)];
    return { id: `panel-${index + 1}`, type, settings, place };
  });
  return { version: 1, shown: 'tab-1', tabs: [{ id: 'tab-1', name: 'Main', panels: placed }] };
}

/** The address of the page with these panels on it. */
export function addressOf(port: number, panels: readonly PanelWish[], query = ''): string {
  const packed = deflateRawSync(JSON.stringify(layoutOf(panels))).toString('base64url');
  return `http://127.0.0.1:${port}/${query}#layout=${packed}`;
}

/** The first panel of a kind. */
export const panelOf = (page: Page, type: string): Locator => page.locator(`[data-type="${type}"]`).first();

/** Resolves when the page has drawn what it was about to draw, however late its pictures come. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');

/** Resolves with what `read` answers, as soon as it is what is wanted; fails with the last answer. */
export async function until<Result>(
  read: () => Promise<Result>,
  isWanted: (result: Result) => boolean,
  patienceMillis = PATIENCE_MILLIS,
): Promise<Result> {
  const end = performance.now() + patienceMillis;
  for (let pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
    const result = await read();
    if (isWanted(result)) return result;
    if (performance.now() > end) throw new Error(`still ${JSON.stringify(result)}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

export interface Csv {
  readonly head: string;
  /** Time first; NaN for an empty cell. */
  readonly rows: readonly (readonly number[])[];
}

/** The samples that a chart shows, as it saves them. */
export async function savedCsv(chart: Locator): Promise<Csv> {
  await chart.hover();
  const [download] = await Promise.all([
    chart.page().waitForEvent('download'),
    chart.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const [head = '', ...lines] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  return {
    head,
    rows: lines.map((line) => line.split(',').map((cell) => (cell === '' ? Number.NaN : Number(cell)))),
  };
}

/** All that axe-core finds, however small, as `rule: element`. @param context what is looked at, as axe takes it. */
export async function barriers(page: Page, context: object = { include: [['html']] }): Promise<string[]> {
  const looked = `axe.run(${JSON.stringify(context)}, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`;
  const found = await page.evaluate<string[] | undefined>(`globalThis.axe && ${looked}`);
  // One evaluation: a page that is loaded again between two has no axe any more.
  return found ?? page.evaluate<string[]>(`(async () => { ${axe()}; return ${looked}; })()`);
}

/** Its small form, as the page has to be told all of it. */
const axe = (): string => readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What a suite has once its first hook is over. */
export interface Bench {
  server: ServerHere;
  browser: Chromium;
  page: Page;
}

/** Gives the suite that calls it a server and a page; what the page throws fails the test in which it does. */
export function onPage(start: () => Promise<ServerHere>): Bench {
  const bench = {} as Bench;
  const faults: string[] = [];
  before(async function () {
    bench.browser = await Chromium.openOrSkip(this);
    bench.server = await start();
    bench.page = await bench.browser.newPage();
    bench.page.on('pageerror', ({ message }) => faults.push(message));
  });
  after(async () => {
    await bench.browser?.close();
    await bench.server?.stop();
  });
  afterEach(function () {
    showOutputOfFailure(this, bench.server);
    const [fault] = faults.splice(0);
    if (fault !== undefined) throw new Error(`the page failed: ${fault}`);
  });
  return bench;
}
