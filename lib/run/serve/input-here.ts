// A simulation with its input file on this thread, without ports and without a clock: the file runs as in a server.
import { setImmediate as immediate } from 'node:timers/promises';
import { Mode } from '../../model/frame/header.js';
import type { TrickFrontEnd } from '../../protocols/trick/front-end/front-end.js';
import type { Study, StudyPart } from '../../protocols/trick/monte-carlo/study.js';
import { systemClock } from '../../serving/scheduling/clock.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import { Trust } from '../../serving/trust/trust.js';
import type { Write } from '../../simulation/executive/request.js';
import type { RunningSimulation } from '../../simulation/executive/running-simulation.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import type { InputFiles } from '../../simulation/files/input-file.js';
import { RemoteSource } from '../../source/remote-source.js';
import { SimulationHost } from '../../source/simulation-host.js';
import type { Answer, Request, SimMessage } from '../../source/source.js';
import { COMPILE } from './conditions.js';
import { runInputFile } from './input-run.js';
import { DEFAULT_HOST } from './options.js';
import { OVERLAYS } from './overlays.js';
import { ServerLog } from './server-log.js';
import { createTrick } from './trick.js';

export interface InputHereOptions {
  /** The input file, and what it may read. */
  readonly files: InputFiles;
  readonly arguments: readonly string[];
  readonly runDirectory: string;
  readonly seed: number;
  readonly say: (message: SimMessage) => void;
  /** The part of the simulation in a Monte Carlo. Default: none. */
  readonly studyPart?: StudyPart;
  /** Leaves what is under way: the input file, the initialization, the frames. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns run together for so long before the event loop has its turn. */
const SLICE_MILLIS = 10;
/** Frames are read as they come; more of them would only take time to make room for. */
const KEPT_FRAMES = 16;
/** A frame that should end at a time has ended there if it is this close: half a tic. */
const HALF_A_TIC_SECONDS = 0.5e-6;

export class InputHere {
  private constructor(
    private readonly failure: { readonly error?: Error },
    private readonly host: SimulationHost,
    private readonly source: HereSource,
    private readonly registry: SessionRegistry,
    private readonly trick: TrickFrontEnd,
    private readonly files: InputFiles,
    private readonly signal: AbortSignal | undefined,
    private readonly log: ServerLog,
  ) {}

  /** Rejects with what the build throws, and with the sentence that says where the input file failed. */
  static async start(definition: SimulationDefinition, options: InputHereOptions): Promise<InputHere> {
    const { files, arguments: given, runDirectory, seed } = options;
    const source = new HereSource();
    const failure: { error?: Error } = {};
    const unpaced = { ...definition, options: { ...definition.options, realTime: false } };
    const hostOptions = {
      arguments: given,
      directory: process.cwd(),
      file: definition.options.name,
      runDirectory,
      inputFile: files.name,
      overlays: OVERLAYS,
      compile: COMPILE,
      keptFrames: KEPT_FRAMES,
      seed,
      failed: (error: Error): void => {
        failure.error ??= error;
      },
    };
    const log = new ServerLog(source, (level, text, { simSeconds = 0 } = {}) =>
      options.say({ level, text, timeSeconds: Number(simSeconds) }),
    );
    const host = await SimulationHost.start(unpaced, hostOptions, (message) => source.receive(message));
    source.host = host;
    const registry = new SessionRegistry(source);
    const trust = new Trust({}, DEFAULT_HOST, systemClock);
    const noPort = () => Promise.reject(new Error('a run without a server opens no ports'));
    const { studyPart } = options;
    const parts = { registry, options: {}, trust, openEndpoint: noPort, serverLog: log };
    const trick = createTrick(studyPart ? { ...parts, studyPart } : parts);
    const here = new InputHere(failure, host, source, registry, trick, files, options.signal, log);
    try {
      await here.whileTurning(runInputFile(trick, files));
    } catch (error) {
      await here.close();
      throw error;
    }
    return here;
  }

