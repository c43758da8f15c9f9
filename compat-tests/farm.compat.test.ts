// Runs of a study that other processes compute: nobody's end loses a run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { monteCarlo } from '../lib/index.js';
import { farm } from '../lib/run/farm/index.js';
import { randomOf } from '../lib/testing/aids/fuzz-seed.js';
import { draw } from './fixture/fatal.js';
import { NatsServer } from './nats-server.js';

const FIXTURES = fileURLToPath(new URL('./fixture/', import.meta.url));
const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
const SIMULATION = 'fatal.js';
const FATAL = '2';
const RUNS = 150;
/** A worker that is silent for so long is lost. */
const LOST_AFTER_MILLIS = 1500;
/** The clock of a machine that is years ahead. */
const OTHER_CLOCK = 'data:text/javascript,const{now}=Date;Date.now=()=>now()+1e12';

describe('a farm', () => {
  const random = randomOf('farm kills');
  let server: NatsServer;
  let directory: string;
  const workers = new Set<ChildProcess>();
  const said: string[] = [];
  let isOver = false;

  before(async function () {
    NatsServer.skipWithout(this);
    directory = mkdtempSync(join(tmpdir(), 'varwire-farm-'));
    server = await NatsServer.start(['-js', '-sd', join(directory, 'nats')]);
    process.env.FATAL_RUN = FATAL;
  });
  after(async () => {
    isOver = true;
    delete process.env.FATAL_RUN;
    for (const worker of workers) worker.kill('SIGKILL');
    await server?.stop();
    if (directory) rmSync(directory, { recursive: true });
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(said.join(''));
  });

  function start(...args: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, args, { cwd: FIXTURES });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
    return child;
  }
  /** Another one takes the place of one that is killed. */
  function startWorker(...options: readonly string[]): void {
    const worker = start(...options, join(FIXTURES, 'farm-worker.js'), server.url);
    workers.add(worker);
    worker.once('exit', () => {
      workers.delete(worker);
      if (!isOver) startWorker(...options);
    });
  }
  /** A command makes the same study until something has come of it. */
  async function killedCommand(): Promise<void> {
    const connection = await connect({ servers: `127.0.0.1:${server.port}` });
    const told = new Promise((resolve) => connection.subscribe('varwire.farm.outcomes.*', { callback: resolve }));
    const args = ['--runs', `${RUNS}`, '--until', '0.3', '--read', 'probe.value', '--nats', server.url];
    const command = start(COMMAND, 'monte-carlo', SIMULATION, ...args);
    await told;
    const killed = once(command, 'exit');
    command.kill('SIGKILL');
    await killed;
    await connection.close();
  }

  it('loses no run, whoever is killed when, and ends one that has ended three workers', async () => {
    const file = join(FIXTURES, SIMULATION);
    const study = { runs: RUNS, untilSeconds: 0.3, read: ['probe.value'], arguments: [] };
    const sane: typeof draw = (stream, run) => ({ ...draw(stream, run), 'probe.fatal': false });
    const here = await monteCarlo(file, { ...study, draw: sane, workers: 1 });
    startWorker();
    startWorker('--import', OTHER_CLOCK);
    await killedCommand();

    // A run may be in the middle of both, but not of a third loss: it would be told as one that ends workers.
    const kills = [random.integer(30, 60), random.integer(90, RUNS - 10)];
    const isServerFirst = random.uniform() < 0.5;
    let done = 0;
    const killing = (async () => {
      for (const [index, most] of kills.entries()) {
        while (done < most) await wait(10);
        await wait(random.uniform(0, 100));
        if ((index === 0) === isServerFirst) {
          await server.stop('SIGKILL');
          server = await NatsServer.start(server.options, server.port);
        } else [...workers][random.integer(0, workers.size - 1)]?.kill('SIGKILL');
      }
    })();
    const say = (sentence: string): void => void said.push(sentence);
    const options = { file, simulation: SIMULATION, isResumed: true, lostAfterMillis: LOST_AFTER_MILLIS, say };
    const { pool, close } = await farm(server.url, options);
    const progress = (told: { readonly done: number }): void => {
      done = told.done;
    };
    const table = await monteCarlo(file, { ...study, draw, pool, progress });
    await killing;
    await close();
    const rows = [...table.rows];
    const [fatal] = rows.splice(Number(FATAL), 1);
    expect(fatal).to.deep.include({ error: '3 workers have ended in this run' });
    expect(rows).to.deep.equal(here.rows.toSpliced(Number(FATAL), 1));
  });
});
