// Jobs of the shutdown run once at every way in which a run ends, and none of them prevents the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { monteCarlo, type RunningServer, run, type SimulationDefinition, serve, serveBeside } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { start } from '../lib/testing/index.js';
import { commandHere, signalHere } from './command-here.js';
import { LaunchedServer } from './launch.js';
import { WireClient } from './wire-client.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = join(ROOT, 'build/lib/clients/cli/main.js');
const FILE = `
import { appendFileSync } from 'node:fs';
import { int, simulation } from 'varwire';
export default simulation({ name: 'ends', frameSeconds: 0.1 }, (sim) => {
  const [file, way] = sim.arguments;
  const o = sim.object('o').components({ order: int() });
  const note = (text) => appendFileSync(file, text + '\\n');
  sim.job(0.1, function obey() {
    if (o.order === 1) throw new Error('told to');
    if (o.order === 2) process.exit(5);
    if (o.order === 3) sim.stop({ code: 3, reason: 'enough' });
  });
  sim.job('shutdown', function wait() {
    if (way === 'hangs') for (;;);
  });
  if (way === 'says that it begins') sim.job('initialization', () => note('begins'));
  sim.job('shutdown', ({ code, reason }) => note(code + ' ' + reason));
});
`;

describe('jobs of the shutdown run once', () => {
  let directory: string;
  let file: string;
  let notes: string;
  /** Of a run at the same time. */
  let others: string;
  before(() => {
    directory = mkdtempSync(join(ROOT, 'build', 'shutdown-'));
    file = join(directory, 'ends.mjs');
    notes = join(directory, 'notes.txt');
    others = join(directory, 'others.txt');
    writeFileSync(file, FILE);
  });
  beforeEach(() => writeFileSync(notes, ''));
  after(() => rmSync(directory, { recursive: true }));

  const noted = (where = notes): string[] => readFileSync(where, 'utf8').split('\n').slice(0, -1);
  const definition = async () => (await import(pathToFileURL(file).href)).default as SimulationDefinition;
  const silent = { port: 0, discovery: false, log: () => undefined } as const;

  const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  /** The arguments of a simulation that notes its beginning. */
  const telling = (): string[] => [notes, 'says that it begins'];
  /** Resolves when so many runs have begun. */
  async function begun(count: number): Promise<void> {
    while (noted().length < count) await soon();
  }

  const launch = (...simArguments: string[]): Promise<LaunchedServer> =>
    LaunchedServer.start(pathToFileURL(file), { simArguments, options: ['--no-discovery', '--udp', 'off'] });
  const serveIt = (by: typeof serve | typeof serveHere): Promise<RunningServer> =>
    by(file, { ...silent, arguments: [notes] });

  it('at SIGINT after one that never ends, and at SIGTERM after a fault, with the code of the fault', async () => {
    const [hanging, failing] = await Promise.all([launch(notes, 'hangs'), launch(others)]);
    process.kill(hanging.processId, 'SIGINT');
    const client = await WireClient.tcp(failing.port);
    client.send('o.order = 1\n');
    while (!failing.output.includes('told to')) await soon();
    process.kill(failing.processId, 'SIGTERM');
    await Promise.all([hanging.ended, failing.ended]);
    client.drop();
    expect(noted()).to.deep.equal(['0 the server is closing']);
    expect(hanging.output).to.match(/job wait failed: it had not ended after 0\.4 s/);
    expect(noted(others)).to.deep.equal(['1 the server is closing']);
    expect(failing.output).to.match(/\[exit 1\]\n$/);
  });

  it('at SIGHUP, which ends the process', async () => {
    const { processId, ended } = await launch(notes);
    process.kill(processId, 'SIGHUP');
    await ended;
    expect(noted()).to.deep.equal(['0 the server is closing']);
  });

  it('when the program that embeds a server closes it', async () => {
    const server = await serveIt(serve);
    await server.close();
    await server.close();
    expect(noted()).to.deep.equal(['0 the server is closing']);
    const beside = await serveBeside(await definition(), { ...silent, arguments: [notes] });
    await beside.close();
    await beside.close();
    expect(noted()).to.deep.equal(['0 the server is closing', '0 closed by the program']);
  });

  for (const [what, by, command, note, code] of [
    ['code that ends its thread', serve, 'o.order = 2', "5 the simulation's thread has ended by itself", 5],
    ['code that stops it', serve, 'o.order = 3', '3 enough', 3],
    [
      'a client',
      serveHere,
      'trick.exec_terminate_with_return(4, "a", 1, "b")',
      '4 terminated with code 4: b (a, line 1)',
      4,
    ],
    ['its terminate time', serveHere, 'trick.stop(0.3)', '0 the simulation has reached its terminate time', 0],
  ] as const)
    it(`when ${what} ends a run`, async () => {
      const server = await serveIt(by);
      const ended = new Promise<number>((resolve) => server.source.onEnd((_, exitCode) => resolve(exitCode)));
      const client = await WireClient.tcp(server.port);
      client.send(`${command}\n`);
      const exitCode = await ended;
      await server.close();
      client.drop();
      expect(noted()).to.deep.equal([note]);
      expect(exitCode).to.equal(code);
    });

  it('when a run without a server ends, in whatever way', async () => {
    const simulation = await definition();
    await run(simulation, { untilSeconds: 1, arguments: [notes] });
    const failing = await run(simulation, { untilSeconds: 1, arguments: [notes], set: { 'o.order': 1 } }).catch(
      ({ message }: Error) => message,
    );
    expect(failing).to.equal('job obey failed: told to');
    const tested = await start(simulation, { arguments: [notes] });
    tested.runFor(1);
    tested.close();
    tested.close();
    expect(noted()).to.deep.equal(['0 closed', '1 closed', '0 closed']);
  });

  it('when the command for such a run ends, also by Ctrl-C or by its own code', async () => {
    const fast = ['run', file, '--fast'];
    const codeOf = async (...args: string[]) => (await commandHere([...fast, ...args], {}, directory)).code;
    writeFileSync(others, '');
    // Its code ends its process.
    const child = spawn(process.execPath, [COMMAND, ...fast, '--until', '1', '--set', 'o.order=2', '--', others], {
      cwd: directory,
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    const input = join(directory, 'input.py');
    writeFileSync(input, 'trick.stop(1)\n');
    expect(await codeOf('--until', '1', '--', notes)).to.equal(0);
    expect(await codeOf('--input', input, '--', notes)).to.equal(0);
    const interrupted = codeOf('--until', '1e9', '--', ...telling());
    await begun(3);
    signalHere('SIGINT');
    expect(await interrupted).to.equal(130);
    expect(noted()).to.deep.equal([
      '0 closed',
      '0 the simulation has reached its terminate time',
      'begins',
      '130 closed',
    ]);
    expect((await closed)[0]).to.equal(5);
    expect(noted(others)).to.deep.equal(['5 the process has ended']);
  });

  it('when a run of a Monte Carlo ends, also one that is stopped', async () => {
    const common = { runs: 3, workers: 1, read: [], arguments: [notes] };
    const { failed } = await monteCarlo(file, { ...common, untilSeconds: 1, draw: (_, at) => ({ 'o.order': at }) });
    expect(failed).to.equal(2);
    expect(noted().sort()).to.deep.equal(['0 closed', '1 closed', '5 the process has ended']);
    writeFileSync(notes, '');
    const stop = new AbortController();
    const study = monteCarlo(file, { ...common, arguments: telling(), untilSeconds: 1e9, signal: stop.signal });
    await begun(1);
    stop.abort();
    await study;
    expect(noted()).to.deep.equal(['begins', '0 closed']);
  });
});
