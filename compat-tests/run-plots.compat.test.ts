// Comparing runs on the page at /: an overlay of three runs, a difference, an expression, a shift, names, x over y.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page, Request } from 'playwright-core';
import { openRecording, playRecording, type RunningServer, serveSource } from '../lib/index.js';
import { Chromium } from './chromium.js';
import { commandHere } from './command-here.js';
import { call } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, barriers, panelOf, savedCsv, until } from './panels-page.js';

const HEIGHT = 'ball.height';
/** Ten seconds of a body that falls; the third one is called otherwise, in feet, and has fewer rows. */
const fall = (speed: number): string =>
  `time {s},ball.height {m},ball.speed {m/s}\n${Array.from({ length: 101 }, (_, k) => `${k / 10},${100 - (speed * k) / 10},${speed}`).join('\n')}\n`;
const FEET = `time {s},drop.altitude {ft}\n${Array.from({ length: 21 }, (_, k) => `${k / 2},${(100 - 1.5 * k) / 0.3048}`).join('\n')}\n`;

const PRODUCT = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE product PUBLIC "-//Tricklab//DTD Product V1.0//EN" "Product.dtd">
<product version="1.0"><page><title>Falls</title><plot><title>Height</title>
<curve><varcase><var>sys.exec.out.time</var><var units="ft" line_color="red" symbol_style="Plus">${HEIGHT}</var></varcase>
<varcase><var>sys.exec.out.time</var><var>drop.altitude</var></varcase></curve></plot></page></product>`;

/** Of four runs, the last of which has no recording. */
const RESULTS = {
  ...{ form: 1, name: 'fall', seed: 1, runs: 4, missing: 0, digits: 5, repeat: 'varwire monte-carlo fall.ts {}' },
  columns: [
    { name: 'run', kind: 'run', values: [0, 1, 2, 3] },
    { name: 'seed', kind: 'seed', values: [11, 12, 13, 14] },
    { name: 'air.wind', kind: 'drawn', units: 'm/s', values: [1, 2, 3, 4] },
    { name: HEIGHT, kind: 'result', units: 'm', values: [90, 80, 70, null] },
    { name: `${HEIGHT} > 75`, kind: 'requirement', values: [true, true, false, false] },
  ],
  requirements: [{ text: `${HEIGHT} > 75`, passed: 2, runs: 4, rate: 0.5, low: 0.15, high: 0.85 }],
};

describe('comparing runs on the page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-runs-'));
  const study = join(directory, 'MONTE_fall');
  let browser: Chromium | undefined;
  let server: RunningServer | undefined;
  let page: Page;
  const faults: string[] = [];

  before(async function () {
    browser = await Chromium.openOrSkip(this);
    mkdirSync(study);
    for (const [run, text] of [fall(1), fall(2), FEET].entries()) {
      mkdirSync(join(study, `RUN_0000${run}`));
      writeFileSync(join(study, `RUN_0000${run}`, 'log_flight.csv'), text);
    }
    writeFileSync(join(study, 'monte_results.json'), JSON.stringify(RESULTS));
    const flight = playRecording(openRecording(study));
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
    await page.getByRole('searchbox').fill('run0.ball.height');
    await plot().getByText('Drop a variable').click();
    await page.getByRole('searchbox').press('Enter');
    await until(
      () => runs().count(),
      (count) => count === 3,
    );
    const { head, rows } = await until(shown, ({ rows: all }) => all.length === 101);
    expect(head).to.include(`run0 ${HEIGHT} {m}`).and.include(`run1 ${HEIGHT} {m}`);
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
    const other = plot().getByRole('group', { name: 'run2 RUN_00002' });
    await other.getByLabel('is called here').fill('drop.altitude');
    await other.getByRole('button', { name: 'Add the name' }).click();
    await other.getByLabel('Seconds later').fill('1');
    await other.getByLabel('Seconds later').press('Enter');
    await closeForm();
    await plot().getByText('+1 s').waitFor();
    const { head, rows } = await until(shown, (all) => all.head.includes('{ft}') && all.rows.at(-1)![0] === 11);
    expect(head).to.include(`run2 ${HEIGHT} {ft}`);
    const at = (seconds: number) => rows.find(([time]) => time === seconds)!;
    expect(at(1)[3]).to.be.closeTo(100 / 0.3048, 1e-6);
    // It has a row each half second, and is joined to no other.
    expect([at(1.1)[3], rows.at(-1)![0]]).to.deep.equal([Number.NaN, 11]);
    const map = async (given: Readonly<Record<string, string>>): Promise<void> => {
      await openForm();
      for (const [label, value] of Object.entries(given)) {
        const field = other
          .getByText(`${HEIGHT} is drop.altitude here`)
          .locator('..')
          .getByLabel(label, { exact: true });
        await field.fill(value);
        await field.press('Enter');
      }
      await closeForm();
    };
    // As if the file were wrong.
    await map({ times: '2', plus: '5', in: 'm' });
    await until(shown, (all) => all.head.includes(`run2 ${HEIGHT} {m}`) && all.rows[10]![3] === 2 * (100 / 0.3048) + 5);
    await map({ times: '', plus: '', in: '' });
    await until(shown, (all) => all.head.includes(`run2 ${HEIGHT} {ft}`) && all.rows[10]![3] === 100 / 0.3048);
  });

  it('tells the difference of each run and the first, at the times of the first', async () => {
    await openForm();
    await plot().getByRole('checkbox', { name: 'Difference' }).check();
    await closeForm();
    const { head, rows } = await until(shown, (all) => all.head.includes('− run2') && all.rows.length === 101);
    expect(head).to.include(`run0 ${HEIGHT} − run1 {m}`).and.include(`run0 ${HEIGHT} − run2 {m}`);
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
    await field.fill('=-run0.ball.speed * 2');
    await plot()
      .getByRole('group')
      .first()
      .click({ position: { x: 40, y: 12 } });
    await field.press('Enter');
    await field.fill('=run1.ball.height / run0.ball.height');
    await field.press('Enter');
    const { head, rows } = await until(shown, (all) => all.head.includes('run1.ball.height / run0'));
    const names = head.split(',');
    expect(names).to.include('run0 =-ball.speed * 2 {m/s}').and.include('run1 =-ball.speed * 2 {m/s}');
    const row = rows.find(([time]) => time === 5)!;
    expect(row[names.indexOf('run1 =-ball.speed * 2 {m/s}')]).to.equal(-4);
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
    const { head, rows } = await until(shown, (all) => all.head.includes('run1 ball.speed {m/s}'));
    expect(head).to.match(/run0 ball\.speed \{m\/s\}/);
    expect(rows[50]!.at(head.split(',').indexOf('run1 ball.speed {m/s}'))).to.equal(2);
    await plot().hover({ position: { x: 5, y: 5 } });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      plot().getByRole('button', { name: 'Save as SVG' }).click(),
    ]);
    const svg = readFileSync(await download.path(), 'utf8');
    expect(svg)
      .to.match(/<path d="M[\d.]+ [\d.]+L/)
      .and.include('>ball.speed (m/s)</text>');
    expect(svg).to.not.match(/NaN|Infinity|undefined/);
  });

  it('is opened by varwire plot on variables of all runs of a server', async () => {
    const open = async (...words: string[]): Promise<void> => {
      const { output } = await commandHere(['plot', `${server!.port}`, ...words, '--no-open']);
      const [, address = ''] = /^Browser {3}(\S+)\n$/.exec(output) ?? [];
      await page.goto('about:blank');
      await page.goto(address);
    };
    await open(HEIGHT, '--x', 'ball.speed');
    await plot().locator('.plane canvas').waitFor();
    await until(shown, (all) => all.head.includes('run1 ball.speed {m/s}') && all.rows.length === 101);
    await open(HEIGHT, 'ball.speed');
    await until(
      () => page.locator('[data-type="run-plot"]').count(),
      (count) => count === 2,
    );
    const { head } = await until(shown, ({ rows }) => rows.length === 101);
    expect(head).to.include(`run0 ${HEIGHT} {m}`).and.include(`run1 ${HEIGHT} {m}`);
  });

  it("opens pages of Trick's data products that are dropped, and says what it leaves out", async () => {
    const drop = (name: string, text: string): Promise<unknown> =>
      page.evaluate(`(() => {
        const given = new DataTransfer();
        given.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true }));
      })()`);
    await drop('fall.dp', `PLOTS: PAGE 1: "Texts" PLOT 1: "Height" Y_VARIABLE: "${HEIGHT}" UNITS: "km"`);
    await page.getByRole('tab', { name: 'Texts' }).waitFor();
    await until(shown, (all) => all.head.includes(`run1 ${HEIGHT} {km}`));
    await drop('DP_fall.xml', PRODUCT);
    await page.getByText('DP_fall.xml has what this page leaves out: symbols of curves').waitFor();
    await page.getByRole('tab', { name: 'Falls' }).waitFor();
    const { head, rows } = await until(shown, (all) => all.head.includes('{ft}') && all.rows.length > 100);
    expect(head).to.include(`run1 ${HEIGHT} {ft}`);
    // The third run has it by its second name.
    for (const [run, height] of rows
      .find(([time]) => time === 10)!
      .slice(1)
      .entries())
      expect(height, head).to.be.closeTo((90 - 10 * run) / 0.3048, 1e-6);
  });

  it('draws a simulation and a recording beside it, and their difference', async () => {
    const file = join(directory, 'before.csv');
    const rows = Array.from({ length: 2001 }, (_, k) => `${k / 10},${k / 10}`);
    writeFileSync(file, `time {s},ball.position[1] {m}\n${rows.join('\n')}\n`);
    const options = ['--no-discovery', '--udp', 'off', '--reference', file, '--keep', 'ball.position[1]'];
    const live = await ServerHere.start('sims/ball.js', { options });
    try {
      const lines = ['ball.position[1]', '=ball.position[1] - reference1.ball.position[1]'];
      await page.goto('about:blank');
      const ofFile = 'reference1.ball.position[1]';
      const plotted = { type: 'run-plot', columns: 16, rows: 14, settings: { lines } };
      const table = { type: 'table', columns: 8, rows: 6, settings: { rows: [ofFile] } };
      await page.goto(addressOf(live.port, [plotted, table]));
      const { head, rows: drawn } = await until(shown, (all) => all.rows.length > 1900);
      expect(head).to.match(/^time \{s\},ball\.position\[1\] \{m\},reference1 ball\.position\[1\] \{m\},/);
      const both = drawn.filter((row) => row.slice(1).every(Number.isFinite));
      for (const [, height, before, apart] of both) expect(apart).to.be.closeTo(height! - before!, 1e-9);
      await page.getByRole('treeitem', { name: /^reference1 / }).waitFor();
      await page.locator('tr[data-alias^="reference1"] .live-value', { hasText: /\d/ }).waitFor();
      const { series } = await call<{ series: Record<string, { times: number[]; values: number[]; until?: number }> }>(
        live.port,
        'var/history',
        { aliases: [ofFile, 'ball.position[1]'], units: { [ofFile]: 'cm' }, from: 1, to: 1.5 },
      );
      expect(series[ofFile]).to.deep.include({ times: [1, 1.1, 1.2, 1.3, 1.4, 1.5], until: 200 });
      for (const [k, value] of series[ofFile]!.values.entries()) expect(value).to.be.closeTo(100 + 10 * k, 1e-9);
      expect(series['ball.position[1]']!.times.length).to.be.above(10);
      expect((await call<{ runs: object[] }>(live.port, 'runs/list', {})).runs).to.deep.equal([
        { run: '', label: 'ball', is_live: true },
        { run: 'reference1', label: file, is_live: false },
      ]);
    } finally {
      await live.stop();
    }
  });

  it('loads what draws the layout of an address while the server answers, and of a usual page after the first values', async () => {
    /** Asks for the page, one of whose questions waits until `meanwhile` is done. */
    const opened = async (
      address: string,
      question: RegExp,
      meanwhile: (plots: Promise<Request>) => Promise<unknown>,
    ) => {
      const plots = page.waitForRequest(/\/assets\/later-/);
      let answer = (): void => undefined;
      const isDone = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(/\/(page\.json|jsonrpc)$/, async (route) => {
        if (question.test(route.request().url() + route.request().postData())) await isDone;
        await route.continue();
      });
      await page.goto('about:blank');
      await page.goto(address);
      await meanwhile(plots);
      answer();
      await plots;
      await plot().waitFor();
      await page.unroute(/\/(page\.json|jsonrpc)$/);
    };
    await opened(addressOf(server!.port, [{ type: 'run-plot' }]), /page\.json/, (plots) => plots);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await opened(`http://127.0.0.1:${server!.port}/`, /var\/get/, async (plots) => {
      let isAsked = false;
      void plots.then(() => {
        isAsked = true;
      });
      await page.locator('#mode').waitFor();
      expect(isAsked).to.equal(false);
    });
  });

  describe('with the results of a Monte Carlo', () => {
    const results = (): Locator => panelOf(page, 'study');

    before(async () => {
      await page.goto('about:blank');
      await page.goto(addressOf(server!.port, [{ type: 'study', columns: 24, rows: 20 }]));
    });

    it('shows a scatter, a histogram, percentiles and how many runs meet a requirement', async () => {
      await results()
        .getByRole('img', { name: `${HEIGHT} over air.wind: 3 runs` })
        .waitFor();
      await results().getByRole('combobox', { name: /^Over/ }).selectOption('seed');
      await results()
        .getByRole('img', { name: `${HEIGHT} over seed: 3 runs` })
        .waitFor();
      expect(await results().locator('circle').count()).to.equal(3);
      expect(await results().locator('circle.failed').count()).to.equal(1);
      const table = results().getByRole('table');
      expect(await table.locator('caption').textContent()).to.equal(`${HEIGHT} (m) of 3 runs`);
      const cells = await table.getByRole('cell').allTextContents();
      expect([cells[0], cells[1], cells[2], cells.at(-1)]).to.deep.equal(['80', '10', '70', '90']);
      await results().getByText('2 of 4 runs, 50 %; with 95 % confidence 15 % to 85 %').waitFor();
      await results().getByLabel('View').selectOption('histogram');
      await results()
        .getByRole('img', { name: `Histogram of ${HEIGHT}: 3 runs` })
        .waitFor();
      expect(await results().locator('.bin').count()).to.be.at.least(1);
      expect(await barriers(page)).to.deep.equal([]);
    });

    it('opens the worst run with a press, and tells how a run without a recording is repeated', async () => {
      await results().getByLabel('Worst is').selectOption('least');
      const worst = results().getByRole('list', { name: 'Worst runs' }).getByRole('button');
      expect(await worst.allTextContents()).to.deep.equal(['run 3: no result', 'run 2: 70', 'run 1: 80', 'run 0: 90']);
      await worst.first().click();
      await results()
        .getByText(/varwire monte-carlo fall\.ts .*--seed 14/)
        .waitFor();
      await worst.nth(1).click();
      await results().getByRole('button', { name: 'Plot run 2' }).click();
      const { head, rows } = await until(shown, (all) => all.rows.length === 21);
      expect(head).to.include('run2 drop.altitude {ft}');
      expect(rows[20]![1]).to.be.closeTo(70 / 0.3048, 1e-6);
      expect(await barriers(page)).to.deep.equal([]);
    });

    it('shows them by itself where no run has a recording', async () => {
      const alone = join(directory, 'MONTE_alone');
      mkdirSync(alone);
      writeFileSync(join(alone, 'monte_results.json'), JSON.stringify(RESULTS));
      const { source } = playRecording(openRecording(alone));
      const served = await serveSource(source, { port: 0, udp: 'off', discovery: false, log: () => undefined });
      await page.goto(`http://127.0.0.1:${served.port}/`);
      await results()
        .getByRole('img', { name: `${HEIGHT} over air.wind: 3 runs` })
        .waitFor();
      await results().getByRole('list', { name: 'Worst runs' }).getByRole('button').last().click();
      await results()
        .getByText(/varwire monte-carlo fall\.ts .*--seed 13/)
        .waitFor();
      expect(await barriers(page)).to.deep.equal([]);
      await page.goto('about:blank');
      await served.close();
    });
  });
});
