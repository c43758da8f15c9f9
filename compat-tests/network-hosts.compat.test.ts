// A simulation, a NATS server, an edge, a worker and a study, each on a host of its own, whose links are cut for a while.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { monteCarlo } from '../lib/index.js';
import { draw } from './fixture/fatal.js';
import { NatsServer } from './nats-server.js';
import { NetworkHosts } from './network-hosts.js';

const [SERVER, SOURCE, EDGE, WORKER, STUDY] = [0, 1, 2, 3, 4];
const FIXTURES = fileURLToPath(new URL('./fixture/', import.meta.url));
const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
const CUT_MILLIS = 5000;
const NATS_PORT = 4222;
const PORT = '7000';
const RUNS = 500;
const SERVED = ['--no-discovery', '--port', PORT];

/** A program on a host, and what it prints. */
class Program {
  readonly ended: Promise<number | null>;
  printed = '';
  private heard: () => void = () => undefined;

  constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.printed += chunk;
        this.heard();
      });
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Waits until what it prints from now on matches. */
  async prints(pattern: RegExp, from = 0): Promise<void> {
    while (!pattern.test(this.printed.slice(from)))
      await new Promise<void>((resolve) => {
        this.heard = resolve;
      });
  }
}

describe('on hosts of their own', () => {
  let hosts: NetworkHosts;
  let directory: string;
  const programs: Program[] = [];
  before(async function () {
    NatsServer.skipWithout(this);
    hosts = await NetworkHosts.start(this, 5);
    directory = mkdtempSync(join(tmpdir(), 'varwire-hosts-'));
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') for (const { printed } of programs) console.log(printed.slice(-2000));
  });
  after(() => {
    for (const { child } of programs) child.kill('SIGKILL');
    hosts?.stop();
    if (directory) rmSync(directory, { recursive: true });
  });
  const start = (host: number, ...words: readonly string[]): Program => {
    const program = new Program(hosts.spawn(host, FIXTURES, ...words));
    programs.push(program);
    return program;
  };
  const varwire = (host: number, command: string, ...words: readonly string[]): Program =>
    start(
      host,
      process.execPath,
      COMMAND,
      command,
      ...words,
      '--nats',
      `nats://${hosts.addressFor(host)}:${NATS_PORT}`,
    );

  it('edges and studies go on when links that were cut are there again', async () => {
    const nats = start(SERVER, NatsServer.program, '-js', '-sd', directory, '-p', `${NATS_PORT}`);
    await nats.prints(/Server is ready/);
    const simulation = varwire(SOURCE, 'run', 'fixture.js', ...SERVED, '--nats-name', 'it');
    const worker = start(WORKER, process.execPath, 'farm-worker.js', `nats://${hosts.addressFor(WORKER)}:${NATS_PORT}`);
    const study = { runs: RUNS, untilSeconds: 0.1, read: ['probe.value'] };
    const here = monteCarlo(join(FIXTURES, 'fatal.js'), { ...study, draw, workers: 1 });
    await simulation.prints(/SSE/);
    const edge = varwire(EDGE, 'edge', 'it', ...SERVED);
    await edge.prints(/SSE/);
    const status = start(EDGE, process.execPath, 'status-lines.js', PORT);
    await status.prints(/"mode":"run"/);
    const table = join(directory, 'table.csv');
    const words = ['--runs', `${RUNS}`, '--until', '0.1', '--read', 'probe.value', '--out', table];
    const asked = varwire(STUDY, 'monte-carlo', 'fatal.js', ...words);
    await worker.prints(/takes runs of a study/);
    for (const host of [EDGE, WORKER]) hosts.link(host, false);
    await wait(CUT_MILLIS);
    await status.prints(/"mode":"disconnected"/);
    for (const host of [EDGE, WORKER]) hosts.link(host, true);
    await status.prints(/"mode":"run"/, status.printed.length);
    expect(await asked.ended).to.equal(0);
    expect(readFileSync(table, 'utf8')).to.equal((await here).csv());
  });
});
