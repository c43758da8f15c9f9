// What a person does with the table of values on the page at /: looks, chooses units, sets values, is refused.
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { call, type Json, type Values } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, onPage, panelOf, until } from './panels-page.js';

const ROWS = ['e', 'c', 'm', 'o', 'n', 'vec_enum[1]', 'blocked_from_input', 'k', 'nothing'].map(
  (name) => `vsx.vst.${name}`,
);

describe('the table on the page', () => {
  const bench = onPage(() =>
    ServerHere.start('compat-tests/fixture/variable-server.js', { options: ['--no-discovery', '--udp', 'off'] }),
  );
  let server: ServerHere;
  let page: Page;
  let table: Locator;

  before(async () => {
    ({ server, page } = bench);
    await page.goto(addressOf(server.port, [{ type: 'table', settings: { rows: ROWS }, columns: 16, rows: 16 }]));
    table = panelOf(page, 'table');
    await rowOf('vsx.vst.e').getByText('−123456').waitFor();
  });

  const rowOf = (alias: string): Locator => table.locator(`tr[data-alias="${alias}"]`);
  const editorOf = (alias: string): Locator => table.getByLabel(`New value of ${alias}`);
  const settledValue = async (alias: string): Promise<Json> =>
    (await call<Values>(server.port, 'var/get', { aliases: [alias] })).values[alias] as Json;
  const becomes = (alias: string, value: Json): Promise<Json> =>
    until(
      () => settledValue(alias),
      (found) => JSON.stringify(found) === JSON.stringify(value),
    );
  async function type(alias: string, text: string): Promise<void> {
    // The editor of a change before closes when a frame shows the change.
    await editorOf(alias).waitFor({ state: 'detached' });
    const button = rowOf(alias).getByRole('button', { name: /set it$/ });
    // A press misses where the row moves at that moment, as the editor before it goes.
    await until(
      async () => {
        if ((await editorOf(alias).count()) === 0) await button.click();
        return editorOf(alias).count();
      },
      (count) => count === 1,
    );
    await editorOf(alias).fill(text);
    await page.keyboard.press('Enter');
  }

  it('shows numbers, words, texts and lists, and says what does not exist', async () => {
    await rowOf('vsx.vst.vec_enum[1]').getByText('COLOR_GREEN').waitFor();
    expect(await rowOf('vsx.vst.m').getByRole('switch').getAttribute('aria-checked')).to.equal('true');
    expect(await rowOf('vsx.vst.k').textContent()).to.include('−12345678912345');
    expect(await rowOf('vsx.vst.n').textContent()).to.include('[0, 1, 2, 3, 4]');
    await rowOf('vsx.vst.nothing')
      .getByText(/has no member nothing/)
      .waitFor();
  });

  it('shows a value in other units, and sets it in them', async () => {
    const units = rowOf('vsx.vst.e').getByLabel('Units of vsx.vst.e');
    await units.focus();
    await units.locator('option[value="km"]').waitFor({ state: 'attached' });
    await units.selectOption('km');
    await rowOf('vsx.vst.e').getByText('−123.456').waitFor();
    await type('vsx.vst.e', '2.5');
    await becomes('vsx.vst.e', 2500);
    await rowOf('vsx.vst.e').getByText('2.5').waitFor();
  });

  it('takes a calculation, and a value in units that are typed behind it', async () => {
    await type('vsx.vst.e', '100*2 ft');
    await until(
      () => settledValue('vsx.vst.e'),
      (value) => Math.abs(Number(value) - 61) <= 1,
    );
    await type('vsx.vst.e', '3 kg');
    await rowOf('vsx.vst.e').getByRole('alert').getByText('expected units that convert').waitFor();
    await page.keyboard.press('Escape');
    await type('vsx.vst.e', '(1+4)/2');
    await becomes('vsx.vst.e', 2500);
  });

  it('refuses at the field what does not fit: fractions of integers, long texts', async () => {
    for (const [alias, text, sentence] of [
      ['vsx.vst.c', '1.5', '1.5 is no whole number'],
      ['vsx.vst.o', 'x'.repeat(5000), 'has room for'],
    ] as const) {
      const before = await settledValue(alias);
      await type(alias, text);
      await rowOf(alias).getByRole('alert').getByText(sentence).waitFor();
      expect(await editorOf(alias).inputValue()).to.equal(text);
      expect(await settledValue(alias)).to.deep.equal(before);
      await page.keyboard.press('Escape');
      await editorOf(alias).waitFor({ state: 'detached' });
    }
  });

  it('takes steps of the last digit with the arrows', async () => {
    await rowOf('vsx.vst.c')
      .getByRole('button', { name: /set it$/ })
      .click();
    await editorOf('vsx.vst.c').fill('19');
    for (const key of ['ArrowUp', 'ArrowUp', 'Shift+ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await becomes('vsx.vst.c', 30);
  });

  it('says what is no number where it was typed, and changes nothing', async () => {
    await type('vsx.vst.c', 'twelve');
    await rowOf('vsx.vst.c').getByRole('alert').getByText('twelve is not a number').waitFor();
    expect(await settledValue('vsx.vst.c')).to.equal(30);
    await page.keyboard.press('Escape');
    await editorOf('vsx.vst.c').waitFor({ state: 'detached' });
  });

  it('shows the server’s sentence when it refuses a value', async () => {
    await type('vsx.vst.c', '99999');
    const sentence = await rowOf('vsx.vst.c').getByRole('alert').textContent();
    expect(sentence).to.match(/99999/).and.match(/32767/);
    expect(await settledValue('vsx.vst.c')).to.equal(30);
    // The cursor is still there.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('31');
    await page.keyboard.press('Enter');
    await becomes('vsx.vst.c', 31);
  });

  it('keeps what is selected while the value goes on changing', async () => {
    await editorOf('vsx.vst.c').waitFor({ state: 'detached' });
    await rowOf('vsx.vst.c')
      .getByRole('button', { name: /set it$/ })
      .click();
    const selected = () => editorOf('vsx.vst.c').evaluate((field: { selectionEnd?: number }) => field.selectionEnd);
    await until(selected, (end) => end === 2);
    await call(server.port, 'var/set', { alias: 'vsx.vst.c', value: 444, wait: true });
    await call(server.port, 'var/set', { alias: 'vsx.vst.k', value: -77, wait: true });
    await rowOf('vsx.vst.k').getByText('−77', { exact: true }).waitFor();
    await page.keyboard.type('31');
    await page.keyboard.press('Enter');
    await becomes('vsx.vst.c', 31);
  });

  it('keeps an editor open while the person is in another window', async () => {
    await editorOf('vsx.vst.c').waitFor({ state: 'detached' });
    await rowOf('vsx.vst.c')
      .getByRole('button', { name: /set it$/ })
      .click();
    await editorOf('vsx.vst.c').fill('55');
    // As a browser tells it: the field stays the active element of its page.
    await editorOf('vsx.vst.c').dispatchEvent('blur');
    expect(await editorOf('vsx.vst.c').inputValue()).to.equal('55');
    await page.keyboard.press('Escape');
    await editorOf('vsx.vst.c').waitFor({ state: 'detached' });
  });

  it('has an editor for each type: a switch, labels, a text', async () => {
    await rowOf('vsx.vst.m').getByRole('switch').click();
    await becomes('vsx.vst.m', false);
    await rowOf('vsx.vst.m').getByText('off').waitFor();
    await rowOf('vsx.vst.vec_enum[1]')
      .getByRole('button', { name: /set it$/ })
      .click();
    await editorOf('vsx.vst.vec_enum[1]').selectOption('COLOR_YELLOW');
    await becomes('vsx.vst.vec_enum[1]', 3);
    await type('vsx.vst.o', 'said "so", in the page');
    await becomes('vsx.vst.o', 'said "so", in the page');
  });

  it('keeps the next editor open when pictures come late', async () => {
    const setIt = (alias: string): Locator => rowOf(alias).getByRole('button', { name: /set it$/ });
    await editorOf('vsx.vst.o').waitFor({ state: 'detached' });
    await setIt('vsx.vst.c').click();
    await page.evaluate(`{
      const { requestAnimationFrame } = window;
      window.late = [];
      window.requestAnimationFrame = (call) => window.late.push(call);
      window.drawLate = () => {
        window.requestAnimationFrame = requestAnimationFrame;
        for (const call of window.late) call(0);
      };
    }`);
    await editorOf('vsx.vst.c').press('Escape');
    await setIt('vsx.vst.o').focus();
    await page.keyboard.press('Enter');
    const focused = (): Promise<string | null> => page.evaluate('document.activeElement.ariaLabel');
    await until(focused, (label) => label === 'New value of vsx.vst.o');
    await page.evaluate('window.drawLate()');
    expect(await focused()).to.equal('New value of vsx.vst.o');
    await page.keyboard.press('Escape');
    await until(focused, (label) => /^vsx.vst.o: .*set it$/.test(label ?? ''));
  });

  it('opens an array into a grid, and sets one element', async () => {
    await rowOf('vsx.vst.n')
      .getByRole('button', { name: /; its elements$/ })
      .click();
    await table.getByRole('button', { name: 'vsx.vst.n[3]: 3; set it' }).click();
    await editorOf('vsx.vst.n[3]').fill('33');
    await page.keyboard.press('Enter');
    await becomes('vsx.vst.n', [0, 1, 2, 33, 4]);
    // The value takes the focus back when its editor has closed.
    await table.locator('button:focus', { hasText: '33' }).waitFor();
  });

  it('offers no editor for what is read-only', async () => {
    await rowOf('vsx.vst.blocked_from_input').getByText('500').waitFor();
    expect(
      await rowOf('vsx.vst.blocked_from_input')
        .getByRole('button', { name: /set it$/ })
        .count(),
    ).to.equal(0);
  });

  it('writes no value, editor or refusal over the units, on a phone', async () => {
    const { width, height } = page.viewportSize()!;
    // The list of variables would lie over the table.
    await page.getByRole('button', { name: 'Variables', exact: true }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await type('vsx.vst.c', '99999');
    await rowOf('vsx.vst.c').getByRole('alert').waitFor();
    const over = await table
      .locator('td.value-column')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );
    expect(over).to.deep.equal([]);
    // A long array takes one line, not the panel.
    const list = rowOf('vsx.vst.n').locator('.list-text');
    const size = await list.evaluate(({ clientHeight, clientWidth, scrollWidth }) => ({
      height: clientHeight,
      isCut: scrollWidth > clientWidth,
    }));
    expect(size.isCut).to.equal(true);
    expect(size.height).to.be.below(30);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width, height });
  });

  it('moves and removes rows by keys alone', async () => {
    await rowOf('vsx.vst.c')
      .getByRole('button', { name: /set it$/ })
      .focus();
    await page.keyboard.press('Alt+ArrowUp');
    const first = (): Promise<string | null> => table.locator('tr[data-alias]').first().getAttribute('data-alias');
    await until(first, (alias) => alias === 'vsx.vst.c');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Delete');
    await rowOf('vsx.vst.c').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await editorOf('vsx.vst.e').waitFor();
    await page.keyboard.press('Escape');
  });

  it('marks values as stale when the server is gone', async () => {
    await server.stop();
    await table.locator('.value-table.stale').waitFor();
  });
});
