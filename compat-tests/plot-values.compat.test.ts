// What plots on the page at / show, value by value, while their lines change, time is moved and values are missing.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { Chromium } from './chromium.js';
import { call } from './http-client.js';
import { LaunchedServer, ServerHere } from './launch.js';
import { addressOf, type Csv, onPage, type PanelWish, savedCsv, until } from './panels-page.js';

/** What a variable that is dragged from the tree carries its path as. */
const DRAGGED_VARIABLE = 'application/x-varwire-variable';
const FEET_PER_METRE = 1 / 0.3048;
/** The tick of the lander, in seconds. */
const TICK = 0.02;

describe('the values in plots on the page', () => {
  const bench = onPage(() => ServerHere.start('sims/lander.js', { options: ['--no-discovery', '--udp', 'off'] }));
  let page: Page;

  before(() => {
    ({ page } = bench);
  });

  async function open(...panels: readonly PanelWish[]): Promise<Locator[]> {
    await page.goto('about:blank');
    await page.goto(addressOf(bench.server.port, panels));
    return panels.map((_, k) => page.locator(`[data-panel="panel-${k + 1}"]`));
  }
  const chartOf = (lines: readonly string[], span = 5): PanelWish => ({
    type: 'strip-chart',
    settings: { lines, span },
  });
  const readingOf = async (chart: Locator, name: string): Promise<number> => {
    const text = (await chart.locator('.legend-line', { hasText: name }).locator('output').textContent()) ?? '';
    return Number(text.replace('−', '-').replace('–', 'NaN'));
  };
  const hasValue = (chart: Locator, name: string): Promise<number> =>
    until(
      () => readingOf(chart, name),
      (value) => !Number.isNaN(value),
    );
  const timesOf = ({ rows }: Csv): number[] => rows.map(([time]) => time as number);
  const longestStep = (csv: Csv): number =>
    Math.max(...timesOf(csv).map((time, k, times) => (k === 0 ? 0 : time - (times[k - 1] as number))));
  /** Drops a variable on a panel, as from the tree. */
  const drop = (chart: Locator, alias: string): Promise<void> =>
    chart.evaluate(
      (panel, [type, dropped]) => {
        // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser.
        const { DataTransfer, DragEvent } = globalThis as any;
        const dataTransfer = new DataTransfer();
        dataTransfer.setData(type, dropped);
        panel.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      },
      [DRAGGED_VARIABLE, alias],
    );

  it('are in the unit chosen in the legend, beside a second chart, with all of their past', async () => {
    const position = [0, 1, 2].map((k) => `lander.position[${k}]`);
    const [chart] = (await open(chartOf(position), chartOf(['lander.velocity[2]']))) as [Locator, Locator];
    await hasValue(chart, 'position[2]');
    const metres = await readingOf(chart, 'position[2]');
    await page.evaluate(`globalThis.texts = []; {
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
        if (this.canvas.closest('[data-panel]').dataset.panel === 'panel-1') texts.push(text);
        fillText.call(this, text, ...where);
      };
      // What stands beside the unit before the next picture.
      addEventListener('change', ({ target }) => setTimeout(() => {
        globalThis.besideUnit = target.parentElement.querySelector('output').textContent;
      }));
    }`);
    await chart.getByLabel('Units of lander.position[2]').focus();
    await chart.locator('option[value="ft"]').first().waitFor({ state: 'attached' });
    await chart.getByLabel('Units of lander.position[2]').selectOption('ft');
    // It falls meanwhile.
    const feet = await until(
      () => readingOf(chart, 'position[2]'),
      (value) => value > (FEET_PER_METRE - 1) * metres,
    );
    expect(feet / metres).to.be.at.most(FEET_PER_METRE + 0.1);
    // Both axes keep their titles, and the new one has ticks up there.
    const isUpThere = (text: string): boolean => Math.abs(Number(text) / feet - 1) < 0.5;
    const texts = await until(
      () => page.evaluate<string[]>('texts.slice(-40)'),
      (latest) => latest.some(isUpThere),
    );
    expect(texts).to.include.members(['m', 'ft']);
    expect(await page.evaluate('besideUnit')).to.equal('–');
    const csv = await until(
      () => savedCsv(chart),
      (each) => longestStep(each) < 5 * TICK && timesOf(each).length > 100,
    );
    expect(csv.head).to.include('lander.position[1] {m},lander.position[2] {ft}');
    const heights = csv.rows.map((row) => row[3] as number);
    expect(heights.filter((height) => !(Math.abs(height / feet - 1) < 0.5))).to.deep.equal([]);
  });

  it('are offered in units of the same quantity: a rate in no times', async () => {
    const [chart] = (await open(chartOf(['lander.rate[0]']))) as [Locator];
    await chart.getByLabel('Units of lander.rate[0]').focus();
    await chart.locator('option[value="degree/s"]').waitFor({ state: 'attached' });
    const offered = await chart
      .locator('.unit-chooser option')
      .evaluateAll((all) => all.map((each) => each.textContent));
    expect(offered).to.have.members(['rad/s', 'degree/s', 'Hz']);
  });

  it('stay those of the stretch shown when a variable is dropped on a paused chart', async () => {
    // So much past that the server thins it.
    await call(bench.server.port, 'var/history', { aliases: ['lander.position[2]', 'lander.velocity[2]'] });
    await call(bench.server.port, 'sim/control', { action: 'clock_ratio', ratio: 10 });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await call(bench.server.port, 'sim/control', { action: 'clock_ratio', ratio: 1 });
    const [chart] = (await open(chartOf(['lander.position[2]'], 2))) as [Locator];
    await until(
      () => savedCsv(chart),
      (each) => timesOf(each).length > 90,
    );
    await chart.getByRole('button', { name: 'Pause the chart' }).click();
    await chart.getByRole('button', { name: 'Follow the latest' }).waitFor();
    const before = await savedCsv(chart);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await drop(chart, 'lander.velocity[2]');
    const after = await until(
      () => savedCsv(chart),
      ({ head, rows }) => head.includes('velocity') && rows.some((row) => !Number.isNaN(row[2])),
    );
    expect(timesOf(after)).to.deep.equal(timesOf(before));
    expect(after.rows.map((row) => row[1])).to.deep.equal(before.rows.map((row) => row[1]));
    expect(after.rows.filter((row) => Number.isNaN(row[2]))).to.deep.equal([]);
  });

  it('tell which lines a low chart has no room for, and show them', async () => {
    const lines = Array.from({ length: 16 }, (_, k) => `lander.nodes[${k}].temperature`);
    const [chart] = (await open({ ...chartOf(lines), columns: 9, rows: 7 })) as [Locator];
    await hasValue(chart, 'nodes[15]');
    const legend = chart.getByRole('list', { name: 'Lines' });
    const isLonger = await legend.evaluate((list) => list.scrollHeight > list.clientHeight + 50);
    expect(isLonger).to.equal(true);
    // Darker where there is more: at the bottom, and after scrolling at the top.
    const edge = async (isBottom: boolean): Promise<number> => {
      const { x, y, width, height } = (await legend.boundingBox())!;
      const clip = { x: x + width - 40, y: isBottom ? y + height - 2 : y + 1, width: 1, height: 1 };
      const png = (await page.screenshot({ clip })).toString('base64');
      return page.evaluate<number>(`createImageBitmap(new Blob([Uint8Array.from(atob('${png}'), (c) => c.charCodeAt(0))]))
        .then((image) => {
          const context = new OffscreenCanvas(1, 1).getContext('2d');
          context.drawImage(image, 0, 0);
          return context.getImageData(0, 0, 1, 1).data[1];
        })`);
    };
    expect(await edge(true)).to.be.below((await edge(false)) - 50);
    await chart.getByLabel('Remove lander.nodes[15].temperature').focus();
    expect(await edge(false)).to.be.below((await edge(true)) - 50);
  });

  it('are of one stretch of time in all charts, until all follow again', async () => {
    const all = [chartOf(['lander.position[2]'], 4), chartOf(['lander.velocity[2]'], 8)];
    const [chart, other] = (await open(...all)) as [Locator, Locator];
    for (const each of [chart, other]) {
      await until(
        () => savedCsv(each),
        (csv) => timesOf(csv).length > 190,
      );
    }
    const areAll = async (button: string): Promise<void> => {
      for (const each of [chart, other]) await each.getByRole('button', { name: button }).waitFor();
    };
    const { x, y, width, height } = (await chart.locator('.u-over').boundingBox())!;
    await page.mouse.move(x + 0.2 * width, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 0.7 * width, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await areAll('Follow the latest');
    const stretches = [timesOf(await savedCsv(chart)), timesOf(await savedCsv(other))].map((times) => [
      times[0],
      times.at(-1),
    ]);
    expect(stretches[0]).to.deep.equal(stretches[1]);
    await other.locator('.u-over').dblclick({ position: { x: 100, y: 30 } });
    await areAll('Pause the chart');
    const lengths = [await savedCsv(chart), await savedCsv(other)].map(
      (csv) => timesOf(csv).at(-1)! - timesOf(csv)[0]!,
    );
    expect(lengths[0]).to.be.closeTo(4, 0.2);
    expect(lengths[1]).to.be.above(4.5);
  });
});

describe('a server that hangs', () => {
  it('is shown as such within 2 s, and as running when it goes on', async function () {
    const browser = await Chromium.openOrSkip(this);
    const server = await LaunchedServer.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off'] });
    try {
      const page = await browser.newPage(100);
      await page.goto(`http://127.0.0.1:${server.port}/`);
      const mode = page.locator('#mode');
      await mode.getByText('Run').waitFor();
      const millis: number[] = [];
      // A busy machine may be late once; one picture of a slow one is.
      while (!millis.some((each) => each <= 2200) && millis.length < 5) {
        process.kill(server.processId, 'SIGSTOP');
        const start = performance.now();
        await mode.getByText('No answer').waitFor();
        millis.push(performance.now() - start);
        expect(await page.locator('.time.stale').count()).to.equal(1);
        process.kill(server.processId, 'SIGCONT');
        await mode.getByText('Run').waitFor();
      }
      expect(Math.min(...millis)).to.be.at.most(2200);
    } finally {
      await browser.close();
      await server.kill();
    }
  });
});

describe('a variable with stretches of NaN, or spikes of one tick, in a chart', () => {
  const bench = onPage(() =>
    ServerHere.start('compat-tests/fixture/holes.js', { options: ['--no-discovery', '--udp', 'off'] }),
  );
  /** For each column of pixels of the plot from the left: whether it has the colour of the first line. */
  const COLOURED = `(() => {
    const chart = document.querySelector('[data-type="strip-chart"]');
    const canvas = chart.querySelector('canvas');
    const over = chart.querySelector('.u-over').getBoundingClientRect();
    const all = canvas.getBoundingClientRect();
    const [left, top] = [Math.round(over.left - all.left), Math.round(over.top - all.top)];
    const { data } = canvas.getContext('2d').getImageData(left, top, over.width, over.height);
    const [width, height] = [Math.floor(over.width), Math.floor(over.height)];
    const isColoured = (x, y) => {
      const at = 4 * (y * width + x);
      const [red, green, blue] = data.slice(at, at + 3);
      return data[at + 3] > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60;
    };
    return Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_, y) => isColoured(x, y)).includes(true));
  })()`;

  it('has no line where it is NaN, as it comes and as it is remembered', async () => {
    const { page, server } = bench;
    await call(server.port, 'var/history', { aliases: ['probe.value', 'probe.metres'] });
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 30 });
    // More than the chart shows, however long a busy machine takes for it.
    await until(
      () => call<{ sim_time: { sec_si: number } }>(server.port, 'sim/status', {}),
      ({ sim_time }) => sim_time.sec_si > 100,
    );
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 1 });
    await page.goto(addressOf(server.port, [{ type: 'strip-chart', settings: { lines: ['probe.value'], span: 90 } }]));
    /** Stretches without a line, in seconds. */
    const holes = async (): Promise<number[]> => {
      const columns = await page.evaluate<boolean[]>(COLOURED).catch((): boolean[] => []);
      const text = columns.map((is) => (is ? '#' : ' ')).join('');
      const lengths = text.split(/#+/).map((each) => (each.length * 90) / columns.length);
      return lengths.slice(1, -1);
    };
    const found = await until(holes, (all) => all.length >= 25);
    // Rows that a busy machine has missed are holes too, or make one longer, and the server's past tells of them.
    const asked = { aliases: ['probe.metres'] };
    const { series } = await call<{ series: Record<string, { times: number[] }> }>(server.port, 'var/history', asked);
    const steps = series['probe.metres']!.times.map((time, k, times) => time - (times[k - 1] ?? time));
    const missed = steps.filter((step) => step > 0.1).length;
    expect(found.length).to.be.at.most(31 + missed);
    for (const seconds of found) expect(seconds).to.be.within(missed ? 0 : 0.3, 1.2 + Math.max(...steps));
  });

  it('is a slope without stairs where more samples than one fall on a pixel', async () => {
    const { page, server } = bench;
    const chart = page.locator('[data-type="strip-chart"]');
    await page.goto('about:blank');
    await page.goto(addressOf(server.port, [{ type: 'strip-chart', settings: { lines: ['probe.metres'], span: 25 } }]));
    const saved = (): Promise<Csv> => savedCsv(chart);
    await until(saved, ({ rows }) => rows.length > 25 / TICK - 50);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: 'Save as SVG' }).click(),
    ]);
    const [, path = ''] = /<path d="(M[^"]+L[^"]+)"/.exec(readFileSync(await download.path(), 'utf8')) ?? [];
    const points = [...path.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    const { width } = (await chart.locator('.u-over').boundingBox())!;
    expect(points.length)
      .to.be.above(width)
      .and.below(25 / TICK);
    const steps = points.slice(1).map(([x, y], k) => [x - points[k]![0], points[k]![1] - y] as const);
    const slope = (points[0]![1] - points.at(-1)![1]) / (points.at(-1)![0] - points[0]![0]);
    // Coordinates have two decimals.
    expect(steps.filter(([right, up]) => Math.abs(up - slope * right) > 0.05)).to.deep.equal([]);
    expect(steps.filter(([right]) => !(right > 0 && right < 1.5))).to.deep.equal([]);
  });

  it('has all of its spikes when the page has missed frames of a fast simulation', async () => {
    const { page, server } = bench;
    const chart = page.locator('[data-type="strip-chart"]');
    await page.goto('about:blank');
    await page.goto(addressOf(server.port, [{ type: 'strip-chart', settings: { lines: ['probe.spike'], span: 600 } }]));
    await chart.locator('output', { hasText: /[01]/ }).waitFor();
    const seconds = async (): Promise<number> =>
      (await call<{ sim_time: { sec_si: number } }>(server.port, 'sim/status', {})).sim_time.sec_si;
    const endOfHaste = (await seconds()) + 100;
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 50 });
    while ((await seconds()) < endOfHaste) {
      await page.evaluate('{ const end = performance.now() + 700; while (performance.now() < end); }');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 1 });
    const end = await seconds();
    /** Times of spikes that a chart shows before that time, and of those that there were. */
    const spikes = async (): Promise<{ found: string; wanted: string; longest: number }> => {
      const { rows } = await savedCsv(chart);
      const times = rows.map(([time]) => time as number).filter((time) => time < end);
      const high = rows.filter((row) => row.at(-1) === 1 && (row[0] as number) < end);
      const first = Math.ceil((times[0]! - 2) / 5);
      const count = Math.floor((end - 2) / 5 - first) + 1;
      return {
        found: high.map(([time]) => Math.floor(time! / 5)).join(),
        wanted: Array.from({ length: count }, (_, k) => first + k).join(),
        longest: Math.max(...times.map((time, k) => (k === 0 ? 0 : time - times[k - 1]!))),
      };
    };
    const { wanted } = await until(spikes, ({ found, wanted, longest }) => found === wanted && longest < 2);
    expect(wanted.split(',')).to.have.length.above(10);
  });

  it('has its frequency and its amplitude in a spectrum, of the last seconds and between the cursors', async () => {
    const { page, server } = bench;
    // Ten times a second; a busy machine leaves no frame out of so slow a simulation.
    const wave = '=3*sin(probe.metres * 62.83185307 {1/m})';
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 0.5 });
    await page.goto('about:blank');
    await page.goto(
      addressOf(server.port, [
        { type: 'strip-chart', settings: { lines: [wave], span: 2 } },
        { type: 'spectrum', settings: { aliases: [wave], span: 1 } },
      ]),
    );
    const panel = page.locator('[data-type="spectrum"]');
    const isTheWave = (text: string): boolean => {
      const [, amplitude, hertz] = /^([\d.]+) at ([\d.]+) Hz$/.exec(text) ?? [];
      return Math.abs(Number(amplitude) - 3) < 0.1 && Math.abs(Number(hertz) - 10) < 0.5;
    };
    const reading = async (): Promise<string> => (await panel.locator('.legend-line output').textContent()) ?? '';
    await until(reading, isTheWave);
    const chart = page.locator('[data-type="strip-chart"]');
    const saved = (): Promise<Csv> => savedCsv(chart);
    await until(saved, ({ rows }) => rows.length > 90);
    const between = chart.getByRole('region', { name: 'Between the cursors' }).locator('caption');
    const press = async (): Promise<number> => {
      // The plot may still move on a busy machine: then the press was elsewhere.
      const { x, y, width, height } = (await chart.locator('.u-over').boundingBox())!;
      await page.mouse.click(x + 0.2 * width, y + 0.3 * height);
      await page.mouse.move(x + 0.8 * width, y + 0.4 * height, { steps: 3 });
      await between.waitFor({ timeout: 5000 }).catch(() => undefined);
      return between.count();
    };
    const measured = async (): Promise<string> => {
      await chart.getByRole('button', { name: 'Pause the chart' }).click();
      await until(press, (count) => count === 1);
      await until(
        async () => [await between.textContent(), await panel.locator('.legend-time').textContent()],
        ([caption, stretch]) => stretch !== null && (caption ?? '').startsWith(`${stretch}:`),
      );
      const text = (await panel.locator('.legend-line').locator('output, .refusal').textContent()) ?? '';
      await page.keyboard.press('Escape');
      await chart.getByRole('button', { name: 'Follow the latest' }).click();
      return text;
    };
    // There is no spectrum of a stretch in which a busy machine has missed a row.
    expect(await until(measured, (text) => !/not evenly spaced/.test(text))).to.satisfy(isTheWave);
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 1 });
  });

  it('is drawn over another in the units of its axes, those of the first trajectory', async () => {
    const { page, server } = bench;
    const trajectories = [
      { x: 'probe.metres', y: 'probe.metres' },
      { x: 'probe.metres', y: 'probe.feet' },
    ];
    await page.goto('about:blank');
    await page.goto(addressOf(server.port, [{ type: 'xy-plot', settings: { trajectories, isEqual: false } }]));
    await page.locator('.u-over').waitFor();
    const { x, y, width, height } = (await page.locator('.u-over').boundingBox())!;
    const point = page.locator('.legend-time');
    /** Metres upward in each second, of all points under the cursor from the top to the bottom. */
    const slopes = async (): Promise<Set<string>> => {
      const all = new Set<string>();
      for (let share = 0.05; share < 1; share += 0.05) {
        await page.mouse.move(x + 0.9 * width, y + share * height);
        if ((await point.count()) === 0) continue;
        const [, right = '', up = ''] = /\((.*), (.*)\)/.exec((await point.textContent()) ?? '') ?? [];
        all.add((Number(up) / Number(right)).toFixed(4));
      }
      return all;
    };
    const found = await until(slopes, ({ size }) => size > 1);
    expect([...found].sort()).to.deep.equal(['0.3048', '1.0000']);
  });
});
