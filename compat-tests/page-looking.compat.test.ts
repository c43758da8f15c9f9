// Looking at what has been on the page at /: two cursors, what lies between them, many lines, bands, scales.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { call } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, barriers, onPage, type PanelWish, panelOf, until } from './panels-page.js';

const HEIGHT = 'ball.position[1]';

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
  /** Texts that are drawn on the canvas of the first chart from now on. */
  const hearTexts = (): Promise<void> =>
    page.evaluate(`globalThis.texts = []; {
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
        texts.push(text);
        fillText.call(this, text, ...where);
      };
    }`);
  const textsDrawn = (): Promise<string[]> => page.evaluate<string[]>('texts.slice(-60)');

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
      const found = await until(
        () => numbersIn(row),
        ([change]) => !Number.isNaN(change),
      );
      const caption = (await table().locator('caption').textContent()) ?? '';
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

  it('draws 32 lines that can be told apart, in colours and widths of their own', async () => {
    const aliases = Array.from({ length: 16 }, (_, k) => [`ball.position[${k % 2}]`, 'ball.velocity[0]'][k % 2]!);
    await open(
      chartOf([
        { alias: aliases[0], colour: 17, width: 3 },
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
    await hearTexts();
    const texts = await until(textsDrawn, (drawn) =>
      drawn.some((text) => text === 'sched.mode: Run' || / Run$/.test(text)),
    );
    const ticks = texts.filter((text) => /^(0\.1|1|10|100)$/.test(text));
    expect(new Set(ticks).size).to.be.at.least(2);
    expect(texts.filter((text) => /Infinity|NaN|^\d$/.test(text) && text !== '1' && !/^\d$/.test(text))).to.deep.equal(
      [],
    );
  });
});
