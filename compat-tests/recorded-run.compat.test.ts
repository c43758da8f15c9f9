// A run recorded in three forms: played, each form shows what the run had, in every frame and protocol; and beside a simulation.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  double,
  float,
  longLong,
  openRecording,
  playRecording,
  type RunningServer,
  run,
  serveSource,
  simulation,
} from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { call, EventStream, type Values } from './http-client.js';
import { call as callOf, KrpcClient } from './krpc/client.js';
import { items, double as krpcDouble, readDouble, readItems, text } from './krpc/values.js';
import { until } from './panels-page.js';
import { WireClient } from './wire-client.js';

const FORMS = { packed: 'mcap', binary: 'binary', table: 'csv' } as const;
const FILES = ['log_packed.mcap', 'log_binary.trk', 'log_table.csv'];
const FRAMES = 40;
const OPTIONS = { port: 0, krpc: 0, brp: 'off', udp: 'off', discovery: false, log: () => undefined } as const;

/** What the run has in a frame. */
const at = (k: number) => ({
  exact: Math.sin(k) / 3,
  small: Math.fround(k / 7),
  count: -(2n ** 60n) - BigInt(k),
  gap: k % 3 === 0 ? Number.NaN : k,
});
type Name = keyof ReturnType<typeof at>;
const NAMES: readonly Name[] = ['exact', 'small', 'count', 'gap'];
/** As JSON has it, to the last bit. */
const inJson = (value: number | bigint) => (typeof value === 'bigint' || Number.isNaN(value) ? `${value}` : value);

const definition = simulation({ name: 'recorded', frameSeconds: 0.01 }, (sim) => {
  const o = sim.object('o').components({ exact: double(), small: float(), count: longLong(), gap: double() });
  sim.job(0.01, () => Object.assign(o, at(Math.round(sim.timeSeconds / 0.01))));
  for (const [name, format] of Object.entries(FORMS))
    sim.record(name, { format, cycleSeconds: 0.01, variables: NAMES.map((each) => `o.${each}`) });
});

describe('a run that was recorded as .mcap, .trk and .csv', () => {
  let directory: string;
  let server: RunningServer;
  const portOf = (name: string): number => server.endpoints.find((endpoint) => endpoint.name === name)?.port ?? 0;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-recorded-'));
    await run(definition, { untilSeconds: FRAMES / 100, runDirectory: directory });
  });
  afterEach(() => server.close());
  after(() => rmSync(directory, { recursive: true }));

  it('shows the same values at the same times in each form, in every frame and protocol', async () => {
    const { source } = playRecording(openRecording(FILES.map((name) => join(directory, name))));
    source.freeze();
    server = await serveSource(source, OPTIONS);
    const aliases = FILES.flatMap((_, index) => NAMES.map((name) => `run${index + 1}.o.${name}`));
    const events = await EventStream.subscribe(server.port, aliases, 0);
    const stream = events.messages();
    const krpc = await KrpcClient.tcp({ rpc: portOf('krpc'), stream: portOf('krpc-stream') });
    const wire = await WireClient.tcp(server.port);
    for (let k = 0; k < FRAMES; k++) {
      if (k > 0) await call(server.port, 'sim/control', { action: 'step' });
      const run = NAMES.map((name) => at(k)[name]);
      const wanted = FILES.flatMap(() => run.map(inJson));
      const got = await call<Values>(server.port, 'var/get', { aliases });
      expect([got.sim_time.sec_si, ...aliases.map((name) => got.values[name])]).to.deep.equal([k / 100, ...wanted]);
      let told: Values;
      do told = (await stream.next()).value as Values;
      while (told.sim_time.sec_si < k / 100);
      expect([told.sim_time.sec_si, ...aliases.map((name) => told.values[name])]).to.deep.equal([k / 100, ...wanted]);
      const many = await krpc.call(callOf('VarServer', 'GetMany', items(...aliases.map(text))));
      expect(readItems(many).map(readDouble)).to.deep.equal(FILES.flatMap(() => run.map(Number)));
      wire.send(`trick.var_send_once("time,${aliases}", ${aliases.length + 1})\n`);
      const [, time, ...cells] = (await wire.line()).split('\t').map((cell) => cell.replace(/ \{.*\}$/, ''));
      const [exact, , count, gap] = cells;
      expect([Number(time), Number(exact)]).to.deep.equal([k / 100, Number(at(k).exact.toPrecision(16))]);
      expect([count, gap]).to.deep.equal([`${at(k).count}`, `${at(k).gap}`.toLowerCase()]);
      for (const index of [1, 2]) expect(cells.slice(4 * index, 4 * index + 4)).to.deep.equal(cells.slice(0, 4));
    }
    for (const client of [events, krpc, wire]) client.close();
  });

  it('has what it had at the time of the simulation that it lies beside, where names are asked for', async () => {
    const references = FILES.map((name) => join(directory, name));
    server = await serveHere(new URL('../sims/ball.js', import.meta.url), { ...OPTIONS, references });
    await call(server.port, 'sim/control', { action: 'freeze' });
    await until(
      () => call<{ mode: string }>(server.port, 'sim/status', {}),
      ({ mode }) => mode === 'freeze',
    );
    const name = (index: number): string => `reference${index + 1}.o.exact`;
    const aliases = [...FILES.keys()].map(name);
    const { sim_time, values } = await call<Values>(server.port, 'var/get', { aliases });
    // The last row holds.
    const now = at(Math.min(FRAMES - 1, Math.floor(sim_time.sec_si * 100 + 1e-6))).exact;
    expect(aliases.map((alias) => values[alias])).to.deep.equal(FILES.map(() => now));
    const krpc = await KrpcClient.tcp({ rpc: portOf('krpc'), stream: portOf('krpc-stream') });
    const one = await krpc.call(callOf('VarServer', 'Get', text(name(0))));
    expect(readDouble(one)).to.equal(now);
    const set = await krpc
      .call(callOf('VarServer', 'Set', text(name(0)), krpcDouble(1)))
      .catch((error: Error) => error);
    expect((set as Error).message).to.equal(`${name(0)} is read-only`);
    const wire = await WireClient.tcp(server.port);
    wire.send(`trick.var_exists("${name(0)}")\n`);
    expect(await wire.line()).to.equal('1\t0');
    for (const client of [krpc, wire]) client.close();
  });
});
