// Pictures of the page at /, for docs/page.md: `node build/compat-tests/page-pictures.js [FOLDER]` writes them again.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { BROWSER } from './chromium.js';
import { LaunchedServer } from './launch.js';
import { addressOf, type PanelWish, panelOf } from './panels-page.js';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

const INPUT = `
trick.real_time_enable()
trick.freeze(0.1)
low = trick.new_event("low")
low.condition(0, "lander.position[2] < 1300", "below 1300 m")
low.action(0, """
print("below 1300 m at", trick.exec_get_sim_time())
""")
low.set_cycle(0.5)
low.activate()
trick.add_event(low)
slow = trick.new_event("slow")
slow.condition(0, "lander.velocity[0] < 10", "slow along the ground")
slow.action(0, """
print("slow along the ground")
""")
slow.activate()
trick.add_event(slow)
`;

const CHART: PanelWish = {
  type: 'strip-chart',
  columns: 15,
  rows: 10,
  settings: {
    span: 30,
    lines: ['lander.altitude', 'lander.position[0]', 'lander.velocity[2]', 'lander.mode'],
    thresholds: [{ value: 1300, unit: 'm', level: 'warning' }],
  },
};
const TRAJECTORY: PanelWish = {
  type: 'xy-plot',
  columns: 9,
  rows: 10,
  settings: { trajectories: [{ x: 'lander.position[0]', y: 'lander.position[2]' }], span: 120 },
};
const TABLE: PanelWish = {
  type: 'table',
  columns: 9,
  rows: 9,
  settings: {
    rows: ['mode', 'position', 'velocity', 'fuel', 'throttle', 'speed', 'jets'].map((name) => `lander.${name}`),
  },
};
const ALTITUDE: PanelWish = {
  type: 'single-value',
  columns: 6,
  rows: 4,
  settings: { alias: 'lander.altitude', digits: 5, limits: { lowWarning: 1300, lowAlarm: 200 } },
};
const [EVENTS, COMMANDS, RECORDINGS, CLIENTS]: readonly PanelWish[] = [
  { type: 'events', columns: 13, rows: 7 },
  { type: 'command-line', columns: 11, rows: 7 },
  { type: 'recordings', columns: 11, rows: 8, settings: { aliases: ['lander.position', 'lander.fuel'] } },
  { type: 'clients', columns: 13, rows: 8 },
];

interface Picture {
  readonly name: string;
  readonly panels: readonly PanelWish[];
  readonly look?: BrowserContextOptions;
  readonly clip?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  prepare?(page: Page): Promise<void>;
}

const SIZE = { width: 1260, height: 580 };
/** Without the tree and the bar above. */
const GRID = { x: 320, y: 84, width: 940, height: 496 };

const PICTURES: readonly Picture[] = [
  {
    name: 'looking',
    panels: [
      {
        ...CHART,
        columns: 24,
        rows: 15,
        settings: {
          ...CHART.settings,
          span: 20,
          lines: ['lander.altitude', '=d/dt(lander.position[2])', 'lander.mode', 'lander.jets[0]'],
        },
      },
    ],
    look: { viewport: SIZE },
    clip: GRID,
    prepare: async (page) => {
      await page.keyboard.press('b');
      await page.getByLabel('Variable', { exact: true }).fill('lander.altitude');
      await page.getByLabel('Low alarm').fill('1100');
      await page.getByRole('button', { name: 'Set the limits' }).click();
      await page.getByRole('button', { name: 'Remove the limits of lander.altitude' }).waitFor();
      await page.keyboard.press('Escape');
      const { x, y, width, height } = (await page.locator('.u-over').first().boundingBox())!;
      await page.mouse.click(x + 0.55 * width, y + 0.3 * height);
      await page.mouse.move(x + 0.85 * width, y + 0.3 * height, { steps: 3 });
      await page.waitForTimeout(600);
    },
  },
  {
    name: 'overview',
    panels: [CHART, TRAJECTORY, { ...TABLE, columns: 15 }, { ...ALTITUDE, columns: 9, rows: 9 }],
    look: { viewport: { width: 1020, height: 620 } },
  },
  { name: 'steering', panels: [EVENTS!, COMMANDS!, RECORDINGS!, CLIENTS!], prepare: steer, clip: GRID },
];

async function steer(page: Page): Promise<void> {
  await panelOf(page, 'events').getByRole('button', { name: 'low', exact: true }).click();
  const prompt = panelOf(page, 'command-line').getByRole('textbox', { name: 'Command' });
  for (const text of ['lander.throttle = 0.4', 'trick.exec_get_sim_time()', 'lander.throttel = 1']) {
    await prompt.fill(text);
    await page.keyboard.press('Enter');
  }
  await panelOf(page, 'recordings').getByRole('button', { name: 'Record', exact: true }).click();
  await panelOf(page, 'recordings').getByRole('img', { name: 'being recorded' }).waitFor();
}

/** Long enough for lines to have a shape. */
const FLIGHT_MILLIS = 14_000;
/** How long the other pages fill before their pictures are taken. */
const FILL_MILLIS = 2500;

/** Writes the pictures; answers their files. */
async function takePictures(folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const directory = mkdtempSync(join(tmpdir(), 'varwire-pictures-'));
  writeFileSync(join(directory, 'input.py'), INPUT);
  const options = ['--no-discovery', '--udp', 'off', '--input', join(directory, 'input.py'), '--run-dir', directory];
  const server = await LaunchedServer.start('sims/lander.js', { options });
  const browser = await chromium.launch({
    executablePath: BROWSER as string,
    headless: true,
    // Grey edges of letters make smaller files than coloured ones.
    args: ['--no-sandbox', '--disable-gpu', '--disable-lcd-text'],
  });
  try {
    const files: string[] = [];
    for (const [index, picture] of PICTURES.entries()) {
      const fillMillis = index === 0 ? FLIGHT_MILLIS : FILL_MILLIS;
      files.push(await take(picture, { browser, folder, port: server.port, fillMillis }));
    }
    return files;
  } finally {
    await browser.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Studio {
  readonly browser: Browser;
  readonly folder: string;
  readonly port: number;
  /** How long lines grow. */
  readonly fillMillis: number;
}

async function take(
  { name, panels, look, clip, prepare }: Picture,
  { browser, folder, port, fillMillis }: Studio,
): Promise<string> {
  const context = await browser.newContext({ viewport: SIZE, ...look });
  const page = await context.newPage();
  await page.goto(addressOf(port, panels));
  await page.locator('#mode', { hasText: /Running|Frozen/ }).waitFor();
  // The simulation waits for the first page: what the start of a browser costs is in no picture.
  if (await page.locator('#mode', { hasText: 'Frozen' }).count()) await page.keyboard.press('Space');
  await page.waitForTimeout(fillMillis);
  await prepare?.(page);
  await page.waitForTimeout(FILL_MILLIS / 3);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, ...(clip && { clip }) });
  await context.close();
  return path;
}

for (const file of await takePictures(process.argv[2] ?? FOLDER)) console.log(file);
