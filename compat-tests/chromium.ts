// A headless Chromium with a new profile, on machines that have one.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';
/** A name of another owner, who has made it point at loopback. */
export const REBOUND = 'rebound.example';
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
];

export class Chromium {
  private constructor(
    private readonly context: BrowserContext,
    private readonly profile: string,
  ) {}

  static get isThere(): boolean {
    return existsSync(PROGRAM);
  }

  /** Without Chromium, skips the tests of the hook that calls it, and says why. */
  static async openOrSkip(hook: Mocha.Context): Promise<Chromium> {
    if (!Chromium.isThere) {
      console.log(`    skipped: there is no ${PROGRAM}`);
      hook.skip();
    }
    const profile = mkdtempSync(join(tmpdir(), 'varwire-browser-'));
    const options = { executablePath: PROGRAM, headless: true, args: FLAGS };
    return new Chromium(await chromium.launchPersistentContext(profile, options), profile);
  }

  newPage(): Promise<Page> {
    return this.context.newPage();
  }

  async close(): Promise<void> {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}
