// One run of many: from its seed and its drawn values to a row of the table.
import { reasonOf } from '../../simulation/executive/outside-stack.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { run } from './run.js';
import type { RunResult } from './run-options.js';
import { type Drawn, failedRow, givenTo, type RunRow } from './run-row.js';

/** Never rejects: what goes wrong is in the row. */
export async function runDrawn(definition: SimulationDefinition, drawn: Drawn, signal?: AbortSignal): Promise<RunRow> {
  const { run: number, seed } = drawn;
  try {
    const { timeSeconds, values, units, end } = await resultOf(definition, drawn, signal);
    const ended = { run: number, seed, set: givenTo(drawn), timeSeconds, values, units };
    return end && end.exitCode !== 0 ? { ...ended, error: `exit code ${end.exitCode}: ${end.reason}` } : ended;
  } catch (thrown) {
    return failedRow(drawn, reasonOf(thrown));
  }
}

async function resultOf(
  definition: SimulationDefinition,
  { run: _, input, shown: __, ...given }: Drawn,
  signal?: AbortSignal,
): Promise<RunResult> {
  const options = { ...given, ...(signal && { signal }) };
  if (!input) return run(definition, options);
  const { runInput } = await import('./input-run.js');
  const { writeMonteInput } = await import('./input-study.js');
  writeMonteInput(input);
  const { inputFile, inputDirectories, runDirectory } = input;
  return runInput(definition, { ...options, inputFile, inputDirectories, runDirectory }, input);
}
