// A headless Chromium on machines that have one: one for all files of a process, which all have their own cookies and storage.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';

/** Without a window's parts, a browser starts in a quarter of the processor time. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
export const BROWSER = PROGRAMS.find((file) => existsSync(file));
/** A name of another owner, who has made it point at loopback. */
export const REBOUND = 'rebound.example';
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  // Pictures in 3D are drawn by the processor.
  ...['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
];
/** The next file may need it; starting one takes longer than a test. A worker of a parallel run is ended by mocha. */
const IDLE_MILLIS = process.env.MOCHA_WORKER_ID === undefined ? 2000 : 60_000;

/** Of every page, unless a test asks for more. */
const PICTURE_MILLIS = 200;
const drawnEach = (millis: number): string => `{
  const atNextPicture = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => setTimeout(() => atNextPicture(draw), ${millis});
}`;

/** How often a page is looked after, and how long it may draw nothing meanwhile. */
const [LOOK_MILLIS, STILL_MILLIS] = [20_000, 10_000];
const AT_PICTURE = 'new Promise((done) => requestAnimationFrame(() => done(true)))';

/** On a busy machine Chromium once drew a loaded page no more, so that a test waited for it in vain: it is shown again. */
function keepDrawing(page: Page): void {
  const look = async (): Promise<void> => {
    const picture = page.evaluate<boolean>(AT_PICTURE).catch(() => true);
    const late = new Promise<false>((done) => setTimeout(() => done(false), STILL_MILLIS).unref());
    if (await Promise.race([picture, late])) return;
    console.log('    a page drew nothing for 10 s: it is shown again');
    await page.bringToFront().catch(() => undefined);
  };
  const timer = setInterval(() => void look(), LOOK_MILLIS).unref();
  page.once('close', () => clearInterval(timer));
}

let running: Promise<Browser> | undefined;
let users = 0;
let idle: NodeJS.Timeout | undefined;

function started(): Promise<Browser> {
  clearTimeout(idle);
  users++;
  running ??= chromium.launch({
    executablePath: BROWSER as string,
    headless: true,
    args: FLAGS,
    timeout: PATIENCE_MILLIS,
  });
  return running;
}

function left(): void {
  users--;
  if (users > 0) return;
  idle = setTimeout(() => {
    void running?.then((browser) => browser.close());
    running = undefined;
  }, IDLE_MILLIS);
}

export class Chromium {
  private constructor(private readonly context: BrowserContext) {}

  static get isThere(): boolean {
    return BROWSER !== undefined;
  }

  /** Without Chromium, skips the tests of the hook that calls it, and says why. */
  static async openOrSkip(hook: Mocha.Context): Promise<Chromium> {
    if (!Chromium.isThere) {
      console.log(`    skipped: there is neither ${PROGRAMS.join(' nor ')}`);
      hook.skip();
    }
    const browser = await started();
    const context = await browser.newContext();
    context.setDefaultTimeout(PATIENCE_MILLIS);
    return new Chromium(context);
  }

  /** A page that draws a few times a second, as on a slow machine: sixty would take a processor. */
  async newPage(pictureMillis = PICTURE_MILLIS): Promise<Page> {
    const page = await this.context.newPage();
    await page.addInitScript(drawnEach(pictureMillis));
    keepDrawing(page);
    return page;
  }

  async close(): Promise<void> {
    await this.context.close();
    left();
  }
}
