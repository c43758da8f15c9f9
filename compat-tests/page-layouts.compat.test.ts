// Layouts that the server keeps, on the page at /: two people save, replace, open and remove them, by keys alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { Chromium } from './chromium.js';
import { call } from './http-client.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { ShellPage } from './shell-page.js';

describe('layouts of the server on the page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-page-layouts-'));
  const start = (...more: string[]): Promise<ServerHere> =>
    ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off', '--run-dir', directory, ...more] });
  let browser: Chromium | undefined;
  let server: ServerHere;
  let one: ShellPage;
  let other: ShellPage;

  before(async function () {
    browser = await Chromium.openOrSkip(this);
    server = await start();
    [one, other] = [new ShellPage(await browser.newPage()), new ShellPage(await browser.newPage())];
    for (const shell of [one, other]) await shell.open(`http://127.0.0.1:${server.port}/`);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(directory, { recursive: true });
  });
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  const dialog = ({ page }: ShellPage): Locator => page.getByRole('dialog', { name: 'Layouts' });
  const press = async ({ page }: ShellPage, ...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Opens the dialog, and waits until it knows that the server keeps layouts. */
  async function openDialog(shell: ShellPage): Promise<void> {
    await press(shell, 'o');
    await dialog(shell).getByRole('button', { name: 'Save on the server' }).waitFor();
  }
  async function saveAs(shell: ShellPage, name: string): Promise<void> {
    await dialog(shell).getByLabel('Name of this layout').fill(name);
    await press(shell, 'Tab', 'Tab', 'Enter');
  }
  const onServer = (shell: ShellPage, name: string): Locator =>
    dialog(shell).getByRole('list', { name: 'Layouts on the server' }).getByRole('button', { name }).first();
  const tabs = (shell: ShellPage): Promise<string[]> => shell.page.getByRole('tab').allTextContents();
  const kept = async (name: string): Promise<number> =>
    (await call<{ layout: { tabs: unknown[] } }>(server.port, 'layout/get', { name })).layout.tabs.length;

  it('are saved by one and opened by another', async () => {
    await one.button('New tab').click();
    await openDialog(one);
    await saveAs(one, 'flight');
    await one.told('saved as flight, on the server').waitFor();
    await onServer(one, 'flight').waitFor();
    expect(await one.barriers()).to.deep.equal([]);
    await press(one, 'Escape');
    expect(await tabs(other)).to.have.length(1);
    await openDialog(other);
    await onServer(other, 'flight').focus();
    await press(other, 'Enter');
    await other.told('flight is open').waitFor();
    expect(await tabs(other)).to.deep.equal(await tabs(one));
  });

  it('are replaced only by who says so, and the question begins at the answer that changes nothing', async () => {
    await other.button('New tab').click();
    await openDialog(other);
    await saveAs(other, 'flight');
    await dialog(other).getByText('The server has a layout flight already.').waitFor();
    expect(await other.barriers()).to.deep.equal([]);
    await press(other, 'Enter');
    await dialog(other).getByText('The server has a layout flight already.').waitFor({ state: 'detached' });
    expect(await kept('flight')).to.equal(2);
    // The focus is at the name again.
    await press(other, 'Tab', 'Tab', 'Enter');
    await dialog(other).getByRole('button', { name: 'Replace it' }).waitFor();
    await press(other, 'Tab', 'Enter');
    await other.told('saved as flight, on the server').waitFor();
    expect(await kept('flight')).to.equal(3);
    await press(other, 'Escape');
  });

  it('that somebody else saves meanwhile are not lost', async () => {
    await openDialog(one);
    await call(server.port, 'layout/save', { name: 'landing', layout: { version: 1, tabs: [] } });
    await saveAs(one, 'landing');
    await one.told('there is a layout landing already').waitFor();
    expect(await kept('landing')).to.equal(0);
    await onServer(one, 'landing').waitFor();
    await press(one, 'Tab', 'Shift+Tab', 'Enter');
    await dialog(one).getByRole('button', { name: 'Replace it' }).waitFor();
    await press(one, 'Enter', 'Escape');
  });

  it('that are none are refused with a sentence, and change nothing', async () => {
    writeFileSync(join(directory, 'layouts', 'odd.json'), '{"version":2,"tabs":[]}');
    const before = await tabs(one);
    await openDialog(one);
    await saveAs(one, '../x');
    await one.told('must be up to 60 letters').waitFor();
    await onServer(one, 'odd').focus();
    await press(one, 'Enter');
    await one.told('this layout is of version 2, and this page knows version 1').waitFor();
    expect(await tabs(one)).to.deep.equal(before);
    await press(one, 'Escape');
  });

  it('are removed after a question', async () => {
    await openDialog(one);
    await dialog(one).getByRole('button', { name: 'Remove landing from the server' }).focus();
    await press(one, 'Enter');
    await dialog(one).getByText('Remove landing for everybody?').waitFor();
    await press(one, 'Tab', 'Enter');
    await one.told('landing is removed from the server').waitFor();
    await onServer(one, 'landing').waitFor({ state: 'detached' });
    await onServer(one, 'flight').waitFor();
    await press(one, 'Escape');
  });

  it('are opened, not saved, with a read-only token, also after a restart', async () => {
    await server.stop();
    writeFileSync(join(directory, 'tokens'), 'reader read-only\n', { mode: 0o600 });
    server = await start('--token-file', join(directory, 'tokens'), '--trick', 'local');
    await one.page.goto(`http://127.0.0.1:${server.port}/?token=reader`);
    await one.mode('Running').waitFor();
    await press(one, 'o');
    await onServer(one, 'flight').waitFor();
    expect(
      await dialog(one)
        .getByRole('button', { name: /on the server|from the server/ })
        .count(),
    ).to.equal(0);
    await onServer(one, 'flight').focus();
    await press(one, 'Enter');
    await one.told('flight is open').waitFor();
    expect(await tabs(one)).to.have.length(3);
  });
});
