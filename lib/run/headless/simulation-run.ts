// A simulation without a server; its time moves only when its caller asks for frames.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mode } from '../../model/frame/header.js';
import type { Value } from '../../model/state/read.js';
import type { LogLevel } from '../../simulation/executive/log-level.js';
import { type Request, RequestError } from '../../simulation/executive/request.js';
import type { Outcome } from '../../simulation/executive/request-queue.js';
import { RunningSimulation } from '../../simulation/executive/running-simulation.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { requireSeed } from '../../simulation/integration/random.js';
import { readIn, readNamed, unitsOfAll, writeIn, writeNamed } from './named-values.js';
import { type RecordTable, Sampler } from './sampler.js';

/** Options of a simulation in a test. */
export interface StartOptions {
  /** The arguments that follow `--` on the command line. Default: none. */
  readonly arguments?: readonly string[];
  /** Values by path, or by path and units (`ball.height{cm}`), set before the jobs of its initialization. */
  readonly set?: Readonly<Record<string, Value>>;
  /** The seed of the run, a whole number, which changes every random stream. Default 0. */
  readonly seed?: number;
  /** Called with each message of the simulation and its executive. */
  readonly say?: (message: RunMessage) => void;
  /** Directory for recordings and checkpoints. Default: a temporary directory, which `close` removes. */
  readonly runDirectory?: string;
}

export const START_OPTIONS = Object.keys({
  arguments: true,
  set: true,
  seed: true,
  say: true,
  runDirectory: true,
} satisfies Record<keyof StartOptions, true>);

/** A message of the simulation or its executive. */
export interface RunMessage {
  readonly level: LogLevel;
  readonly text: string;
  /** Simulation time of the message. */
  readonly timeSeconds: number;
}

/** How a run ended by itself. */
export interface RunEnd {
  readonly reason: string;
  /** The exit code that a process would have. */
  readonly exitCode: number;
}

/** A frame that should end at a time has ended there if it is this close: half a tic. */
const HALF_A_TIC_SECONDS = 0.5e-6;

/**
 * A running simulation on the caller's thread. It has its own clock: real time never passes, and each frame takes only
 * as long as its computation. `read` returns what clients see now.
 */
export class SimulationRun {
  /** All messages so far, oldest first. */
  readonly messages: RunMessage[] = [];
  private running!: RunningSimulation;
  private nowMillis = 0;
  private failure: Error | undefined;
  private endedAs: RunEnd | undefined;
  private events: { close(): void } | undefined;

  private constructor(private readonly temporaryDirectory: string | undefined) {}

  /**
   * Builds a simulation on this thread and makes its first frame, at time 0. Rejects with what its build or a job of
   * its initialization throws, and with a RequestError for a value in `set` that does not fit.
   */
  static async start(definition: SimulationDefinition, options: StartOptions = {}): Promise<SimulationRun> {
    const temporary = options.runDirectory === undefined ? join(tmpdir(), `varwire-${randomUUID()}`) : undefined;
    const run = new SimulationRun(temporary);
    const runDirectory = options.runDirectory ?? (temporary as string);
    run.running = await RunningSimulation.start(
      definition,
      {
        facts: { directory: process.cwd(), program: 'varwire', inputFile: definition.options.name, runDirectory },
        arguments: options.arguments ?? [],
        nowMillis: () => run.nowMillis,
        waitsForInput: true,
        hasReaders: false,
        seed: requireSeed(options.seed ?? 0),
      },
      {
        layout: () => {},
        poke: () => {},
        say: (level, text, timeSeconds) => {
          const message = { level, text, timeSeconds };
          run.messages.push(message);
          options.say?.(message);
        },
        failed: (error) => {
          run.failure ??= error;
        },
        ended: (reason, exitCode) => {
          run.endedAs = { reason, exitCode };
        },
      },
    );
    try {
      await run.evaluateEvents(definition.options.name);
      run.begin(options.set ?? {});
    } catch (error) {
      run.closeQuietly();
      throw error;
    }
    return run;
  }

