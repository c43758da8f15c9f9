// Events and recordings of a simulation, as clients of a bridge see and switch them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TrickClient } from '../lib/clients/trick/index.js';
import { bridge, type RunningServer, serveSource } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { Code, EventViewer, parsed } from './event-viewer.js';
import { call, type Json } from './http-client.js';

const CANNON = new URL('../sims/cannon.js', import.meta.url);
const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
/** Conditions that never hold by themselves, so that the events change only when they are told. */
const EVENTS = `low = trick.new_event("low")
low.condition(0, "dyn.cannon.pos[1] < -1000", "far below")
low.condition(1, "False")
low.action(0, "dyn.cannon.pos[1] = 10")
low.set_cycle(0.25)
trick.add_event(low)
idle = trick.new_event("idle")
idle.condition_all()
trick.add_event(idle)
gone = trick.new_event("gone")
trick.add_event(gone)
trick.delete_event(gone)
`;
const RECORDINGS = `rows = trick.DRAscii("rows")
rows.add_variable("dyn.cannon.pos[0]")
trick.add_data_record_group(rows)
bytes = trick.DRBinary("bytes")
bytes.add_variable("dyn.cannon.pos[1]")
trick.add_data_record_group(bytes)
`;

/** Positions in the messages of a followed event with two conditions and an action. */
const At = { ticker: 1, active: 2, firedCount: 4, manual: 7, manualFired: 8, action: 19 } as const;
interface Items {
  readonly conditions: readonly { readonly enabled: boolean; readonly hold: boolean }[];
  readonly actions: readonly { readonly enabled: boolean }[];
}

