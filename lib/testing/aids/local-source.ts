// For tests: a simulation on the same thread as its source; the caller runs its turns.

import { COMPILE } from '../../run/serve/conditions.js';
import { OVERLAYS } from '../../run/serve/overlays.js';
import type { SimulationDefinition } from '../../simulation/executive/simulation.js';
import { Vitals } from '../../simulation/executive/vitals.js';
import { RemoteSource } from '../../source/remote-source.js';
import { type HostOptions, SimulationHost } from '../../source/simulation-host.js';

export interface LocalSource {
  readonly source: RemoteSource;
  readonly host: SimulationHost;
}

/** Builds a simulation; the caller runs its turns with `host.running.turn()`, and each request runs one at once. */
export async function startLocalSource(definition: SimulationDefinition, options: HostOptions): Promise<LocalSource> {
  const { vitals = new Vitals() } = options;
  let host: SimulationHost | undefined;
  const source = new RemoteSource(
    (message) => {
      host?.receive(message);
      // Answered after `submit` has returned, like answers from another thread.
      queueMicrotask(() => host?.running.turn());
    },
    async () => undefined,
    undefined,
    vitals,
    // A frame is delivered whole, however slow the machine is.
    () => 0,
  );
  host = await SimulationHost.start(definition, { ...options, vitals }, (message) => source.receive(message));
  return { source, host };
}

/** The same with all that a server adds to the simulation's objects. */
export const startServedSource = (
  definition: SimulationDefinition,
  options: Omit<HostOptions, 'overlays' | 'compile'>,
): Promise<LocalSource> => startLocalSource(definition, { ...options, overlays: OVERLAYS, compile: COMPILE });
