// Serves a simulation that stays on the caller's thread; the sockets are on a worker thread beside it.

import { dirname, resolve } from 'node:path';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { requireOptions } from '../../model/state/option-names.js';
import { thrownText } from '../../model/state/thrown.js';
import type { Desk } from '../../simulation/executive/desk.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { Vitals } from '../../simulation/executive/vitals.js';
import { driveByTimers, receiveAll } from '../../source/drive.js';
import type { FromSimulation, ToSimulation } from '../../source/protocol.js';
import type { SimulationHost } from '../../source/simulation-host.js';
import { startThread } from '../../source/start-thread.js';
import { stopWorker } from '../../source/stop-worker.js';
import type { BesideAccess } from './beside-access.js';
import type { BesideServeOptions, FromServer, ServedAt, ServerStart } from './beside-protocol.js';
import type { AnyVariables, InProcess } from './in-process.js';
import { BESIDE_OPTIONS, type OwnThreadOptions, runDirectoryOf, type ServeOptions } from './options.js';
import { OVERLAYS } from './overlays.js';
import type { RunningEndpoint } from './running-endpoint.js';
import { ServedProgram } from './served-program.js';
import { SERVER_MEMORY } from './young-memory.js';

/** Options of `serveBeside`: those of `serve`, and who keeps the time. */
export interface BesideOptions extends Omit<ServeOptions, OwnThreadOptions> {
  /**
   * `timers` (default) runs the frames by timers of this thread, in real time unless the simulation says otherwise.
   * `caller` runs one frame with each call of `advance`; the program then keeps real time itself.
   */
  readonly drive?: 'timers' | 'caller';
  /** Directory and file that clients are shown. Default: the working directory and the program's name. */
  readonly directory?: string;
  readonly file?: string;
}

const OPTIONS = Object.keys({
  ...BESIDE_OPTIONS,
  drive: true,
  directory: true,
  file: true,
} satisfies Record<keyof BesideOptions, true>);

/**
 * A simulation that is served from a thread beside it. `get` reads what clients see now, and `set`, `call` and `control` act
 * between two frames: with timers in the next turn, with `advance` at the next `await`, or in the next call of `advance`.
 */
export interface ServedBeside<V extends object = AnyVariables> extends ServedAt, InProcess<V> {
  /** Resolves when the simulation or its server has ended, with the reason. */
  readonly ended: Promise<string>;
  /**
   * Applies what clients have asked for and runs one frame now; in a freeze, time does not advance. It also works in a
   * loop that never returns to the event loop. Returns false once the simulation has ended. Throws when `drive` is
   * `timers`.
   */
  advance(): boolean;
  /** Closes the sockets and ends the simulation. */
  close(): Promise<void>;
}

/**
 * Builds a simulation on this thread and serves it from another one, so that a busy program does not slow its clients
 * and clients do not slow the program. Rejects with one sentence when it cannot be built or served.
 *
 *     const served = await serveBeside(simulation({ name: 'plant', frameSeconds: 0.1 }, (sim) => { ... }), { drive: 'caller' });
 *     while (served.advance()) await somethingElse();
 */
export async function serveBeside<V extends object = AnyVariables>(
  definition: SimulationDefinition,
  options: BesideOptions = {},
): Promise<ServedBeside<V>> {
  requireOptions('serveBeside', options, OPTIONS);
  const { port1, port2 } = new MessageChannel();
  const served = new ThreadedServer(port1);
  try {
    await served.build(definition, options);
    await served.serve(port2, options);
  } catch (error) {
    await served.close();
    throw error;
  }
  served.drive(options.drive ?? 'timers');
  return served as ServedBeside as ServedBeside<V>;
}

class ThreadedServer extends ServedProgram implements ServedBeside {
  readonly ended: Promise<string>;
  private end!: (reason: string) => void;
  private simulation: SimulationHost | undefined;
  private server: { readonly worker: Worker; readonly exited: Promise<void> } | undefined;
  private at: ServedAt | undefined;
  private isDrivenByCaller = false;
  private desk: Desk | undefined;
  /** What this thread is doing, for the server's thread to see. */
  private readonly vitals = new Vitals();
  private requested: () => void = () => this.applyRequests();
  private soon: NodeJS.Immediate | undefined;
  private access: BesideAccess | undefined;
  private readonly leave = (exitCode: number): void =>
    this.simulation?.close({ reason: 'the program has ended', exitCode, isLast: true });

  constructor(private readonly toServer: MessagePort) {
    super();
    this.ended = new Promise((resolve) => {
      this.end = (reason) => {
        this.access?.end(reason);
        resolve(reason);
      };
    });
  }

  get host(): string {
    return this.served.host;
  }
  get port(): number {
    return this.served.port;
  }
  get endpoints(): readonly RunningEndpoint[] {
    return this.served.endpoints;
  }

