// A server whose simulation runs on the test's thread, for tests that ask what the server does and not how the simulation runs:
// a thread of its own would load every module anew.
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { COMPILE } from '../../run/serve/conditions.js';
import type { AnyVariables } from '../../run/serve/in-process.js';
import { runDirectoryOf, type ServeOptions, type SourceOptions } from '../../run/serve/options.js';
import { OVERLAYS } from '../../run/serve/overlays.js';
import { serveSource } from '../../run/serve/serve.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { Vitals } from '../../simulation/executive/vitals.js';
import { driveByTimers } from '../../source/drive.js';
import { RemoteSource } from '../../source/remote-source.js';
import { SimulationHost } from '../../source/simulation-host.js';

/** As `serve`; rejects as it does, other than for a simulation that cannot be loaded. */
export async function serveHere(
  simulation: string | URL,
  {
    arguments: words = [],
    runDirectory,
    ...options
  }: SourceOptions & Pick<ServeOptions, 'arguments' | 'runDirectory'> = {},
): ReturnType<typeof serveSource<AnyVariables>> {
  const url = typeof simulation === 'string' ? pathToFileURL(resolve(simulation)) : simulation;
  const { default: definition } = (await import(url.href)) as { readonly default: SimulationDefinition };
  const vitals = new Vitals();
  let host: SimulationHost | undefined;
  let wake = (): void => undefined;
  const source = new RemoteSource(
    (message) => {
      host?.receive(message);
      wake();
    },
    async () => undefined,
    true,
    vitals,
  );
  const { inputFile } = options;
  host = await SimulationHost.start(
    definition,
    {
      arguments: words,
      directory: process.cwd(),
      file: basename(fileURLToPath(url)),
      runDirectory: runDirectory ?? runDirectoryOf(options),
      overlays: OVERLAYS,
      compile: COMPILE,
      vitals,
      waitsForServer: options.set !== undefined,
      ...(inputFile === undefined ? {} : { inputFile }),
    },
    (message) => source.receive(message),
  );
  wake = driveByTimers(host);
  try {
    return await serveSource(source, options);
  } catch (error) {
    await source.close();
    throw error;
  }
}
