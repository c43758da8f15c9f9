// A simulation in a process of its own, behind a bridge that knows it by Trick's wire alone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listVariables, parseSieResource, TrickClient } from '../lib/clients/trick/index.js';
import { bridge, type RunningServer, serveSource } from '../lib/index.js';
import type { Request } from '../lib/source/source.js';
import { commandHere } from './command-here.js';
import { call, EventStream, type Json, type Values } from './http-client.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';
import { WireClient } from './wire-client.js';

const FIXTURE = 'compat-tests/fixture/fixture.js';
const MOVING = ['fx.ball.pos[1]', 'fx.ball.vel[1]', 'fx.ball.steps'];
const WRITE_ONLY = 'fx.all.no_output';
/** On Trick's wire it is empty text. */
const NULL_TEXT = 'fx.all.cp_null';
/** Simulation times at which both streams must have been seen. */
const SHARED_TIMES = 20;
const NAMES_AT_ONCE = 40;

describe('a bridge', () => {
  let simulation: LaunchedServer;
  let served: RunningServer;
  let directory: string;
  /** A simulation that does not answer while the others are tested, and the server that it stands behind. */
  let stopped: LaunchedServer;
  let lost: RunningServer;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-bridge-'));
    simulation = await LaunchedServer.start(FIXTURE, { options: ['--run-dir', directory] });
    served = await serveSource(await bridge({ port: simulation.port }), { port: 0, discovery: false });
    stopped = await LaunchedServer.start(FIXTURE);
    lost = await serveSource(await bridge({ port: stopped.port }), { port: 0, discovery: false });
    stopped.signal('SIGSTOP');
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    await Promise.all([served?.close(), lost?.close()]);
    await Promise.all([simulation?.kill(), stopped?.kill()]);
    rmSync(directory, { recursive: true, force: true });
  });

  const valuesAt = async (port: number, aliases: readonly string[]): Promise<Values['values']> =>
    (await call<Values>(port, 'var/get', { aliases: [...aliases] })).values;
  const until = async (isMet: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  const connections = async (): Promise<number> => {
    const { clients } = await call<{ clients: readonly { tag: string }[] }>(simulation.port, 'sim/clients', {});
    return clients.filter(({ tag }) => tag === 'varwire bridge').length;
  };

  /** The variables that the bridge shows, but for those that change by themselves. */
  async function stillNames(): Promise<string[]> {
    const client = await TrickClient.connect({ port: served.port });
    const document = (await client.sieResource()) ?? '';
    client.close();
    const names = [...listVariables(parseSieResource(document), 'fx.')].map(({ name }) => name);
    return names.filter((name) => !name.startsWith('fx.ball.'));
  }

  async function linesOf(port: number, names: readonly string[]): Promise<string[]> {
    const client = await WireClient.tcp(port);
    client.send('trick.var_pause()\n');
    const lines: string[] = [];
    for (let first = 0; first < names.length; first += NAMES_AT_ONCE) {
      const some = names.slice(first, first + NAMES_AT_ONCE);
      client.send(`trick.var_send_once("${some.join(',')}", ${some.length})\n`);
      const values = (await client.line()).split('\t').slice(1);
      lines.push(...some.map((name, index) => `${name} ${values[index]}`));
    }
    client.drop();
    return lines;
  }

  it('shows the same text and the same JSON values as the simulation', async () => {
    const names = await stillNames();
    expect(names.length).to.be.above(100);
    expect(names).to.include.members(['fx.all.d3', 'fx.all.str', 'fx.all.vehicle.sensors[1].label', 'fx.all.phase']);
    const measured = [
      'dyn',
      'dyn_sensors[0].label',
      'vehicle.spare[0].id',
      'null_dyn',
      'vd',
      'vs',
      'qf',
      'as',
      'vempty',
    ];
    expect(names).to.include.members(measured.map((name) => `fx.all.${name}`));
    const there = await linesOf(simulation.port, names);
    expect((await linesOf(served.port, names)).filter((line, index) => line !== there[index])).to.deep.equal([]);
    const forJson = names.filter((name) => name !== WRITE_ONLY && name !== NULL_TEXT);
    expect(await valuesAt(served.port, forJson)).to.deep.equal(await valuesAt(simulation.port, forJson));
    const refusal = (port: number) => valuesAt(port, [WRITE_ONLY]).catch((error: Error) => error.message);
    expect(await refusal(served.port)).to.equal(await refusal(simulation.port));
  });

  it('tells of each variable in JSON what the simulation tells, but for the room of a text and the widths of bit fields', async () => {
    const names = (await stillNames()).filter((name) => !/\bw?_?flags\b/.test(name));
    const told = async (port: number) => {
      const asked = names.map((alias) => call<Record<string, Json>>(port, 'var/describe', { alias }));
      return (await Promise.all(asked)).map(({ capacity, ...others }) => others);
    };
    expect(await told(served.port)).to.deep.equal(await told(simulation.port));
  });

  it('streams the values of each moment that the simulation streams', async () => {
    const seen = [new Map<number, string>(), new Map<number, string>()] as const;
    const shared = () => [...seen[0].keys()].filter((time) => seen[1].has(time));
    const listen = async (port: number, own: Map<number, string>): Promise<void> => {
      const stream = await EventStream.subscribe(port, MOVING, 10);
      for await (const { sim_time, values } of stream.messages()) {
        own.set(sim_time.sec_si, JSON.stringify(values));
        if (shared().length >= SHARED_TIMES) break;
      }
      stream.close();
    };
    await Promise.all([listen(simulation.port, seen[0]), listen(served.port, seen[1])]);
    for (const time of shared()) expect(seen[1].get(time), `at ${time} s`).to.equal(seen[0].get(time));
  });

  it('sets variables, and answers when they are shown', async () => {
    const settings: Readonly<Record<string, Json>> = {
      'fx.all.d': 12.5,
      'fx.all.d3': [1, 2, 3],
      'fx.all.str': 'by "the" bridge',
      'fx.all.phase': 2,
      'fx.all.vehicle.sensors[1].id': 77,
      'fx.all.dyn[1]': 4.5,
      'fx.all.vd[2]': 5.5,
      'fx.all.vsen[1].id': 78,
    };
    for (const [alias, value] of Object.entries(settings)) {
      await call(served.port, 'var/set', { alias, value });
      expect((await valuesAt(served.port, [alias]))[alias], alias).to.deep.equal(value);
    }
    expect(await valuesAt(simulation.port, Object.keys(settings))).to.deep.equal(settings);
  });

  it('sets nothing that does not fit, and says what the simulation refuses', async () => {
    const before = await valuesAt(simulation.port, ['fx.all.uc', 'fx.all.d']);
    const set = (alias: string, value: Json) =>
      call(served.port, 'var/set', { alias, value }).catch((error: Error) => error.message);
    expect(await set('fx.all.uc', 300)).to.match(/fx\.all\.uc/);
    expect(await set('fx.all.d', 'text')).to.match(/fx\.all\.d/);
    expect(await set('fx.all.nothing', 1)).to.match(/nothing/);
    expect(await valuesAt(simulation.port, ['fx.all.uc', 'fx.all.d'])).to.deep.equal(before);
  });

  it('freezes, sets in the freeze, steps and runs', async () => {
    const { source } = served;
    await source.submit({ kind: 'control', control: { action: 'freeze' } });
    expect(source.frame.header.mode).to.equal(1);
    const mode = 'trick_sys.sched.mode';
    expect(await valuesAt(simulation.port, [mode])).to.deep.equal({ [mode]: 1 });
    await source.submit({ kind: 'write', writes: [{ path: 'fx.all.d', value: 4.5 }] });
    expect(await valuesAt(served.port, ['fx.all.d'])).to.deep.equal({ 'fx.all.d': 4.5 });
    const before = source.frame.timeSeconds;
    await source.submit({ kind: 'control', control: { action: 'step', frames: 3 } });
    expect(source.frame.timeSeconds).to.be.closeTo(before + 0.03, 1e-9);
    await source.submit({ kind: 'control', control: { action: 'run' } });
    expect(source.frame.header.mode).to.equal(5);
  });

  it('passes on the pace, checkpoints and their loading, and refuses the rest with a sentence', async () => {
    const { source } = served;
    const paceOf = async () => (await call<{ clock_ratio: number }>(simulation.port, 'sim/status', {})).clock_ratio;
    for (const ratio of [0.5, 1]) {
      await call(served.port, 'sim/control', { action: 'clock_ratio', ratio });
      expect(await paceOf()).to.equal(ratio);
    }
    await source.submit({ kind: 'write', writes: [{ path: 'fx.all.d', value: 7.5 }] });
    const { value } = await source.submit({ kind: 'checkpoint', file: 'through' });
    expect(value).to.have.property('file', 'through');
    await source.submit({ kind: 'write', writes: [{ path: 'fx.all.d', value: 8.5 }] });
    await source.submit({ kind: 'load-checkpoint', file: 'through' });
    expect(await valuesAt(served.port, ['fx.all.d'])).to.deep.equal({ 'fx.all.d': 7.5 });
    const refusal = await source
      .submit({ kind: 'checkpoint', file: 'x', objects: ['fx.all'] })
      .catch((error: Error) => error.message);
    expect(refusal).to.equal('a bridge has the whole simulation written, to a file of its own');
  });

  it('passes on the lengths of frames and a freeze at a time', async () => {
    const { source } = served;
    const frames = ['software_frame', 'freeze_frame'].map((name) => `trick_sys.sched.${name}`);
    const lengths = async () => Object.values(await valuesAt(simulation.port, frames));
    const before = await lengths();
    const control = (control: Extract<Request, { kind: 'control' }>['control']) =>
      source.submit({ kind: 'control', control });
    await control({ action: 'software-frame', seconds: 0.02 });
    await control({ action: 'freeze-frame', seconds: 0.5 });
    expect(await lengths()).to.deep.equal([0.02, 0.5]);
    expect(source.frame.header.softwareFrameTics).to.equal(20_000);
    await control({ action: 'software-frame', seconds: before[0] as number });
    await control({ action: 'freeze-frame', seconds: before[1] as number });
    const atSeconds = Math.ceil(source.frame.timeSeconds) + 1;
    await control({ action: 'freeze', atSeconds });
    await until(() => source.frame.header.mode === 1);
    expect(source.frame.timeSeconds).to.be.closeTo(atSeconds, 1e-6);
    await control({ action: 'run' });
  });

  it('is recorded from outside at multiples of the cycle, with the values that the simulation sends for them', async () => {
    const names = ['fx.ball.steps', 'fx.ball.pos'];
    const sent = new Map<number, readonly Json[]>();
    const stream = await EventStream.subscribe(simulation.port, names, 10);
    const reading = (async () => {
      for await (const { sim_time, values } of stream.messages())
        sent.set(Math.round(sim_time.sec_si * 100), Object.values(values).flat());
    })();
    const recorded = async (): Promise<number[][]> => {
      const end = Math.ceil(served.source.frame.timeSeconds) + 2;
      const args = `record 127.0.0.1:${served.port} -o through.csv --variables ${names.join(' ')} --until ${end}`;
      const { code, complaint } = await commandHere([...args.split(' '), '--force'], {}, directory);
      expect(code, complaint).to.equal(0);
      await until(() => Math.max(...sent.keys()) >= 100 * end);
      const [, ...lines] = readFileSync(join(directory, 'through.csv'), 'utf8').trim().split('\n');
      return lines.map((line) => line.split(',').map(Number));
    };
    const known: number[][] = [];
    // On a loaded machine the direct stream skips frames.
    while (known.length <= 5) {
      const rows = await recorded();
      for (const [row, [seconds = 0]] of rows.entries()) {
        expect(Math.round(seconds * 1e6) % 100_000).to.equal(0);
        if (row > 0) expect(seconds).to.be.above(rows[row - 1]?.[0] as number);
      }
      known.push(...rows.filter(([seconds = 0]) => sent.has(Math.round(seconds * 100))));
    }
    stream.close();
    await reading.catch(() => undefined);
    for (const [seconds = 0, ...values] of known) expect(values).to.deep.equal(sent.get(Math.round(seconds * 100)));
  });

  it('passes on what the simulation says, with its level and its time, but for freezes', async () => {
    const said = async () =>
      (
        await call<{ messages: readonly { text: string; level: string; elapsed_sec: number }[] }>(
          served.port,
          'sim/messages',
          {},
        )
      ).messages;
    const there = await TrickClient.connect({ port: simulation.port });
    await there.send('trick.message_publish(trick.MSG_WARNING, "tank two is low")');
    await until(async () => (await said()).some(({ text }) => text === 'tank two is low'));
    const { level, elapsed_sec } = (await said()).find(({ text }) => text === 'tank two is low') ?? {};
    expect([level, elapsed_sec]).to.satisfy(([is, at]: unknown[]) => is === 'warning' && Number(at) > 0);
    there.close();
    // The freeze before this is told by the bridge's own server.
    expect((await said()).filter(({ text }) => /^Freeze O/.test(text))).to.deep.equal([]);
  });

  it('has two connections to the simulation, whatever number of clients it has', async () => {
    expect(await connections()).to.equal(2);
    const streams = await Promise.all(Array.from({ length: 20 }, () => EventStream.subscribe(served.port, MOVING, 10)));
    for (const stream of streams) await stream.messages().next();
    expect(await connections()).to.equal(2);
    for (const stream of streams) stream.close();
  });

  it('says that the simulation is gone, keeps its clients, and goes on when it is back', async () => {
    const { source } = served;
    const { port } = simulation;
    const client = await TrickClient.connect({ port: served.port });
    await simulation.kill();
    await until(() => source.fault !== undefined);
    expect(source.fault).to.match(/^disconnected from the simulation at 127\.0\.0\.1:\d+: /);
    expect(await client.get('trick_sys.sched.mode')).to.equal(1);
    const refusal = await source
      .submit({ kind: 'write', writes: [{ path: 'fx.all.d', value: 1 }] })
      .catch((error: Error) => error.message);
    expect(refusal).to.match(/^disconnected from the simulation/);
    simulation = await LaunchedServer.start(FIXTURE, { options: ['--port', `${port}`] });
    await until(() => source.fault === undefined);
    const steps = Number(await client.get('fx.ball.steps'));
    await until(async () => Number(await client.get('fx.ball.steps')) > steps);
    client.close();
  });

  it('says that a simulation has not answered for 10 s, and goes on when it does', async () => {
    const { source } = lost;
    const status = () => call<{ mode: string; age_sec?: number; reason?: string }>(lost.port, 'sim/status', {});
    const set = (value: number) => source.submit({ kind: 'write', writes: [{ path: 'fx.all.d', value }] });
    await until(async () => ((await status()).age_sec ?? 0) >= 10);
    const { mode, reason } = await status();
    expect(mode).to.equal('disconnected');
    expect(reason).to.match(/^disconnected from the simulation at 127/);
    expect(await set(1).catch((error: Error) => error.message)).to.equal(source.fault);
    const said = await call<{ messages: readonly { text: string }[] }>(lost.port, 'sim/messages', {});
    expect(said.messages.map(({ text }) => text).join()).to.match(/: no answer from .* within 5000 ms/);
    stopped.signal('SIGCONT');
    await until(() => source.fault === undefined);
    await set(3.5);
    expect(await valuesAt(stopped.port, ['fx.all.d'])).to.deep.equal({ 'fx.all.d': 3.5 });
  });

  it('shows the objects of another simulation that has come in its place', async () => {
    const { source } = served;
    const { port } = simulation;
    await source.submit({ kind: 'control', control: { action: 'stop' } });
    await simulation.ended;
    simulation = await LaunchedServer.start('sims/ball.js', { options: ['--port', `${port}`] });
    await until(() => source.catalog.find('ball.position') !== undefined);
    expect(source.catalog.find('fx.all.d')).to.equal(undefined);
    const height = async (port: number) => (await valuesAt(port, ['ball.position[1]']))['ball.position[1]'];
    expect(await height(served.port)).to.be.a('number');
  });
  it('leaves no connection behind', async () => {
    await served.close();
    await until(async () => (await connections()) === 0);
  });
});