describe('a bridge, asked for what its simulation has besides values,', () => {
  let simulation: RunningServer;
  let served: RunningServer;
  let there: TrickClient;
  let here: TrickClient;
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-services-'));
    simulation = await serveHere(CANNON, { ...QUIET, runDirectory: directory });
    served = await serveSource(await bridge({ port: simulation.port }), QUIET);
    there = await TrickClient.connect({ port: simulation.port });
    here = await TrickClient.connect({ port: served.port });
    await there.send(EVENTS);
    await there.send(RECORDINGS);
  });
  after(async () => {
    here?.close();
    there?.close();
    await served?.close();
    await simulation?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const eventsOf = async ({ port }: RunningServer) =>
    (await call<{ events: readonly Record<string, Json>[] }>(port, 'event/list', {})).events.map(
      ({ owner, ...others }) => others,
    );
  const tell = (method: string, params: Record<string, Json>) =>
    call(served.port, `event/${method}`, params).catch((error: Error) => error.message);

  /** What a text in Trick's language writes. */
  const saidTo = async (port: number, text: string) => {
    const { output } = await call<{ output: readonly { text: string }[] }>(port, 'trick/run', { text });
    return output.map((written) => written.text).join('');
  };

  it('lists its events with what they did, and tells them what to do', async () => {
    // The bridge asks for them once a second.
    let before = await eventsOf(served);
    while (before.length < 2) before = await eventsOf(served);
    expect(before.map(({ name }) => name)).to.deep.equal(['low', 'idle']);
    expect(before).to.deep.equal(await eventsOf(simulation));
    await tell('fire', { name: 'low' });
    const [low] = await eventsOf(served);
    expect(low).to.include({ fired_count: 1, ran_count: 1 });
    expect(low).to.deep.equal((await eventsOf(simulation))[0]);
    for (const mode of ['on', 'off', 'auto']) {
      await tell('mode', { name: 'idle', mode });
      expect((await eventsOf(simulation))[1], mode).to.include({ mode });
    }
    for (const active of [true, false]) {
      await tell('active', { name: 'idle', active });
      expect((await eventsOf(simulation))[1]).to.include({ active });
    }
  });

  it('says what does not pass of them', async () => {
    expect(await tell('fire', { name: 'gone' })).to.match(/there is no event "gone"/);
    expect(await tell('condition', { name: 'low', index: 2, enabled: false })).to.match(
      /event low has 2 conditions, none with the index 2$/,
    );
    for (const text of ['low.condition(0, "True")', 'low.set_cycle(2)', 'trick.delete_event(low)', 'low.manual = True'])
      expect(await saidTo(served.port, text), text).to.match(
        /event low belongs to a simulation elsewhere: it is switched and fired/,
      );
    expect(await eventsOf(served)).to.deep.equal(await eventsOf(simulation));
  });

  it("shows them in Trick's event viewer, and does what that tells them", async () => {
    const viewer = await EventViewer.open(served.port);
    viewer.put('trick.var_cycle(0.01)');
    expect((await viewer.one('trick_ip.mtv.mtv_count'))?.[0]).to.equal(Code.unsignedInt);
    const low = ['low', false, true, 2, 1, 0, 'far below', 'False', 'dyn.cannon.pos[1] = 10'];
    expect(await viewer.eventData()).to.deep.equal([...low, 'idle', false, true, 0, 0, 0]);
    const ticker = (await viewer.one('trick_ip.mtv.mtv_update_ticker'))?.[1];
    viewer.follow(0, 2, 1);
    const [firedBefore] = (await viewer.message()).slice(At.firedCount).map(([, value]) => Number(value));
    viewer.put('low.activate()', 'low.condition_disable(1)', 'low.condition_hold_on(0)', 'low.action_disable(0)');
    await viewer.until((values) => values[At.active] === true && values[At.action] === 0);
    expect((await eventsOf(simulation))[0]).to.deep.include({ active: true });
    const [{ conditions, actions }] = (await eventsOf(simulation)) as unknown as [Items];
    expect(conditions.map(({ enabled, hold }) => [enabled, hold])).to.deep.equal([
      [true, true],
      [false, false],
    ]);
    expect(actions.map(({ enabled }) => enabled)).to.deep.equal([false]);
    viewer.put('low.condition_enable(1)', 'low.condition_hold_off(0)', 'low.action_enable(0)', 'low.deactivate()');
    viewer.put('low.manual_fire()');
    await viewer.until((values) => values[At.firedCount] === (firedBefore as number) + 1 && values[At.action] === 1);
    viewer.put('low.manual_off()');
    await viewer.until((values) => values[At.manual] === true && values[At.manualFired] === false);
    // What others do there is seen within a second or so, and what comes or goes changes the ticker.
    await there.send(
      'low.manual_done()\nmore = trick.new_event("one more")\nmore.condition(0, "False")\ntrick.add_event(more)\n',
    );
    await viewer.until((values) => values[At.manual] === false && values[At.ticker] !== ticker);
    const single = { name: 'one more', index: 0, enabled: false };
    expect(await tell('condition', single)).to.match(
      /of event one more are not switched: its name is no name in Python$/,
    );
    await there.send('trick.delete_event(more)\n');
    // One that a client makes runs in the bridge.
    viewer.put(parsed('own = trick.new_event("own")\ntrick.add_event(own)'));
    await viewer.exit();
    const namesOf = async (at: RunningServer) => (await eventsOf(at)).map(({ name }) => name);
    expect(await namesOf(served)).to.include.members(['low', 'idle', 'own']);
    expect(await namesOf(simulation)).to.deep.equal(['low', 'idle']);
  });

  it('shows them in a bridge that is read only, and refuses to tell them anything', async () => {
    const shown = await serveSource(await bridge({ port: simulation.port, readOnly: true }), QUIET);
    try {
      const before = await eventsOf(simulation);
      const viewer = await EventViewer.open(shown.port);
      expect((await viewer.one('trick_ip.mtv.mtv_count'))?.[1]).to.equal(2);
      expect((await viewer.eventData()).slice(0, 2)).to.deep.equal(['low', false]);
      await viewer.exit();
      for (const text of ['idle.activate()', 'trick.manual_fire("idle")', 'low.action_disable(0)'])
        expect(await saidTo(shown.port, text), text).to.match(/this source cannot be controlled: it is a bridge to/);
      expect(await eventsOf(simulation)).to.deep.equal(before);
    } finally {
      await shown.close();
    }
  });

  it('calls methods of its objects, and no other function', async () => {
    const asked = (name: string, values: readonly Json[] = []) =>
      call<{ value: Json }>(served.port, 'sim/call', { name, arguments: values })
        .then(({ value }) => value)
        .catch((error: Error) => error.message);
    await there.set('dyn.cannon.impactTime', 123);
    expect(await asked('dyn.cannon.init')).to.equal(null);
    expect(await there.get('dyn.cannon.impactTime')).to.equal(0);
    expect(await asked('dyn.cannon.explode')).to.match(/^sim\/call: AttributeError/);
    expect(await asked('dyn.cannon.init', [{}])).to.equal(
      'sim/call: argument 1 of dyn.cannon.init is no number, truth, text or list of them',
    );
    for (const name of ['cannon_init', 'os.system', 'trick.stop', 'trick_sys.sched.stop', 'dyn.__class__', 'dyn.x;y'])
      expect(await asked(name), name).to.match(/^sim\/call: a bridge calls methods of the objects that it shows/);
  });

  it('lists its recordings, and switches them', async () => {
    const { waiting } = await call<{ waiting: readonly string[] }>(served.port, 'recording/list', {});
    expect(waiting).to.deep.equal(['rows', 'bytes']);
    expect(await here.call('get_num_data_record_groups')).to.equal(2);
    await here.run();
    const off = await switched('dr_disable_group', ['rows']);
    const on = await switched('dr_enable_group', ['rows']);
    await until(on + 0.3);
    const allOff = await switched('dr_disable');
    const allOn = await switched('dr_enable');
    await until(allOn + 0.3);
    await there.send('trick.remove_data_record_group(rows)');
    const [, ...rows] = readFileSync(join(directory, 'log_rows.csv'), 'utf8').trim().split('\n');
    const times = rows.map((row) => Number(row.split(',')[0]));
    const within = (from: number, to: number) => times.filter((time) => time > from && time < to);
    expect([within(off, on), within(allOff, allOn)]).to.deep.equal([[], []]);
    expect(Math.min(within(on, allOff).length, within(allOn, Number.POSITIVE_INFINITY).length)).to.be.above(1);
    expect(await here.call('set_max_size_record_group', ['bytes', 0])).to.equal(0);
  });

  /** Calls a function of Trick's through the bridge, a while after the last; resolves to when it had been done. */
  async function switched(name: string, values: readonly string[] = []): Promise<number> {
    await until((await now()) + 0.3);
    const before = await now();
    expect(await here.call(name, values), name).to.equal(0);
    return name.includes('enable') ? before : now();
  }
  const now = async () => Number(await there.get('trick_sys.sched.time_tics')) / 1e6;
  async function until(seconds: number): Promise<void> {
    while ((await now()) < seconds);
  }

  it('says that it makes and ends none', async () => {
    const sentence = /this source cannot record: it is a bridge to 127\.0\.0\.1:\d+$/;
    const start = { name: 'more', aliases: ['dyn.cannon.pos'] };
    const refusals = [['start', start] as const, ['stop', { name: 'rows' }] as const].map(([method, params]) =>
      call(served.port, `recording/${method}`, params).catch((error: Error) => error.message),
    );
    for (const refusal of await Promise.all(refusals)) expect(refusal).to.match(sentence);
    expect(await here.call('frame_log_on').catch((error: Error) => error.message)).to.match(sentence);
  });
});