  get running(): RunningSimulation {
    return this.host.running;
  }

  /** What the input file says of Monte Carlo runs. */
  get study(): Study {
    return this.trick.server.study;
  }

  /** Runs more text of the operator's after the input file. Rejects with what Python would print. */
  async runText(name: string, text: string): Promise<void> {
    const { files } = this;
    await this.whileTurning(this.trick.runInput({ name, text, files }));
  }

  /** How the simulation has ended by itself; undefined while it runs. */
  get end(): { readonly reason: string; readonly exitCode: number } | undefined {
    let end: { readonly reason: string; readonly exitCode: number } | undefined;
    this.source.onEnd((reason, exitCode) => {
      end = { reason, exitCode };
    })();
    return end;
  }

  /** Stores values, after what the input file has stored. Rejects with the sentence of a value that does not fit. */
  async write(writes: readonly Write[]): Promise<void> {
    if (writes.length > 0) await this.ask({ kind: 'write', writes });
  }

  /** Runs the jobs of the initialization, unless the input file has ended the run. Throws what a job throws. */
  async begin(isFrozen: boolean): Promise<void> {
    const { host, running } = this;
    if (!host.isOver) await this.ask({ kind: 'control', control: { action: 'start' } });
    if (isFrozen && running.executive.mode === Mode.freeze)
      await this.ask({ kind: 'control', control: { action: 'run' } });
    this.throwFailure();
  }

  /** Throws what the simulation's own code has thrown. */
  throwFailure(): void {
    if (this.failure.error) throw this.failure.error;
  }

  private async ask(request: Request): Promise<void> {
    await this.whileTurning(this.source.submit(request));
  }

  /** Runs frames up to a time, or until it freezes, ends, or the signal comes. Throws what a job throws. */
  async runTo(untilSeconds: number): Promise<void> {
    const { host, running, signal } = this;
    const isBefore = (): boolean => running.executive.timeSeconds < untilSeconds - HALF_A_TIC_SECONDS;
    for (let sliceEnd = 0; !host.isOver && !running.executive.isHeld && isBefore() && !signal?.aborted; ) {
      const waitMillis = running.turn();
      // It waits for texts of this time; they run on this thread.
      if (waitMillis === 0 && performance.now() < sliceEnd) continue;
      await immediate();
      sliceEnd = performance.now() + SLICE_MILLIS;
    }
    this.throwFailure();
  }

  /** Ends the simulation, if it has not ended by itself, with its texts. */
  async close(exitCode?: number): Promise<void> {
    this.host.close({ reason: 'closed', exitCode });
    await this.trick.close();
    this.registry.close();
    await this.source.close();
    const { finishHdf5 } = await import('../../source/recording/hdf5-recordings.js');
    await finishHdf5(this.source.info.runDirectory, (sentence) => this.log.say('warning', sentence));
  }

  /** Ends the simulation because the process ends. */
  leave(exitCode: number): void {
    this.host.close({ reason: 'the process has ended', exitCode, isLast: true });
  }

  private async whileTurning(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    while (!isDone && !this.signal?.aborted) {
      if (!this.host.isOver) this.running.turn();
      await immediate();
    }
    if (isDone) await work;
  }
}

/** The simulation of this thread as a source. */
class HereSource extends RemoteSource {
  host: SimulationHost | undefined;
  private hasToldPace = false;

  constructor() {
    super(
      (message) => this.host?.receive(message),
      async () => undefined,
    );
  }

  override submit(request: Request): Promise<Answer> {
    if (request.kind !== 'control' || request.control.action !== 'real-time' || !request.control.enabled)
      return super.submit(request);
    if (!this.hasToldPace) this.host?.running.say('real_time_enable is taken: without a server nothing paces the run');
    this.hasToldPace = true;
    return super.submit({ kind: 'control', control: { action: 'real-time', enabled: false } });
  }
}
