// Serves a simulation from its file, on a thread of its own.
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { requireOptions } from '../../model/state/option-names.js';
import type { Source } from '../../source/source.js';
import { startWorkerSource } from '../../source/worker-source.js';
import type { AnyVariables } from './in-process.js';
import { runDirectoryOf, SERVE_OPTIONS, type ServeOptions, SOURCE_OPTIONS, type SourceOptions } from './options.js';
import type { RunningServer } from './server.js';

/** A definition holds functions, which cannot cross to the thread of the simulation. */
const NO_FILE =
  'serve takes the file that exports the simulation, as a path or a file URL; serveBeside takes the simulation itself';

/**
 * Serves a source. Rejects with one sentence when a port is taken, when the options leave the server open to anybody, and for
 * an option that does not exist.
 */
export async function serveSource<V extends object = AnyVariables>(
  source: Source,
  options: SourceOptions = {},
): Promise<RunningServer<V>> {
  requireOptions('serveSource', options, SOURCE_OPTIONS);
  const server = await import('./server.js');
  return (await server.startServer(source, options)) as RunningServer<V>;
}

/**
 * Serves the simulation that a file exports. Rejects with one sentence when it cannot be loaded, built or served. With
 * `serve<{ 'ball.height': number }>(...)` the compiler knows what `get` and `set` take.
 */
export async function serve<V extends object = AnyVariables>(
  simulationFile: string | URL,
  options: ServeOptions = {},
): Promise<RunningServer<V>> {
  if (typeof simulationFile !== 'string' && !(simulationFile instanceof URL)) throw new TypeError(NO_FILE);
  requireOptions('serve', options, SERVE_OPTIONS);
  const url = typeof simulationFile === 'string' ? pathToFileURL(resolve(simulationFile)) : simulationFile;
  const path = fileURLToPath(url);
  // Loaded while the simulation's thread starts; a simulation that imports `varwire` itself never loads it.
  const loading = Promise.all([import('./server.js'), options.trick !== 'off' && import('./trick.js')]);
  const hostOptions = {
    arguments: options.arguments ?? [],
    directory: process.cwd(),
    file: basename(path),
    folder: dirname(path),
    runDirectory: runDirectoryOf(options),
    waitsForServer: options.set !== undefined,
    ...(options.diskQuotaBytes === undefined ? {} : { diskQuotaBytes: options.diskQuotaBytes }),
    ...(options.inputFile === undefined ? {} : { inputFile: options.inputFile }),
  };
  const entry = new URL('./simulation-worker.js', import.meta.url);
  const source = await startWorkerSource(entry, url.href, hostOptions, options.stuckAfterMillis);
  const [server] = await loading;
  try {
    return (await server.startServer(source, options, true)) as RunningServer<V>;
  } catch (error) {
    await source.close();
    throw error;
  }
}
