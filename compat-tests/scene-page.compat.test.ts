// What a person sees in the 3D panel of the page at /: pixels of the lander, the satellite, and a body with a picture.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { double, serve, serveBeside, simulation } from '../lib/index.js';
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

/** What is on the screen where the panel draws. */
async function pixelsOf(page: Page): Promise<Pixels> {
  const picture = await panelOf(page, 'scene').locator('canvas').screenshot();
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

const SATELLITE = new URL('../sims/satellite.js', import.meta.url);
const QUIET = { port: 0, discovery: false, udp: 'off' } as const;
const PLANET = simulation({ name: 'planet', frameSeconds: 0.05 }, (sim) => {
  const types = { position: double(3, { units: 'm' }), attitude: double(4) };
  const planet = sim.object('planet').components(types, { attitude: [1, 0, 0, 0] });
  sim.pose('planet', { ...planet, body: { radius: 5, texture: 'halves.png' } });
});

/** A picture of one row of pixels. */
function pngOf(row: readonly (readonly number[])[]): Buffer {
  const part = (kind: string, data: Buffer): Buffer => {
    const checked = Buffer.concat([Buffer.from(kind), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(checked));
    return Buffer.concat([length, checked, sum]);
  };
  const head = Buffer.from([0, 0, 0, row.length, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const parts = [
    part('IHDR', head),
    part('IDAT', deflateSync(Buffer.from([0, ...row.flat()]))),
    part('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
}

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
  const pixels = (): Promise<Pixels> => pixelsOf(page);

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

  it('is on the first page of the satellite: the station before the Earth, and the sky beside it', async () => {
    const server = await serve(SATELLITE, QUIET);
    const other = await bench.browser.newPage();
    try {
      await other.goto(`http://127.0.0.1:${server.port}/`);
      const isStation = (colour: Colour): boolean => Math.max(...colour) < 180;
      const isEarth = (colour: Colour): boolean => Math.min(...colour) > 170 && Math.max(...colour) < 230;
      // What is not drawn yet is black, as a part of the station is.
      const seen = await until(
        () => pixelsOf(other),
        (one) =>
          middleOf(one).flat().filter(isStation).length > 12 &&
          one.flat().filter(isEarth).length > one.flat().length / 4,
      );
      expect(seen[0]?.at(-1)?.every((part) => part > 240)).to.equal(true);
      await panelOf(other, 'ground-track')
        .locator('output', { hasText: /400\.\d\d km up/ })
        .waitFor();
    } finally {
      await other.close();
      await server.close();
    }
  });

  it('shows the picture of a body with longitude 0 where its x axis goes, and west to the left of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'varwire-scene-page-'));
    const halves = [
      [200, 0, 0],
      [0, 0, 200],
    ];
    writeFileSync(join(folder, 'halves.png'), pngOf(halves));
    const server = await serveBeside(PLANET, { ...QUIET, directory: folder, file: 'planet.js' });
    const other = await bench.browser.newPage();
    try {
      const view = { azimuth: 0, elevation: 0, distance: 20 };
      await other.goto(
        addressOf(server.port, [{ type: 'scene', settings: { follow: 'planet', view, hasNames: false } }]),
      );
      const isRed = ([red, , blue]: Colour): boolean => red > blue + 60;
      const isBlue = ([red, , blue]: Colour): boolean => blue > red + 60;
      const count = (found: Pixels, isIt: (colour: Colour) => boolean): number => found.flat().filter(isIt).length;
      const seen = await until(
        () => pixelsOf(other),
        (one) => count(one, isRed) > 20 && count(one, isBlue) > 20,
      );
      const half = Math.floor(seen[0]!.length / 2);
      const [left, right] = [seen.map((row) => row.slice(0, half - 1)), seen.map((row) => row.slice(half + 1))];
      // The axes are red and blue too.
      expect(count(left, isRed)).to.be.above(10 * count(left, isBlue));
      expect(count(right, isBlue)).to.be.above(10 * count(right, isRed));
    } finally {
      await other.close();
      await server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
