// The page of docs/browser.md in a real browser, and its program in Node.js, unchanged but for the port.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { Chromium } from './chromium.js';
import { call } from './http-client.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

/** What is used here of varwire/browser, whose types want those of a browser. */
interface Page {
  watch(aliases: readonly string[], listener: (sample: { seconds: number }) => void, wish: object): unknown;
  call(method: string): Promise<{ readonly name: string }>;
  close(): void;
}
type Connect = (address: string, options: { readonly open: (url: string) => WebSocket }) => Page;
const BROWSER = new URL('../lib/clients/browser/index.js', import.meta.url).href;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(DOCS)?.[1] ?? '';

describe('docs/browser.md', () => {
  let server: ServerHere;
  let elsewhere: Server;
  const shown = (text: string): string => text.replaceAll('7000', String(server.port));

  before(async () => {
    elsewhere = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(shown(blockOf('html'))),
    );
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = elsewhere.address() as AddressInfo;
    server = await ServerHere.start('sims/ball.js', {
      options: ['--no-discovery', '--udp', 'off', '--cors', `http://127.0.0.1:${port}`],
    });
  });
  afterEach(function () {
    showOutputOfFailure(this, server);
  });
  after(async () => {
    elsewhere?.close();
    await server?.stop();
  });

  it('has a page that shows values in other units and sets one', async function () {
    const browser = await Chromium.openOrSkip(this as unknown as Mocha.Context);
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));
      await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
      await page.getByText('connected').waitFor();
      await page.locator('#height', { hasText: /^-?\d+\.\d\d at [\d.]+ s, speed \d+\.\d\d$/ }).waitFor();
      await call(server.port, 'sim/control', { action: 'freeze' });
      await page.getByRole('button', { name: 'Lift' }).click();
      await page.locator('#height', { hasText: /^30\.00 at/ }).waitFor();
      expect(faults).to.deep.equal([]);
    } finally {
      await browser.close();
    }
  });

  it('eight pages at once take a WebSocket each and no other connection, and all go on', async () => {
    const { connect } = (await import(BROWSER)) as { readonly connect: Connect };
    let sockets = 0;
    const open = (url: string): WebSocket => {
      sockets++;
      return new WebSocket(url);
    };
    const pages = Array.from({ length: 8 }, () => connect(`http://127.0.0.1:${server.port}/`, { open }));
    const sampled = (page: Page, alias: string, cycleMillis: number) =>
      new Promise<number>((resolve) => {
        let count = 0;
        page.watch([alias], ({ seconds }) => ++count === 3 && resolve(seconds), { cycleMillis });
      });
    await Promise.all(
      pages.flatMap((page) => [sampled(page, 'ball.position', 10), sampled(page, 'ball.velocity', 20)]),
    );
    // Each still has answers to its calls while all of them are sent values.
    const answers = await Promise.all(pages.map((page) => page.call('sim/status')));
    expect(answers.map(({ name }) => name)).to.deep.equal(Array(8).fill('ball'));
    expect(sockets).to.equal(8);
    for (const page of pages) page.close();
  });

  it('has a program for Node.js that runs and ends', async () => {
    const directory = mkdtempSync(join(ROOT, 'build', 'browser-page-'));
    const file = join(directory, 'program.mjs');
    // Types are taken out; the rest is JavaScript.
    writeFileSync(file, shown(blockOf('ts')).replace(/call<.*?>\('/, "call('"));
    const said: unknown[][] = [];
    const log = console.log;
    console.log = (...words: unknown[]) => void said.push(words);
    try {
      await import(file);
    } finally {
      console.log = log;
      rmSync(directory, { recursive: true });
    }
    expect(said).to.deep.equal([['m', [2]], [['ball.position[1]']]]);
  });
});
