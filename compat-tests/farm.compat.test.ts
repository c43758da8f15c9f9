// `varwire monte-carlo --nats` and `varwire worker`: runs of a study that other processes compute, whatever happens to them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { commandHere, type Ended, signalHere } from './command-here.js';
import { NatsServer } from './nats-server.js';

const BUILD = fileURLToPath(new URL('../', import.meta.url));
const COMMAND = join(BUILD, 'lib/clients/cli/main.js');
const SIMULATION = 'compat-tests/fixture/fatal.js';
const STUDY = [SIMULATION, '--runs', '150', '--until', '0.3', '--read', 'probe.value'];

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

  /** @param isReplaced whether another one comes when it ends. */
  function startWorker(isReplaced = false, cwd = BUILD): ChildProcess {
    const worker = spawn(process.execPath, [COMMAND, 'worker', '--nats', server.url, '--jobs', '1'], { cwd });
    for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
    workers.add(worker);
    worker.once('exit', (_, signal) => {
      workers.delete(worker);
      if (isReplaced && signal === 'SIGKILL') startWorker(true);
    });
    return worker;
  }
  async function ended(worker: ChildProcess): Promise<number | null> {
    const exited = once(worker, 'exit');
    worker.kill('SIGTERM');
    return ((await exited) as [number | null])[0];
  }
  const study = (args: readonly string[], environment = {}): Promise<Ended> =>
    commandHere(['monte-carlo', ...args], environment, BUILD);
  const farmed = (args: readonly string[] = [], environment = {}): Promise<Ended> =>
    study([...STUDY, '--nats', server.url, ...args], environment);
  async function untilSo(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it('computes the same table as this machine, and ends a run that has ended three workers', async () => {
    const here = await study([...STUDY, '--jobs', '1']);
    for (const _ of [1, 2]) startWorker(true);
    const { code, output, complaint } = await farmed([], { FATAL_RUN: '2' });
    expect(code, complaint).to.equal(0);
    const [rows, wanted] = [output.split('\n'), here.output.split('\n')];
    expect(rows[3]).to.match(/^2,.*,3 workers have ended in this run$/);
    expect(rows.toSpliced(3, 1).map((row) => row.replace('probe.fatal', ''))).to.deep.equal(
      wanted.toSpliced(3, 1).map((row) => row.replace('probe.fatal', '')),
    );
    expect(complaint).to.contain('1 of 150 runs have failed');
  });

  it('is used by the command of docs/many-machines.md', async () => {
    const page = readFileSync(join(BUILD, '../docs/many-machines.md'), 'utf8');
    const [, line = ''] = /^\$ varwire (monte-carlo .*?[^\\])$/ms.exec(page) ?? [];
    const args =
      line
        .replaceAll('\\\n', '')
        .match(/'[^']*'|\S+/g)
        ?.map((word) => word.replaceAll("'", '')) ?? [];
    const changed = new Map([
      ['nats://127.0.0.1:4222', server.url],
      ['1000', '10'],
      ['spread.csv', join(directory, 'spread.csv')],
    ]);
    const { code, complaint } = await commandHere(
      args.map((word) => changed.get(word) ?? word),
      {},
      BUILD,
    );
    expect(code, complaint).to.equal(0);
    expect(readFileSync(join(directory, 'spread.csv'), 'utf8').split('\n')).to.have.length(12);
  });

  it('goes on where it was stopped, and when the server is killed', async () => {
    const connection = await connect({ servers: `127.0.0.1:${server.port}`, maxReconnectAttempts: -1 });
    let rows = 0;
    connection.subscribe('varwire.farm.outcomes.*', {
      callback: (_, message) => {
        rows += message.json<{ rows: unknown[] }>().rows.length;
      },
    });
    const first = farmed(['--seed', '7']);
    await untilSo(() => rows > 10);
    signalHere('SIGINT');
    const { code, output } = await first;
    expect(code).to.equal(130);
    expect(output.split('\n')).to.have.length.within(10, 150);
    const before = rows;
    const resumed = farmed(['--seed', '7', '--resume']);
    await untilSo(() => rows > before);
    await server.stop('SIGKILL');
    server = await NatsServer.start(server.options, server.port);
    expect((await resumed).output).to.equal((await study([...STUDY, '--seed', '7', '--jobs', '1'])).output);
    await connection.close();
  });

  it('has workers that take nothing but what is theirs', async () => {
    const own = join(directory, 'own');
    mkdirSync(join(own, 'compat-tests/fixture'), { recursive: true });
    writeFileSync(
      join(own, SIMULATION),
      "import { simulation } from 'varwire'; export default simulation({ name: 'other' }, () => {});",
    );
    symlinkSync(join(BUILD, '../node_modules'), join(own, 'node_modules'));
    const from = said.length;
    startWorker(false, own);
    const connection = await connect({ servers: `127.0.0.1:${server.port}` });
    const text = (): string => said.slice(from).join('');
    const study = { id: 'a'.repeat(32), simulation: SIMULATION, fingerprint: 'b', runs: 1 };
    const studies = [
      'no JSON',
      '{}',
      { ...study, id: '>' },
      study,
      { ...study, id: 'b'.repeat(32), simulation: '/etc/passwd' },
      { ...study, id: 'c'.repeat(32), simulation: 'compat-tests/../../../lib/index.js' },
      { ...study, id: 'd'.repeat(32), simulation: 'sims/nosuch' },
    ];
    await untilSo(() => {
      for (const one of studies)
        connection.publish('varwire.farm.study', typeof one === 'string' ? one : JSON.stringify(one));
      return text().includes('sims/nosuch');
    });
    expect(text()).to.contain(`varwire: ${SIMULATION}: the study has another version of its files`);
    expect(text()).to.contain('/etc/passwd is not below the working directory');
    expect(text()).to.contain('lib/index.js is not below the working directory');
    expect(text()).to.contain('there is no simulation sims/nosuch');
    await connection.close();
  });

  it('refuses in one sentence what it cannot do', async () => {
    const plain = await NatsServer.start();
    const refused = async (...args: string[]): Promise<string> => {
      const { code, complaint } = await study([...STUDY, ...args]);
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
