// `npm run bench -- --page [--only drawn,charts,cost,line,fast,past]`: the page in a browser; twenty plots of five variables at 100 Hz: frames, long tasks, memory.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { BROWSER } from '../chromium.js';
import { pageChartsText } from './page-charts.js';
import { pageCostText } from './page-cost.js';
import { pageFastText } from './page-fast.js';
import { pageLineText } from './page-line.js';
import { pagePastText } from './page-past.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FLAGS = ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info', '--js-flags=--expose-gc'];
const [PLOTS, LINES, RATE_HZ] = [20, 5, 100];
/** Samples come this many times as fast for the memory of an hour. */
const PACE = 120;

interface Watched {
  readonly frames: number;
  readonly millis: number;
}

/** Tasks of the page's thread, by the processor's time, so that other programs lengthen none. */
interface Tasks {
  /** Those that kept the page from drawing for 50 ms and more. */
  readonly long: number;
  readonly longestMillis: number;
}

/** An event of Chromium's trace; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const LONG_MILLIS = 50;
/** Ten minutes, and a day. */
const PASTS = [600, 86_400];

/** The panels with a made-up server, as lib/page/gallery has them. */
async function openGallery(page: Page, directory: string): Promise<void> {
  const entryPoints = { gallery: 'build/lib/page/gallery/main.js', style: 'lib/page/style/page.css' };
  await build({ absWorkingDir: ROOT, bundle: true, minify: true, format: 'esm', entryPoints, outdir: directory });
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.addStyleTag({ path: join(directory, 'style.css') });
  await page.addScriptTag({ path: join(directory, 'gallery.js'), type: 'module' });
  await page.waitForFunction('globalThis.gallery !== undefined');
}

function plots(span: number): string {
  const panels = Array.from({ length: PLOTS }, (_, plot) => ({
    type: 'strip-chart',
    settings: { span, lines: Array.from({ length: LINES }, (_, line) => `plot${plot}.wave${line}`) },
    width: 380,
    height: 205,
  }));
  return JSON.stringify(panels);
}

/** Counts what the browser draws while samples come at their own pace. */
const watched = (page: Page, from: number, seconds: number): Promise<Watched> =>
  page.evaluate<Watched>(`(async () => {
    let frames = 0, isOver = false;
    const count = () => { frames++; if (!isOver) requestAnimationFrame(count); };
    requestAnimationFrame(count);
    const start = performance.now();
    await gallery.run(${from}, ${seconds}, ${RATE_HZ}, 1);
    isOver = true;
    return { frames, millis: performance.now() - start };
  })()`);

/** What the page's thread has computed, in seconds of the processor: other programs do not lengthen it. */
async function computedSeconds(page: Page, run: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<Map<string, number>> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return new Map(metrics.map(({ name, value }) => [name, value]));
  };
  const before = await read();
  await run();
  const after = await read();
  await session.detach();
  const taken = ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'];
  return Object.fromEntries(taken.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]));
}

/** The tasks of the page's thread while something runs. */
async function tasksOf(page: Page, run: () => Promise<unknown>): Promise<Tasks> {
  const session = await page.context().newCDPSession(page);
  const events = await traced(session, run);
  await session.detach();
  const isMain = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
  );
  const millis = events
    .filter((event) => event.name.endsWith('RunTask') && isMain.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
  // Each task is there under two names.
  const long = millis.filter((each) => each > LONG_MILLIS).length / 2;
  return { long: Math.ceil(long), longestMillis: Math.max(...millis) };
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}.${tid}`;

async function traced(session: CDPSession, run: () => Promise<unknown>): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const over = new Promise<unknown>((resolve) => session.once('Tracing.tracingComplete', resolve));
  const traceConfig = { includedCategories: ['toplevel'], excludedCategories: ['*'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await run();
  await session.send('Tracing.end');
  await over;
  return events;
}

/** Megabytes of the heap after a collection, when so many seconds of simulation have been plotted. */
async function heapAfter(page: Page, from: number, to: number): Promise<number> {
  await page.evaluate(`gallery.run(${from}, ${to - from}, ${RATE_HZ}, ${PACE})`);
  return page.evaluate<number>('(gc(), gc(), performance.memory.usedJSHeapSize / 1e6)');
}

async function drawnText(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-page-bench-'));
  const browser = await chromium.launch({ executablePath: BROWSER as string, headless: true, args: FLAGS });
  try {
    const page = await browser.newPage();
    await openGallery(page, directory);
    await page.evaluate(`gallery.show(${plots(30)})`);
    await watched(page, 0, 3);
    let drawn!: Watched;
    const computed = await computedSeconds(page, async () => {
      drawn = await watched(page, 3, 10);
    });
    const tasks = await tasksOf(page, () => watched(page, 13, 10));
    const perFrame = (name: string): string => (((computed[name] ?? 0) * 1000) / drawn.frames).toFixed(1);
    const heaps: string[] = [];
    let from = 23;
    for (const minutes of [1, 10, 30, 60]) {
      heaps.push(`${(await heapAfter(page, from, minutes * 60)).toFixed(0)} MB after ${minutes} min`);
      from = minutes * 60;
    }
    return [
      `${PLOTS} plots of ${LINES} variables at ${RATE_HZ} Hz, ${browser.version()} without a graphics card:`,
      '',
      `- ${((drawn.frames * 1000) / drawn.millis).toFixed(1)} frames a second; in 10 s ${tasks.long} tasks took more than`,
      `  ${LONG_MILLIS} ms of the processor (the longest ${tasks.longestMillis.toFixed(0)} ms)`,
      `- of the page's thread, a frame takes ${perFrame('TaskDuration')} ms of the processor: scripts ${perFrame('ScriptDuration')} ms,`,
      `  style ${perFrame('RecalcStyleDuration')} ms, layout ${perFrame('LayoutDuration')} ms`,
      `- heap: ${heaps.join(', ')}`,
    ].join('\n');
  } finally {
    await browser.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  drawn: drawnText,
  charts: pageChartsText,
  cost: pageCostText,
  line: pageLineText,
  fast: pageFastText,
  past: () => pagePastText(PASTS),
};

/** @param only names of parts with commas between; all when left out. */
export async function pageText(only = Object.keys(PARTS).join(',')): Promise<string> {
  const lines: string[] = [];
  for (const name of only.split(',')) {
    const part = PARTS[name];
    if (!part) throw new Error(`the page has no part ${name}; there are ${Object.keys(PARTS).join(', ')}`);
    lines.push(await part());
  }
  return lines.join('\n');
}