  async build(definition: SimulationDefinition, options: BesideOptions): Promise<void> {
    const { directory = process.cwd(), file = process.argv[1] ?? 'node', inputFile } = options;
    const hostOptions = {
      arguments: options.arguments ?? [],
      directory,
      file,
      folder: dirname(resolve(directory, file)),
      runDirectory: runDirectoryOf(options),
      waitsForServer: options.set !== undefined,
      overlays: OVERLAYS,
      vitals: this.vitals,
      isCalled: options.drive === 'caller',
      ...(await this.partsOf(options)),
      ...(inputFile === undefined ? {} : { inputFile }),
    };
    const isRealTime = options.drive === 'caller' ? { realTime: false } : {};
    // Loaded only here: a program that serves a simulation file has no simulation on its own thread.
    const [{ SimulationHost }, { BesideAccess }, { COMPILE: compile }] = await Promise.all([
      import('../../source/simulation-host.js'),
      import('./beside-access.js'),
      import('./conditions.js'),
    ]);
    const driven = { ...definition, options: { ...definition.options, ...isRealTime } };
    this.simulation = await SimulationHost.start(driven, { ...hostOptions, compile }, (message) => this.send(message));
    process.once('exit', this.leave);
    this.access = new BesideAccess(this.simulation.running, () => this.requested());
    this.toServer.on('message', (message: ToSimulation) => {
      this.simulation?.receive(message);
      this.requested();
    });
  }

  /** The parts that a simulation is served with; each is loaded when it is needed. */
  private async partsOf(options: BesideOptions) {
    const [{ DeskThread }, { DiskQuota }] = await Promise.all([
      import('../../source/desk-thread.js'),
      import('../../simulation/executive/desk.js'),
    ]);
    const quota = new DiskQuota(options.diskQuotaBytes, this.vitals.quotaWords);
    const start = {
      runDirectory: runDirectoryOf(options),
      quota: { limitBytes: quota.limitBytes, words: quota.words },
      wake: undefined,
    };
    const entry = new URL('./desk-worker.js', import.meta.url);
    const desk = new DeskThread(entry, start, () => this.requested());
    desk.showIn(this.vitals);
    this.desk = desk;
    return { quota, desk };
  }

  /** Starts the server's thread; the simulation's earlier messages wait in the port for it. */
  async serve(
    port: MessagePort,
    { drive, directory, file, log = () => undefined, ...rest }: BesideOptions,
  ): Promise<void> {
    const options: BesideServeOptions = rest;
    const start: ServerStart = { options, port, vitals: this.vitals.buffer };
    const worker = startThread(new URL('./server-worker.js', import.meta.url), {
      workerData: start,
      transferList: [port],
      resourceLimits: SERVER_MEMORY,
    });
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.server = { worker, exited };
    this.at = await new Promise<ServedAt>((resolve, reject) => {
      worker.on('message', (message: FromServer) => {
        if (message.kind === 'serving') resolve(message.at);
        else if (message.kind === 'refused') reject(new Error(message.error));
        else log(message.level, message.text, message.facts);
      });
      worker.once('error', (error) => {
        reject(error);
        this.end(`the server's thread failed: ${thrownText(error)}`);
      });
      worker.once('exit', () => {
        reject(new Error("the server's thread ended before it served"));
        this.end("the server's thread has ended");
        this.toServer.close();
      });
    });
  }

  drive(by: 'timers' | 'caller'): void {
    this.isDrivenByCaller = by === 'caller';
    if (this.simulation && by === 'timers') this.requested = driveByTimers(this.simulation);
  }

  advance(): boolean {
    if (!this.isDrivenByCaller)
      throw new Error("timers drive this simulation: serve it with { drive: 'caller' } to advance it");
    const { simulation } = this;
    if (!simulation || simulation.isOver) return false;
    receiveAll(simulation, this.toServer);
    simulation.running.advance();
    this.goOn();
    return !simulation.isOver;
  }

  private applyRequests(): void {
    this.simulation?.running.applyRequests();
    this.goOn();
  }

  /** A program that waits for an answer advances nothing: what takes longer than a slice goes on by itself. */
  private goOn(): void {
    const { simulation } = this;
    if (!simulation || simulation.isOver || !simulation.running.isBehind) return;
    this.soon ??= setImmediate(() => {
      this.soon = undefined;
      this.requested();
    });
  }

  async close(): Promise<void> {
    this.simulation?.close({ reason: 'closed by the program' });
    process.off('exit', this.leave);
    this.end('closed by the program');
    this.requested();
    this.server?.worker.postMessage({ kind: 'close' });
    if (this.server) await stopWorker(this.server.worker, this.server.exited);
    this.toServer.close();
    await this.desk?.close();
  }

  private send(message: FromSimulation): void {
    this.toServer.postMessage(message);
    if (message.kind === 'ended') this.end(message.reason);
  }

  protected get program(): BesideAccess {
    if (!this.access) throw new Error('the simulation has not been built yet');
    return this.access;
  }

  private get served(): ServedAt {
    if (!this.at) throw new Error('the server has not started yet');
    return this.at;
  }
}
