// Trick's five clients, an event stream, and watchers by WebSocket, kRPC and Bevy's protocol on one server for a given
// time: their actions, and the effects that are checked.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { demand } from '../demand.js';
import { lackOfTime } from '../in-time.js';
import { ENGINE_OPTIONS, LaunchedServer } from '../launch.js';
import { BevyWatch } from './bevy-watch.js';
import { EventWatch } from './event-watch.js';
import { KrpcWatch } from './krpc-watch.js';
import { Logbook } from './logbook.js';
import { Memory } from './memory.js';
import { PythonModule } from './python-module.js';
import { type Panel, SimControl } from './sim-control.js';
import { SocketWatch } from './socket-watch.js';
import { StripChart, TrickView } from './trick-view.js';
import { Viewer } from './viewer.js';
import { Completeness, type Watcher } from './watcher.js';

const FIXTURE = new URL('../fixture/fixture.js', import.meta.url);
const INPUT = `
trick.real_time_enable()
counted = trick.new_event("counted")
counted.condition(0, "fx.all.w_i == 4242", "told to")
counted.action(0, "fx.all.w_f = 2.5", "writes")
counted.activate()
trick.add_event(counted)
def record(group):
    group.set_cycle(0.1)
    group.set_freq(trick.DR_Always)
    group.add_variable("fx.ball.pos[0]")
    group.add_variable("fx.ball.pos[1]")
    trick.add_data_record_group(group)

record(trick.DRAscii("soak_text"))
record(trick.DRBinary("soak_binary"))
`;

interface Clients {
  control: SimControl;
  view: TrickView;
  chart: StripChart;
  viewer: Viewer;
  python: PythonModule;
  events: EventWatch;
}

const OPENING = {
  control: SimControl.open,
  view: TrickView.open,
  chart: StripChart.open,
  viewer: Viewer.open,
  python: PythonModule.open,
  events: EventWatch.open,
} as const;

/** How often a client leaves without an exit command and comes back: every so many rounds. */
const COMES_BACK: readonly (readonly [client: keyof Clients, everyRounds: number])[] = [
  ['python', 2],
  ['view', 3],
  ['viewer', 3],
  ['chart', 4],
  ['control', 5],
  ['events', 6],
];
/** How often a round goes far back in time, and how often one runs as fast as possible. */
const FAR_BACK_ROUNDS = 4;
const FAST_ROUNDS = 10;
/** How many checkpoint files are written in turn. */
const FILES = 3;

export interface Soaked {
  readonly logbook: Logbook;
  readonly memory: Memory;
  readonly rounds: number;
  readonly seconds: number;
}

export interface SoakOptions {
  /** Default: 1. */
  readonly fewestRounds?: number;
  /** Gets a line every few rounds. */
  readonly report?: (line: string) => void;
  /** Called with the server's port, and awaited before the first client comes. */
  readonly began?: (port: number) => Promise<unknown>;
}

export class Soak {
  private readonly logbook = new Logbook();
  private readonly clients = {} as Clients;
  /** They stay from the beginning to the end. */
  private readonly watchers: Watcher[] = [];
  private readonly completeness: Completeness;
  /** How often simulation time was set far back. */
  private returns = 0;
  private first: Panel | undefined;
  private rounds = 0;

  private constructor(
    private readonly server: LaunchedServer,
    private readonly directory: string,
  ) {
    const leftOut = () => lackOfTime(server.port);
    const moment = async () => ({ returns: this.returns, frameCount: await this.frameCount() });
    this.completeness = new Completeness(this.watchers, { leftOut, moment }, this.logbook);
  }

  /** Runs for `minutes`, and at least for a number of rounds. */
  static async run(
    minutes: number,
    { fewestRounds = 1, report = () => undefined, began = async () => undefined }: SoakOptions = {},
  ): Promise<Soaked> {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-soak-'));
    writeFileSync(join(directory, 'input.py'), INPUT);
    const files = ['--input', join(directory, 'input.py'), '--run-dir', directory];
    const options = ['--no-discovery', '--brp', '127.0.0.1:0', '--krpc', '127.0.0.1:0', ...files];
    const server = await LaunchedServer.start(FIXTURE, { options, engineOptions: ENGINE_OPTIONS });
    const soak = new Soak(server, directory);
    const memory = new Memory(() => (server.isRunning ? server.residentBytes : Number.NaN));
    let start = performance.now();
    const elapsedSeconds = () => (performance.now() - start) / 1000;
    const said = () => report(`${elapsedSeconds().toFixed(0)} s, round ${soak.rounds}: ${memory.summary}`);
    try {
      await began(server.port);
      start = performance.now();
      await soak.openAll();
      while (soak.rounds < fewestRounds || elapsedSeconds() < 60 * minutes) {
        await soak.round();
        if (soak.rounds % 10 === 0) said();
      }
      await soak.allAlive();
    } catch (error) {
      soak.logbook.fail(`round ${soak.rounds}: ${(error as Error).message}`);
    } finally {
      memory.stop();
      await soak.end();
    }
    return { logbook: soak.logbook, memory, rounds: soak.rounds, seconds: elapsedSeconds() };
  }

  private async openAll(): Promise<void> {
    const { port, krpcPorts, brpPort } = this.server;
    this.watchers.push(
      await SocketWatch.open(port, this.logbook),
      await KrpcWatch.open(krpcPorts, this.logbook),
      await BevyWatch.open(brpPort, this.logbook),
    );
    for (const client of Object.keys(OPENING) as (keyof Clients)[]) await this.open(client);
  }

