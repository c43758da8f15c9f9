// The page and Foxglove at an edge: several simulations and each alone, the past, and what is shown while the simulation is gone.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { double, edge, feed, type RunningServer, serveSource } from '../lib/index.js';
import type { SideBySide } from '../lib/source/edge/side-by-side.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { Chromium } from './chromium.js';
import { connectFoxglove, jsonOf, type Message } from './foxglove-client.js';
import { call } from './http-client.js';
import { addressOf, barriers, savedCsv, until } from './panels-page.js';

const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const HEIGHT = 'ball.position[1]';
const PAST_SECONDS = 0.5;

interface Status {
  readonly mode: string;
  readonly elapsed_sec: number;
}

describe('an edge in a browser', () => {
  let browser: Chromium;
  let page: Page;
  let ball: RunningServer;
  let tank: RunningServer;
  let served: RunningServer;
  let shown: SideBySide;
  let port = 0;
  const startBall = () =>
    serveHere(new URL('../sims/ball.js', import.meta.url), { ...QUIET, port, trick: 'off', keep: [HEIGHT] });
  const statusOf = (at: number): Promise<Status> => call<Status>(at, 'sim/status', {});
  const hasRun = (at: number, seconds: number): Promise<Status> =>
    until(
      () => statusOf(at),
      ({ elapsed_sec }) => elapsed_sec > seconds,
    );
  const mode = (word: string | RegExp) => page.locator('#mode', { hasText: word });
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  before(async function () {
    browser = await Chromium.openOrSkip(this);
    ball = await startBall();
    port = ball.port;
    const source = feed({ name: 'tank', frameSeconds: 0.1, write: () => undefined }, (objects) => {
      objects.object('tank').component('level', double(), 2.5);
    });
    tank = await serveSource(source, QUIET);
    source.publish(1);
    await hasRun(ball.port, PAST_SECONDS);
    shown = (await edge([{ port }, { port: tank.port }])) as SideBySide;
    served = await serveSource(shown, QUIET);
    page = await browser.newPage();
  });
  after(async () => {
    await browser?.close();
    for (const server of [served, tank, ball]) await server?.close();
  });

  it('shows all simulations side by side, and each alone when it is chosen', async () => {
    await page.goto(`http://127.0.0.1:${served.port}/`);
    await title('side by side').waitFor();
    const choice = page.getByLabel('Simulation', { exact: true });
    expect(await choice.locator('option').allTextContents()).to.deep.equal(['side by side', 'ball', 'tank']);
    await page.getByRole('treeitem', { name: /^tank/ }).first().waitFor();
    expect(await barriers(page, { include: [['.bar']] })).to.deep.equal([]);
    await choice.selectOption('ball');
    await title('ball').waitFor();
    await mode('Running').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/alone/ball/');
    expect(await choice.inputValue()).to.equal('../ball/');
    expect(await page.getByRole('treeitem', { name: /^tank/ }).count()).to.equal(0);
    // One is controlled where it is alone.
    await page.getByRole('button', { name: 'Freeze' }).click();
    await mode('Frozen').waitFor();
    expect((await statusOf(ball.port)).mode).to.equal('freeze');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await mode('Running').waitFor();
    await choice.selectOption('tank');
    await title('tank').waitFor();
    // One that comes later is there for who is about to choose.
    shown.join('late tank', await edge({ port: tank.port }));
    await choice.hover();
    await choice.locator('option', { hasText: 'late_tank' }).waitFor({ state: 'attached' });
    await choice.selectOption('late_tank');
    await title('tank').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/alone/late_tank/');
    await choice.selectOption('side by side');
    await title('side by side').waitFor();
    await page
      .getByRole('treeitem', { name: /^late_tank/ })
      .first()
      .waitFor();
  });

  it('shows the past from before it was there, and live values after it', async () => {
    const late = await serveSource(await edge({ port }), QUIET);
    try {
      await page.goto(addressOf(late.port, [{ type: 'strip-chart', settings: { lines: [HEIGHT], span: 600 } }]));
      const chart = page.locator('[data-type="strip-chart"]');
      const { rows } = await until(
        () => savedCsv(chart),
        (csv) => csv.rows.length > 10,
      );
      expect(rows[0]?.[0]).to.be.below(PAST_SECONDS);
      const last = rows.at(-1)?.[0] as number;
      await until(
        () => savedCsv(chart),
        (csv) => (csv.rows.at(-1)?.[0] as number) > last,
      );
    } finally {
      await late.close();
    }
  });

  it("serves Foxglove's clients with all simulations, and with each alone", async () => {
    for (const [path, topic] of [
      ['/', '/ball'],
      ['/alone/ball/', '/ball'],
    ] as const) {
      const { client, socket, told, channel } = await connectFoxglove(served.port, undefined, path);
      client.subscribe(channel(topic).id);
      const first = await told.first<Message>('message');
      await told.first<Message>('message', ({ timestamp }) => timestamp > first.timestamp);
      expect(JSON.stringify(jsonOf(first))).to.contain('position');
      socket.terminate();
    }
  });

  it('says that the simulation is gone and how old its values are, and shows another run of it', async () => {
    await page.goto(`http://127.0.0.1:${served.port}/alone/ball/`);
    await mode('Running').waitFor();
    await ball.close();
    await mode(/Disconnected · values are \d+ s old/).waitFor();
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).to.equal(true);
    ball = await startBall();
    await mode('Running').waitFor();
    await hasRun(ball.port, PAST_SECONDS);
    const { elapsed_sec: there } = await statusOf(ball.port);
    const seconds = async (): Promise<number> =>
      Number((await page.locator('#time').textContent())?.replaceAll(/[^\d.]/g, ''));
    await until(seconds, (now) => now > there);
  });
});
