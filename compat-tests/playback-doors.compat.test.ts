// Two recordings played together: each row as in its file, at its time, in every protocol.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { loadHdf5, openRecording, playRecording, type RunningServer, serveSource } from '../lib/index.js';
import { hdf5File } from '../lib/testing/aids/hdf5-file.js';
import { doubles, trkFile } from '../lib/testing/aids/trk-file.js';
import { Inspector } from './brp/inspector.js';
import { commandHere } from './command-here.js';
import { call, EventStream, type Values } from './http-client.js';
import { call as callOf, KrpcClient } from './krpc/client.js';
import { items, readDouble, readItems, text } from './krpc/values.js';
import { until } from './panels-page.js';
import { WireClient } from './wire-client.js';

const FAST = [0, 0.125, 0.25, 0.375, 0.5];
const SLOW = [0, 0.25, 0.3];
const NAMES = ['run1.ball.height', 'run2.ball.height'];
const heights = (times: readonly number[], scale: number) => times.map((seconds) => scale / 3 - seconds ** 3 * Math.PI);
const lastOf = (times: readonly number[], values: readonly number[], seconds: number) =>
  values[times.findLastIndex((time) => time <= seconds)] ?? Number.NaN;

const COMPONENTS = ['recording::run1_ball', 'recording::run2_ball', 'Trick::Executive'];
/** A component that one entity has. */
async function only(inspector: Inspector, component: string) {
  const entities = await inspector.call('world.query', { data: { components: [component] } });
  expect(entities).to.have.length(1);
  return entities[0].components[component];
}

/** What both files have, row by row. */
const ROWS = [...new Set([...FAST, ...SLOW])]
  .sort((one, other) => one - other)
  .map((seconds) => ({
    seconds,
    values: [lastOf(FAST, heights(FAST, 10), seconds), lastOf(SLOW, heights(SLOW, 7), seconds)],
  }));

interface PlaybackState {
  readonly status: number;
  readonly seconds: number;
  readonly speed: number;
  readonly didSeek: boolean;
  readonly id: string;
}

/** The playback bar of an app that speaks Foxglove's subprotocol: no package of it has one. */
class PlaybackBar {
  readonly sentences: string[] = [];
  private readonly states: PlaybackState[] = [];
  private look = (): void => undefined;

  info: Readonly<Record<string, unknown>> = {};

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary: boolean) => this.take(data, isBinary));
  }

  static async open(port: number): Promise<PlaybackBar> {
    const bar = new PlaybackBar(new WebSocket(`ws://127.0.0.1:${port}/`, ['foxglove.sdk.v1']));
    await once(bar.socket, 'message');
    return bar;
  }

  private take(data: Buffer, isBinary: boolean): void {
    if (isBinary && data[0] === 5) {
      this.states.push({
        status: data.readUInt8(1),
        seconds: Number(data.readBigUInt64LE(2)) / 1e9,
        speed: data.readFloatLE(10),
        didSeek: data.readUInt8(14) === 1,
        id: data.toString('utf8', 19, 19 + data.readUInt32LE(15)),
      });
    } else if (!isBinary) {
      const json = JSON.parse(data.toString());
      if (json.op === 'serverInfo') this.info = json;
      if (json.op === 'status') this.sentences.push(json.message);
    }
    this.look();
  }

  ask({ command, speed, seekTo, id }: { command: number; speed: number; seekTo?: number; id: string }): void {
    const request = Buffer.alloc(19 + id.length);
    request.writeUInt8(3, 0);
    request.writeUInt8(command, 1);
    request.writeFloatLE(speed, 2);
    request.writeUInt8(seekTo === undefined ? 0 : 1, 6);
    request.writeBigUInt64LE(BigInt((seekTo ?? 0) * 1e9), 7);
    request.writeUInt32LE(id.length, 15);
    request.write(id, 19);
    this.socket.send(request);
  }

  /** The first state from now on, or since the last one that was waited for. */
  async until(is: (state: PlaybackState) => boolean): Promise<PlaybackState> {
    for (;;) {
      const at = this.states.findIndex(is);
      if (at >= 0) return this.states.splice(0, at + 1).at(-1) as PlaybackState;
      await new Promise<void>((resolve) => {
        this.look = resolve;
      });
    }
  }

  close(): void {
    this.socket.terminate();
  }
}

