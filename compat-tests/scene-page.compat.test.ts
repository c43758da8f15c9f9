// What a person sees in the 3D panel of the page at /: pixels of the lander, and of nothing else.
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { call } from './http-client.js';
import { ServerHere } from './launch.js';
import { addressOf, barriers, onPage, panelOf, until } from './panels-page.js';

type Colour = readonly [red: number, green: number, blue: number];
/** Rows of a picture's pixels, thinned. */
type Pixels = readonly (readonly Colour[])[];

const STEP = 8;
/** The lander is golden, the Moon and the sky are not. */
const isGolden = ([red, , blue]: Colour): boolean => red - blue > 60;
const goldenIn = (pixels: Pixels): number => pixels.flat().filter(isGolden).length;
/** Five by five. */
const middleOf = (pixels: Pixels): Pixels => {
  const [y, x] = [Math.round(pixels.length / 2), Math.round(pixels[0]!.length / 2)];
  return pixels.slice(y - 2, y + 3).map((row) => row.slice(x - 2, x + 3));
};
/** Pixels that differ between two pictures. */
const changed = (one: Pixels, other: Pixels): number =>
  one.flatMap((row, y) => row.filter((colour, x) => String(colour) !== String(other[y]?.[x]))).length;

describe('the 3D panel on the page', () => {
  const bench = onPage(() => ServerHere.start('sims/lander.js', { options: ['--no-discovery', '--udp', 'off'] }));
  const asked: string[] = [];
  let page: Page;
  let panel: Locator;

  before(async () => {
    ({ page } = bench);
    panel = panelOf(page, 'scene');
    page.on('request', (request) => void asked.push(request.url()));
    const chart = { type: 'strip-chart', settings: { lines: [{ alias: 'lander.position[2]' }] }, columns: 10 };
    await page.goto(addressOf(bench.server.port, [chart]));
  });
  const port = (): number => bench.server.port;
  const turnTo = (attitude: readonly number[]) =>
    call(port(), 'var/set', { alias: 'lander.attitude', value: attitude, wait: true });
  /** What is on the screen where the panel draws. */
  async function pixels(): Promise<Pixels> {
    const picture = await panel.locator('canvas').screenshot();
    return page.evaluate<Pixels>(`(async () => {
      const image = new Image();
      image.src = 'data:image/png;base64,${picture.toString('base64')}';
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      const drawn = canvas.getContext('2d');
      drawn.drawImage(image, 0, 0);
      const { data, width, height } = drawn.getImageData(0, 0, image.width, image.height);
      const rows = [];
      for (let y = 4; y < height; y += ${STEP}) {
        const row = [];
        for (let x = 4; x < width; x += ${STEP}) row.push([...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)]);
        rows.push(row);
      }
      return rows;
    })()`);
  }

  it('loads what it draws with when it is opened, and not before', async () => {
    await page.getByRole('button', { name: 'Add a panel' }).click();
    const choice = page.getByRole('button', { name: /^3D/ });
    await choice.waitFor();
    const has = (name: string): boolean => asked.some((url) => url.includes(`/assets/${name}-`));
    expect([has('later'), has('world')]).to.deep.equal([true, false]);
    await choice.click();
    await panel.locator('canvas').waitFor();
    expect([has('world'), has('model')]).to.deep.equal([true, false]);
  });

  it('draws the lander in the middle and the sky above, and the lander as it turns', async () => {
    await call(port(), 'sim/control', { action: 'freeze' });
    await turnTo([1, 0, 0, 0]);
    const upright = await until(pixels, (seen) => goldenIn(seen) > 20);
    const [top] = upright;
    // Its name and its axes are drawn over it.
    expect(goldenIn(middleOf(upright))).to.be.above(12);
    expect(top?.slice(0, 5).every(([red, green, blue]) => Math.min(red, green, blue) > 240)).to.equal(true);
    await turnTo([Math.SQRT1_2, Math.SQRT1_2, 0, 0]);
    await until(pixels, (seen) => changed(seen, upright) > 20 && goldenIn(seen) > 20);
  });

  it('goes nearer by a key, and stands there after the page has been loaded again', async () => {
    const before = goldenIn(await pixels());
    await panel.getByRole('group', { name: /^3D view around lander/ }).focus();
    for (const key of ['+', '+', '+']) await page.keyboard.press(key);
    await until(pixels, (seen) => goldenIn(seen) > 1.5 * before);
    await panel.locator('.primary[aria-label="Show it as at the start"]').waitFor();
    await until(
      () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })'),
      (kept) => kept.includes('azimuth'),
    );
    await page.reload();
    await until(pixels, (seen) => goldenIn(seen) > 1.5 * before);
  });

  it('shows the time under the cursor of a chart', async () => {
    const box = (await panelOf(page, 'strip-chart').locator('.u-over').boundingBox())!;
    await page.mouse.move(box.x + box.width - 8, box.y + 0.5 * box.height, { steps: 2 });
    await panel.locator('.legend-time', { hasText: /^at / }).waitFor();
    await page.mouse.move(box.x, box.y - 60);
    await panel.locator('.legend-time', { hasText: /^at / }).waitFor({ state: 'detached' });
  });

  it('can be used without a mouse and by a screen reader', async () => {
    expect(await barriers(page, { include: [['[data-type="scene"]']] })).to.deep.equal([]);
  });

  it('gives back what it draws with when it is closed', async () => {
    await page.evaluate(`globalThis.canvas = document.querySelector('[data-type="scene"] canvas')`);
    await panel.getByRole('button', { name: 'Remove the panel' }).click();
    await until(
      () => page.evaluate<boolean>(`canvas.getContext('webgl2').isContextLost()`),
      (isLost) => isLost,
    );
  });

  it('is on the first page of a simulation with poses, with a ground track over the body', async () => {
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.reload();
    await panel.locator('canvas').waitFor();
    // The site lies at 0 N 0 E, its x axis goes south: 909.7 m are 0.03 degrees on the Moon.
    await call(port(), 'var/set', { alias: 'lander.position', value: [909.7, -303.2, 100], wait: true });
    const track = panelOf(page, 'ground-track');
    await track.locator('output', { hasText: '0.0300° S, 0.0100° W, 100.26 m up' }).waitFor();
  });

  it('says one sentence where the browser has no WebGL', async () => {
    const other = await bench.browser.newPage();
    await other.addInitScript(`{
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...more);
      };
    }`);
    await other.goto(addressOf(port(), [{ type: 'scene' }]));
    await panelOf(other, 'scene').getByText('This browser has no WebGL').waitFor();
    await other.close();
  });
});
