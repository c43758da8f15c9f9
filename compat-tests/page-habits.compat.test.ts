// What people are used to on the page at /: names of panels, widths that they choose, a finger that hits what it touches.
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { ServerHere } from './launch.js';
import { addressOf, barriers, onPage, until } from './panels-page.js';

const PANELS = [
  { type: 'table', settings: { rows: ['ball.position', 'ball.velocity[0]'] } },
  { type: 'strip-chart', settings: { lines: ['ball.position[0]', 'ball.position[1]'] } },
];
/** CSS pixels. */
const FINGER = 40;

describe('habits on the page', () => {
  const bench = onPage(() => ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off'] }));
  let page: Page;
  const panel = (id: number): Locator => page.locator(`[data-panel="panel-${id}"]`);
  const widthOf = async (of: Locator): Promise<number> => (await of.boundingBox())?.width ?? 0;

  before(async () => {
    ({ page } = bench);
    await page.goto(addressOf(bench.server.port, PANELS));
    await panel(1).getByText('velocity[0]').waitFor();
  });

  it('name a panel, which keeps its name over a reload, and lose it again', async () => {
    const rename = async (name: string): Promise<void> => {
      await panel(2).hover();
      await panel(2).getByRole('button', { name: 'Settings of the panel' }).click();
      await panel(2).getByLabel('Name of the panel').fill(name);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
    };
    await rename('Way of the ball');
    await panel(2).getByRole('heading', { name: 'Way of the ball' }).waitFor();
    await page.goto(`http://127.0.0.1:${bench.server.port}/`);
    await panel(2).getByRole('heading', { name: 'Way of the ball' }).waitFor();
    await rename('');
    await panel(2).getByRole('heading', { name: 'ball.position[0] and 1 more' }).waitFor();
  });

  it('keep the focus where it was put while a form that has just come is drawn', async () => {
    const kept = await page.evaluate<string>(`(async () => {
      const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
      const panel = document.querySelector('[data-panel="panel-2"]');
      panel.querySelector('[aria-label="Settings of the panel"]').click();
      while (!panel.querySelector('.popover')) await Promise.resolve();
      const name = [...panel.querySelectorAll('.popover label')].find((label) => label.textContent === 'Name of the panel');
      name.querySelector('input').focus();
      await pause(300);
      return document.activeElement.closest('label')?.textContent ?? document.activeElement.outerHTML;
    })()`);
    expect(kept).to.equal('Name of the panel');
    await page.keyboard.press('Escape');
  });

  it('are not left without the focus by a dialog, a box that Tab leaves, or what they remove', async () => {
    const named = (): Promise<string> =>
      page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`);
    const press = async (...keys: string[]): Promise<string> => {
      for (const key of keys) await page.keyboard.press(key);
      return named();
    };
    await page.getByRole('button', { name: 'Add a panel' }).focus();
    expect(await press('Enter')).to.match(/^Table/);
    expect(await press('Escape')).to.equal('Add a panel');
    await page.getByRole('button', { name: 'Checkpoints and the end' }).focus();
    expect(await press('Enter')).to.match(/Write a checkpoint/);
    expect(await press('Tab', 'Tab', 'Tab')).to.equal('Add a panel');
    expect(await page.locator('.popover').count()).to.equal(0);
    await panel(1).getByRole('button', { name: 'Remove ball.velocity[0]' }).focus();
    expect(await press('Enter')).to.equal('Remove ball.position');
    await page.locator('[data-cell="panel-2"]').focus();
    expect(await press('Delete')).to.equal('Panel Table');
    await press('Control+z', 'Control+z');
    await panel(1).getByText('velocity[0]').waitFor();
  });

  it('widen the variables and the names of a table, by pointer and keys, and find them so again', async () => {
    const [names, tree] = [panel(1).locator('.name-column'), page.locator('.tree')];
    const before = [await widthOf(names), await widthOf(tree)] as const;
    const { x, y } = (await page.getByRole('separator', { name: 'Width of the variables' }).boundingBox())!;
    await page.mouse.move(x + 4, y + 200);
    await page.mouse.down();
    await page.mouse.move(x - 96, y + 200, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('separator', { name: 'Width of the names' }).focus();
    for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowRight');
    const areWide = async (): Promise<void> => {
      await until(
        async () => [(await widthOf(names)) - before[0], (await widthOf(tree)) - before[1]],
        ([wider, narrower]) => wider! > 40 && Math.abs(narrower! + 100) < 3,
      );
    };
    await areWide();
    await page.reload();
    await areWide();
    expect(await barriers(page)).to.deep.equal([]);
  });

  it('are told at its field that a step of no ticks is none', async () => {
    const ticks = page.getByLabel('Ticks of a step');
    for (const [text, isFine] of [
      ['-3', false],
      ['1.5', false],
      ['2', true],
    ] as const) {
      await ticks.fill(text);
      await ticks.blur();
      expect(await ticks.inputValue()).to.equal(text);
      expect(await ticks.evaluate((field) => field.matches(':valid')), text).to.equal(isFine);
    }
  });

  it('touch nothing that is smaller than a finger, on a phone', async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDeviceMetricsOverride', {
      width: 390,
      height: 844,
      deviceScaleFactor: 1,
      mobile: true,
    });
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.reload();
    await panel(1).getByText('velocity[0]').waitFor();
    await panel(2).locator('.legend-line output', { hasText: /\d/ }).first().waitFor();
    const small = await page.evaluate<string[]>(`[...document.querySelectorAll('button, select, input, [role=tab]')]
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([element, { width, height }]) => width > 2 && (width < ${FINGER} || height < ${FINGER}))
      .map(([element, { width, height }]) => element.outerHTML.slice(0, 120) + ' ' + width + ' x ' + height)`);
    expect(small).to.deep.equal([]);
    const outside = await page.evaluate<string[]>(`[...document.querySelectorAll('.panel-tools button')]
      .filter((button) => button.getBoundingClientRect().right > button.closest('.panel').getBoundingClientRect().right)
      .map((button) => button.getAttribute('aria-label'))`);
    expect(outside).to.deep.equal([]);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(wide).to.equal(390);
  });
});
