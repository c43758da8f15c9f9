// One run of many: from its seed and its drawn values to a row of the table.
import { reasonOf } from '../../simulation/executive/outside-stack.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import type { InputFiles } from '../../simulation/files/input-file.js';
import { run } from './run.js';
import type { RunResult } from './run-options.js';
import { type Drawn, failedRow, givenTo, type RunRow } from './run-row.js';

export interface DrawnOptions {
  readonly signal?: AbortSignal;
  /** Those of the input file that have been sent. */
  readonly sent?: InputFiles | undefined;
}

/** Never rejects: what goes wrong is in the row. */
export async function runDrawn(
  definition: SimulationDefinition,
  drawn: Drawn,
  options: DrawnOptions = {},
): Promise<RunRow> {
  const { run: number, seed } = drawn;
  try {
    const { timeSeconds, values, units, end } = await resultOf(definition, drawn, options);
    const ended = { run: number, seed, set: givenTo(drawn), timeSeconds, values, units };
    return end && end.exitCode !== 0 ? { ...ended, error: `exit code ${end.exitCode}: ${end.reason}` } : ended;
  } catch (thrown) {
    return failedRow(drawn, reasonOf(thrown));
  }
}

async function resultOf(
  definition: SimulationDefinition,
  { run: _, input, shown: __, ...given }: Drawn,
  { signal, sent }: DrawnOptions,
): Promise<RunResult> {
  const options = { ...given, ...(signal && { signal }) };
  if (!input) return run(definition, options);
  const { runInput } = await import('./input-run.js');
  if (sent) return runInput(definition, options, input, sent);
  const { writeMonteInput } = await import('./input-study.js');
  writeMonteInput(input);
  return runInput(definition, { ...options, ...input.here }, input);
}
