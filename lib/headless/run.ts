// One run of a simulation on the caller's thread: no server, no clock, as fast as it computes.
import type { SimulationDefinition } from '../executive/simulation.js';
import { requireOptions } from '../model/option-names.js';
import type { Value } from '../model/read.js';
import type { Recorded, RecordTable } from './sampler.js';
import { type RunEnd, type RunMessage, SimulationRun, START_OPTIONS, type StartOptions } from './simulation-run.js';

/** Options of `run`. */
export interface RunOptions extends StartOptions {
  /** Simulation time in seconds at which the run ends. Default: the simulation's terminate time, which is needed then. */
  readonly untilSeconds?: number;
  /** Paths of variables whose last values are returned; `ball.height{cm}` in other units. */
  readonly read?: readonly string[];
  /** Variables to keep a table of. */
  readonly record?: RecordTable;
  /** Ends the run early, between two frames. */
  readonly signal?: AbortSignal;
}

const RUN_OPTIONS = Object.keys({
  untilSeconds: true,
  read: true,
  record: true,
  signal: true,
} satisfies Record<Exclude<keyof RunOptions, keyof StartOptions>, true>);

/** What a run gives. */
export interface RunResult {
  /** Simulation time at the end. */
  readonly timeSeconds: number;
  /** How the simulation has ended by itself; undefined when it ran until the asked time or froze. */
  readonly end: RunEnd | undefined;
  /** Whether its own code froze it before the asked time. */
  readonly isFrozen: boolean;
  /** Whether the signal has ended it. */
  readonly isStopped: boolean;
  /** The last values of what `read` names, by its names; enumerations are labels. */
  readonly values: Readonly<Record<string, Value | undefined>>;
  readonly recorded: Recorded;
  readonly messages: readonly RunMessage[];
}

/** As `run` of the public interface. */
export async function run(definition: SimulationDefinition, options: RunOptions): Promise<RunResult> {
  requireOptions('a run', options, [...START_OPTIONS, ...RUN_OPTIONS]);
  const { untilSeconds = definition.options.terminateSeconds, read = [], record } = options;
  if (untilSeconds === undefined)
    throw new RangeError(
      'a run needs a time to end: untilSeconds (--until), or the terminateSeconds of the simulation',
    );
  if (!(untilSeconds > 0 && untilSeconds < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`a run ends at a time in seconds above 0, not ${untilSeconds}`);
  }
  const simulation = await SimulationRun.start(definition, options);
  try {
    if (simulation.isFrozen && definition.options.startFrozen) simulation.run();
    for (const name of read) simulation.readNamed(name);
    const table = record && simulation.record(record);
    if (!simulation.end && !simulation.isFrozen) await runTo(simulation, untilSeconds, options.signal);
    table?.finish();
    return {
      timeSeconds: simulation.timeSeconds,
      end: simulation.end,
      isFrozen: simulation.isFrozen,
      isStopped: options.signal?.aborted ?? false,
      values: Object.fromEntries(read.map((name) => [name, simulation.readNamed(name)])),
      // The sampler itself is not returned: it would keep the whole simulation in memory.
      recorded: { columns: table?.columns ?? ['time'], rows: table?.rows ?? [] },
      messages: [...simulation.messages],
    };
  } finally {
    simulation.close();
  }
}

/** How long frames run before this thread looks for a signal. */
const SLICE_MILLIS = 20;

async function runTo(simulation: SimulationRun, untilSeconds: number, signal?: AbortSignal): Promise<void> {
  if (!signal) {
    simulation.runFor(untilSeconds - simulation.timeSeconds);
    return;
  }
  // A slice may end with the frame that ends or freezes the simulation.
  for (let isOver = false; !isOver && !signal.aborted && !simulation.isFrozen && !simulation.end; ) {
    const sliceEnd = performance.now() + SLICE_MILLIS;
    isOver = true;
    simulation.runTo(untilSeconds, () => {
      isOver = performance.now() < sliceEnd;
      return isOver;
    });
    if (!isOver) await new Promise((resolve) => setImmediate(resolve));
  }
}
