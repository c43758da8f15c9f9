// What a person does with the other panels on the page at /: events, commands, messages, recordings, clients.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { call, type Json, type Values } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, barriers, onPage, type PanelWish, panelOf, until } from './panels-page.js';

const INPUT = `
trick.real_time_enable()
low = trick.new_event("low")
low.condition(0, "ball.position[1] < -5", "below the ground")
low.action(0, """
print("low it is")
""")
low.set_cycle(0.1)
low.activate()
trick.add_event(low)
`;
const READER = 'reader-reader-reader';
const WRITER = 'writer-writer-writer';

interface EventList {
  readonly events: readonly {
    readonly name: string;
    readonly active: boolean;
    readonly mode: string;
    readonly ran_count: number;
  }[];
}

describe('the panels on the page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-panels-'));
  const bench = onPage(() => {
    writeFileSync(join(directory, 'input.py'), INPUT);
    writeFileSync(join(directory, 'tokens'), `${READER} read-only\n${WRITER} read-write\n`, { mode: 0o600 });
    const files = ['--input', join(directory, 'input.py'), '--run-dir', directory];
    return ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off', ...files] });
  });
  let server: ServerHere;
  let page: Page;

  before(() => {
    ({ server, page } = bench);
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  async function open(...panels: readonly PanelWish[]): Promise<Locator> {
    await page.goto('about:blank');
    await page.goto(addressOf(server.port, panels));
    const [first] = panels;
    const panel = panelOf(page, first!.type);
    await panel.waitFor();
    return panel;
  }
  const settled = async (alias: string): Promise<Json> =>
    (await call<Values>(server.port, 'var/get', { aliases: [alias] })).values[alias] as Json;

  describe('events', () => {
    let events: Locator;
    const low = async () =>
      (await call<EventList>(server.port, 'event/list', {})).events.find(({ name }) => name === 'low')!;
    before(async () => {
      events = await open({ type: 'events' });
      await events.getByRole('button', { name: 'low', exact: true }).waitFor();
    });

    it('are fired by hand, and say how often they ran', async () => {
      const { ran_count: before } = await low();
      await events.getByRole('button', { name: 'Fire low' }).click();
      await until(low, ({ ran_count }) => ran_count === before + 1);
      await events
        .locator('td', { hasText: /^[1-9]\d*, last at/ })
        .first()
        .waitFor();
      await call(server.port, 'event/mode', { name: 'low', mode: 'auto' });
    });

    it('are deactivated and activated', async () => {
      await events.getByRole('button', { name: 'Deactivate low' }).click();
      await until(low, ({ active }) => !active);
      await events.getByText('inactive').waitFor();
      await events.getByRole('button', { name: 'Activate low' }).click();
      await until(low, ({ active }) => active);
    });

    it('change their mode, and show what they wait for', async () => {
      await events.getByLabel('Mode of low').selectOption('off');
      await until(low, ({ mode }) => mode === 'off');
      await events.getByLabel('Mode of low').selectOption('auto');
      await events.getByRole('button', { name: 'low', exact: true }).click();
      await events.getByLabel('below the ground').waitFor();
    });
  });

  describe('commands', () => {
    let commands: Locator;
    let prompt: Locator;
    before(async () => {
      commands = await open({ type: 'command-line' });
      prompt = commands.getByRole('textbox', { name: 'Command' });
    });
    async function run(text: string): Promise<void> {
      await prompt.fill(text);
      await page.keyboard.press('Enter');
    }

    it('act, and answer with what they print', async () => {
      await run('ball.position[0] = 7.5');
      await until(
        () => settled('ball.position[0]'),
        (value) => value === 7.5,
      );
      await run('print("printed", 6 * 7)');
      await commands.locator('.entry.output', { hasText: 'printed 42' }).waitFor();
    });

    it('answer a mistake with its sentence', async () => {
      await run('ball.positron = 3');
      await commands.locator('.entry.error', { hasText: 'positron' }).waitFor();
      await run('trick.var_set("ball.position[0]", ');
      await until(
        () => commands.locator('.entry.error').count(),
        (count) => count >= 2,
      );
    });

    it('come back with the arrow keys', async () => {
      await prompt.fill('draft');
      for (const key of ['ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
      expect(await prompt.inputValue()).to.equal('ball.positron = 3');
      for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
      expect(await prompt.inputValue()).to.equal('draft');
    });

    it('are completed with Tab, by keys alone', async () => {
      await prompt.fill('trick.exec_fr');
      await page.keyboard.press('Tab');
      await until(
        () => prompt.inputValue(),
        (text) => text.startsWith('trick.exec_freeze'),
      );
      await prompt.fill('ball.');
      await page.keyboard.press('Tab');
      const list = commands.getByRole('listbox');
      await list.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      const chosen = await list.locator('[aria-selected="true"] .completion-text').textContent();
      await page.keyboard.press('Enter');
      await until(
        () => prompt.inputValue(),
        (text) => text === chosen,
      );
      await prompt.fill('');
    });

    it('show no markup of what is printed', async () => {
      await run('print("<img src=x onerror=alert(1)>")');
      await commands.getByText('<img src=x onerror=alert(1)>', { exact: true }).waitFor();
      expect(await commands.locator('img').count()).to.equal(0);
    });
  });

  it('messages appear, and are found', async () => {
    const messages = await open({ type: 'messages' });
    await call(server.port, 'event/fire', { name: 'low' });
    await call(server.port, 'event/mode', { name: 'low', mode: 'auto' });
    // The condition may hold, too.
    await messages.locator('.message', { hasText: 'low it is' }).first().waitFor();
    await messages.getByLabel('Find in messages').fill('no such text');
    await messages.getByText('No message fits.').waitFor();
  });

  it('clients are listed, this page among them', async () => {
    const clients = await open(
      { type: 'clients' },
      { type: 'single-value', settings: { alias: 'ball.position[1]' }, columns: 6, rows: 4 },
    );
    const own = clients.locator('tr', { hasText: 'this page' });
    await own.getByText('websocket').waitFor();
    await own.locator('[title*="ball.position[1]"]').waitFor();
  });

  it('recordings are started, stopped and downloaded', async () => {
    const recordings = await open({ type: 'recordings', settings: { aliases: ['ball.position'], cycleSeconds: 0.1 } });
    await recordings.getByLabel('Name').fill('from_page');
    await recordings.getByRole('button', { name: 'Record', exact: true }).click();
    await recordings.getByRole('img', { name: 'being recorded' }).waitFor();
    await recordings.getByRole('button', { name: 'Stop from_page' }).click();
    await recordings.getByRole('button', { name: 'Stop from_page' }).waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      recordings.getByRole('link', { name: /^Download .*from_page/ }).click(),
    ]);
    const [head, first] = readFileSync(await download.path(), 'utf8').split('\n');
    expect(head).to.match(/time.*ball\.position\[0\]/);
    expect(first).to.match(/^ *[\d.]+, *[-\d.e]+/);
  });

  it('recordings can be made of what the server remembers', async () => {
    const alias = 'ball.velocity[0]';
    const recordings = await open({ type: 'recordings', settings: { aliases: [alias] } });
    const remembered = async (): Promise<number> => {
      const { series } = await call<{ series: Record<string, { times: number[] }> }>(server.port, 'var/history', {
        aliases: [alias],
      });
      return series[alias]!.times.length;
    };
    await until(remembered, (count) => count > 2);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      recordings.getByRole('button', { name: 'Save the past' }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal('page_past.csv');
    const [head, ...rows] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(head).to.equal(`time {s},${alias} {m/s}`);
    expect(rows.length).to.be.above(2);
    expect(rows.every((row) => /^[\d.]+,-?[\d.e-]+$/.test(row))).to.equal(true);
  });

  it('recordings are downloaded with a token, which is no longer in the address, and fit a narrow panel', async () => {
    const guarded = await ServerHere.start('sims/ball.js', {
      options: [
        ...['--no-discovery', '--udp', 'off', '--token-file', join(directory, 'tokens')],
        ...['--run-dir', join(directory, 'guarded')],
      ],
    });
    try {
      const wish = { type: 'recordings', settings: { aliases: ['ball.position'] }, columns: 7, rows: 8 };
      await page.goto(addressOf(guarded.port, [wish], `?token=${WRITER}`));
      const recordings = panelOf(page, 'recordings');
      await recordings.getByLabel('Name').fill('guarded');
      await recordings.getByRole('button', { name: 'Record', exact: true }).click();
      const link = recordings.getByRole('link', { name: /^Download .*guarded/ });
      await link.waitFor();
      const overhang = await recordings.locator('.recordings').evaluate((box) => box.scrollWidth - box.clientWidth);
      expect(overhang).to.equal(0);
      expect(page.url()).not.to.include(WRITER);
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(readFileSync(await download.path(), 'utf8')).to.match(/time.*ball\.position\[0\]/);
    } finally {
      await guarded.stop();
    }
  });

  it('recordings refuse a name that is no name, in the server’s words', async () => {
    const recordings = await open({ type: 'recordings', settings: { aliases: ['ball.position'] } });
    await recordings.getByLabel('Name').fill('../../etc/passwd');
    await recordings.getByRole('button', { name: 'Record', exact: true }).click();
    expect(await recordings.getByRole('alert').textContent()).to.match(/name/);
  });

  it('have nothing that a screen reader would stumble over', async () => {
    const types = ['table', 'strip-chart', 'xy-plot', 'single-value', 'events', 'command-line', 'messages', 'clients'];
    const settings = {
      rows: ['ball.position', 'ball.velocity'],
      lines: ['ball.position[1]'],
      trajectories: [{ x: 'ball.position[1]', y: 'ball.velocity[1]' }],
      alias: 'ball.position[1]',
      aliases: ['ball.position'],
    };
    await open(...[...types, 'recordings'].map((type) => ({ type, settings })));
    await panelOf(page, 'events').getByRole('button', { name: 'low', exact: true }).click();
    await panelOf(page, 'messages').scrollIntoViewIfNeeded();
    await page.locator('.message').first().waitFor();
    expect(await barriers(page, { include: [['[data-type]']] })).to.deep.equal([]);
  });

  it('hide what a read-only token cannot do', async () => {
    const guarded = await ServerHere.start('sims/ball.js', {
      options: ['--no-discovery', '--udp', 'off', '--trick', 'local', '--token-file', join(directory, 'tokens')],
    });
    try {
      const panels = [
        { type: 'table', settings: { rows: ['ball.velocity', 'ball.position[1]'] } },
        { type: 'command-line' },
        { type: 'recordings', settings: { aliases: ['ball.position'] } },
        { type: 'events' },
        { type: 'functions' },
      ];
      await page.goto(addressOf(guarded.port, panels, `?token=${READER}`));
      const table = panelOf(page, 'table');
      await table.locator('tr[data-alias="ball.position[1]"] output').waitFor();
      expect(await table.getByRole('button', { name: /set it$/ }).count()).to.equal(0);
      await panelOf(page, 'command-line')
        .getByText(/may only read/)
        .waitFor();
      expect(await panelOf(page, 'recordings').getByRole('button', { name: 'Record', exact: true }).count()).to.equal(
        0,
      );
      await panelOf(page, 'events').scrollIntoViewIfNeeded();
      await panelOf(page, 'events').getByText('This simulation has no events.').waitFor();
      expect(await panelOf(page, 'events').getByRole('button', { name: 'New event' }).count()).to.equal(0);
      await panelOf(page, 'functions').scrollIntoViewIfNeeded();
      expect(await panelOf(page, 'functions').getByRole('button', { name: 'Call kick' }).isDisabled()).to.equal(true);
    } finally {
      await guarded.stop();
    }
  });
});
