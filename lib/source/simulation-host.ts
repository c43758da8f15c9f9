// The simulation's end of a source: builds it, answers requests, and drives its turns on its thread.
import { performance } from 'node:perf_hooks';
import type { Compile } from '../simulation/executive/conditions.js';
import type { Desk, DiskQuota } from '../simulation/executive/desk.js';
import { firstSentenceOf } from '../simulation/executive/load-simulation.js';
import type { Overlay } from '../simulation/executive/overlay.js';
import type { RunEnding } from '../simulation/executive/running-options.js';
import { RunningSimulation } from '../simulation/executive/running-simulation.js';
import type { SimulationDefinition } from '../simulation/executive/simulation.js';
import type { Vitals } from '../simulation/executive/vitals.js';
import { ALL_ABILITIES } from './abilities.js';
import { MessageRoom } from './message-room.js';
import type { FromSimulation, ToSimulation } from './protocol.js';
import type { SourceInfo } from './source.js';
import { threadNumber } from './this-thread.js';

export interface HostOptions {
  readonly arguments: readonly string[];
  /** Directory and file that the simulation was started from; clients can see them. */
  readonly directory: string;
  readonly file: string;
  /** Where the simulation's file lies. */
  readonly folder?: string;
  /** Where the simulation may write; never empty. */
  readonly runDirectory: string;
  /** The input file's name as given; with one, the simulation waits for the request that starts it. */
  readonly inputFile?: string;
  /** Whether its server starts it, which has values for it. Default: as an input file wants it. */
  readonly waitsForServer?: boolean;
  /** Objects that front-ends add to the simulation's own. Default: none. */
  readonly overlays?: readonly Overlay[];
  /** Compiles conditions of events that the server sends. Default: the server decides them. */
  readonly compile?: Compile;
  /** Where checkpoints are written and parsed. Default: on this thread, at once. */
  readonly desk?: Desk;
  readonly quota?: DiskQuota;
  /** Where the thread records what it is doing. */
  readonly vitals?: Vitals;
  /** Whether frames run when a program asks for them; by themselves when left out. */
  readonly isCalled?: boolean;
  /** How many frames are kept for readers that are behind. Default: as many as the ring holds. */
  readonly keptFrames?: number;
  /** Milliseconds since some fixed moment; a test passes its own. */
  readonly nowMillis?: () => number;
  /** The seed of the run, which changes every random stream. Default 0. */
  readonly seed?: number;
  /** Called when the simulation's own code, such as a job, has thrown. */
  readonly failed?: (error: Error) => void;
}

/** Jobs of the shutdown have so long when a server closes, whose thread for the simulation is soon terminated. */
const CLOSING_SHUTDOWN_MILLIS = 800;

export class SimulationHost {
  private isClosing = false;

  private constructor(
    readonly running: RunningSimulation,
    private readonly send: (message: FromSimulation) => void,
  ) {}

  /** Builds the simulation; sends `ready` once its first frame is in the ring. */
  static async start(
    definition: SimulationDefinition,
    options: HostOptions,
    send: (message: FromSimulation) => void,
  ): Promise<SimulationHost> {
    const {
      directory,
      file,
      folder,
      inputFile,
      runDirectory,
      overlays = [],
      nowMillis = () => performance.now(),
    } = options;
    const { vitals, desk, quota, compile } = options;
    if (vitals) vitals.thread = threadNumber();
    const room = new MessageRoom(nowMillis, (message) => send({ kind: 'message', message }));
    const running = await RunningSimulation.start(
      definition,
      {
        facts: { directory, program: file, inputFile: inputFile ?? file, runDirectory },
        overlays,
        waitsForInput: inputFile !== undefined || (options.waitsForServer ?? false),
        hasInputFile: inputFile !== undefined,
        arguments: options.arguments,
        nowMillis,
        seed: options.seed ?? 0,
        writesRows: options.isCalled ? 'each frame' : 'paced',
        isCalled: options.isCalled ?? false,
        ...(options.keptFrames !== undefined && { keptFrames: options.keptFrames }),
        ...(compile ? { compile } : {}),
        ...(vitals ? { vitals } : {}),
        ...(desk ? { desk } : {}),
        ...(quota ? { quota } : {}),
      },
      {
        layout: (layout) => send({ kind: 'layout', layout }),
        poke: () => send({ kind: 'poke' }),
        say: (level, text, timeSeconds, stack) =>
          room.say({ level, text, timeSeconds, ...(stack !== undefined && { stack }) }),
        ...(options.failed && { failed: options.failed }),
        faulty: (reason) => send({ kind: 'fault', reason }),
        ended: (reason, exitCode) => {
          room.end();
          send({ kind: 'ended', reason, exitCode });
        },
      },
    );
    const host = new SimulationHost(running, send);
    const { name, clock, keep } = definition.options;
    const info: SourceInfo = {
      name,
      clockLabel: clock?.label ?? 'sim_elapsed',
      directory,
      file,
      runDirectory,
      ...(folder !== undefined && { folder }),
      ...(inputFile === undefined ? {} : { inputFile }),
      ...(keep && { keep }),
    };
    send({ kind: 'ready', info, abilities: ALL_ABILITIES });
    return host;
  }

  get isOver(): boolean {
    return this.isClosing || this.running.isOver;
  }

  /** Freezes the simulation because its own code threw outside its jobs. */
  fail(thrown: unknown): void {
    this.running.fail(new Error(`the simulation failed: ${firstSentenceOf(thrown)}`, { cause: thrown }));
  }

  /** Ends the run: its jobs of the shutdown run, and recordings are written. */
  close(ending: RunEnding): void {
    this.isClosing = true;
    this.running.close(ending);
  }

  receive(message: ToSimulation): void {
    if (message.kind === 'close')
      this.close({ reason: 'the server is closing', shutdownMillis: CLOSING_SHUTDOWN_MILLIS });
    else if (message.kind === 'forget') this.running.forgetRequests();
    else this.running.submit(message.request, (outcome) => this.send({ kind: 'outcome', id: message.id, outcome }));
  }
}
