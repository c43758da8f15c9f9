// Edges by a NATS server: what they show, and what happens when the server, an edge or the simulation is gone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { edge, type RunningServer, serveSource } from '../lib/index.js';
import { commandHere } from './command-here.js';
import { call } from './http-client.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';
import { NatsServer } from './nats-server.js';

const FIXTURE = 'compat-tests/fixture/fixture.js';
const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const POLL_MILLIS = 20;

const sentence = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: Error) => error.message);
const until = async (isMet: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
};

describe('an edge by NATS', () => {
  let nats: NatsServer;
  let simulation: LaunchedServer;
  let served: RunningServer;
  let directory: string;
  const launch = () =>
    LaunchedServer.start(FIXTURE, {
      options: ['--run-dir', directory, '--no-discovery', '--nats', nats.url, '--nats-name', 'the fixture'],
    });
  before(async function () {
    NatsServer.skipWithout(this);
    directory = mkdtempSync(join(tmpdir(), 'varwire-nats-run-'));
    // The fixture's key frames of 100 KB go in parts.
    writeFileSync(join(directory, 'nats.conf'), 'max_payload: 32768');
    nats = await NatsServer.start(['-c', join(directory, 'nats.conf')]);
    simulation = await launch();
    served = await serveSource(await edge({ nats: nats.url, name: 'the fixture' }), QUIET);
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    await served?.close();
    await simulation?.kill();
    await nats?.stop();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  });

  const isConnected = (): boolean => served.source.lastHeardMillis === undefined;
  const there = async (): Promise<{ tick: number; elapsed_sec: number }> => call(simulation.port, 'sim/status', {});
  /** What the simulation itself has. */
  const valueThere = async (): Promise<unknown> =>
    (await call<{ values: Record<string, unknown> }>(simulation.port, 'var/get', { aliases: ['fx.all.d'] })).values[
      'fx.all.d'
    ];

  it('shows the simulation, writes and controls it, and is found', async () => {
    for (const value of [2.5, 3.5]) {
      await served.set('fx.all.d', value);
      expect([await served.get('fx.all.d'), await valueThere()]).to.deep.equal([value, value]);
    }
    expect(await served.get('fx.all.vehicle')).to.deep.equal(
      (await call<{ values: object }>(simulation.port, 'var/get', { aliases: ['fx.all.vehicle'] })).values[
        'fx.all.vehicle' as never
      ],
    );
    const long = { kind: 'call', name: 'none', values: ['x'.repeat(40_000)] } as const;
    expect(await sentence(served.source.submit(long))).to.match(/has at most \d+ bytes/);
    const { output } = await commandHere(['find', '--nats', nats.url, '--seconds', '2.5']);
    expect(output).to.match(/^NAME +MODE +SECONDS +SIMULATION *\nthe fixture +run +[\d.]+ +\S+fixture\.js\n$/i);
  });

  it('says in one sentence what is not there, or there already', async () => {
    expect(await sentence(edge({ nats: nats.url, name: 'another' }))).to.match(
      /^another at \S+ shows no simulation: no simulation of that name is at \S+$/,
    );
    expect(await sentence(edge({ nats: 'nats://127.0.0.1:1', name: 'another' }))).to.match(/cannot be reached/);
    expect(await sentence(edge({ nats: 'http://here', name: 'another' }))).to.match(/named like nats:/);
    const { complaint } = await commandHere([
      'run',
      'sims/ball',
      '--port',
      '0',
      '--no-discovery',
      '--nats',
      nats.url,
      '--nats-name',
      'the fixture',
    ]);
    expect(complaint).to.match(/has a simulation named the fixture already; give this one another --nats-name\n$/);
  });

  it('is delayed by no other edge that stands still, or is killed', async () => {
    const other = await LaunchedServer.command('edge', 'the fixture', '--nats', nats.url);
    try {
      other.signal('SIGSTOP');
      const { tick } = served.source.frame.header;
      await until(() => served.source.frame.header.tick > tick + 100);
      const ours = served.source.frame.timeSeconds;
      expect((await there()).elapsed_sec - ours).to.be.below(0.5);
    } finally {
      await other.kill();
    }
    const { tick } = served.source.frame.header;
    await until(() => served.source.frame.header.tick > tick + 10);
  });

  it('keeps its clients while the server is killed, and loses no write that was acknowledged', async () => {
    let value = 100;
    const write = async (): Promise<boolean> => {
      value++;
      await served.set('fx.all.d', value);
      return true;
    };
    await write();
    const acknowledged = value;
    const killed = nats.stop('SIGKILL');
    const answers = Promise.allSettled(Array.from({ length: 5 }, write));
    await killed;
    await until(() => !isConnected());
    expect(served.source.fault).to.match(/^disconnected from the simulation at the fixture at /);
    expect(await sentence(served.set('fx.all.d', 1))).to.match(/^disconnected/);
    const { number } = served.source.frame.header;
    nats = await NatsServer.start(nats.options, nats.port);
    await until(isConnected);
    const last = (await answers).findLastIndex(({ status }) => status === 'fulfilled');
    const applied = Number(await valueThere());
    expect(applied).to.be.at.least(acknowledged + last + 1);
    await until(() => served.source.frame.header.number > number);
    await write();
    expect(await valueThere()).to.equal(value);
  });

  it('goes on in order after the server has stood still', async () => {
    const numbers: number[] = [];
    const leave = served.source.onFrame(({ header }) => numbers.push(header.number));
    nats.signal('SIGSTOP');
    await until(() => !isConnected());
    nats.signal('SIGCONT');
    await until(isConnected);
    const shown = numbers.length;
    await until(() => numbers.length > shown + 20);
    leave();
    expect(numbers).to.deep.equal(numbers.toSorted((one, other) => one - other));
    expect((await there()).elapsed_sec - served.source.frame.timeSeconds).to.be.below(1);
  });

  it('shows a new run of the same name as it shows the first', async () => {
    const { jumps, number } = served.source.frame.header;
    await simulation.kill();
    await until(() => !isConnected());
    simulation = await launch();
    await until(isConnected);
    expect(served.source.frame.header.jumps).to.equal(jumps + 1);
    expect(served.source.frame.header.number).to.be.above(number);
    await served.set('fx.all.d', 7.5);
    expect(await valueThere()).to.equal(7.5);
  });
});
