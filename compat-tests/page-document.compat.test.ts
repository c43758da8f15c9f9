// docs/page.md: its panel works as it stands there, and its pictures are what the page shows.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Chromium } from './chromium.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { addressOf, panelOf, until } from './panels-page.js';

const DOCUMENT = new URL('../../docs/page.md', import.meta.url);
const TEXT = readFileSync(DOCUMENT, 'utf8');
const MOST_PICTURE_BYTES = 100_000;

describe('docs/page.md', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-gauge-'));
  let server: ServerHere | undefined;
  let browser: Chromium | undefined;

  afterEach(function () {
    if (server) showOutputOfFailure(this, server);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('has its pictures, and none is large', () => {
    const names = [...TEXT.matchAll(/!\[[^\]]+\]\((pictures\/[a-z]+\.png)\)/g)].map(([, name]) => name as string);
    expect(names).to.have.length(3);
    const sizes = names.map((name) => statSync(fileURLToPath(new URL(name, DOCUMENT))).size);
    expect(Math.max(...sizes)).to.be.below(MOST_PICTURE_BYTES);
  });

  it('has a panel that a simulation can ship: it shows its variable, follows a change, and ends', async function () {
    browser = await Chromium.openOrSkip(this as never);
    const [, module = ''] = /^```js\n\/\/ gauge\.js\n(.*?)^```$/ms.exec(TEXT) ?? [];
    const file = join(directory, 'gauge.js');
    writeFileSync(file, module);
    server = await ServerHere.start('sims/ball.js', {
      options: ['--no-discovery', '--udp', 'off', '--panel', file],
    });
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    const settings = { aliases: ['ball.velocity[1]'] };
    await page.goto(addressOf(server.port, [{ type: 'custom-gauge', settings }]));
    const panel = panelOf(page, 'custom-gauge');
    const output = panel.locator('output');
    const first = await until(
      () => output.textContent(),
      (text) => /^ball\.velocity\[1\] /.test(text ?? ''),
    );
    await until(
      () => output.textContent(),
      (text) => text !== first,
    );
    expect((await panel.locator('progress').boundingBox())?.width).to.be.above(100);
    await panel.hover();
    await panel.getByRole('button', { name: 'Remove the panel' }).click();
    await panel.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
  });
});
