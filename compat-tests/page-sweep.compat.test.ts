// All panels and dialogs of the page at /: steered by keys alone, at a phone's width, and looked at by axe.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { call } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, barriers, onPage, type PanelWish, panelOf, until } from './panels-page.js';

const HEIGHT = 'ball.position[1]';
const PANELS: readonly PanelWish[] = [
  { type: 'strip-chart', settings: { lines: [HEIGHT, '=d/dt(ball.position[1])', 'trick_sys.sched.mode'], span: 5 } },
  { type: 'table', settings: { rows: [HEIGHT, 'ball.velocity', 'trick_sys.sched.mode'] } },
  { type: 'events' },
  { type: 'functions' },
  { type: 'spectrum', settings: { aliases: [HEIGHT], span: 0.5 } },
  { type: 'single-value', settings: { alias: HEIGHT } },
  { type: 'xy-plot', settings: { trajectories: [{ x: 'ball.position[0]', y: HEIGHT }] } },
  { type: 'messages' },
];

describe('a sweep of the page', () => {
  const bench = onPage(() => ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off'] }));
  let page: Page;

  before(async () => {
    ({ page } = bench);
    await page.goto(addressOf(bench.server.port, PANELS));
    await panelOf(page, 'strip-chart').locator('.legend-line output', { hasText: /\d/ }).first().waitFor();
  });

  it('by keys: calls a function, with units, and is refused at a field', async () => {
    const form = panelOf(page, 'functions').getByRole('form', { name: 'kick' });
    await form.getByLabel('vx', { exact: false }).focus();
    await page.keyboard.type('36 km/h');
    await page.keyboard.press('Tab');
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await form.getByRole('alert').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2*0');
    await page.keyboard.press('Enter');
    await form.getByText('done').waitFor();
    const { values } = await call<{ values: { [name: string]: number } }>(bench.server.port, 'var/get', {
      aliases: ['ball.velocity[0]'],
    });
    expect(values['ball.velocity[0]']).to.be.closeTo(10, 1e-9);
  });

  it('by keys: makes an event, which fires, and tells what is wrong with another', async () => {
    const events = panelOf(page, 'events');
    await events.getByRole('button', { name: 'New event' }).focus();
    await page.keyboard.press('Enter');
    const form = events.getByRole('form', { name: 'New event' });
    await form.getByLabel('Name').focus();
    await page.keyboard.type('far "x"');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ball.position[0] >');
    await page.keyboard.press('Enter');
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Name').fill('right');
    await form.getByLabel('Condition').fill('ball.position[0] > 1');
    await form.getByLabel('Action').fill('print("right of 1")');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await events
      .locator('tr', { hasText: 'right' })
      .getByText(/last at/)
      .first()
      .waitFor();
    const { marks } = await call<{ marks: { kind: string; text: string }[] }>(bench.server.port, 'sim/marks', {});
    expect(marks.filter(({ kind }) => kind === 'event').map(({ text }) => text)).to.include('right');
  });

  it('by keys: puts the members of a structure into a table by Enter', async () => {
    await page.getByRole('tree').focus();
    await page.keyboard.press('Home');
    await panelOf(page, 'table').locator('.row-remove').first().focus();
    await page.getByRole('tree').focus();
    await page.keyboard.press('Enter');
    await panelOf(page, 'table').locator('tr[data-alias="ball.position"]').waitFor();
  });

  it('by keys: puts several elements into a table at once, and finds by the name of a type', async () => {
    const table = panelOf(page, 'table');
    await table.locator('.row-remove').first().focus();
    await page.keyboard.press('/');
    await page.keyboard.type('velocity[0-1]');
    await page.keyboard.press('Enter');
    for (const k of [0, 1]) await table.locator(`tr[data-alias="ball.velocity[${k}]"]`).waitFor();
    const field = page.getByRole('searchbox', { name: 'Find variables' });
    await field.fill('BallSimObject');
    await page.locator('.tree-foot output', { hasText: /^\d+ found$/ }).waitFor();
    await field.fill('');
    await page.getByRole('tree').focus();
  });

  it('shows a spectrum of what has been', async () => {
    // A busy machine leaves no frame out of so slow a simulation.
    await call(bench.server.port, 'sim/control', { action: 'clock_ratio', ratio: 0.2 });
    await panelOf(page, 'spectrum').scrollIntoViewIfNeeded();
    const line = panelOf(page, 'spectrum').locator('.legend-line output');
    await until(
      async () => (await line.textContent()) ?? '',
      (text) => /^[\d.e−]+ at [\d.]+ Hz$/.test(text),
    );
  });

  for (const scheme of ['light', 'dark'] as const) {
    it(`has no barriers in panels and dialogs, ${scheme}`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await barriers(page)).to.deep.equal([]);
      for (const key of ['a', 'o', 'b', '?']) {
        await page.locator('body').press(key);
        await page.getByRole('dialog').waitFor();
        // What lies behind has been looked at.
        expect(await barriers(page, { include: [['dialog']] }), key).to.deep.equal([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    });
  }

  it('fits a phone: nothing is wider than it, and no text lies over another', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await panelOf(page, 'strip-chart').locator('.legend-line output', { hasText: /\d/ }).first().waitFor();
    // A panel below the window asks for nothing.
    await panelOf(page, 'functions').scrollIntoViewIfNeeded();
    await panelOf(page, 'functions').getByRole('form', { name: 'kick' }).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
    const overlaps = await page.evaluate<string[]>(`(() => {
      const found = [];
      const cells = [...document.querySelectorAll('.panel-body :is(td, th, output, .legend-name, label > span, p)')]
        .filter((cell) => cell.children.length === 0 && cell.textContent.trim() !== '' && cell.checkVisibility());
      const boxes = cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return [cell, range.getBoundingClientRect()];
      });
      for (const [k, [one, a]] of boxes.entries())
        for (const [other, b] of boxes.slice(k + 1))
          if (one.closest('.panel') === other.closest('.panel') && !one.contains(other) &&
            a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 4 && b.top < a.bottom - 4)
            found.push(one.textContent + ' over ' + other.textContent);
      return found;
    })()`);
    expect(overlaps).to.deep.equal([]);
    expect(await barriers(page)).to.deep.equal([]);
  });
});