  /** Simulation time in seconds. */
  get timeSeconds(): number {
    return this.running.executive.timeSeconds;
  }

  get isFrozen(): boolean {
    return this.running.executive.mode === Mode.freeze;
  }

  /** How the simulation has ended; undefined while it runs. */
  get end(): RunEnd | undefined {
    return this.endedAs;
  }

  /**
   * Runs frames; it stops early when the simulation freezes or ends. Throws what a job throws, as an Error that begins
   * with `job <name> failed` and has the original error as its cause; the simulation is frozen then. Throws a
   * RangeError for a number of frames that is not valid, and an Error when the simulation is already frozen or at its
   * end.
   * @returns how many frames have run.
   */
  step(frames = 1): number {
    if (!Number.isSafeInteger(frames) || frames < 1) {
      throw new RangeError(`a step is a whole number of frames from 1 up, not ${frames}`);
    }
    this.requireRunning();
    let ran = 0;
    while (ran < frames && !this.running.executive.isHeld) {
      this.runFrame();
      ran++;
    }
    return ran;
  }

  /**
   * Runs frames until `seconds` of simulation time have passed, up to the first end of a frame at or after that. It
   * stops early when the simulation freezes or ends. Throws as `step` does.
   */
  runFor(seconds: number): void {
    this.runWhile(this.endAfter(seconds), () => true);
  }

  /** Runs frames up to a simulation time, or until `goesOn`, called after each, is false. Throws as `step` does. */
  runTo(timeSeconds: number, goesOn: () => boolean): void {
    this.runWhile(timeSeconds, goesOn);
  }

  /**
   * Runs frames until a condition holds; none if it already holds. Throws an Error that names the time when the
   * condition does not hold within `withinSeconds` of simulation time, or when the simulation freezes or ends first.
   * Otherwise throws as `step` does.
   * @param condition checked before each frame and after the last.
   */
  waitUntil(condition: () => boolean, withinSeconds: number): void {
    const endSeconds = this.endAfter(withinSeconds);
    if (condition()) return;
    let holds = false;
    this.runWhile(endSeconds, () => {
      holds = condition();
      return !holds;
    });
    if (holds) return;
    const why = this.standstill ?? `${withinSeconds} s have passed`;
    throw new Error(`what was waited for has not come: ${why} at ${this.timeSeconds} s`);
  }

  /**
   * The value of a variable: enumerations as labels (a number that has none stays), 64-bit integers as bigint, arrays as
   * lists, structures as objects, null pointers as null. Undefined while a pointer on its path is null or an index is too large. Throws
   * an Error with the nearest names for an unknown path, and a UnitsError for units that do not convert.
   * @param units to convert numbers to, such as `cm`.
   */
  read(path: string, units?: string): Value | undefined {
    return readIn(this.running, path, units);
  }

  /** As `read`, of a name that may have units behind it: `ball.height{cm}`. */
  readNamed(name: string): Value | undefined {
    return readNamed(this.running, name);
  }

  /** The units of variables, by their names. */
  unitsOf(names: readonly string[]): Readonly<Record<string, string>> {
    return unitsOfAll(this.running, names);
  }

  /**
   * Stores a value between frames: it must fit the variable's type, so an integer takes whole numbers in its range; labels
   * of enumerations are accepted. Throws a RequestError for a value that does not fit or a read-only variable, and a
   * UnitsError for units that do not convert.
   * @param units of the given numbers; the variable's own when left out.
   */
  write(path: string, value: Value, units = ''): void {
    this.ask({ kind: 'write', writes: [writeIn(this.running, path, value, units, { takesNaN: true })] });
  }

  /**
   * Calls a function of the simulation, as `trick.kick(3, 5)` does, and returns its result. Throws a RequestError when
   * there is no such function or it throws.
   */
  call(name: string, ...values: readonly Value[]): Value | undefined {
    return this.ask({ kind: 'call', name, values });
  }

