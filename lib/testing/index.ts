// `varwire/testing`: runs a simulation in a test, without a server, a clock or a socket.
/// <reference types="node" preserve="true" />

import { requireOptions } from '../model/state/option-names.js';
import { SimulationRun, START_OPTIONS, type StartOptions } from '../run/headless/simulation-run.js';
import type { SimulationDefinition } from '../simulation/executive/simulation.js';

export type { Value } from '../model/state/read.js';
export type { RunEnd, RunMessage, SimulationRun, StartOptions } from '../run/headless/simulation-run.js';
export { RequestError } from '../simulation/executive/request.js';

/**
 * Builds a simulation on this thread and makes its first frame, at time 0. Later frames run when `step`, `runFor` or
 * `waitUntil` asks for them. Rejects with what the simulation's build throws, and for an option that does not exist.
 */
export async function start(definition: SimulationDefinition, options: StartOptions = {}): Promise<SimulationRun> {
  requireOptions('start', options, START_OPTIONS);
  return SimulationRun.start(definition, options);
}
