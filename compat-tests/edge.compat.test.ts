// A simulation in a process of its own, and an edge that serves it elsewhere.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listVariables, parseSieResource, TrickClient } from '../lib/clients/trick/index.js';
import { array, double, edge, feed, type RunningServer, serveSource } from '../lib/index.js';
import { call, EventStream, type Json, type Values } from './http-client.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';
import { WireClient } from './wire-client.js';

const FIXTURE = 'compat-tests/fixture/fixture.js';
const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const MOVING = ['fx.ball.pos[1]', 'fx.ball.vel[1]', 'fx.ball.steps'];
const SHARED_TIMES = 20;
const NAMES_AT_ONCE = 40;
const POLL_MILLIS = 20;

const PAST_POINTS = 20;

interface Past {
  readonly since: number;
  readonly times: readonly number[];
  readonly values: readonly Json[];
}

interface Status {
  readonly mode: string;
  readonly age_sec?: number;
  readonly reason?: string;
}

const sentence = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: Error) => error.message);
const valuesAt = async (port: number, aliases: readonly string[]): Promise<Values['values']> =>
  (await call<Values>(port, 'var/get', { aliases: [...aliases] })).values;
const until = async (isMet: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
};

/** A client of event streams that goes from one edge to another: each message comes after the one before. */
class Follower {
  tick = 0;
  lastId = '';
  lost = 0;

  async follow(port: number): Promise<void> {
    const stream = await EventStream.subscribe(port, MOVING, 10, undefined, this.lastId);
    let count = 0;
    for await (const { sim_time, dropped = 0 } of stream.messages()) {
      const now = Math.round(100 * sim_time.sec_si);
      if (this.tick > 0) expect(now).to.equal(this.tick + 1 + dropped);
      this.tick = now;
      this.lost += dropped;
      this.lastId = stream.lastId;
      if (++count === SHARED_TIMES) break;
    }
    stream.close();
  }
}

