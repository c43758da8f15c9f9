// `varwire monte-carlo --nats` and `varwire worker`, as docs/many-machines.md has them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { FORM, type Study } from '../lib/run/farm/messages.js';
import { commandHere } from './command-here.js';
import { NatsServer } from './nats-server.js';

const BUILD = fileURLToPath(new URL('../', import.meta.url));
const COMMAND = join(BUILD, 'lib/clients/cli/main.js');
const SIMULATION = 'compat-tests/fixture/fatal.js';

describe('the commands of a farm', () => {
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
    const facts = { form: FORM, seconds: 0, lostAfterMillis: 5000, fingerprint: 'b', runs: 1 };
    const names = ['/etc/passwd', 'compat-tests/../../../lib/index.js', 'sims/nosuch'];
    await untilSo(() => {
      for (const [index, simulation] of names.entries()) {
        const study: Study = { ...facts, id: `${index}`.repeat(32), asked: simulation, simulation };
        connection.publish('varwire.farm.study', JSON.stringify(study));
      }
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
