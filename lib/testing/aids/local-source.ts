// For tests: a simulation on this thread with all that a server adds to its objects.
import type { SimulationDefinition } from '../../executive/simulation.js';
import { OVERLAYS } from '../../serve/overlays.js';
import { type LocalSource, startLocalSource } from '../../source/local-source.js';
import type { HostOptions } from '../../source/simulation-host.js';

export const startServedSource = (
  definition: SimulationDefinition,
  options: Omit<HostOptions, 'overlays'>,
): Promise<LocalSource> => startLocalSource(definition, { ...options, overlays: OVERLAYS });
