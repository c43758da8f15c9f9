// The whole run in plots on the page at /, for who comes late and who comes back, value by value.
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { call } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, type Csv, onPage, savedCsv, until } from './panels-page.js';

/** A spike comes every 5 s, from 2 s on, and lasts for a tick. */
const [FIRST_SPIKE, EVERY, TICK] = [2, 5, 0.02];
/** Every value of so many seconds is kept. */
const WHOLE = 20;
const LONG = 300;

describe('the whole run on the page', () => {
  const options = ['--no-discovery', '--udp', 'off', '--history', `${WHOLE}s`, '--keep', 'probe.metres'];
  const bench = onPage(() => ServerHere.start('compat-tests/fixture/holes.js', { options }));
  const seconds = async (): Promise<number> =>
    (await call<{ sim_time: { sec_si: number } }>(bench.server.port, 'sim/status', {})).sim_time.sec_si;

  /** Runs fast until that time. */
  async function hasten(end: number): Promise<void> {
    await call(bench.server.port, 'sim/control', { action: 'clock_ratio', ratio: 50 });
    await until(seconds, (now) => now > end);
    await call(bench.server.port, 'sim/control', { action: 'clock_ratio', ratio: 1 });
  }
  const open = async (type: string, settings: object): Promise<Locator> => {
    await bench.page.goto('about:blank');
    await bench.page.goto(addressOf(bench.server.port, [{ type, settings }]));
    return bench.page.locator(`[data-type="${type}"]`);
  };
  const chartOf = (line: string, span: number): Promise<Locator> => open('strip-chart', { lines: [line], span });
  /** Where the plot is; it is made again when its units are known. */
  const placeOf = async (plot: Locator) => {
    const read = () => plot.locator('.u-over').boundingBox();
    return (await until(read, (box) => box !== null))!;
  };
  const firstTime = ({ rows }: Csv): number => rows[0]?.[0] ?? Number.NaN;

  it('is there from the first plotting on, with every peak, for who comes after the last client has gone', async () => {
    const chart = await chartOf('probe.spike', 10);
    await chart.locator('output', { hasText: /[01]/ }).waitFor();
    const begun = await seconds();
    await bench.page.goto('about:blank');
    await hasten(LONG);
    const again = await chartOf('probe.spike', 10 * LONG);
    const spikesOf = ({ rows }: Csv): number[] =>
      rows.filter((row) => row.at(-1) === 1).map(([time]) => Math.floor((time as number) / EVERY));
    const csv = await until(
      () => savedCsv(again),
      (each) => spikesOf(each).length > 30,
    );
    expect(firstTime(csv)).to.be.at.most(begun);
    const [first, last] = [firstTime(csv), csv.rows.at(-1)?.[0] as number];
    const wanted = Array.from({ length: 100 }, (_, k) => FIRST_SPIKE + EVERY * k).filter(
      (time) => time > first + TICK && time < last - 1,
    );
    expect(new Set(spikesOf(csv))).to.include.keys(wanted.map((time) => Math.floor(time / EVERY)));
  });

  it('is there from the start for what is named, finer where a person looks, and whole for the latest stretch', async () => {
    const chart = await chartOf('probe.metres', 10 * LONG);
    const all = await until(
      () => savedCsv(chart),
      ({ rows }) => rows.length > 100,
    );
    // Nobody had plotted it; a busy server misses some of the first frames.
    expect(firstTime(all)).to.be.below(LONG / 10);
    // The simulation names the feet itself.
    const named = await call<{ series: Record<string, { since: number }> }>(bench.server.port, 'var/history', {
      aliases: ['probe.feet'],
      points: 2,
    });
    expect(named.series['probe.feet']?.since).to.be.below(LONG / 10);
    // As many metres as seconds, however thinned.
    for (const row of all.rows) expect(row[1]).to.be.closeTo(row[0] as number, 2 * TICK);
    const { x, y, width, height } = await placeOf(chart);
    // The plot shows the time from 0 to ten times as far as the simulation has come.
    const at = (time: number): number => x + (width * time) / (10 * LONG);
    await bench.page.mouse.move(at(100), y + height / 2);
    await bench.page.mouse.down();
    await bench.page.mouse.move(at(160), y + height / 2, { steps: 4 });
    await bench.page.mouse.up();
    const inside = ({ rows }: Csv): number =>
      rows.filter(([time]) => (time as number) > 110 && (time as number) < 150).length;
    const before = inside(all);
    const zoomed = await until(
      () => savedCsv(chart),
      (each) => inside(each) > before && firstTime(each) > 50,
    );
    for (const row of zoomed.rows) expect(row[1]).to.be.closeTo(row[0] as number, 2 * TICK);
    const { series } = await call<{ series: Record<string, { times: number[]; stretch_sec: number }> }>(
      bench.server.port,
      'var/history',
      { aliases: ['probe.metres'], from: (await seconds()) - WHOLE / 2, points: 10_000 },
    );
    expect(series['probe.metres']?.stretch_sec).to.equal(0);
    expect(series['probe.metres']?.times.length).to.be.above(WHOLE / 2 / TICK - 10);
  });

  it('is in X-Y plots too', async () => {
    const plot = await open('xy-plot', { trajectories: [{ x: 'probe.metres', y: 'probe.metres' }], isEqual: false });
    const time = plot.locator('.legend-time');
    const earliest = await until(
      async () => {
        const { x, y, width, height } = await placeOf(plot);
        await bench.page.mouse.move(x + width / 2, y + height / 2);
        await bench.page.mouse.move(x + 0.02 * width, y + 0.98 * height);
        return (await time.count()) === 0 ? '' : ((await time.textContent()) ?? '');
      },
      (text) => Number(/^\(([\d.]+),/.exec(text)?.[1]) < LONG / 10,
    );
    expect(earliest).to.match(/^\(([\d.]+), \1\) at /);
  });
});
