// One run of a simulation on the caller's thread: no server, no clock, as fast as it computes.

import { requireOptions } from '../../model/state/option-names.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { endOf, RUN_OPTIONS, type RunOptions, type RunResult } from './run-options.js';
import { SimulationRun, START_OPTIONS } from './simulation-run.js';
import { codeOf, endingWithProcess } from './under-way.js';

/** As `run` of the public interface. */
export async function run(definition: SimulationDefinition, options: RunOptions): Promise<RunResult> {
  requireOptions('a run', options, [...START_OPTIONS, ...RUN_OPTIONS]);
  if (options.inputFile !== undefined) return (await import('./input-run.js')).runInput(definition, options);
  const untilSeconds = endOf(options.untilSeconds, definition.options.terminateSeconds);
  const simulation = await SimulationRun.start(definition, options);
  return endingWithProcess(simulation, () => runStarted(simulation, definition, { ...options, untilSeconds }));
}

async function runStarted(
  simulation: SimulationRun,
  definition: SimulationDefinition,
  { untilSeconds, read = [], set = {}, record, signal }: RunOptions & { readonly untilSeconds: number },
): Promise<RunResult> {
  try {
    if (simulation.isFrozen && definition.options.startFrozen) simulation.run();
    for (const name of read) simulation.readNamed(name);
    const table = record && simulation.record(record);
    // A run that ends at its start has one tick, of no length.
    if (untilSeconds === 0) simulation.step();
    else if (!simulation.end && !simulation.isFrozen) await runTo(simulation, untilSeconds, signal);
    table?.finish();
    const { timeSeconds, end, isFrozen } = simulation;
    simulation.close(codeOf(signal));
    return {
      timeSeconds,
      end,
      isFrozen,
      isStopped: signal?.aborted ?? false,
      values: Object.fromEntries(read.map((name) => [name, simulation.readNamed(name)])),
      units: simulation.unitsOf([...read, ...Object.keys(set)]),
      // The sampler itself is not returned: it would keep the whole simulation in memory.
      recorded: { columns: table?.columns ?? ['time'], rows: table?.rows ?? [] },
      messages: [...simulation.messages],
    };
  } catch (error) {
    simulation.closeQuietly();
    throw error;
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
