// The page in places that differ: behind a proxy, with what a simulation ships, of a simulation with 100,000 siblings.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Chromium } from './chromium.js';
import { call } from './http-client.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { PrefixProxy } from './prefix-proxy.js';
import { ShellPage } from './shell-page.js';

const PANEL = `export function panel(element, { aliases, server, onResize, onAliases }) {
  const text = document.createElement('p');
  element.append(text);
  onAliases((now) => { text.dataset.aliases = now.join(' '); });
  onResize(({ width }) => { text.dataset.width = String(width); });
  server.watch(aliases, { cycleMillis: 50 }, ({ values }) => { text.textContent = 'height ' + values[0].toFixed(3); });
  return () => element.replaceChildren();
}
`;
const LAYOUT = {
  version: 1,
  tabs: [
    {
      name: 'Flight',
      panels: [
        {
          type: 'custom-height',
          place: { x: 0, y: 0, columns: 8, rows: 6 },
          settings: { aliases: ['ball.position[1]'] },
        },
        { type: 'of-a-later-version', place: { x: 8, y: 0, columns: 8, rows: 6 } },
      ],
    },
  ],
};

describe('the page in other places', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-places-'));
  let browser: Chromium | undefined;
  let server: ServerHere | undefined;
  let shell: ShellPage;

  before(async function () {
    browser = await Chromium.openOrSkip(this);
  });
  after(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true });
  });
  beforeEach(async () => {
    shell = new ShellPage(await (browser as Chromium).newPage());
  });
  afterEach(async function () {
    if (server) showOutputOfFailure(this, server);
    await shell.page.close();
    await server?.stop();
    server = undefined;
  });

  const start = async (sim: string, options: readonly string[] = []): Promise<ServerHere> => {
    server = await ServerHere.start(sim, { options: ['--no-discovery', '--udp', 'off', ...options] });
    return server;
  };

  it('works below a path of a proxy, values and calls and all', async () => {
    const { port } = await start('sims/ball.js');
    const proxy = await PrefixProxy.to(port, '/sim/');
    try {
      await shell.page.goto(proxy.address);
      await shell.mode('Running').waitFor();
      await shell.panels('table').getByText('velocity').last().waitFor();
      await shell.button('Freeze').click();
      await shell.mode('Frozen').waitFor();
    } finally {
      proxy.close();
    }
  });

  it('begins with the layout that a simulation ships, and draws its panels', async () => {
    const [layout, panel] = [join(directory, 'flight.json'), join(directory, 'height.js')];
    writeFileSync(layout, JSON.stringify(LAYOUT));
    writeFileSync(panel, PANEL);
    const { port } = await start('sims/ball.js', ['--layout', layout, '--panel', panel]);
    await shell.page.goto(`http://127.0.0.1:${port}/`);
    await shell.page.getByRole('tab', { name: 'Flight' }).waitFor();
    const text = shell.panels('custom-height').locator('p');
    await shell
      .panels('custom-height')
      .getByText(/^height \d+\.\d{3}$/)
      .waitFor();
    expect(await text.getAttribute('data-aliases')).to.equal('ball.position[1]');
    expect(Number(await text.getAttribute('data-width'))).to.be.above(100);
    await shell.page.getByText('This page has no panel of the kind “of-a-later-version”.').waitFor();
    await shell.button('Add a panel').click();
    await shell.page
      .getByRole('dialog')
      .getByRole('button', { name: /^height/ })
      .waitFor();
  });

  it('opens 100,000 siblings, and draws only those in sight', async () => {
    const { port } = await start('compat-tests/fixture/wide.js');
    await shell.page.goto(`http://127.0.0.1:${port}/`);
    await shell.line(/^numbers/).click();
    await shell.line(/^\[0\] /).waitFor();
    await shell.page.locator('#tree-lines').focus();
    await shell.page.keyboard.press('End');
    await shell.line(/^\[99999\] double K/).waitFor();
    expect(await shell.page.locator('.line').count()).to.be.below(80);
    await shell.page.keyboard.press('Enter');
    await shell.told('wide.numbers[99999]').waitFor();
    const { clients } = await call<{ clients: readonly { transport: string }[] }>(port, 'sim/clients', {});
    expect(clients.filter(({ transport }) => transport === 'websocket')).to.have.length(1);
  });
});
