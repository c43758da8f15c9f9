// What a person does with a recording on the page at /: plays it, stops it, goes to other times, forwards and back.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { bridge, openRecording, playRecording, type RunningServer, serveSource } from '../lib/index.js';
import { Chromium } from './chromium.js';
import { call } from './http-client.js';
import { addressOf, panelOf, until } from './panels-page.js';

/** A minute, a row each 0.1 s; the altitude is ten times the time. */
const CSV = `time,altitude [m]\n${Array.from({ length: 601 }, (_, k) => `${k / 10},${k}`).join('\n')}\n`;
const PANELS = [
  { type: 'table', settings: { rows: ['recording.altitude'] }, columns: 8, rows: 6 },
  { type: 'strip-chart', settings: { lines: ['recording.altitude'], span: 60 }, columns: 16, rows: 8 },
];

describe('a recording on the page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-playback-'));
  const file = join(directory, 'flight.csv');
  let browser: Chromium | undefined;
  let server: RunningServer | undefined;
  let page: Page;

  before(async function () {
    browser = await Chromium.openOrSkip(this);
    writeFileSync(file, CSV);
    const flight = playRecording(openRecording(file));
    server = await serveSource(flight.source, { port: 0, udp: 'off', discovery: false, log: () => undefined });
    page = await browser.newPage();
    flight.run();
    await page.goto(addressOf(server.port, PANELS));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const bar = (): Locator => page.getByRole('region', { name: 'Playback' });
  const slider = (): Locator => bar().getByRole('slider', { name: 'Time of the recording' });
  const mode = (word: string): Promise<void> => page.locator('#mode', { hasText: word }).waitFor();
  const altitude = (text: string): Promise<void> =>
    panelOf(page, 'table').getByText(text, { exact: true }).first().waitFor();
  /** What a page's chart has, as it saves it. */
  async function chartCells(of: Page): Promise<string[][]> {
    const chart = panelOf(of, 'strip-chart');
    await chart.hover();
    const [download] = await Promise.all([
      of.waitForEvent('download'),
      chart.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const [, ...rows] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    return rows.map((row) => row.split(','));
  }

  it('is named in the header of the page, and so is the server that a bridge leads to', async () => {
    const header = (of: Page, what: string): Promise<void> => of.locator('.sim-what', { hasText: what }).waitFor();
    await header(page, 'a recording');
    const port = server?.port as number;
    const bridged = await serveSource(await bridge({ port }), {
      port: 0,
      udp: 'off',
      messages: 'off',
      discovery: false,
    });
    const there = await browser?.newPage();
    try {
      await there?.goto(addressOf(bridged.port, PANELS));
      await header(there as Page, `a bridge to 127.0.0.1:${port}`);
    } finally {
      await there?.close();
      await bridged.close();
    }
  });

  it('has a bar to play it, and no buttons for what only a simulation does', async () => {
    await mode('Running');
    await bar().getByRole('button', { name: 'Pause' }).click();
    await mode('Frozen');
    expect(await page.getByRole('button', { name: 'Step' }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: /set it$/ }).count()).to.equal(0);
  });

  it('goes to a time, and back, and charts forget what lay after it', async () => {
    await slider().fill('40');
    await altitude('400');
    await slider().fill('20');
    await altitude('200');
    await page.locator('#time', { hasText: '20.00' }).waitFor();
    const latest = async () => Math.max(...(await chartCells(page)).map(([time]) => Number(time)));
    await until(latest, (seconds) => seconds === 20);
  });

  it('has the past of its file where nobody played: for a page that is opened later, and for who asks', async () => {
    await slider().fill('50');
    await altitude('500');
    const question = { aliases: ['recording.altitude'], from: 1, to: 49.5 };
    const { series } = await call<{ series: Record<string, { times: number[]; values: unknown[] }> }>(
      server!.port,
      'var/history',
      question,
    );
    const { times, values } = series['recording.altitude']!;
    expect([times.length, times.at(-1), values.at(-1)]).to.deep.equal([486, 49.5, 495]);
    const later = await browser!.newPage();
    await later.goto(addressOf(server!.port, PANELS));
    await until(
      () => chartCells(later),
      (cells) => cells.some(([time, value]) => time === '30' && value === '300'),
    );
    await later.close();
    await slider().fill('20');
    await altitude('200');
  });

  it('goes on by an arrow key, and to its ends', async () => {
    await slider().press('ArrowRight');
    await altitude('203');
    await slider().press('End');
    await altitude('600');
    await bar().getByRole('button', { name: 'Back to the start' }).click();
    await altitude('0');
  });

  it('runs at another rate, by keys too, and stands still at its end', async () => {
    await bar().getByLabel('Rate').selectOption('50');
    const rate = async () => (await call<{ clock_ratio: number }>(server!.port, 'sim/status', {})).clock_ratio;
    await until(rate, (found) => found === 50);
    await page.locator('#time').click();
    await page.keyboard.press('Space');
    await altitude('600');
    await mode('Frozen');
    await bar().getByRole('button', { name: 'Play again' }).waitFor();
  });

  it('shows what its button does, in light and dark', async () => {
    const pause = bar().getByRole('button', { name: 'Pause' });
    if ((await pause.count()) > 0) await pause.click();
    for (const theme of ['light', 'dark']) {
      const key = (await page.locator(`html[data-theme=${theme}]`).count()) === 0;
      if (key) await page.keyboard.press('t');
      const colours = await bar()
        .getByRole('button', { name: /^Play/ })
        .evaluate((button) => {
          // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser.
          const style = (globalThis as any).getComputedStyle(button);
          return [style.color, style.backgroundColor] as string[];
        });
      const [ink = 0, ground = 0] = colours.map(
        (colour) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, each) => sum + Number(each), 0) / 3,
      );
      expect(Math.abs(ink - ground), `${theme}: ${colours}`).to.be.above(90);
    }
  });
});