  private async open(client: keyof Clients): Promise<void> {
    Object.assign(this.clients, { [client]: await OPENING[client](this.server.port, this.logbook) });
  }

  private async round(): Promise<void> {
    this.rounds++;
    await Promise.all([this.watchAndEdit(), this.useEvents(), this.changeCopies(), this.clients.chart.alive()]);
    await this.freezeStepAndReturn();
    await this.lookAround();
    await this.completeness.look(this.isFast);
    for (const [client, everyRounds] of COMES_BACK) if (this.rounds % everyRounds === 0) await this.comeBack(client);
    this.logbook.mustBeClean();
  }

  private async watchAndEdit(): Promise<void> {
    await this.clients.view.changeUnits(this.rounds);
    await this.clients.view.editText(this.rounds);
    this.logbook.did('units changed', 3);
    this.logbook.did('values edited', 2);
  }

  private async useEvents(): Promise<void> {
    await this.clients.viewer.fire();
    await this.clients.viewer.disableAndEnable();
    this.logbook.did('events fired');
    if (this.rounds % 3 !== 0) return;
    await this.clients.viewer.loadAndDelete();
    this.logbook.did('events loaded and deleted');
  }

  private async changeCopies(): Promise<void> {
    for (const mode of [1, 2, 0] as const) await this.clients.python.changeCopyMode(mode);
    this.logbook.did('copy modes changed', 3);
  }

  /** Freezes, steps, writes a checkpoint, changes variables, loads the checkpoint and runs on. */
  private async freezeStepAndReturn(): Promise<void> {
    const { control, python } = this.clients;
    await python.set('fx.all.w_i', `${this.rounds}`);
    await control.freeze();
    await control.step(3);
    this.logbook.did('steps', 3);
    const panel = await control.freeze();
    const length = await python.get('fx.all.w_d', 'm');
    const file = `soak_${this.rounds % FILES}`;
    await control.checkpoint(file);
    this.logbook.did('checkpoints written', 2);
    await python.set('fx.all.w_i', '-1');
    await python.set('fx.all.w_d', '1.5', 'km');
    await this.expect('fx.all.w_i', 'xx', /^-1 \{/);
    await control.load(file, panel.tics);
    await this.expect('fx.all.w_i', 'xx', new RegExp(`^${this.rounds} \\{`));
    demand(
      (await python.get('fx.all.w_d', 'm')) === length,
      `fx.all.w_d has come back as another number than ${length}`,
    );
    await this.goFarBack(panel);
    await control.run();
    await this.clients.events.alive();
    if (this.isFast) await control.switchRealTime();
  }

  /** Whether this round runs as fast as possible for a while. */
  private get isFast(): boolean {
    return this.rounds % FAST_ROUNDS === 0;
  }

  /** Loads the first checkpoint now and then; recordings and streams see time go back by minutes. */
  private async goFarBack(panel: Panel): Promise<void> {
    this.logbook.did('checkpoints loaded');
    if (!this.first) {
      await this.clients.control.checkpoint('soak_first');
      this.first = panel;
    } else if (this.rounds % FAR_BACK_ROUNDS === 0) {
      await this.clients.control.load('soak_first', this.first.tics);
      await this.expect('fx.all.w_i', 'xx', /^1 \{/);
      this.returns++;
      this.logbook.did('checkpoints loaded');
    }
  }

  private async expect(name: string, units: string, form: RegExp): Promise<void> {
    const value = await this.clients.python.get(name, units);
    demand(form.test(value), `expected ${name} as ${form}, not ${value}`);
  }

  private async lookAround(): Promise<void> {
    this.logbook.did('messages read', await this.clients.control.readMessages());
    if (this.rounds % 3 !== 1) return;
    await this.clients.view.readResourceFile();
    await this.clients.view.readSize();
    this.logbook.did('resource files read');
  }

  private async frameCount(): Promise<number> {
    return Number.parseInt(await this.clients.python.get('trick_sys.sched.frame_count'), 10);
  }

  private async comeBack(client: keyof Clients): Promise<void> {
    this.clients[client].drop();
    await this.open(client);
    this.logbook.did(`came back: ${client}`);
  }

  private async allAlive(): Promise<void> {
    await Promise.all(Object.values(this.clients).map((client: Clients[keyof Clients]) => client.alive()));
    demand(this.server.isRunning, 'the server has ended');
    demand(!/internal error/.test(this.server.output), 'the server has logged an internal error');
    this.logbook.mustBeClean();
  }

  /** Ends everything; a server that does not end is a failure. */
  private async end(): Promise<void> {
    for (const client of [...Object.values(this.clients), ...this.watchers]) client.drop();
    await this.server.stop().catch((error: Error) => this.logbook.fail(error.message));
    if (this.logbook.failures.length > 0) this.logbook.fail(`the server printed:\n${this.server.output.slice(-3000)}`);
    else this.checkRecordings();
    rmSync(this.directory, { recursive: true });
  }

  private checkRecordings(): void {
    const rows = readFileSync(join(this.directory, 'log_soak_text.csv'), 'utf8').trimEnd().split('\n');
    const odd = rows.slice(1).find((row) => !/^ *[\d.e+-]+, *-?[\d.e+-]+, *-?[\d.e+-]+$/.test(row));
    if (odd !== undefined || rows.length < 2) this.logbook.fail(`a recording of ${rows.length} rows with ${odd}`);
    this.logbook.did('rows recorded', rows.length - 1);
  }
}
