// The kRPC services of a simulation that is built and not run, for generators of client code.

import { definitionsOf } from '../../protocols/krpc/service/definitions.js';
import { Services } from '../../protocols/krpc/services.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { VERSION } from '../../simulation/recording/version.js';
import { SimulationHost } from '../../source/simulation-host.js';
import { OVERLAYS } from './overlays.js';

/** The clients' services by name, as `krpc-clientgen` takes them. Rejects with what the build throws. */
export async function krpcDefinitions(
  definition: SimulationDefinition,
  simArguments: readonly string[],
): Promise<object> {
  const facts = { directory: process.cwd(), file: definition.options.name, runDirectory: '.' };
  const options = { ...facts, arguments: simArguments, overlays: OVERLAYS };
  const host = await SimulationHost.start(definition, options, () => undefined);
  const source = { info: definition.options, catalog: host.running.catalog };
  host.close({ reason: 'only its definitions are wanted' });
  return definitionsOf(await new Services(source, VERSION, { services: [] }).current(() => Promise.resolve()));
}
