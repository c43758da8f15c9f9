// Comparing runs on the page at /: an overlay of three runs, a difference, an expression, a shift, names, x over y.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { openRecording, playRecording, type RunningServer, serveSource } from '../lib/index.js';
import { Chromium } from './chromium.js';
import { addressOf, barriers, panelOf, savedCsv, until } from './panels-page.js';

const HEIGHT = 'ball.height';
/** Ten seconds of a body that falls; the third one is called otherwise, in feet, and has fewer rows. */
const fall = (speed: number): string =>
  `time {s},ball.height {m},ball.speed {m/s}\n${Array.from({ length: 101 }, (_, k) => `${k / 10},${100 - (speed * k) / 10},${speed}`).join('\n')}\n`;
const FEET = `time {s},drop.altitude {ft}\n${Array.from({ length: 21 }, (_, k) => `${k / 2},${(100 - 1.5 * k) / 0.3048}`).join('\n')}\n`;

describe('comparing runs on the page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-runs-'));
  let browser: Chromium | undefined;
  let server: RunningServer | undefined;
  let page: Page;
  const faults: string[] = [];

  before(async function () {
    browser = await Chromium.openOrSkip(this);
    const files = { 'calm.csv': fall(1), 'windy.csv': fall(2), 'other.csv': FEET };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const flight = playRecording(openRecording(Object.keys(files).map((name) => join(directory, name))));
    flight.source.freeze();
    server = await serveSource(flight.source, { port: 0, udp: 'off', discovery: false, log: () => undefined });
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(addressOf(server.port, [{ type: 'run-plot', columns: 24, rows: 14 }]));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(directory, { recursive: true, force: true });
    expect(faults).to.deep.equal([]);
  });

  const plot = (): Locator => panelOf(page, 'run-plot');
  const shown = () => savedCsv(plot());
  const runs = (): Locator => plot().getByRole('list', { name: 'Runs' }).getByRole('listitem');

  it('draws a variable of one run for all of them, whole, each with the rows that it has', async () => {
    await page.getByRole('searchbox').fill('run1.ball.height');
    await plot().getByText('Drop a variable').click();
    await page.getByRole('searchbox').press('Enter');
    await until(
      () => runs().count(),
      (count) => count === 3,
    );
    const { head, rows } = await until(shown, ({ rows: all }) => all.length === 101);
    expect(head).to.include(`run1 ${HEIGHT} {m}`).and.include(`run2 ${HEIGHT} {m}`);
    expect(rows[50]!.slice(0, 3)).to.deep.equal([5, 95, 90]);
    await runs().nth(2).locator('.refusal').waitFor();
    expect(await barriers(page)).to.deep.equal([]);
  });

  const openForm = async (): Promise<void> => {
    await plot().hover({ position: { x: 5, y: 5 } });
    await plot().getByRole('button', { name: 'Settings of the panel' }).click();
  };
  const closeForm = (): Promise<void> => page.keyboard.press('Escape');

  it('takes a variable by its name in each run, with its units, and runs that begin later', async () => {
    await openForm();
    const other = plot().getByRole('group', { name: 'run3 other.csv' });
    await other.getByLabel('is called here').fill('drop.altitude');
    await other.getByRole('button', { name: 'Add the name' }).click();
    await other.getByLabel('Seconds later').fill('1');
    await other.getByLabel('Seconds later').press('Enter');
    await closeForm();
    await plot().getByText('+1 s').waitFor();
    const { head, rows } = await until(shown, (all) => all.head.includes('run3'));
    expect(head).to.include(`run3 ${HEIGHT} {ft}`);
    const at = (seconds: number) => rows.find(([time]) => time === seconds)!;
    expect(at(1)[3]).to.be.closeTo(100 / 0.3048, 1e-6);
    // It has a row each half second, and is joined to no other.
    expect([at(1.1)[3], rows.at(-1)![0]]).to.deep.equal([Number.NaN, 11]);
  });

  it('tells the difference of each run and the first, at the times of the first', async () => {
    await openForm();
    await plot().getByRole('checkbox', { name: 'Difference' }).check();
    await closeForm();
    const { head, rows } = await until(shown, (all) => all.head.includes('− run3') && all.rows.length === 101);
    expect(head).to.include(`run1 ${HEIGHT} − run2 {m}`).and.include(`run1 ${HEIGHT} − run3 {m}`);
    for (const [time, toWindy, toOther] of rows) {
      expect(toWindy).to.be.closeTo(time!, 1e-9);
      if (time! < 1) expect(toOther).to.be.NaN;
      // 3 m less each second, a second later.
      else expect(toOther).to.be.closeTo(100 - time! - (100 - 3 * (time! - 1)), 1e-6);
    }
    await runs().nth(1).getByText('up to 10').waitFor();
    await openForm();
    await plot().getByRole('checkbox', { name: 'Difference' }).uncheck();
    await closeForm();
  });

  it('computes an expression in every run, and one over several runs', async () => {
    const field = page.getByRole('searchbox');
    await field.fill('=-run1.ball.speed * 2');
    await plot()
      .getByRole('group')
      .first()
      .click({ position: { x: 40, y: 12 } });
    await field.press('Enter');
    await field.fill('=run2.ball.height / run1.ball.height');
    await field.press('Enter');
    const { head, rows } = await until(shown, (all) => all.head.includes('run2.ball.height / run1'));
    const names = head.split(',');
    expect(names).to.include('run1 =-ball.speed * 2 {m/s}').and.include('run2 =-ball.speed * 2 {m/s}');
    const row = rows.find(([time]) => time === 5)!;
    expect(row[names.indexOf('run2 =-ball.speed * 2 {m/s}')]).to.equal(-4);
    expect(row.at(-1)).to.be.closeTo(90 / 95, 1e-12);
  });

  it('stays as it is while the recording is played, shows its place, and zooms to single rows', async () => {
    await page.getByRole('slider', { name: 'Time of the recording' }).fill('5');
    await page.locator('#time', { hasText: '5.00' }).waitFor();
    expect((await shown()).rows.at(-1)![0]).to.equal(11);
    const { x, y, width, height } = (await plot().locator('.u-over').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    for (let turns = 0; turns < 4; turns++) await page.mouse.wheel(0, -300);
    const zoomed = await until(shown, ({ rows }) => rows.length < 60);
    expect(zoomed.rows[0]![0]).to.be.within(3, 5.5);
    await plot().getByRole('group').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await plot().locator('.legend-time').waitFor();
    const before = await plot().locator('.legend-time').textContent();
    await page.keyboard.press('Shift+ArrowRight');
    await until(
      () => plot().locator('.legend-time').textContent(),
      (text) => text !== before,
    );
    await page.keyboard.press('End');
    await until(shown, ({ rows }) => rows.at(-1)![0] === 11);
  });

  it('draws one variable over another for whole runs', async () => {
    await openForm();
    await plot().getByLabel('Across').fill('ball.speed');
    await plot().getByLabel('Across').press('Enter');
    await closeForm();
    await plot().locator('.plane').waitFor();
    await until(
      () =>
        page.evaluate<boolean>(`(() => {
        const canvas = document.querySelector('[data-type="run-plot"] canvas');
        return canvas !== null && canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((each) => each > 0);
      })()`),
      (isDrawn) => isDrawn,
    );
    expect(await barriers(page)).to.deep.equal([]);
  });
});
