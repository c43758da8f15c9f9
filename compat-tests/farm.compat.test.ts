// `varwire monte-carlo --nats` and `varwire worker`: runs of a study that other processes compute, whatever happens to them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import fc from 'fast-check';
import { monteCarlo, RandomStream } from '../lib/index.js';
import { farm } from '../lib/run/farm/index.js';
import { commandHere } from './command-here.js';
import { draw } from './fixture/fatal.js';
import { NatsServer } from './nats-server.js';

const BUILD = fileURLToPath(new URL('../', import.meta.url));
const COMMAND = join(BUILD, 'lib/clients/cli/main.js');
const WORKER = join(BUILD, 'compat-tests/fixture/farm-worker.js');
const SIMULATION = 'compat-tests/fixture/fatal.js';
/** A worker that is silent for so long is lost. */
const LOST_AFTER_MILLIS = 4000;

describe('a farm', () => {
  let server: NatsServer;
  let directory: string;
  const workers = new Set<ChildProcess>();
  const said: string[] = [];

  before(async function () {
    NatsServer.skipWithout(this);
    directory = mkdtempSync(join(tmpdir(), 'varwire-farm-'));
    server = await NatsServer.start(['-js', '-sd', join(directory, 'nats')]);
  });
  after(async () => {
    await Promise.all([...workers].map(ended));
    await server?.stop();
    if (directory) rmSync(directory, { recursive: true });
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(said.join(''));
  });

  function start(args: readonly string[], cwd = BUILD, env = process.env): ChildProcess {
    const worker = spawn(process.execPath, args, { cwd, env });
    for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
    workers.add(worker);
    worker.once('exit', () => workers.delete(worker));
    return worker;
  }
  async function ended(worker: ChildProcess): Promise<number | null> {
    const exited = once(worker, 'exit');
    worker.kill('SIGTERM');
    return ((await exited) as [number | null])[0];
  }
  /** What a command prints in a process of its own, which keeps what loads simulations in TypeScript. */
  async function launched(args: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [COMMAND, ...args], { cwd: BUILD, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += String(chunk);
    });
    expect(((await once(child, 'close')) as [number])[0]).to.equal(0);
    return printed;
  }
  async function untilSo(isSo: () => boolean): Promise<void> {
    while (!isSo()) await wait(20);
  }

  it('loses no run, whoever is killed when, and ends one that has ended three workers', async () => {
    const random = new RandomStream(Uint32Array.of(fc.readConfigureGlobal().seed ?? 1, 1, 1, 1));
    const runs = 150;
    const study = { runs, untilSeconds: 0.3, read: ['probe.value'], arguments: [] };
    const here = await monteCarlo(join(BUILD, SIMULATION), { ...study, draw, workers: 1 });
    let isOver = false;
    const startWorker = (): void => {
      const worker = start([WORKER, server.url, String(LOST_AFTER_MILLIS)]);
      worker.once('exit', (_, signal) => {
        if (signal === 'SIGKILL' && !isOver) startWorker();
      });
    };
    for (const _ of [1, 2]) startWorker();
    // Whoever asks is killed first.
    const connection = await connect({ servers: `127.0.0.1:${server.port}` });
    let told = 0;
    connection.subscribe('varwire.farm.outcomes.*', { callback: () => void told++ });
    const environment = { ...process.env, FATAL_RUN: '2' };
    const args = [SIMULATION, '--runs', String(runs), '--until', '0.3', '--read', 'probe.value', '--nats', server.url];
    const asking = start([COMMAND, 'monte-carlo', ...args], BUILD, environment);
    await untilSo(() => told > 1);
    const killed = once(asking, 'exit');
    asking.kill('SIGKILL');
    await killed;
    await connection.close();

    // A run may be in the middle of both, but not of a third loss: it would be told as one that ends workers.
    const kills = [random.integer(30, 60), random.integer(90, runs - 10)];
    const isServerFirst = random.uniform() < 0.5;
    let done = 0;
    const killing = (async () => {
      for (const [index, most] of kills.entries()) {
        await untilSo(() => done >= most);
        await wait(random.uniform(0, 200));
        if ((index === 0) === isServerFirst) {
          await server.stop('SIGKILL');
          server = await NatsServer.start(server.options, server.port);
        } else [...workers][random.integer(0, workers.size - 1)]?.kill('SIGKILL');
      }
    })();
    const { pool, close } = await farm(server.url, {
      file: join(BUILD, SIMULATION),
      simulation: SIMULATION,
      isResumed: true,
      lostAfterMillis: LOST_AFTER_MILLIS,
    });
    process.env.FATAL_RUN = '2';
    const progress = (told: { readonly done: number }): void => {
      done = told.done;
    };
    const table = await monteCarlo(join(BUILD, SIMULATION), { ...study, draw, pool, progress });
    delete process.env.FATAL_RUN;
    await killing;
    await close();
    isOver = true;
    await Promise.all([...workers].map(ended));
    const { error, set } = table.rows[2] ?? {};
    // A busy machine may lose it more often.
    expect(error).to.match(/^\d+ workers have ended in this run$/);
    expect(set?.['probe.fatal']).to.equal(true);
    const others = (rows: readonly unknown[]): readonly unknown[] => rows.toSpliced(2, 1);
    expect(others(table.rows)).to.deep.equal(others(here.rows));
  });

  describe('of the commands', () => {
    it('computes what docs/many-machines.md says, with a worker that takes nothing but what is its own', async () => {
      const page = readFileSync(join(BUILD, '../docs/many-machines.md'), 'utf8');
      const [, line = ''] = /^\$ varwire (monte-carlo .*?[^\\])$/ms.exec(page) ?? [];
      const words = line.replaceAll('\\\n', '').match(/'[^']*'|\S+/g) ?? [];
      const changed = new Map([
        ['nats://127.0.0.1:4222', server.url],
        ['1000', '10'],
        ['spread.csv', join(directory, 'spread.csv')],
      ]);
      const args = words.map((word) => word.replaceAll("'", '')).map((word) => changed.get(word) ?? word);
      // Another simulation lies there under the name of the tests' own.
      const own = join(directory, 'own');
      mkdirSync(join(own, 'compat-tests/fixture'), { recursive: true });
      writeFileSync(
        join(own, SIMULATION),
        `import { simulation } from '${new URL('../lib/index.js', import.meta.url)}';
        export default simulation({ name: 'other', frameSeconds: 1 }, () => {});`,
      );
      const worker = start([COMMAND, 'worker', '--nats', server.url, '--jobs', '1'], own);
      await launched(['monte-carlo', ...args.slice(1)]);
      const local = args.filter((word) => word !== '--nats' && word !== server.url && word !== '--out').slice(1);
      const here = await launched(['monte-carlo', ...local.filter((word) => !word.endsWith('.csv')), '--jobs', '1']);
      expect(readFileSync(join(directory, 'spread.csv'), 'utf8')).to.equal(here);

      // A run that misses a requirement is made again here for its recording.
      writeFileSync(
        join(own, 'fall.mjs'),
        `import { double, simulation } from '${new URL('../lib/index.js', import.meta.url)}';
        export default simulation({ name: 'fall', frameSeconds: 0.1 }, (sim) => {
          sim.object('ball').components({ height: double() });
          sim.record('fall', { format: 'binary', cycleSeconds: 0.1, variables: ['ball.height'] });
        });
        export const draw = (random, run) => ({ 'ball.height': run });`,
      );
      const kept = await commandHere(
        [
          'monte-carlo',
          'fall.mjs',
          '--runs',
          '4',
          '--until',
          '0.2',
          '--require',
          'ball.height < 2',
          '--keep-recordings',
          '--nats',
          server.url,
        ],
        {},
        own,
      );
      expect(kept.code, kept.complaint).to.equal(0);
      expect(readdirSync(join(own, 'MONTE_fall')).sort()).to.deep.equal([
        ...['RUN_00000', 'RUN_00002', 'RUN_00003'],
        ...['monte_results.json', 'monte_runs'],
      ]);

      const asked = ['--runs', '1', '--until', '0.1', '--read', 'probe.value', '--nats', server.url];
      const refused = start([COMMAND, 'monte-carlo', SIMULATION, ...asked]);
      const text = (): string => said.join('');
      await untilSo(() => text().includes('another version'));
      const connection = await connect({ servers: `127.0.0.1:${server.port}` });
      const study = { id: 'a'.repeat(32), simulation: SIMULATION, fingerprint: 'b', runs: 1 };
      const studies = [
        'no JSON',
        '{}',
        { ...study, id: '>' },
        { ...study, id: 'b'.repeat(32), simulation: '/etc/passwd' },
        { ...study, id: 'c'.repeat(32), simulation: 'compat-tests/../../../lib/index.js' },
        { ...study, id: 'd'.repeat(32), simulation: 'sims/nosuch' },
      ];
      await untilSo(() => {
        for (const one of studies)
          connection.publish('varwire.farm.study', typeof one === 'string' ? one : JSON.stringify(one));
        return text().includes('sims/nosuch');
      });
      await connection.close();
      expect(text()).to.contain(`varwire: ${SIMULATION}: the study has another version of its files`);
      expect(text()).to.contain('/etc/passwd is not below the working directory');
      expect(text()).to.contain('lib/index.js is not below the working directory');
      expect(text()).to.contain('there is no simulation sims/nosuch');
      await untilSo(() => /a worker on .+ takes no runs: the study has another version of its files, /.test(text()));
      expect(await ended(refused)).to.equal(143);
      expect(text()).to.contain('varwire: stopped; ');
      expect(await ended(worker)).to.equal(143);
    });

    it('refuses in one sentence what it cannot do', async () => {
      const plain = await NatsServer.start();
      const refused = async (...args: string[]): Promise<string> => {
        const { code, complaint } = await commandHere(
          ['monte-carlo', SIMULATION, '--runs', '1', '--read', 'probe.value', ...args],
          {},
          BUILD,
        );
        expect(code, complaint).to.be.oneOf([1, 2]);
        return complaint;
      };
      expect(await refused('--resume')).to.equal('varwire: --resume goes with --nats\n');
      expect(await refused('--nats', 'localhost')).to.equal('varwire: a NATS server is named like nats://host:4222\n');
      expect(await refused('--nats', 'nats://127.0.0.1:1')).to.match(
        /^varwire: the NATS server at 127\.0\.0\.1:1 cannot be reached: .*\n$/,
      );
      expect(await refused('--nats', server.url, '--jobs', '2')).to.match(/^varwire: --nats goes without .*\n$/);
      expect(await refused('--nats', plain.url)).to.match(
        /^varwire: the NATS server at \S+ keeps no jobs: .* \(nats-server needs --jetstream\)\n$/,
      );
      await plain.stop();
    });
  });
});
