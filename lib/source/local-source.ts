// A simulation on the same thread as its source, turned by the caller: for tests with a clock of their own.
import type { SimulationDefinition } from '../executive/simulation.js';
import { RemoteSource } from './remote-source.js';
import { type HostOptions, SimulationHost } from './simulation-host.js';

export interface LocalSource {
  readonly source: RemoteSource;
  readonly host: SimulationHost;
}

/** Builds a simulation whose turns the caller drives with `host.running.turn()`; a request takes a turn at once. */
export async function startLocalSource(definition: SimulationDefinition, options: HostOptions): Promise<LocalSource> {
  let host: SimulationHost | undefined;
  const source = new RemoteSource(
    (message) => {
      host?.receive(message);
      // Answers come after `submit` has returned, as they do from another thread.
      queueMicrotask(() => host?.running.turn());
    },
    async () => undefined,
  );
  host = await SimulationHost.start(definition, options, (message) => source.receive(message));
  return { source, host };
}