  freeze(): void {
    this.ask({ kind: 'control', control: { action: 'freeze' } });
  }

  /** Ends a freeze; time continues with the next requested frame. */
  run(): void {
    this.ask({ kind: 'control', control: { action: 'run' } });
  }

  /** Keeps a table from now on. Throws a RequestError for a variable that does not exist. */
  record(table: RecordTable): Sampler {
    return new Sampler(this.running.executive, table, (name) => this.readNamed(name));
  }

  /**
   * Ends the simulation, with its jobs of the shutdown, and closes its recordings; does nothing when it has ended.
   * Throws what a job of the shutdown throws.
   * @param exitCode the exit code of the process; when left out 0, or 1 for a run that a fault has frozen.
   */
  close(exitCode?: number): void {
    this.running.close({ reason: 'closed', exitCode });
    this.events?.close();
    if (this.temporaryDirectory !== undefined) rmSync(this.temporaryDirectory, { recursive: true, force: true });
    this.throwFailure();
  }

  /** Ends the simulation because the process ends, perhaps in the middle of a job. */
  leave(exitCode: number): void {
    this.running.close({ reason: 'the process has ended', exitCode, isLast: true });
  }

  /** Ends the simulation after an error, which counts more than one of a job of the shutdown. */
  closeQuietly(): void {
    try {
      this.close();
    } catch {}
  }

  /** What evaluates events is loaded only for a simulation that has some. */
  private async evaluateEvents(name: string): Promise<void> {
    if (this.running.state.events.size === 0) return;
    const { eventsHere } = await import('../serve/events-here.js');
    this.events = eventsHere(this.running, name);
  }

  private begin(set: Readonly<Record<string, Value>>): void {
    this.throwFailure();
    const writes = Object.entries(set).map(([name, value]) => writeNamed(this.running, name, value));
    if (writes.length > 0) this.ask({ kind: 'write', writes });
    this.ask({ kind: 'control', control: { action: 'start' } });
  }

  private runFrame(): void {
    const { executive } = this.running;
    this.nowMillis += (1000 * executive.softwareFrameTics) / executive.ticsPerSecond;
    this.running.advance();
    this.throwFailure();
  }

  private runWhile(endSeconds: number, goesOn: () => boolean): void {
    this.requireRunning();
    const { executive } = this.running;
    while (!executive.isHeld && executive.timeSeconds < endSeconds - HALF_A_TIC_SECONDS) {
      this.runFrame();
      if (!goesOn()) return;
    }
  }

  private endAfter(seconds: number): number {
    if (!(seconds > 0 && Number.isFinite(seconds))) {
      throw new RangeError(`a time to run is a number of seconds above 0, not ${seconds}`);
    }
    return this.timeSeconds + seconds;
  }

  /** Why no frame can run; undefined while frames can. */
  private get standstill(): string | undefined {
    if (this.endedAs) return `the simulation has ended (${this.endedAs.reason})`;
    return this.running.executive.isHeld ? 'the simulation is frozen' : undefined;
  }

  private requireRunning(): void {
    const why = this.standstill;
    if (why === undefined) return;
    throw new Error(`no frame can run, ${why} at ${this.timeSeconds} s${this.endedAs ? '' : '; run() ends a freeze'}`);
  }

  private ask(request: Request): Value | undefined {
    let outcome: Outcome = { error: 'the simulation has ended' };
    this.running.submit(request, (given) => {
      outcome = given;
    });
    this.running.applyRequests();
    this.throwFailure();
    const { error, value } = outcome as { readonly error?: string; readonly value?: Value };
    if (error !== undefined) throw new RequestError(error);
    return value;
  }

  /** Throws an error of the simulation's own code, once, if there was one since the last call. */
  private throwFailure(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure) throw failure;
  }
}
