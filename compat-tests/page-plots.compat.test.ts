// What a person does with plots on the page at /: follows, pauses, zooms, reads, saves; and with the panels beside them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { call, type Values } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, drawn, onPage, type PanelWish, panelOf, until } from './panels-page.js';

const CHART: PanelWish = {
  type: 'strip-chart',
  settings: {
    lines: ['ball.position[1]', 'ball.velocity[1]', 'trick_sys.sched.mode'],
    span: 5,
    thresholds: [{ value: 3, unit: 'm', level: 'alarm' }],
  },
};

interface Csv {
  readonly head: string;
  readonly rows: readonly (readonly number[])[];
}

const SLOW = 0.05;
/** Where the plot stays when a press that comes too late for a double one makes a mark, whose table stands below. */
const ABOVE = { x: 100, y: 30 };

/** Seconds of a time as the legend has it: `9.500 s`, after a minute `1:00.000`. */
const secondsOf = (text: string): number =>
  text
    .replace(/ s$/, '')
    .split(':')
    .reduce((seconds, part) => 60 * seconds + Number(part), 0);

describe('a plot on the page', () => {
  const bench = onPage(() => ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off'] }));
  let server: ServerHere;
  let page: Page;
  let chart: Locator;

  before(async () => {
    ({ server, page } = bench);
    await open(CHART);
    chart = panelOf(page, 'strip-chart');
  });

  async function open(...panels: readonly PanelWish[]): Promise<void> {
    await page.goto('about:blank');
    await page.goto(addressOf(server.port, panels));
  }
  const simSeconds = async (): Promise<number> =>
    (await call<Values>(server.port, 'var/get', { aliases: ['ball.position'] })).sim_time.sec_si;
  /** Simulation seconds in a second: of a slow simulation the page keeps every sample of a paused chart, however long a test takes. */
  const pace = (ratio: number) => call(server.port, 'sim/control', { action: 'clock_ratio', ratio });
  afterEach(() => pace(1));
  /** Resolves when the picture is that of the paused chart; what the page is behind is then little simulation time. */
  const pausedSlowly = async (): Promise<void> => {
    await pace(SLOW);
    await chart.getByRole('button', { name: 'Pause the chart' }).click();
    await chart.getByRole('button', { name: 'Follow the latest' }).waitFor();
    await drawn(page);
  };
  const plot = (): Locator => chart.getByRole('group');
  const readingOf = async (alias: string): Promise<string> =>
    (await chart.locator('.legend-line', { hasText: alias }).locator('output').textContent()) ?? '';

  async function saved(button: string): Promise<Buffer> {
    await chart.hover();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: button }).click(),
    ]);
    return readFileSync(await download.path());
  }
  /** The samples that the chart shows, as it saves them. */
  async function shown(): Promise<Csv> {
    const [head = '', ...lines] = (await saved('Save as CSV')).toString('utf8').trim().split('\n');
    return { head, rows: lines.map((line) => line.split(',').map(Number)) };
  }
  const timesOf = ({ rows }: Csv): number[] => rows.map(([time]) => time as number);
  const lengthOf = (csv: Csv): number => (timesOf(csv).at(-1) as number) - (timesOf(csv)[0] as number);

  it('draws its lines with an axis for each unit, and their latest values', async () => {
    await until(
      () => readingOf('ball.position[1]'),
      (text) => /^\d/.test(text),
    );
    await until(
      () => readingOf('mode'),
      (text) => text === 'Run',
    );
    expect(await chart.getByLabel('Units of ball.velocity[1]').inputValue()).to.equal('m/s');
    // Those of time and of two units; the enumeration is a band.
    expect(await chart.locator('.u-axis').count()).to.equal(3);
    await page.screenshot({ path: fileURLToPath(new URL('../page-plot.png', import.meta.url)) });
    const colours = (): Promise<number> =>
      page.evaluate<number>(`(() => {
      const canvas = document.querySelector('[data-type="strip-chart"] canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Set();
      for (let k = 0; k < data.length; k += 4) if (data[k + 3] === 255) colours.add(data[k] << 16 | data[k + 1] << 8 | data[k + 2]);
      return colours.size;
    })()`);
    await until(colours, (count) => count > 10);
  });

  it('follows the simulation, and stands still when it is paused', async () => {
    const before = timesOf(await shown()).at(-1) as number;
    await until(
      async () => timesOf(await shown()).at(-1) as number,
      (time) => time > before + 0.5,
    );
    await plot().focus();
    await page.keyboard.press(' ');
    await chart.getByRole('button', { name: 'Follow the latest' }).waitFor();
    const paused = timesOf(await shown()).at(-1) as number;
    const now = await simSeconds();
    await until(simSeconds, (time) => time > now + 1);
    expect(timesOf(await shown()).at(-1)).to.equal(paused);
    await page.keyboard.press(' ');
    await plot().focus();
    await page.keyboard.press(' ');
    await chart.getByRole('button', { name: 'Pause the chart' }).waitFor();
  });

  it('shows the stretch of time that is dragged over, and follows again after a double click', async () => {
    await until(
      async () => lengthOf(await shown()),
      (length) => length > 4,
    );
    await pausedSlowly();
    const to = timesOf(await shown()).at(-1) as number;
    const from = to - 5;
    const over = (await chart.locator('.u-over').boundingBox())!;
    const y = over.y + over.height / 2;
    await page.mouse.move(over.x + over.width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(over.x + over.width * 0.75, y, { steps: 5 });
    await page.mouse.up();
    const times = timesOf(await shown());
    expect(times[0]).to.be.closeTo(from + (to - from) / 4, 0.3);
    expect(times.at(-1)).to.be.closeTo(to - (to - from) / 4, 0.3);
    await chart.locator('.u-over').dblclick({ position: ABOVE });
    await chart.getByRole('button', { name: 'Pause the chart' }).waitFor();
  });

  it('zooms with the wheel and by keys, and moves by keys', async () => {
    await plot().focus();
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await until(
      async () => lengthOf(await shown()),
      (length) => length < 2.5,
    );
    await plot().focus();
    await page.keyboard.press('ArrowLeft');
    await chart.getByRole('button', { name: 'Follow the latest' }).waitFor();
    await page.keyboard.press('End');
    await chart.getByRole('button', { name: 'Pause the chart' }).waitFor();
    await chart.locator('.u-over').hover();
    await page.mouse.wheel(0, 600);
    await until(
      async () => lengthOf(await shown()),
      (length) => length > 3.5,
    );
    await page.mouse.move(0, 0);
  });

  it('is zoomed and moved by two fingers', async () => {
    await pausedSlowly();
    const before = timesOf(await shown());
    const { x, y, width, height } = (await chart.locator('.u-over').boundingBox())!;
    const touch = await page.context().newCDPSession(page);
    const fingers = (...shares: readonly number[]) =>
      shares.map((share, id) => ({ id, x: Math.round(x + share * width), y: Math.round(y + height / 2) }));
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(0.4) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(0.4, 0.6) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(0.2, 0.8) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await touch.detach();
    const after = await until(
      async () => timesOf(await shown()),
      (times) => (times.at(-1) as number) < (before.at(-1) as number) - 1,
    );
    // The middle third is left: as much is shown as was cut off on the right.
    const [first, last] = [after[0] as number, after.at(-1) as number];
    expect(last - first).to.be.closeTo((before.at(-1) as number) - last, 0.3);
    await chart.locator('.u-over').dblclick({ position: ABOVE });
    await chart.getByRole('button', { name: 'Pause the chart' }).waitFor();
  });

  it('reads the values under the cursor, by pointer and by keys', async () => {
    await pausedSlowly();
    const { rows } = await shown();
    // Another picture may come after the pause, and the cursor comes back with the next one.
    const { at } = await until(
      async () => {
        await chart.locator('.u-over').hover();
        const at = (await chart.locator('.legend-time').textContent()) ?? '';
        const row = rows.find(([time]) => Math.abs((time as number) - secondsOf(at)) < 1e-6);
        return { at, row, height: Number((await readingOf('ball.position[1]')).replace('−', '-')) };
      },
      ({ row, height }) => Math.abs(height - (row?.[1] as number)) < 1e-3,
    );
    await plot().focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await until(
      () => chart.locator('.legend-time').textContent(),
      (text) => text !== at,
    );
    await page.keyboard.press('End');
    await page.mouse.move(0, 0);
  });

  it('saves CSV with names and units, and a PNG', async () => {
    const { head, rows } = await shown();
    expect(head).to.equal('time {s},ball.position[1] {m},ball.velocity[1] {m/s},trick_sys.sched.mode {SIM_MODE}');
    expect(rows.length).to.be.above(100);
    expect(rows.every((row) => row.length === 4 && row[3] === 5)).to.equal(true);
    const png = await saved('Save as PNG');
    expect(png.subarray(1, 4).toString()).to.equal('PNG');
  });

  it('shows a line in other units, hides it, and takes it away', async () => {
    const units = chart.getByLabel('Units of ball.position[1]');
    await units.focus();
    await units.locator('option[value="cm"], option[value="km"]').first().waitFor({ state: 'attached' });
    await units.selectOption('km');
    await until(
      async () => (await shown()).head,
      (head) => head.includes('ball.position[1] {km}'),
    );
    const name = chart.getByRole('button', { name: 'ball.velocity[1]', exact: true });
    await name.click();
    expect(await name.getAttribute('aria-pressed')).to.equal('false');
    await chart.getByRole('button', { name: 'Remove ball.velocity[1]' }).click();
    await name.waitFor({ state: 'detached' });
    expect((await shown()).head).not.to.include('velocity');
  });

  it('starts full of what the server remembers when it is opened again', async () => {
    const settings = { lines: ['ball.position[1]'], span: 5 };
    await open({ type: 'strip-chart', settings });
    chart = panelOf(page, 'strip-chart');
    await until(
      () => readingOf('ball.position[1]'),
      (text) => /\d/.test(text),
    );
    expect(lengthOf(await shown())).to.be.above(4);
  });

  it('draws a trajectory, and reads the point under the cursor', async () => {
    const settings = { trajectories: [{ x: 'ball.position[1]', y: 'ball.velocity[1]' }], isEqual: false };
    await open({ type: 'xy-plot', settings });
    const trajectory = panelOf(page, 'xy-plot');
    const over = trajectory.locator('.u-over');
    await over.waitFor();
    const hit = async (): Promise<boolean> => {
      // A plot that is drawn anew has no box for a moment.
      const box = await over.boundingBox();
      if (!box) return false;
      for (let k = 0; k < 20; k++) {
        await page.mouse.move(box.x + (box.width * k) / 20, box.y + box.height / 2);
        if ((await trajectory.locator('.legend-time').count()) > 0) return true;
      }
      return false;
    };
    await until(hit, (isHit) => isHit);
    expect(await trajectory.locator('.legend-time').textContent()).to.match(/^\(.+, .+\) at .+$/);
  });

  it('zooms and moves a trajectory, by wheel, frame, keys and fingers, and shows all of it again', async () => {
    const plane = panelOf(page, 'xy-plot');
    const over = plane.locator('.u-over');
    const isZoomed = (wanted: boolean): Promise<void> =>
      plane.locator(`button.${wanted ? 'primary' : 'quiet'}[aria-label="Show all"]`).waitFor({ state: 'attached' });
    const middle = async (): Promise<[number, number]> => {
      const { x, y, width, height } = (await over.boundingBox())!;
      return [x + width / 2, y + height / 2];
    };
    await isZoomed(false);
    await over.hover();
    await page.mouse.wheel(0, -300);
    await isZoomed(true);
    await over.dblclick({ position: ABOVE });
    await isZoomed(false);
    const [x, y] = await middle();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 40, { steps: 3 });
    await page.mouse.up();
    await isZoomed(true);
    await plane.getByRole('group').focus();
    await page.keyboard.press('End');
    await isZoomed(false);
    for (const key of ['+', 'ArrowLeft', '-']) await page.keyboard.press(key);
    await isZoomed(true);
    await plane.hover();
    await plane.getByRole('button', { name: 'Show all' }).click();
    await isZoomed(false);
    const touch = await page.context().newCDPSession(page);
    const fingers = (apart: number) =>
      [-apart, apart].map((by, id) => ({ id, x: Math.round(x + by), y: Math.round(y) }));
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(30) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(80) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await touch.detach();
    await isZoomed(true);
    await over.dblclick({ position: ABOVE });
    await isZoomed(false);
  });

  it('colours a single value by its limits', async () => {
    const settings = { alias: 'ball.position[1]', limits: { highWarning: 100, highAlarm: 200 } };
    await open({ type: 'single-value', settings, columns: 6, rows: 5 });
    const value = panelOf(page, 'single-value').locator('.single-value');
    await call(server.port, 'sim/control', { action: 'freeze' });
    for (const [height, state] of [
      [50, 'normal'],
      [150, 'warning'],
      [250, 'alarm'],
    ] as const) {
      await call(server.port, 'var/set', { alias: 'ball.position[1]', value: height, wait: true });
      await page.locator(`.single-value.${state}`).waitFor();
    }
    expect(await value.locator('.limit-word').textContent()).to.equal('alarm');
    await call(server.port, 'sim/control', { action: 'run' });
  });
});
