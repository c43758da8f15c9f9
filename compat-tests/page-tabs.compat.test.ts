// More tabs of one browser than it opens HTTP connections to an address: each shows the simulation as it goes on.
import { expect } from 'chai';
import { Chromium } from './chromium.js';
import { call } from './http-client.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { addressOf, until } from './panels-page.js';
import { ShellPage } from './shell-page.js';

/** Browsers open six connections to an address, and a stream of events would take one of them for ever. */
const TABS = 7;

describe('many tabs of one browser', () => {
  let browser: Chromium | undefined;
  let server: ServerHere;
  before(async function () {
    browser = await Chromium.openOrSkip(this);
    server = await ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off'] });
    // Most of what a page costs is the drawing of what moves.
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 0.05 });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  it('all show the simulation, and its address answers', async () => {
    const tabs: ShellPage[] = [];
    // A page with one value: seven whole ones would draw for a minute of processor time.
    const address = addressOf(server.port, [{ type: 'single-value', settings: { alias: 'ball.position[1]' } }]);
    for (let count = 0; count < TABS; count++) {
      const tab = new ShellPage(await (browser as Chromium).newPage());
      await tab.open(address);
      tabs.push(tab);
    }
    for (const tab of tabs) {
      const before = await tab.seconds();
      await until(
        () => tab.seconds(),
        (seconds) => seconds > before,
      );
    }
    const status = await tabs[0]?.page.evaluate('fetch("/healthz").then(({ status }) => status)');
    expect(status).to.equal(200);
    for (const { page } of tabs) await page.close();
  });

  it('keep a layout each, and a new one begins with the latest', async () => {
    const newTab = async (): Promise<ShellPage> => new ShellPage(await (browser as Chromium).newPage());
    const [one, other, third] = [await newTab(), await newTab(), await newTab()];
    const address = `http://127.0.0.1:${server.port}/`;
    for (const tab of [one, other]) await tab.open(address);
    await other.button('New tab').click();
    await one.button('New tab').click();
    await one.button('New tab').click();
    await other.page.reload();
    await other.mode('Running').waitFor();
    const countOf = (tab: ShellPage): Promise<number> => tab.page.getByRole('tab').count();
    expect([await countOf(one), await countOf(other)]).to.deep.equal([3, 2]);
    await third.page.goto(address);
    await third.page.getByRole('tab').nth(2).waitFor();
  });
});
