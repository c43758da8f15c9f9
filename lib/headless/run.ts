// One run of a simulation on the caller's thread: no server, no clock, as fast as it computes.
import type { SimulationDefinition } from '../executive/simulation.js';
import { requireOptions } from '../model/option-names.js';
import { RUN_OPTIONS, type RunOptions, type RunResult, requireEnd } from './run-options.js';
import { SimulationRun, START_OPTIONS } from './simulation-run.js';

/** As `run` of the public interface. */
export async function run(definition: SimulationDefinition, options: RunOptions): Promise<RunResult> {
  requireOptions('a run', options, [...START_OPTIONS, ...RUN_OPTIONS]);
  if (options.inputFile !== undefined) return (await import('./input-run.js')).runInput(definition, options);
  const { untilSeconds = definition.options.terminateSeconds, read = [], record } = options;
  requireEnd(untilSeconds);
  const simulation = await SimulationRun.start(definition, options);
  if (underWay.size === 0) process.on('exit', leave);
  underWay.add(simulation);
  try {
    if (simulation.isFrozen && definition.options.startFrozen) simulation.run();
    for (const name of read) simulation.readNamed(name);
    const table = record && simulation.record(record);
    if (!simulation.end && !simulation.isFrozen) await runTo(simulation, untilSeconds, options.signal);
    table?.finish();
    const { timeSeconds, end, isFrozen } = simulation;
    const isStopped = options.signal?.aborted ?? false;
    simulation.close(isStopped ? codeOf(options.signal) : undefined);
    return {
      timeSeconds,
      end,
      isFrozen,
      isStopped,
      values: Object.fromEntries(read.map((name) => [name, simulation.readNamed(name)])),
      // The sampler itself is not returned: it would keep the whole simulation in memory.
      recorded: { columns: table?.columns ?? ['time'], rows: table?.rows ?? [] },
      messages: [...simulation.messages],
    };
  } catch (error) {
    simulation.closeQuietly();
    throw error;
  } finally {
    underWay.delete(simulation);
    if (underWay.size === 0) process.off('exit', leave);
  }
}

/** The exit code that a signal gives as its reason; undefined when it gives another one. */
const codeOf = (signal?: AbortSignal): number | undefined =>
  Number.isInteger(signal?.reason) ? (signal?.reason as number) : undefined;

/** Runs that go on: their code may end the process. */
const underWay = new Set<SimulationRun>();

function leave(code: number): void {
  for (const simulation of underWay) simulation.leave(code);
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
