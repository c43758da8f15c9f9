// Runs the commands of README.md and docs/var-wire.md unchanged but for the port.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { Chromium } from './chromium.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

/** The text of the fenced blocks of a language in a page. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}

/** The commands of shell blocks that talk to the served port, one per string. */
function commandsOf(page: string): string[] {
  const lines = blocksOf(page, 'sh').join('').replaceAll('\\\n', '').split('\n');
  return lines.filter((line) => /^(curl|printf)\b.*127\.0\.0\.1[: ]7000/.test(line));
}

const atPort = (text: string, port: number): string => text.replace(/(127\.0\.0\.1[: ])7000/g, `$1${port}`);

/** Runs a command until its output matches, ends it, and returns what it printed. */
async function outputOf(command: string, isEnough: RegExp): Promise<string> {
  const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const end = () => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid);
  };
  const timer = setTimeout(end, PATIENCE_MILLIS);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (isEnough.test(text)) end();
  });
  await closed;
  clearTimeout(timer);
  return text;
}

/** What each command must print. */
const EXPECTED: readonly (readonly [command: RegExp, output: RegExp])[] = [
  [/var_add/, /^0\t[-\d.e]+\n0\t[-\d.e]+\n/],
  [/var_send_once/, /^5\t0,[-\d.e]+\t[\d.]+ \{s\}\n/],
  [
    /text\/event-stream/,
    /^event: var\ndata: \{"sim_time":\{"sec_si":[\d.]+,"label":"sim_elapsed"\},"values":\{"ball\.position":\[/,
  ],
  [/\/sse\?sub=/, /^id: \d+\nevent: var\ndata: \{"sim_time":/],
  [/var\/subscribe/, /"effective_cycle_ms":40,"sse_url":"\/sse\?sub=/],
  [/var\/list.*jq/, /"alias": "ball\.position"/],
  [
    /var\/get/,
    /^\{"jsonrpc":"2\.0","id":1,"result":\{"frame":\d+,"sim_time":\{.*\},"values":\{"ball\.position":\[.*\],"ball\.velocity":\[.*\]\}\}\}$/,
  ],
  [/sim\/control/, /"mode":"freeze"/],
];

function missingTools(): string[] {
  return ['curl', 'nc', 'jq'].filter((tool) => {
    try {
      execFileSync('which', [tool], { stdio: 'pipe' });
      return false;
    } catch {
      return true;
    }
  });
}

describe('the documentation', () => {
  let server: ServerHere;
  const missing = missingTools();
  before(async () => {
    server = await ServerHere.start('sims/ball.js', { options: ['--no-discovery'] });
  });
  after(() => server?.stop());
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  for (const page of ['README.md', 'docs/var-wire.md']) {
    it(`${page} has commands to try`, () => expect(commandsOf(page)).to.have.length.at.least(4));

    let subscription = '';
    for (const command of commandsOf(page)) {
      it(`${page}: ${command.replace(/ -d '.*?"method":/, ' ').slice(0, 90)}`, async function () {
        const absent = missing.filter((tool) => new RegExp(`\\b${tool}\\b`).test(command));
        if (absent.length > 0) {
          console.log(`      skipped: this machine has no ${absent.join(', ')}`);
          return this.skip();
        }
        const [, expected] = EXPECTED.find(([asked]) => asked.test(command)) ?? [];
        if (!expected) throw new Error(`the test does not know what this prints: ${command}`);
        const current = command.replace(/sub=\w+/, `sub=${subscription}`);
        const output = await outputOf(atPort(current, server.port), expected);
        expect(output).to.match(expected);
        subscription = /"sse_url":"\/sse\?sub=([^"]+)"/.exec(output)?.[1] ?? subscription;
      });
    }
  }

  describe('has scripts that run in a browser:', () => {
    let browser: Chromium | undefined;
    before(async function () {
      browser = await Chromium.openOrSkip(this);
    });
    after(() => browser?.close());

    for (const page of ['README.md', 'docs/var-wire.md']) {
      it(page, async () => {
        const [script = ''] = blocksOf(page, 'js');
        const tab = await browser!.newPage();
        await tab.goto(`http://127.0.0.1:${server.port}/`);
        const seen: { values?: object; method?: string; params?: { values: object } }[] = [];
        const enough = new Promise<void>((resolve) => {
          tab.on('console', async (message) => {
            const said = await message.args()[0]?.jsonValue();
            // The page may say something of its own.
            if (typeof said === 'object' && said !== null) seen.push(said);
            if (seen.some((said) => 'ball.position' in said) && seen.some(({ method }) => method === 'var')) resolve();
          });
        });
        await tab.evaluate(`(async () => {${atPort(script, server.port)}})()`);
        await enough;
        await tab.close();
        expect(seen.find(({ method }) => method === 'var')?.params?.values).to.have.property('ball.position');
      });
    }
  });
});
