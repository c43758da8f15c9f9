// What people do with the page at GET /: find, arrange, steer, lose the server and find it again, without a mouse.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { Cable } from './cable.js';
import { Chromium } from './chromium.js';
import { call } from './http-client.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { until } from './panels-page.js';
import { ShellPage } from './shell-page.js';

/** Simulation seconds in a second: two ticks. */
const STILL = 0.02;

describe('the page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-page-'));
  let browser: Chromium | undefined;
  let server: ServerHere;
  let shell: ShellPage;
  const faults: string[] = [];

  const start = (options: readonly string[] = [], sim = 'sims/ball.js'): Promise<ServerHere> =>
    ServerHere.start(sim, { options: ['--no-discovery', '--udp', 'off', '--run-dir', directory, ...options] });
  const origin = (): string => `http://127.0.0.1:${server.port}/`;
  const pace = (ratio: number) => call(server.port, 'sim/control', { action: 'clock_ratio', ratio });
  /** Opens the page, which then has little to draw: most of what it costs is the drawing of what moves. */
  const openStill = async (): Promise<void> => {
    await shell.open(origin());
    await pace(STILL);
  };

  before(async function () {
    browser = await Chromium.openOrSkip(this);
    server = await start();
    shell = new ShellPage(await browser.newPage());
    shell.page.on('pageerror', (error) => faults.push(error.message));
    // What the content policy refuses is told here only.
    shell.page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) faults.push(message.text());
    });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    faults.length = 0;
    await shell.page.setViewportSize({ width: 1440, height: 900 });
  });
  afterEach(async function () {
    showOutputOfFailure(this, server);
    // The next test has a page of its own, in the process of this one.
    await shell.page.goto('about:blank');
    await call(server.port, 'sim/control', { action: 'run' });
    await pace(1);
    if (this.currentTest?.state !== 'failed') expect(faults).to.deep.equal([]);
  });

  it('shows what a simulation does, before anybody has arranged anything', async () => {
    await shell.open(origin());
    expect(await shell.page.title()).to.equal('ball · varwire');
    await shell.panels('table').getByText('velocity').last().waitFor();
    expect(await shell.panels('strip-chart').count()).to.equal(2);
    const before = await shell.seconds();
    await waitUntil(async () => (await shell.seconds()) > before + 0.2);
  });

  it('finds variables by words in any order and case, and opens structures', async () => {
    await openStill();
    await shell.line(/^velocity double\[2\] m\/s/).waitFor();
    await shell.line(/^ball /).click();
    await shell.line(/^velocity/).waitFor({ state: 'detached' });
    await shell.find('VEL ball');
    await shell.line(/ball\.velocity/).waitFor();
    expect(await shell.line(/ball\.position/).count()).to.equal(0);
    await shell.find('no such thing anywhere');
    await shell.page.getByText('nothing found').waitFor();
    // Trick's own are found when somebody wants them.
    await shell.page.getByLabel('Trick’s own').check();
    await shell.find('cmdline_name');
    await shell.line(/trick_cmd_args\.cmd_args\.cmdline_name/).waitFor();
  });

  it('puts a found variable into a panel by Enter, and into one that it is dragged to', async () => {
    await openStill();
    await shell.button('Add a panel').click();
    await shell.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Single value/ })
      .click();
    await shell.page.getByRole('searchbox').fill('positon');
    await shell.page.getByText('found spelled alike').waitFor();
    // However fast somebody types, Enter takes what is found for it.
    await shell.page.getByRole('searchbox').fill('position[1');
    await shell.page.keyboard.press('Enter');
    await shell.panels('single-value').getByText('ball.position[1]').waitFor();
    await shell.find('velocity[0]');
    const target = shell.panels('table');
    // The new panel is scrolled to, so the table may move away while a line is dragged to it.
    await until(
      async () => {
        await shell.line(/ball\.velocity\[0\]/).dragTo(target);
        return target.getByText('velocity[0]').count();
      },
      (count) => count > 0,
    );
  });

  it('moves and resizes panels with the pointer, takes it back, and keeps it over a reload', async () => {
    await openStill();
    const cell = shell.page.locator('.cell', { has: shell.panels('table') });
    const before = await cell.boundingBox();
    await drag(shell, cell.locator('.panel-corner'), 60, 100);
    await waitUntil(async () => ((await cell.boundingBox())?.height ?? 0) > (before?.height ?? 0) + 60);
    const moved = await cell.boundingBox();
    await shell.page.reload();
    await shell.mode('Running').waitFor();
    await waitUntil(async () => (await cell.boundingBox())?.height === moved?.height);
    await drag(shell, cell.locator('.panel-grip'), 700, 0);
    await waitUntil(async () => ((await cell.boundingBox())?.x ?? 0) > (moved?.x ?? 0) + 300);
    await shell.page.keyboard.press('Control+z');
    await waitUntil(async () => (await cell.boundingBox())?.x === moved?.x);
  });

  it('saves a layout under a name, as a file and in an address, and opens it again', async () => {
    await openStill();
    const { page } = shell;
    await shell.button('New tab').click();
    await page.getByRole('tab', { name: 'Tab 2' }).dblclick();
    await page.getByLabel('Name of the tab').fill('Landing');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Landing' }).waitFor();
    await shell.button('Layouts').click();
    await page.getByLabel('Name of this layout').fill('two tabs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const saving = page.waitForEvent('download');
    await shell.button(/Save as a file/).click();
    const file = join(directory, 'saved-layout.json');
    await (await saving).saveAs(file);
    expect(JSON.parse(readFileSync(file, 'utf8')).tabs.map(({ name }: { name: string }) => name)).to.include('Landing');
    await shell.button(/Copy an address/).click();
    await waitUntil(async () => page.url().includes('#layout='));
    const address = page.url();
    await shell.button(/Begin anew/).click();
    expect(await page.getByRole('tab', { name: 'Landing' }).count()).to.equal(0);
    await shell.button('Layouts').click();
    await shell.button('two tabs').first().click();
    await page.getByRole('tab', { name: 'Landing' }).waitFor();
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('tab', { name: 'Landing' }).waitFor();
    // One's own layout can be had back, and an address can be pasted over the open page.
    await page.keyboard.press('Control+z');
    await page.getByRole('tab', { name: 'Landing' }).waitFor({ state: 'detached' });
    await page.goto(address);
    await page.getByRole('tab', { name: 'Landing' }).waitFor();
    expect(page.url()).to.equal(origin());
    await page.goto(`${origin()}#layout=broken`);
    await shell.told('the layout in this address is broken').waitFor();
  });

  it("opens a set of Trick View's", async () => {
    const file = join(directory, 'TV_ball.tv');
    writeFileSync(
      file,
      `<?xml version="1.0" encoding="UTF-8"?><trickView><cyclePeriod>0.5</cyclePeriod>
<variable><name>trick_sys.sched.time_tics</name><value>0</value></variable>
<variable><name>ball.position[1]</name><value>9.1</value><units>ft</units></variable>
<stripChart><domainVariable>trick_sys.sched.time_tics</domainVariable>
<plottedVariable>ball.position[1]</plottedVariable><mode>Strip</mode></stripChart></trickView>`,
    );
    await openStill();
    await shell.button('Layouts').click();
    await shell.page.locator('input[type=file]').setInputFiles(file);
    await shell.page.getByRole('tab', { name: 'TV_ball', selected: true }).waitFor();
    await shell.panels('table').getByText('position[1]').last().waitFor();
    expect(await shell.panels('strip-chart').count()).to.equal(1);
    await shell.button('Layouts').click();
    await shell.page.locator('input[type=file]').setInputFiles({
      name: 'notes.json',
      mimeType: 'application/json',
      buffer: Buffer.from('[1, 2'),
    });
    await shell.told('notes.json is neither a layout in JSON nor a file of Trick View').waitFor();
  });

  it('freezes, steps, runs faster, and says what the simulation is doing', async () => {
    await shell.open(origin());
    await shell.button('Freeze').click();
    await shell.mode('Frozen').waitFor();
    // Of the server: the page may not yet show the time at which it froze.
    const { sim_time } = await call<{ sim_time: { sec_si: number } }>(server.port, 'sim/status', {});
    const frozen = sim_time.sec_si;
    await shell.page.getByLabel('Ticks of a step').fill('5');
    await shell.page.keyboard.press('Tab');
    await shell.button('Step').click();
    await waitUntil(async () => Math.abs((await shell.seconds()) - frozen - 0.05) < 0.011);
    await shell.page.getByLabel('Rate').selectOption('5');
    await shell.told('5 simulation seconds in a second').waitFor();
    await shell.button('Run').click();
    await shell.mode('Running').waitFor();
    await shell.page.reload();
    await waitUntil(async () => (await shell.page.getByLabel('Rate').inputValue()) === '5');
    await shell.page.getByLabel('Rate').selectOption('1');
    await shell.told('1 simulation seconds in a second').waitFor();
  });

  it('writes a checkpoint and loads it again', async () => {
    await shell.open(origin());
    await shell.button('Freeze').click();
    await shell.mode('Frozen').waitFor();
    await call(server.port, 'var/set', { alias: 'ball.position[0]', value: 4.5, wait: true });
    await shell.page.keyboard.press('c');
    await shell.page.getByRole('dialog', { name: 'Write a checkpoint' }).waitFor();
    await shell.page.keyboard.type('before_landing');
    await shell.page.keyboard.press('Enter');
    await shell.told('checkpoint before_landing is written').waitFor();
    await call(server.port, 'var/set', { alias: 'ball.position[0]', value: 1, wait: true });
    await shell.page.keyboard.press('l');
    await shell.button(/before_landing/).click();
    await shell.told('checkpoint before_landing is loaded').waitFor();
    const { values } = await call<{ values: object }>(server.port, 'var/get', { aliases: ['ball.position[0]'] });
    expect(values).to.deep.equal({ 'ball.position[0]': 4.5 });
    await shell.button('Run').click();
    await shell.mode('Running').waitFor();
  });

  it('says that the server is gone, shows old values as old, and goes on with the same server', async () => {
    const cable = await Cable.to(server.port);
    await shell.open(`http://127.0.0.1:${cable.port}/`);
    await shell.panels('table').getByText('velocity').last().waitFor();
    cable.unplug();
    await shell.mode('Connection lost').waitFor();
    await shell.page.getByRole('alert').getByText('The connection to the server is lost').waitFor();
    await shell.page.locator('.is-stale').waitFor();
    await shell.picture('lost');
    cable.plug();
    await shell.mode('Running').waitFor();
    expect(await shell.page.getByRole('alert').count()).to.equal(0);
    const before = await shell.seconds();
    await waitUntil(async () => (await shell.seconds()) > before);
    cable.close();
  });

  it('begins anew when another simulation answers at the same address', async () => {
    const first = await start();
    const { port } = first;
    await shell.open(`http://127.0.0.1:${port}/`);
    await shell.panels('table').getByText('velocity').last().waitFor();
    await first.stop();
    const second = await start(['--port', String(port)], 'sims/cannon.js');
    try {
      await waitUntil(async () => (await shell.page.title()).startsWith('cannon'));
      expect(await shell.page.locator('body').textContent()).to.not.include('ball.');
    } finally {
      await second.stop();
    }
  });

  it('asks before it ends the simulation', async () => {
    const own = await start();
    try {
      await shell.open(`http://127.0.0.1:${own.port}/`);
      await shell.page.keyboard.press('x');
      const dialog = shell.page.getByRole('dialog', { name: 'End ball?' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(own.isRunning).to.equal(true);
      await shell.page.keyboard.press('x');
      await dialog.getByRole('button', { name: 'End the simulation' }).click();
      await own.ended;
    } finally {
      await own.stop();
    }
  });

  it('hides from a read-only token what it cannot do, and keeps the token out of the address', async () => {
    const tokens = join(directory, 'tokens');
    writeFileSync(tokens, 'look read-only\nsteer read-write\n');
    const guarded = await start(['--token-file', tokens, '--trick', 'local']);
    const address = `http://127.0.0.1:${guarded.port}/`;
    const { page } = shell;
    try {
      await page.goto(address);
      await page.getByText('This server asks for a token.').waitFor();
      await page.getByLabel('Token').fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByText('This server does not know the token.').waitFor();
      await page.evaluate('sessionStorage.clear()');
      await page.goto(`${address}?token=look`);
      await page.getByText('read-only', { exact: true }).waitFor();
      expect(page.url()).to.equal(address);
      expect(await shell.button('Freeze').count()).to.equal(0);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      expect(await page.getByText('run, or freeze').count()).to.equal(0);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Space');
      await shell.mode('Running').waitFor();
      await page.goto(`${address}?token=steer`);
      await shell.button('Freeze').waitFor();
    } finally {
      await guarded.stop();
    }
  });

  it('fits a phone: nothing lies outside, variables come over the panels and go', async () => {
    await shell.page.setViewportSize({ width: 390, height: 844 });
    await shell.open(origin());
    await shell.panels('table').getByText('velocity').last().waitFor();
    expect(await shell.page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    const outside = await shell.page.evaluate<string[]>(`[...document.querySelectorAll('.bar *, .panel')]
      .filter((one) => one.getBoundingClientRect().right > 391).map((one) => one.className)`);
    expect(outside).to.deep.equal([]);
    await shell.picture('phone');
    await shell.button('Variables').click();
    await shell.line(/^ball /).waitFor();
    await shell.page.locator('.shade').click({ position: { x: 380, y: 300 } });
    await shell.page.locator('.tree').waitFor({ state: 'detached' });
  });

  it('can be used by keyboard alone', async () => {
    await shell.open(origin());
    const { page } = shell;
    await page.keyboard.press('Space');
    await shell.mode('Frozen').waitFor();
    const frozen = await shell.seconds();
    await page.keyboard.press('s');
    await waitUntil(async () => (await shell.seconds()) > frozen);
    await page.keyboard.press('Space');
    await shell.mode('Running').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('velocity[1]');
    await shell.line(/ball\.velocity\[1\]/).waitFor();
    await page.keyboard.press('Shift+Enter');
    await shell.told('ball.velocity[1] is in a new panel').waitFor();
    const { height = 0 } = page.viewportSize() ?? {};
    await waitUntil(async () => {
      const added = await page.locator('.panel.focused').boundingBox();
      return added !== null && added.y + added.height <= height;
    });
    await page.locator('.cell', { has: shell.panels('table') }).focus();
    const before = await page.locator('.cell', { has: shell.panels('table') }).boundingBox();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await waitUntil(async () => {
      const box = await page.locator('.cell', { has: shell.panels('table') }).boundingBox();
      return (box?.height ?? 0) > (before?.height ?? 0);
    });
    await page.keyboard.press('Delete');
    await shell.panels('table').waitFor({ state: 'detached' });
    await page.keyboard.press('t');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('keeps nobody out: axe-core finds nothing, light or dark, in dialogs or without', async () => {
    await openStill();
    await shell.panels('table').getByText('velocity').last().waitFor();
    await shell.picture('light');
    expect(await shell.barriers()).to.deep.equal([]);
    await shell.page.keyboard.press('t');
    await shell.page.locator('html[data-theme=dark]').waitFor();
    await shell.find('ball');
    await shell.picture('dark');
    expect(await shell.barriers()).to.deep.equal([]);
    // The other dialogs are looked at in the sweep of the page.
    for (const key of ['p', 'l']) {
      await shell.page.locator('#time').click();
      await shell.page.keyboard.press(key);
      await shell.page.getByRole('dialog').waitFor();
      expect(await shell.barriers(), key).to.deep.equal([]);
      await shell.page.keyboard.press('Escape');
      await shell.page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
});

/** Presses, moves and lifts the pointer. */
async function drag({ page }: ShellPage, handle: Locator, right: number, down: number): Promise<void> {
  const box = await handle.boundingBox();
  if (!box) throw new Error('there is nothing to drag');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right / 2, y + down / 2);
  await page.mouse.move(x + right, y + down);
  await page.mouse.up();
}

/** Looks again and again; the test's own time limit ends it. */
async function waitUntil(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, 50));
}
