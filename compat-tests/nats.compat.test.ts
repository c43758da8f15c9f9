// Edges by a NATS server: what they show, and what happens when the server, an edge or the simulation is gone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, edge, feed, type RunningServer, serveSource } from '../lib/index.js';
import { commandHere } from './command-here.js';
import { call } from './http-client.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';
import { NatsServer } from './nats-server.js';

const FIXTURE = 'compat-tests/fixture/fixture.js';
const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const POLL_MILLIS = 20;
const NAME = 'the fixture';
const STOPPED_MILLIS = 20_000;
const TANK_MILLIS = 50;
/** Of the tank meanwhile, at least. */
const STOPPED_FRAMES = 200;

interface Past {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

const sentence = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: Error) => error.message);
const until = async (isMet: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
};

describe('an edge by NATS', () => {
  let nats: NatsServer;
  let simulation: LaunchedServer;
  let served: RunningServer;
  let directory: string;
  /** Another edge, which stands still while others are tested. */
  let stopped: LaunchedServer;
  let stoppedMillis = 0;
  /** From a frame's time to when it was shown here, in milliseconds. */
  const delays: number[] = [];
  let leave = (): void => undefined;
  /** Another server, which stands still too, between a tank and its edge. */
  let frozen: NatsServer;
  let tank: RunningServer;
  let tankEdge: RunningServer;
  let seconds = 0;
  let filling: NodeJS.Timeout | undefined;
  const startTank = async (): Promise<void> => {
    let level = { value: 0 };
    const source = feed({ name: 'tank', frameSeconds: 1, write: () => undefined }, (objects) => {
      level = objects.object('tank').component('level', double());
    });
    frozen = await NatsServer.start();
    tank = await serveSource(source, { ...QUIET, nats: frozen.url });
    filling = setInterval(() => {
      level.value = ++seconds;
      source.publish(seconds);
    }, TANK_MILLIS);
    tankEdge = await serveSource(await edge({ nats: frozen.url, name: 'tank' }), QUIET);
  };
  const launch = () =>
    LaunchedServer.start(FIXTURE, {
      options: [
        '--run-dir',
        directory,
        '--no-discovery',
        '--nats',
        nats.url,
        '--nats-name',
        NAME,
        '--nats-keep',
        '600',
      ],
    });
  before(async function () {
    NatsServer.skipWithout(this);
    directory = mkdtempSync(join(tmpdir(), 'varwire-nats-run-'));
    // The fixture's key frames of 100 KB go in parts.
    const store = join(directory, 'kept');
    writeFileSync(join(directory, 'nats.conf'), `max_payload: 32768\njetstream { store_dir: "${store}" }`);
    nats = await NatsServer.start(['-c', join(directory, 'nats.conf')]);
    simulation = await launch();
    stopped = await LaunchedServer.command('edge', NAME, '--nats', nats.url, '--no-discovery');
    served = await serveSource(await edge({ nats: nats.url, name: NAME }), QUIET);
    await startTank();
    frozen.signal('SIGSTOP');
    stopped.signal('SIGSTOP');
    stoppedMillis = performance.now();
    leave = served.source.onFrame(({ header }) => delays.push(Date.now() - header.wallMillis));
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    clearInterval(filling);
    await tankEdge?.close();
    await tank?.close();
    await frozen?.stop('SIGKILL');
    await served?.close();
    await stopped?.kill();
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

  it('can be played from its start, as long as the server keeps it, and goes to each of its times', async () => {
    const alias = 'fx.ball.pos[1]';
    const past = async (port: number): Promise<Past> =>
      (await call<{ series: { [alias: string]: Past } }>(port, 'var/history', { aliases: [alias] })).series[
        alias
      ] as Past;
    await until(async () => (await past(simulation.port)).times.length > 50);
    const played = await LaunchedServer.command('play', NAME, '--nats', nats.url, '--freeze', '--no-discovery');
    try {
      const there = await past(simulation.port);
      const kept = await past(played.port);
      expect(kept.times[0]).to.be.below(there.times[0] as number);
      const valueAt = new Map(kept.times.map((time, index) => [time, kept.values[index]]));
      const shared = there.times.filter((time) => valueAt.has(time));
      expect(shared.length).to.be.above(20);
      for (const time of shared) expect(valueAt.get(time)).to.equal(there.values[there.times.indexOf(time)]);
      const time = shared[10] as number;
      await call(played.port, 'sim/seek', { to_sec: time });
      expect(await call(played.port, 'var/get', { aliases: [alias] })).to.deep.include({
        values: { [alias]: valueAt.get(time) },
      });
    } finally {
      await played.kill();
    }
    const { complaint } = await commandHere(['play', 'another', '--nats', nats.url, '--port', '0']);
    expect(complaint).to.match(/^varwire: another at \S+ cannot be played: stream not found\n$/);
  });

  it('says in one sentence what is not there, or there already', async () => {
    expect(await sentence(edge({ nats: nats.url, name: 'another' }))).to.match(
      /^another at \S+ shows no simulation: no simulation of that name is at \S+$/,
    );
    expect(await sentence(edge({ nats: 'nats://127.0.0.1:1', name: 'another' }))).to.match(/cannot be reached/);
    expect(await sentence(edge({ nats: 'http://here', name: 'another' }))).to.match(/named like nats:/);
    const each = Array.from({ length: 101 }, () => ({ nats: nats.url, name: NAME }));
    expect(await sentence(edge(each))).to.equal('an edge shows at most 100 simulations, not 101: name some');
    const { complaint } = await commandHere([
      'run',
      'sims/ball',
      '--port',
      '0',
      '--no-discovery',
      '--nats',
      nats.url,
      '--nats-name',
      NAME,
    ]);
    expect(complaint).to.match(/has a simulation named the fixture already; give this one another --nats-name\n$/);
  });

  it('ends a command with one sentence while the server stands still', async () => {
    const { code, complaint } = await commandHere(['find', '--nats', frozen.url]);
    expect(complaint).to.match(/^varwire: the NATS server at \S+ cannot be reached: timeout\n$/);
    expect(code).to.equal(1);
  });

  it('is delayed by no other edge that stands still for 20 s, or is killed', async () => {
    await until(() => performance.now() - stoppedMillis > STOPPED_MILLIS);
    leave();
    const ours = served.source.frame.timeSeconds;
    expect((await there()).elapsed_sec - ours).to.be.below(0.5);
    const sorted = delays.toSorted((one, other) => one - other);
    expect(sorted.length).to.be.above(STOPPED_MILLIS / 20);
    // What this process does by itself is late at times, too.
    expect(sorted[Math.floor(0.9 * sorted.length)]).to.be.below(500);
    stopped.signal('SIGCONT');
    const { tick: first } = served.source.frame.header;
    await until(async () => (await call<{ tick: number }>(stopped.port, 'sim/status', {})).tick > first);
    await stopped.kill();
    const { tick } = served.source.frame.header;
    await until(() => served.source.frame.header.tick > tick + 10);
  });

  it('shows what is new, in order, after the server has stood still for 20 s, and refuses changes meanwhile', async () => {
    const before = Number(await tankEdge.get('tank.level'));
    await until(() => performance.now() - stoppedMillis > STOPPED_MILLIS && seconds > before + STOPPED_FRAMES);
    expect(await sentence(tankEdge.set('tank.level', 1))).to.match(/^disconnected from the simulation at tank at /);
    const shown: number[] = [];
    const leave = tankEdge.source.onFrame(({ header, timeSeconds }) => {
      // Runs.
      if (header.mode === 5) shown.push(timeSeconds);
    });
    const sinceStopped = seconds;
    frozen.signal('SIGCONT');
    await until(() => (shown.at(-1) ?? 0) > sinceStopped + 10);
    leave();
    expect(shown).to.deep.equal(shown.toSorted((one, other) => one - other));
    // Those that were on their way, not those of the 20 s.
    expect(shown.filter((time) => time <= sinceStopped).length).to.be.below((sinceStopped - before) / 2);
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