describe('two recordings that are played', () => {
  let directory: string;
  let server: RunningServer;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-doors-'));
    const [fast, slow] = ['log_0.trk', 'log_1.h5'].map((name) => join(directory, name)) as [string, string];
    const columns = [doubles('sys.exec.out.time', FAST, 's'), doubles('ball.height', heights(FAST, 10))];
    // So many that frames carry only what somebody reads.
    const more = Array.from({ length: 1100 }, (_, index) => doubles(`more.x[${index}]`, heights(FAST, index)));
    writeFileSync(fast, trkFile([...columns, ...more]));
    const datasets = { 'sys.exec.out.time': [SLOW, 's'], 'ball.height': [heights(SLOW, 7), '--'] } as const;
    const given = Object.entries(datasets).map(([name, [values, units]]) => [name, [Float64Array.from(values), units]]);
    writeFileSync(slow, await hdf5File(Object.fromEntries(given)));
    await loadHdf5();
    const files = [fast, slow];
    const { source } = playRecording(openRecording(files));
    source.freeze();
    const options = { port: 0, krpc: 0, brp: 0, udp: 'off', discovery: false, log: () => undefined } as const;
    server = await serveSource(source, options);
  });
  after(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });
  const portOf = (name: string): number => server.endpoints.find((endpoint) => endpoint.name === name)?.port ?? 0;

  it('show each row at its time, with the last values of each', async () => {
    const events = await EventStream.subscribe(server.port, NAMES, 0);
    const stream = events.messages();
    const krpc = await KrpcClient.tcp({ rpc: portOf('krpc'), stream: portOf('krpc-stream') });
    const inspector = new Inspector(portOf('brp'));
    const wire = await WireClient.tcp(server.port);
    for (const [index, { seconds, values }] of ROWS.entries()) {
      if (index > 0) await call(server.port, 'sim/control', { action: 'step' });
      const got = await call<Values>(server.port, 'var/get', { aliases: NAMES });
      expect([got.sim_time.sec_si, NAMES.map((name) => got.values[name])]).to.deep.equal([seconds, values]);
      // Each time one that nobody has read before.
      const fresh = `run1.more.x[${200 * index}]`;
      const read = await call<Values>(server.port, 'var/get', { aliases: [fresh] });
      expect(read.values[fresh]).to.equal(lastOf(FAST, heights(FAST, 200 * index), seconds));
      let told: Values;
      do told = (await stream.next()).value as Values;
      while (told.sim_time.sec_si < seconds);
      expect([told.sim_time.sec_si, NAMES.map((name) => told.values[name])]).to.deep.equal([seconds, values]);
      const many = await krpc.call(callOf('VarServer', 'GetMany', items(...NAMES.map(text))));
      expect(readItems(many).map(readDouble)).to.deep.equal(values);
      const [one, other, trick] = await Promise.all(COMPONENTS.map((component) => only(inspector, component)));
      expect([trick.time_tics, one.height, other.height]).to.deep.equal([1e6 * seconds, ...values]);
      wire.send(`trick.var_send_once("time,${NAMES}", 3)\n`);
      const shown = (await wire.line()).split('\t').slice(1).map(Number.parseFloat);
      // Trick's text has 16 digits.
      expect(shown).to.deep.equal([seconds, ...values].map((value) => Number(value.toPrecision(16))));
    }
    for (const client of [events, krpc, inspector, wire]) client.close();
  });

  it('are opened by the commands, an HDF5 file too', async () => {
    const info = await commandHere(['info', 'log_1.h5'], {}, directory);
    expect(info).to.include({ code: 0, complaint: '' });
    expect(info.output).to.match(new RegExp(`^log_1\\.h5: HDF5\n${SLOW.length} rows `));
    expect(await commandHere(['convert', 'log_1.h5', 'again.trk'], {}, directory)).to.include({ code: 0 });
    expect(await commandHere(['diff', 'log_1.h5', 'again.trk'], {}, directory)).to.include({ code: 0 });
  });

  it('have the whole past of each file, wherever the playback stands', async () => {
    const past = async () => (await call<{ series: object }>(server.port, 'var/history', { aliases: NAMES })).series;
    const of = (times: readonly number[], values: readonly number[]) => ({
      ...{ times, values, since: times[0], whole_since: times[0], stretch_sec: 0 },
      ...{ in_file: true, until: times.at(-1) },
    });
    const whole = { [NAMES[0]!]: of(FAST, heights(FAST, 10)), [NAMES[1]!]: of(SLOW, heights(SLOW, 7)) };
    expect(await past()).to.deep.equal(whole);
    await call(server.port, 'sim/seek', { to_sec: 0.125 });
    expect(await past()).to.deep.equal(whole);
    const stretch = { aliases: NAMES, from: 0.2, to: 0.3 };
    const { series } = await call<{ series: Record<string, unknown> }>(server.port, 'var/statistics', stretch);
    expect(series[NAMES[0]!]).to.include({ count: 1, is_exact: true, first_sec: 0.25 });
    expect(series[NAMES[1]!]).to.include({ count: 2, is_exact: true, first_sec: 0.25, last_sec: 0.3 });
  });

  it('are played by the bar of a Foxglove client, which is answered and told of each change', async () => {
    const bar = await PlaybackBar.open(server.port);
    try {
      expect(bar.info.capabilities).to.include('playbackControl');
      expect([bar.info.dataStartTime, bar.info.dataEndTime]).to.deep.equal([
        { sec: 0, nsec: 0 },
        { sec: 0, nsec: 5e8 },
      ]);
      const [playing, paused, ended] = [0, 1, 3];
      await bar.until(({ id }) => id === '');
      bar.ask({ command: 1, speed: 1, seekTo: 0.25, id: 'seek' });
      expect(await bar.until(({ id }) => id === 'seek')).to.deep.equal({
        ...{ status: paused, seconds: 0.25, speed: 1, didSeek: true, id: 'seek' },
      });
      bar.ask({ command: 0, speed: 0.5, id: 'play' });
      const answer = await bar.until(({ id }) => id === 'play');
      expect(answer).to.include({ status: playing, speed: 0.5, didSeek: false });
      expect(await bar.until(({ id, status }) => id === '' && status === ended)).to.include({ seconds: 0.5 });
      bar.ask({ command: 1, speed: 1, seekTo: 7, id: 'beyond' });
      expect(await bar.until(({ id }) => id === 'beyond')).to.include({ seconds: 0.5, didSeek: false });
      bar.ask({ command: 1, speed: Number.NaN, seekTo: 0, id: 'x'.repeat(100) });
      expect(await bar.until(({ id }) => id.length === 100)).to.include({ seconds: 0, speed: 0.5, didSeek: true });
      expect(bar.sentences).to.deep.equal(['times here are from 0 to 0.5 s; there is no 7 s']);
    } finally {
      bar.close();
    }
  });

  it('go backwards to their first row', async () => {
    const status = () => call<{ mode: string; elapsed_sec: number }>(server.port, 'sim/status', {});
    await call(server.port, 'sim/seek', { to_sec: 0.5 });
    await call(server.port, 'sim/control', { action: 'step', frames: -1 });
    expect(await status()).to.include({ mode: 'freeze', elapsed_sec: 0.375 });
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: -1000 });
    await call(server.port, 'sim/control', { action: 'run' });
    await until(status, ({ mode, elapsed_sec }) => mode === 'freeze' && elapsed_sec === 0);
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 1 });
  });
});
