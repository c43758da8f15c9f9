// An FMU as a simulation of its own.
import { basename } from 'node:path';
import type { FmuOptions } from '../fmu/options.js';
import { type SimulationDefinition, simulation } from './simulation.js';

/** Of an FMU that says nothing of its step. */
const USUAL_FRAME_SECONDS = 0.01;
const TICS_PER_SECOND = 1e6;

/** Words after `--` on the command line. */
const WORDS: Readonly<Record<string, FmuOptions>> = {
  '--model-exchange': { kind: 'model exchange' },
  '--co-simulation': { kind: 'co-simulation' },
  '--scheduled-execution': { kind: 'scheduled execution' },
  '--not-isolated': { isolated: false },
  '--no-checkpoints': { checkpoints: false },
  '--logging': { logging: true },
};

/** Rejects with one sentence that names the file. */
export async function fmuSimulation(file: string): Promise<SimulationDefinition> {
  const { readFmu } = await import('../fmu/parse-description.js');
  const { identifier } = await import('../fmu/names.js');
  const { description } = readFmu(file);
  const { ways, stepSeconds, clocks, modelName } = description;
  const intervals = clocks.flatMap(({ seconds }) => seconds ?? []);
  const shortest = intervals.length > 0 ? Math.min(...intervals) : USUAL_FRAME_SECONDS;
  const wanted = ways.get('co-simulation')?.fixedStepSeconds ?? stepSeconds ?? shortest;
  const frameSeconds = Math.max(1, Math.round(wanted * TICS_PER_SECOND)) / TICS_PER_SECOND;
  const name = identifier(modelName || basename(file, '.fmu'));
  return simulation({ name, frameSeconds }, async (sim) => {
    await sim.fmu(name, file, Object.assign({}, ...sim.arguments.map(optionOf)));
  });
}

function optionOf(word: string): FmuOptions {
  const option = WORDS[word];
  if (option) return option;
  const [, limit] = /^--limit=([\d.]+)$/.exec(word) ?? [];
  if (limit !== undefined) return { limitSeconds: Number(limit) };
  throw new Error(`an FMU takes ${Object.keys(WORDS).join(', ')} and --limit=SECONDS after --, not ${word}`);
}