describe('an edge', () => {
  let simulation: LaunchedServer;
  let served: RunningServer;
  let directory: string;
  const launch = (...options: string[]) =>
    LaunchedServer.start(FIXTURE, { options: ['--run-dir', directory, '--no-discovery', ...options] });
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-edge-'));
    simulation = await launch();
    served = await serveSource(await edge({ port: simulation.port }), QUIET);
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
  });
  after(async () => {
    await served?.close();
    await simulation?.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  const status = (): Promise<Status> => call<Status>(served.port, 'sim/status', {});

  /** Each variable but those that change by themselves, as Trick's text shows it. */
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

  it('has the same description and the same values as the simulation', async () => {
    const described = async (port: number): Promise<string | undefined> => {
      const client = await TrickClient.connect({ port });
      const text = await client.sieResource();
      client.close();
      return text;
    };
    const document = await described(served.port);
    expect(document).to.equal(await described(simulation.port));
    const names = [...listVariables(parseSieResource(document ?? ''), 'fx.')].map(({ name }) => name);
    const still = names.filter((name) => !name.startsWith('fx.ball.'));
    expect(still.length).to.be.above(100);
    expect(await linesOf(served.port, still)).to.deep.equal(await linesOf(simulation.port, still));
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

  it('sends a client of another edge what comes after its last message, or says how much is lost', async () => {
    const other = await serveSource(await edge({ port: simulation.port }), QUIET);
    const client = new Follower();
    try {
      for (const { port } of [served, other, served, other]) await client.follow(port);
      // An edge that is behind: the client has seen what it has not shown.
      client.lastId = client.lastId.replace(/^\d+/, (number) => String(Number(number) + SHARED_TIMES));
      client.tick += SHARED_TIMES;
      await client.follow(served.port);
    } finally {
      await other.close();
    }
    const before = client.lost;
    const first = served.source.frame.header.number;
    await until(() => served.source.frame.header.number > first + SHARED_TIMES);
    const late = await serveSource(await edge({ port: simulation.port }), QUIET);
    try {
      await client.follow(late.port);
      expect(client.lost).to.be.above(before);
    } finally {
      await late.close();
    }
  });

  it('plots what the simulation has kept since before the edge was there, and goes on', async () => {
    const [alias = ''] = MOVING;
    const past = async (port: number): Promise<Past> =>
      (await call<{ series: { [alias: string]: Past } }>(port, 'var/history', { aliases: [alias] })).series[
        alias
      ] as Past;
    await until(async () => (await past(simulation.port)).times.length > PAST_POINTS);
    const late = await serveSource(await edge({ port: simulation.port }), QUIET);
    try {
      const here = await past(late.port);
      const there = await past(simulation.port);
      const end = here.times.length;
      expect(end).to.be.above(PAST_POINTS);
      expect([here.since, here.times]).to.deep.equal([there.since, there.times.slice(0, end)]);
      expect(here.values).to.deep.equal(there.values.slice(0, end));
      await until(async () => (await past(late.port)).times.length > end + PAST_POINTS);
    } finally {
      await late.close();
    }
  });

  it('writes, calls, controls and keeps checkpoints, each shown when it is answered, with the numbers of the source', async () => {
    const { source } = served;
    for (const value of [12.5, 13.5, 14.5]) {
      await call(served.port, 'var/set', { alias: 'fx.all.d', value });
      expect(await valuesAt(served.port, ['fx.all.d'])).to.deep.equal({ 'fx.all.d': value });
    }
    const { frame } = await source.submit({ kind: 'control', control: { action: 'freeze' } });
    expect(source.frame.header).to.include({ mode: 1, number: frame });
    const { tick } = source.frame.header;
    await source.submit({ kind: 'control', control: { action: 'step', frames: 3 } });
    await until(() => source.frame.header.tick === tick + 3 && source.frame.header.mode === 1);
    expect(await call(simulation.port, 'sim/status', {})).to.include({ mode: 'freeze', tick: tick + 3 });
    await source.submit({ kind: 'checkpoint', file: 'through' });
    await call(served.port, 'var/set', { alias: 'fx.all.d', value: 1 });
    await source.submit({ kind: 'load-checkpoint', file: 'through' });
    expect(await valuesAt(served.port, ['fx.all.d'])).to.deep.equal({ 'fx.all.d': 14.5 });
    await source.submit({ kind: 'control', control: { action: 'run' } });
    const set = (alias: string, value: Json) => sentence(call(served.port, 'var/set', { alias, value }));
    expect(await set('fx.all.uc', 300)).to.match(/fx\.all\.uc/);
    expect(await sentence(source.submit({ kind: 'layout', name: 'one' } as never))).to.match(
      /keeps no layouts: it is an edge of/,
    );
  });

  it('evaluates events and reads of its clients, and says that event viewers do not list them', async () => {
    const client = await WireClient.tcp(served.port);
    client.send(`seen = trick.new_event("seen")
seen.condition(0, "fx.all.w_i == 4243")
seen.action(0, "fx.all.w_d = 43.5")
seen.set_cycle(0.05)
seen.activate()
trick.add_event(seen)
`);
    client.send('trick.var_send_once("trick_ip.mtv.mtv_count")\n');
    expect(await client.line()).to.equal('5\t0');
    await call(served.port, 'var/set', { alias: 'fx.all.w_i', value: 4243 });
    const isWritten = async (value: number): Promise<boolean> =>
      (await valuesAt(simulation.port, ['fx.all.w_d']))['fx.all.w_d'] === value;
    await until(() => isWritten(43.5));
    client.send('trick.add_read(trick.exec_get_sim_time() + 0.1, "fx.all.w_d = 44.5")\ntrick.delete_event(seen)\n');
    await until(() => isWritten(44.5));
    const { messages } = await call<{ messages: readonly { text: string }[] }>(served.port, 'sim/messages', {});
    expect(
      messages.filter(({ text }) => /^event seen is evaluated at this edge; event viewers/.test(text)),
    ).to.have.length(1);
    client.drop();
  });

  it('is delayed by no other edge that stands still', async () => {
    const other = await LaunchedServer.command('edge', `localhost:${simulation.port}`);
    try {
      expect(await valuesAt(other.port, ['fx.all.d'])).to.deep.equal({ 'fx.all.d': 14.5 });
      other.signal('SIGSTOP');
      const first = served.source.frame.header.tick;
      await until(() => served.source.frame.header.tick > first + 100);
      const ours = served.source.frame.timeSeconds;
      const { elapsed_sec } = await call<{ elapsed_sec: number }>(simulation.port, 'sim/status', {});
      expect(elapsed_sec - ours).to.be.below(0.5);
      other.signal('SIGCONT');
      await until(async () => (await call<{ tick: number }>(other.port, 'sim/status', {})).tick > first + 100);
    } finally {
      await other.kill();
    }
  });

  it('keeps its clients when the simulation is gone, and shows a new run as it shows the first', async () => {
    const { port } = simulation;
    const before = served.source.frame.header;
    await simulation.kill();
    await until(async () => (await status()).mode === 'disconnected');
    const { reason, age_sec } = await status();
    expect(reason).to.match(/^disconnected from the simulation at 127\.0\.0\.1:\d+: /);
    expect(age_sec).to.be.within(0, 60);
    expect(await sentence(served.set('fx.all.d', 2))).to.match(/^disconnected/);
    simulation = await launch('--port', `${port}`);
    await until(async () => (await status()).mode !== 'disconnected');
    const { number, jumps } = served.source.frame.header;
    expect(number).to.be.above(before.number);
    expect(jumps).to.equal(before.jumps + 1);
    expect(await valuesAt(served.port, ['fx.all.d'])).to.deep.equal(await valuesAt(port, ['fx.all.d']));
    await served.set('fx.all.d', 3.5);
    expect(await valuesAt(port, ['fx.all.d'])).to.deep.equal({ 'fx.all.d': 3.5 });
    // At an edge that has shown this run alone, frames have other numbers.
    const late = await serveSource(await edge({ port }), QUIET);
    try {
      expect(late.source.frame.header.number).to.be.below(number);
      const client = new Follower();
      for (const { port } of [served, late, served]) await client.follow(port);
    } finally {
      await late.close();
    }
  });
});

describe('an edge of a large state, and of a server with tokens', () => {
  const ROWS = 400_000;
  const READER = 'of-a-reader-0123456789';
  const OPERATOR = 'of-an-operator-0123456789';
  const tokens = new Map([
    [READER, 'read-only'],
    [OPERATOR, 'read-write'],
  ] as const);
  let there: RunningServer;
  let rows: { [at: number]: number };
  const source = feed({ name: 'plant', frameSeconds: 0.1, write: () => undefined }, (objects) => {
    rows = objects.object('plant').component('rows', array(double(), ROWS));
  });
  before(async () => {
    there = await serveSource(source, { ...QUIET, tokens });
  });
  after(async () => {
    await there?.close();
  });

  it('asks for what is read, and shows it', async () => {
    const here = await serveSource(await edge({ port: there.port, token: OPERATOR }), QUIET);
    try {
      for (const at of [7, ROWS - 1]) rows[at] = at;
      source.publish(0.1);
      expect(await here.get('plant.rows[399999]')).to.equal(399_999);
      expect(await here.get('plant.rows[7]')).to.equal(7);
      const { pages } = here.source.frame;
      expect(pages?.carried.marked().length).to.be.within(1, 20);
    } finally {
      await here.close();
    }
  });

  it('may only read with a token that may, and says so; without one it is refused', async () => {
    const here = await serveSource(await edge({ port: there.port, token: READER }), QUIET);
    try {
      expect(await sentence(call(here.port, 'var/set', { alias: 'plant.rows[1]', value: 1 }))).to.match(
        /this source cannot be written: it is a read-only edge of a feed/,
      );
    } finally {
      await here.close();
    }
    expect(await sentence(edge({ port: there.port }))).to.match(/cannot be reached: it asks for a token/);
    expect(await sentence(edge({ port: 1 }))).to.match(/cannot be reached/);
  });
});
