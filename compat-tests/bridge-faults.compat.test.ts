// What a bridge does when the simulation, or what lies between, fails as NASA's Trick was seen to fail.
import { expect } from 'chai';
import { type BridgeOptions, bridge, double, feed, type RunningServer, serveSource } from '../lib/index.js';
import type { Source } from '../lib/source/source.js';
import { ask } from './asking.js';
import { call, EventStream, type Json, type Values } from './http-client.js';
import { TrickStandIn } from './trick-stand-in.js';
import { member } from './trick-stand-in-description.js';
import { WireClient } from './wire-client.js';

const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;

/** Trick has one a second. */
const FREEZE_FRAMES = 600;

interface Status {
  readonly mode: string;
  readonly what?: string;
  readonly reason?: string;
  readonly age_sec?: number;
  readonly elapsed_sec: number;
}

describe("a bridge to NASA's Trick", () => {
  let trick: TrickStandIn;
  let served: RunningServer;
  /** What is bridged in place of the stand-in. */
  let there: RunningServer | undefined;
  /** A simulation that is frozen while all others are tested, and what came of it. */
  let frozen: TrickStandIn;
  let atRest: Source;
  const faults = new Set<string>();
  /** A simulation that goes on, answers, and sends nothing by itself. */
  let silent: TrickStandIn;
  let muted: Source;
  const silentFaults = new Set<string>();
  before(async () => {
    frozen = await new TrickStandIn().start();
    frozen.mode = 1;
    atRest = await bridge({ port: frozen.port });
    atRest.onMessage(({ text }) => faults.add(text));
    silent = await new TrickStandIn().start();
    muted = await bridge({ port: silent.port });
    muted.onMessage(({ text }) => silentFaults.add(text));
    silent.isSilent = true;
  });
  after(async () => {
    await Promise.all([atRest?.close(), muted?.close()]);
    await Promise.all([frozen?.stop(), silent?.stop()]);
  });
  beforeEach(async () => {
    trick = await new TrickStandIn().start();
  });
  afterEach(async () => {
    await served?.close();
    await there?.close();
    await trick.stop();
  });

  const serve = async (options: Partial<BridgeOptions> = {}): Promise<void> => {
    served = await serveSource(await bridge({ port: trick.port, ...options }), QUIET);
  };
  const status = (): Promise<Status> => call<Status>(served.port, 'sim/status', {});
  const untilStatus = async (isMet: (status: Status) => boolean): Promise<Status> => {
    for (;;) {
      const now = await status();
      if (isMet(now)) return now;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const isConnected = ({ mode }: Status): boolean => mode !== 'disconnected';
  const get = async (alias: string): Promise<Json | undefined> =>
    (await call<Values>(served.port, 'var/get', { aliases: [alias] })).values[alias];
  const said = async (): Promise<readonly string[]> =>
    (await call<{ messages: readonly { text: string }[] }>(served.port, 'sim/messages', {})).messages.map(
      ({ text }) => text,
    );
  const set = (alias: string, value: Json) =>
    call(served.port, 'var/set', { alias, value }).catch((error: Error) => error.message);

  it('sets labels as their numbers, arrays as long as they are, and leaves no session behind', async () => {
    await serve();
    expect(await get('fx.big[599]')).to.be.closeTo(599 + 1 / 3, 1e-9);
    await set('fx.phase', 'EXIT');
    expect([await get('fx.phase'), trick.one('fx.phase')]).to.deep.equal([9, 9]);
    expect(await set('fx.phase', 'NOPE')).to.match(/fx\.phase/);
    await set('fx.colour', 'RED');
    expect([await get('fx.colour'), trick.one('fx.colour')]).to.deep.equal([1, 1]);
    await set('fx.x', 300);
    expect(await get('fx.x')).to.equal(300);
    expect(await set('fx.big', [1, 2])).to.match(/fx\.big/);
    expect(trick.one('fx.big')).to.be.closeTo(1 / 3, 1e-9);
    await served.close();
    while (trick.sessions.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(trick.hasCrashed).to.equal(false);
  });

  it('connects again through a link that drops every third connection', async () => {
    trick.dropsEach = 3;
    await serve();
    expect(await get('fx.d')).to.equal(1.5);
    for (const { socket } of trick.sessions) socket.destroy();
    trick.sessions.clear();
    const { age_sec, reason, what } = await untilStatus((now) => !isConnected(now));
    expect(age_sec).to.be.within(0, 60);
    expect(reason).to.match(/^disconnected from the simulation at 127\.0\.0\.1:\d+: /);
    expect(what).to.match(/^a bridge to 127\.0\.0\.1:\d+$/);
    await untilStatus(isConnected);
    trick.held['fx.d'] = { kind: 'double', values: [2.5] };
    while ((await get('fx.d')) !== 2.5);
  });

  it('shows no values of a message that tells a wrong size, and connects again', async () => {
    await serve();
    expect(await get('fx.big[1]')).to.be.closeTo(1 + 1 / 3, 1e-9);
    const before = trick.connections;
    trick.isTorn = true;
    // Each value is that of its own place, or none.
    for (let index = 0; trick.connections < before + 2 || index < 5; index++) {
      const value = await get(`fx.big[${index % 600}]`).catch(() => undefined);
      if (value !== undefined) expect(value).to.be.closeTo((index % 600) + 1 / 3, 1e-9);
    }
    await untilStatus(isConnected);
    expect(await get('fx.d')).to.equal(1.5);
  });

  it('leaves out a text that has grown longer than a message, and goes on with the others', async () => {
    await serve();
    expect(await get('fx.words')).to.equal('ok');
    const stream = await EventStream.subscribe(served.port, ['fx.words', 'fx.d'], 20);
    const before = trick.connections;
    (trick.held['fx.words'] as { values: number[] }).values = new Array(9000).fill(111);
    const gone = () => served.source.catalog.find('fx.words') === undefined;
    while (!gone() || !isConnected(await status())) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await said()).to.include('left out, because they have no value that fits in a message: fx.words');
    const connections = trick.connections;
    for (let count = 0; count < 20; count++) expect(await get('fx.d')).to.equal(1.5);
    expect([connections, trick.connections]).to.deep.equal([before + 2, before + 2]);
    stream.close();
  });

  it('asks for more names than a socket of the simulation holds, block by block', async () => {
    const names = Array.from({ length: 6000 }, (_, index) => `a_member_with_a_name_of_forty_characters_${index}`);
    for (const [index, name] of names.entries()) trick.held[`wide.${name}`] = { kind: 'int', values: [index] };
    const members = names.map((name) => member(name, 'int')).join('');
    trick.description = `<sie><class name="Wide">${members}</class><top_level_object name="wide" type="Wide" /></sie>`;
    await serve();
    const aliases = names.map((name) => `wide.${name}`);
    const { values } = await call<Values>(served.port, 'var/get', { aliases });
    expect(Object.values(values)).to.deep.equal(names.map((_, index) => index));
    expect(trick.isWedged).to.equal(false);
  });

  it('serves a simulation whose messages it cannot hear, and says so', async () => {
    trick.held['trick_message.mdevice.port'] = { kind: 'int', values: [1] };
    await serve();
    expect(await get('fx.d')).to.equal(1.5);
    while (!(await said()).some((text) => /^messages of the simulation do not come: .*ECONNREFUSED/.test(text)));
  });

  it('goes on when the simulation has loaded a checkpoint, at the time of that', async () => {
    trick.held['trick_sys.sched.time_tics'] = { kind: 'int', values: [90_000] };
    await serve();
    await untilStatus(({ elapsed_sec }) => elapsed_sec > 90);
    trick.held['trick_sys.sched.time_tics'] = { kind: 'int', values: [500] };
    await untilStatus(({ elapsed_sec }) => elapsed_sec < 10);
    expect(await get('fx.d')).to.equal(1.5);
    expect(served.source.frame.header.jumps).to.equal(1);
  });

  it('shows a simulation that stands still and sends nothing by itself, also after the connection was lost', async () => {
    trick.mode = 1;
    await serve();
    expect(await status()).to.include({ mode: 'freeze', elapsed_sec: trick.one('trick_sys.sched.time_tics') / 1000 });
    expect(await get('fx.d')).to.equal(1.5);
    for (const { socket } of trick.sessions) socket.destroy();
    trick.sessions.clear();
    await untilStatus((now) => !isConnected(now));
    trick.held['fx.d'] = { kind: 'double', values: [2.5] };
    await untilStatus(isConnected);
    expect([(await status()).mode, await get('fx.d')]).to.deep.equal(['freeze', 2.5]);
  });

  it('shows a recording that is played elsewhere and stands still, and where somebody takes it', async () => {
    const seek = (seconds: number): void => {
      height.value = 10 * seconds;
      played.publish(seconds);
    };
    let height!: { value: number };
    const nothing = () => undefined;
    const played = feed(
      {
        name: 'played',
        frameSeconds: 0.1,
        playback: { firstSeconds: 0, lastSeconds: 9, seek, run: nothing, freeze: nothing },
      },
      (objects) => {
        height = objects.object('ball').component('height', double());
      },
    );
    seek(1);
    played.freeze();
    there = await serveSource(played, QUIET);
    await serve({ port: there.port });
    expect([(await status()).mode, await get('ball.height')]).to.deep.equal(['freeze', 10]);
    await call(there.port, 'sim/seek', { to_sec: 4 });
    await untilStatus(({ elapsed_sec }) => elapsed_sec === 4);
    expect(await get('ball.height')).to.equal(40);
  });

  it('shows a feed that rests in mode run, what is set in it, and what it publishes later', async () => {
    let height!: { value: number };
    const resting = feed({ name: 'resting', frameSeconds: 0.1, write: () => undefined }, (objects) => {
      height = objects.object('ball').component('height', double());
    });
    height.value = 10;
    resting.publish(1);
    there = await serveSource(resting, QUIET);
    await serve({ port: there.port });
    expect([(await status()).mode, await get('ball.height')]).to.deep.equal(['run', 10]);
    expect(await set('ball.height', 5)).to.not.be.a('string');
    expect([await get('ball.height'), height.value]).to.deep.equal([5, 5]);
    height.value = 7;
    resting.publish(2);
    await untilStatus(({ elapsed_sec }) => elapsed_sec === 2);
    expect(await get('ball.height')).to.equal(7);
  });

  it('goes through as many frames as a freeze of minutes has: clients stay, and see at once that it runs', async () => {
    trick.sendsInFreeze = true;
    await serve();
    const [stream, text] = [
      await EventStream.subscribe(served.port, ['fx.d'], 20),
      await WireClient.tcp(served.port),
    ] as const;
    text.send('trick.var_cycle(0.02)\ntrick.var_add("fx.d")\n');
    expect(await text.line()).to.equal('0\t1.5');
    const { connections } = trick;
    trick.mode = 1;
    await untilStatus(({ mode }) => mode === 'freeze');
    for (let frame = 0; frame < FREEZE_FRAMES; frame++) trick.freezeFrame();
    while (served.source.frame.header.freezeFrameCount < FREEZE_FRAMES) await new Promise(setImmediate);
    trick.held['fx.d'] = { kind: 'double', values: [2.5] };
    trick.mode = 5;
    while ((await text.line()) !== '0\t2.5');
    for await (const { values } of stream.messages()) if (values['fx.d'] === 2.5) break;
    expect([trick.connections, (await status()).mode]).to.deep.equal([connections, 'run']);
    stream.close();
    text.drop();
  });

  it('tells in every language that it is disconnected, and how old the values are', async () => {
    await serve();
    const text = await WireClient.tcp(served.port);
    const asked = 'trick_bridge.connected,trick_bridge.age,fx.d';
    const told = async (): Promise<number[]> => {
      text.send(`trick.var_send_once("${asked}", 3)\n`);
      return (await text.line()).split('\t').map(Number);
    };
    text.send('trick.var_pause()\n');
    expect(await told()).to.deep.equal([5, 1, 0, 1.5]);
    await trick.stop();
    for (let known: readonly number[] = [5, 1, 0, 1.5]; (known[2] as number) < 1; known = await told())
      expect(known.length).to.equal(4);
    const [, connected, age, value] = await told();
    expect([connected, value]).to.deep.equal([0, 1.5]);
    const { mode, age_sec = 0 } = await status();
    expect([mode, age_sec >= (age as number) - 1]).to.deep.equal(['disconnected', true]);
    expect(await get('trick_bridge.connected')).to.equal(false);
    expect((await ask({ port: served.port, path: '/healthz' })).status).to.equal(503);
    text.drop();
  });

  it('makes a list anew that the simulation has stopped sending, though it answers and goes on', async () => {
    while (silent.connections <= 3) await new Promise((resolve) => setTimeout(resolve, 100));
    silent.isSilent = false;
    expect([...silentFaults].join()).to.match(/: it goes on, and sends no values/);
    while (muted.fault !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('takes a freeze that lasts for no fault: it is asked, and answers', async () => {
    const before = frozen.questions;
    while (frozen.questions < before + 2) {
      expect(atRest.fault).to.equal(undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect([...faults]).to.deep.equal([]);
    expect([atRest.frame.header.mode, frozen.connections]).to.deep.equal([1, 2]);
  });
});
