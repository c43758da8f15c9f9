// The simulations in README.md, docs/embedding.md and docs/events.md, served unchanged.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { serve } from '../lib/index.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { WireClient } from './wire-client.js';

const PROJECT = new URL('../../', import.meta.url);

/** The `ts` blocks of a page that are whole simulations, by name. */
function simulationsOf(page: string): Map<string, string> {
  const text = readFileSync(new URL(page, PROJECT), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return new Map(
    blocks.flatMap((block) => {
      const [, name] = /export default simulation\(\{ name: '(\w+)'/.exec(block) ?? [];
      return name === undefined ? [] : [[name, block] as const];
    }),
  );
}

interface Trial {
  readonly page: string;
  readonly name: string;
  readonly send: string;
  readonly answer: RegExp;
}

const BURN = 'trick.burn(mass=5)\ntrick.burn(trick.attach_units("g", 5000))\n';
const FUEL = 'trick.var_send_once("first.probe.fuel")\ntrick.burn("much")\n';
const SLEW = 'trick.slew(craft.wanted, 4)\n';
const TRIALS: readonly Trial[] = [
  { page: 'README.md', name: 'ball', send: 'trick.var_send_once("ball.position[0]")\n', answer: /^5\t0\n$/ },
  { page: 'README.md', name: 'probes', send: BURN + FUEL, answer: /^5\t90\n$/ },
  {
    page: 'docs/embedding.md',
    name: 'pointing',
    send: `${SLEW}trick.var_send_once("craft.queue[1]")\n`,
    answer: /^5\t4\n$/,
  },
  {
    page: 'docs/events.md',
    name: 'valve',
    send: 'tank.relief.manual_fire()\ntrick.var_send_once("tank.isOpen")\n',
    answer: /^5\t1\n$/,
  },
];

describe('a simulation of the documentation', () => {
  let directory: string;
  let server: ServerHere;
  // Inside the project, so that the packages varwire and tsx are found.
  before(() => {
    directory = mkdtempSync(join(fileURLToPath(new URL('build/', PROJECT)), 'written-'));
  });
  after(() => rmSync(directory, { recursive: true, force: true }));
  afterEach(async function () {
    showOutputOfFailure(this, server);
    await server?.stop();
  });

  for (const { page, name, send, answer } of TRIALS) {
    it(`runs: ${name} of ${page}`, async () => {
      const file = join(directory, `${name}.ts`);
      writeFileSync(file, simulationsOf(page).get(name) ?? '');
      server = await ServerHere.start(pathToFileURL(file), { options: ['--no-discovery'], by: serve });
      const client = await WireClient.tcp(server.port);
      client.send(send);
      expect(`${await client.line()}\n`).to.match(answer);
    });
  }
});
