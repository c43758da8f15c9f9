// Looking at what has been on the page at /: two cursors, what lies between them, many lines, bands, scales.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { call, type Json } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, barriers, onPage, type PanelWish, panelOf, savedCsv, until } from './panels-page.js';

const HEIGHT = 'ball.position[1]';
const TWICE = `=2*${HEIGHT}`;

interface Mark {
  readonly kind: string;
  readonly sec_si: number;
}

/** Texts that are drawn on the page's canvases from now on. */
const hearTexts = (page: Page): Promise<void> =>
  page.evaluate(`globalThis.texts = []; {
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
      texts.push(text);
      fillText.call(this, text, ...where);
    };
  }`);
const textsDrawn = (page: Page): Promise<string[]> => page.evaluate<string[]>('texts.slice(-60)');

describe('looking at plots on the page', () => {
  const bench = onPage(() => ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off'] }));
  let page: Page;
  let chart: Locator;

  before(() => {
    ({ page } = bench);
    chart = panelOf(page, 'strip-chart');
  });

  async function open(...panels: readonly PanelWish[]): Promise<void> {
    await page.goto('about:blank');
    await page.goto(addressOf(bench.server.port, panels));
  }
  const chartOf = (lines: readonly unknown[], settings: object = {}): PanelWish => ({
    type: 'strip-chart',
    settings: { lines, span: 4, ...settings },
  });
  const isFilled = async (): Promise<void> => {
    await until(shown, (rows) => rows.length > 100);
  };
  async function shown(): Promise<number[][]> {
    await chart.hover({ position: { x: 5, y: 5 } });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const [, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    return lines.map((line) => line.split(',').map(Number));
  }
  const control = (action: string) => call(bench.server.port, 'sim/control', { action });
  describe('with two cursors', () => {
    const table = (): Locator => chart.getByRole('region', { name: 'Between the cursors' });
    const numbersIn = async (row: Locator): Promise<number[]> => {
      const cells = await row.locator('td').allTextContents();
      return cells.map((cell) => Number.parseFloat(cell.replaceAll('−', '-')));
    };

    before(async () => {
      await open(chartOf([HEIGHT, 'ball.velocity[1]']), { type: 'single-value', settings: { alias: HEIGHT } });
      await isFilled();
      await control('freeze');
      await chart.getByRole('button', { name: 'Pause the chart' }).click();
    });
    after(() => control('run'));

    it('tells the change, the slope, and what every row between them amounts to', async () => {
      const { x, y, width, height } = (await chart.locator('.u-over').boundingBox())!;
      await page.mouse.click(x + 0.3 * width, y + 0.3 * height);
      await page.mouse.move(x + 0.7 * width, y + 0.4 * height, { steps: 3 });
      const row = table().getByRole('row', { name: 'position[1]' });
      const captionOf = async (): Promise<string> => (await table().locator('caption').textContent()) ?? '';
      // The server answers for the stretch in the caption, which may be an earlier one while the pointer moves.
      const [caption, found] = await until(
        async () => [await captionOf(), await numbersIn(row), await captionOf()] as const,
        ([text, numbers, after]) =>
          text === after && Number(/([\d.]+) sClear/.exec(text)?.[1]) > 1.5 && numbers.every(Number.isFinite),
      );
      const [from, to] = [...caption.matchAll(/([\d:.]+)(?: s)? (?:to|:)?/g)].map(([, text = '']) =>
        text
          .replace(/:$/, '')
          .split(':')
          .reduce((seconds, part) => 60 * seconds + Number(part), 0),
      ) as [number, number];
      expect(to - from).to.be.closeTo(0.4 * 4, 0.1);
      const rows = (await shown()).filter(([time]) => time! >= from - 5e-4 && time! <= to + 5e-4);
      const heights = rows.map(([, height]) => height as number);
      const mean = heights.reduce((sum, each) => sum + each, 0) / heights.length;
      const rms = Math.sqrt(heights.reduce((sum, each) => sum + each * each, 0) / heights.length);
      const change = heights.at(-1)! - heights[0]!;
      const slope = change / (rows.at(-1)![0]! - rows[0]![0]!);
      const expected = [change, slope, Math.min(...heights), mean, Math.max(...heights), rms];
      // The caption rounds the times, so a row more or less may lie between them: at 10 m/s that is 0.1 m.
      for (const [k, value] of expected.entries()) expect(found[k], String(k)).to.be.closeTo(value, 0.15);
      expect(await barriers(page)).to.deep.equal([]);
    });

    it('moves one of them by keys, and takes both away', async () => {
      const plot = chart.getByRole('group');
      await plot.focus();
      const captionNow = (): Promise<string | null> => table().locator('caption').textContent();
      const before = await captionNow();
      await page.keyboard.press('Shift+ArrowLeft');
      await until(captionNow, (caption) => caption !== before);
      await page.keyboard.press('Escape');
      await table().waitFor({ state: 'detached' });
      await page.keyboard.press('m');
      await table().waitFor();
      await table().getByRole('button', { name: 'Clear' }).click();
      await table().waitFor({ state: 'detached' });
    });
  });

  it('has 32 colours that can be told apart, and an axis for a line alone', async () => {
    await open(
      chartOf([
        { alias: 'ball.position[0]', colour: 17, width: 3 },
        { alias: HEIGHT, hasOwnAxis: true },
      ]),
    );
    await isFilled();
    expect(await chart.locator('.u-axis').count()).to.equal(3);
    expect(await chart.locator('.swatch.dashed').count()).to.equal(1);
    await chart.hover();
    await chart.getByRole('button', { name: 'Settings of the panel' }).click();
    const colours = chart.getByRole('radiogroup', { name: 'Colour' });
    const looks = await colours.locator('.swatch').evaluateAll((all) =>
      all.map((each) => {
        // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser.
        const { backgroundImage, backgroundColor } = (globalThis as any).getComputedStyle(each);
        return `${backgroundImage} ${backgroundColor}`;
      }),
    );
    expect(new Set(looks)).to.have.property('size', 32);
    await colours.getByLabel('Colour 5').check();
    await chart.locator('.legend .swatch.dashed').waitFor({ state: 'detached' });
    expect(await barriers(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
  });

  it('draws an enumeration as a band with its words, and a logarithmic axis by its decades', async () => {
    await open(chartOf(['trick_sys.sched.mode', HEIGHT], { ranges: { m: { isLogarithmic: true } } }));
    await hearTexts(page);
    const texts = await until(
      () => textsDrawn(page),
      (drawn) => drawn.some((text) => text === 'sched.mode: Run' || / Run$/.test(text)),
    );
    const ticks = texts.filter((text) => /^(0\.1|1|10|100)$/.test(text));
    expect(new Set(ticks).size).to.be.at.least(2);
    expect(texts.filter((text) => /Infinity|NaN/.test(text))).to.deep.equal([]);
  });

  it('shows a table and a single value at the time under the cursor', async () => {
    await open(
      chartOf([HEIGHT]),
      { type: 'table', settings: { rows: [HEIGHT, 'trick_sys.sched.mode'], followsCursor: true } },
      { type: 'single-value', settings: { alias: HEIGHT, followsCursor: true } },
    );
    await isFilled();
    await control('freeze');
    const { x, y, width, height } = (await chart.locator('.u-over').boundingBox())!;
    await page.mouse.move(x + 0.6 * width, y + 0.5 * height);
    await page.getByText(/^At [\d:.]+/).waitFor();
    const reading = Number(await chart.locator('.legend-line output').textContent());
    const cell = panelOf(page, 'table').locator('tr', { hasText: 'position' }).locator('.live-value');
    const inTable = await until(
      async () => Number(await cell.textContent()),
      (value) => !Number.isNaN(value),
    );
    // The row before the cursor, and the one that is nearest to it.
    expect(inTable).to.be.closeTo(reading, 0.11);
    const single = Number(await panelOf(page, 'single-value').locator('output').textContent());
    expect(single).to.equal(inTable);
    await panelOf(page, 'table').getByText('Run', { exact: true }).waitFor();
    await page.mouse.move(x, y - 60);
    await panelOf(page, 'table').getByText('Value', { exact: true }).waitFor();
    await control('run');
  });

  it('marks what happened when, and tells it under the cursor', async () => {
    await open(chartOf([HEIGHT], { span: 10 }));
    await isFilled();
    const seconds = async () =>
      (await call<{ sim_time: { sec_si: number } }>(bench.server.port, 'sim/status', {})).sim_time.sec_si;
    /** Waits for a mark, and until the next one is not near to it. */
    const marked = async (kind: string): Promise<void> => {
      const all = await until(
        async () => (await call<{ marks: Mark[] }>(bench.server.port, 'sim/marks', {})).marks,
        (marks) => marks.at(-1)?.kind === kind,
      );
      await until(seconds, (now) => now > all.at(-1)!.sec_si + 0.5);
    };
    const run = (text: string) => call(bench.server.port, 'trick/run', { text });
    await run('far = trick.new_event("far")\nfar.condition(0, "True")\nfar.activate()\ntrick.add_event(far)\n');
    await marked('event');
    await run('trick.message_publish(2, "low fuel\\n")\n');
    await marked('message');
    await control('freeze');
    await chart.getByRole('group').focus();
    await page.keyboard.press('m');
    const told = new Set<string>();
    await until(
      async () => {
        await page.keyboard.press('Shift+ArrowRight');
        for (const text of await chart.locator('.legend-mark').allTextContents()) told.add(text);
        return [...told];
      },
      (texts) => ['event far', 'low fuel', 'frozen'].every((wanted) => texts.includes(wanted)),
    );
    await page.keyboard.press('Escape');
    await control('run');
  });

  it('colours a cell and a line by the limits of their variable, and saves the chart as SVG', async () => {
    const lines = [{ alias: HEIGHT, units: 'ft', width: 3 }, 'trick_sys.sched.mode'];
    await open(chartOf(lines), { type: 'table', settings: { rows: [HEIGHT, TWICE] } });
    await isFilled();
    await page.locator('body').press('b');
    const dialog = page.getByRole('dialog', { name: 'Limits of variables' });
    await dialog.getByLabel('Variable', { exact: true }).fill(HEIGHT);
    await dialog.getByLabel('High alarm').fill('-1000');
    await dialog.getByLabel('Low alarm').fill('5');
    await dialog.getByRole('button', { name: 'Set the limits' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Low alarm').fill('');
    await dialog.getByRole('button', { name: 'Set the limits' }).click();
    await dialog.getByText('alarm', { exact: true }).waitFor();
    expect(await barriers(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    const cell = (alias: string): Locator =>
      panelOf(page, 'table').locator(`tr[data-alias="${alias}"] .value-column.alarm`);
    await cell(HEIGHT).waitFor();
    expect(await cell(TWICE).count()).to.equal(0);
    const alarms = (): Promise<number> =>
      page.evaluate<number>(`(() => {
        const canvas = document.querySelector('[data-type="strip-chart"] canvas');
        const probe = document.createElement('i');
        probe.style.color = 'var(--bad)';
        document.body.append(probe);
        const [red, green, blue] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
        probe.remove();
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let k = 0; k < data.length; k += 4)
          if (data[k] === red && data[k + 1] === green && data[k + 2] === blue && data[k + 3] > 200) count++;
        return count;
      })()`);
    await until(alarms, (count) => count > 20);
    await chart.hover({ position: { x: 5, y: 5 } });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: 'Save as SVG' }).click(),
    ]);
    const svg = readFileSync(await download.path(), 'utf8');
    const isWhole = await page.evaluate<boolean>(
      `new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml').querySelector('parsererror') === null`,
    );
    expect(isWhole).to.equal(true);
    expect(svg).to.match(/<path d="M[\d.]+ [\d.]+(L[\d.]+ [\d.]+){50}[^"]+" stroke="[^"]+" stroke-width="3"/);
    expect(svg).to.include('>trick_sys.sched.mode: Run</text>').and.include('>ft</text>');
    await page.locator('body').press('b');
    await dialog.getByRole('button', { name: `Remove the limits of ${HEIGHT}` }).click();
    await page.keyboard.press('Escape');
    await until(alarms, (count) => count === 0);
    // What an expression computes has limits too.
    await page.locator('body').press('b');
    await dialog.getByLabel('Variable', { exact: true }).fill(TWICE);
    await dialog.getByLabel('High alarm').fill('-1000');
    await dialog.getByRole('button', { name: 'Set the limits' }).click();
    await cell(TWICE).waitFor();
    expect(await cell(HEIGHT).count()).to.equal(0);
    await dialog.getByRole('button', { name: `Remove the limits of ${TWICE}` }).click();
    await page.keyboard.press('Escape');
  });

  it('computes an expression that is typed into the search field, and says why it cannot', async () => {
    await open(chartOf([HEIGHT]));
    await isFilled();
    const field = page.getByRole('searchbox');
    await field.fill('=ball.position[1] + ball.velocity[1]');
    await page.locator('.tree .problem', { hasText: 'expected units that convert' }).waitFor();
    await field.fill('=d/dt(ball.position[1])');
    await chart.click({ position: { x: 40, y: 12 } });
    await field.press('Enter');
    const line = chart.locator('.legend-line', { hasText: '=d/dt(ball.position[1])' });
    const rate = await until(
      async () => Number((await line.locator('output').textContent())?.replace('−', '-')),
      (value) => !Number.isNaN(value) && value !== 0,
    );
    expect(Math.abs(rate)).to.be.below(50);
    // One axis for both speeds, of which one is computed.
    await field.fill('velocity[1]');
    await field.press('Enter');
    await chart.locator('.legend-line', { hasText: 'velocity[1]' }).waitFor();
    await until(
      () => chart.locator('.u-axis').count(),
      (count) => count === 3,
    );
    await until(shown, (all) => all.length > 50 && all.at(-1)!.length === 4 && !Number.isNaN(all.at(-1)![2]));
    const { rows: saved } = await savedCsv(chart);
    const apart = saved.map(([, , computed, velocity]) => Math.abs(computed! - velocity!));
    // A bounce is one row later.
    expect(apart.filter((each) => each > 0.5).length).to.be.below(saved.length / 10);
    // The past of what was drawn already is computed too.
    expect(saved.filter(([, , computed]) => Number.isNaN(computed)).length).to.be.below(2);
    await field.fill('');
  });
});

describe('a text on a chart', () => {
  const bench = onPage(() =>
    ServerHere.start('compat-tests/fixture/fixture.js', { options: ['--no-discovery', '--udp', 'off'] }),
  );

  it('has its past, also for who opens the page later', async () => {
    const { page, server } = bench;
    const open = async (span: number): Promise<void> => {
      await page.goto('about:blank');
      await page.goto(addressOf(server.port, [{ type: 'strip-chart', settings: { lines: ['fx.all.str'], span } }]));
    };
    const ask = (method: string, params: Json) =>
      call<{ series: Record<string, { values: string[]; times: number[] }> }>(server.port, method, params);
    const past = async () => (await ask('var/history', { aliases: ['fx.all.str'] })).series['fx.all.str'];
    const remembered = async (): Promise<string[]> => (await past())?.values ?? [];
    await open(4);
    // Long enough for its name and itself.
    await until(remembered, (values) => values.length > 200);
    await ask('var/set', { alias: 'fx.all.str', value: 'landed' });
    await until(remembered, (values) => values.filter((value) => value === 'landed').length > 100);
    await ask('sim/control', { action: 'freeze' });
    const { values = [], times = [] } = (await past()) ?? {};
    const [first] = values;
    // A busy machine needs longer for so many values.
    await open(Math.ceil((times.at(-1) ?? 0) - (times[0] ?? 0)) + 1);
    await hearTexts(page);
    await page.setViewportSize({ width: 1100, height: 700 });
    await until(
      () => textsDrawn(page),
      (drawn) => [first as string, 'landed'].every((wanted) => drawn.some((text) => text.endsWith(wanted))),
    );
  });
});
