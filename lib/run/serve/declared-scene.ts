// The poses of a simulation that is built and not run, to show a recording of it.
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadSimulation } from '../../simulation/executive/load-simulation.js';
import type { PlayedScene } from '../../source/recording/played.js';
import { SimulationHost } from '../../source/simulation-host.js';

/** Rejects with what loading or building throws. */
export async function declaredScene(simulationFile: string): Promise<PlayedScene> {
  const path = resolve(simulationFile);
  const definition = await loadSimulation(pathToFileURL(path).href);
  const facts = { directory: process.cwd(), file: definition.options.name, runDirectory: '.', arguments: [] };
  const host = await SimulationHost.start(definition, facts, () => undefined);
  const { poses } = host.running.catalog;
  host.close({ reason: 'only its poses are wanted' });
  return { poses, folder: dirname(path) };
}
