// `varwire/testing`: runs a simulation in a test, without a server, a clock or a socket.
/// <reference types="node" preserve="true" />
import type { SimulationDefinition } from '../executive/simulation.js';
import { SimulationRun, START_OPTIONS, type StartOptions } from '../headless/simulation-run.js';
import { requireOptions } from '../model/option-names.js';

export { RequestError } from '../executive/request.js';
export type { RunEnd, RunMessage, SimulationRun, StartOptions } from '../headless/simulation-run.js';
export type { Value } from '../model/read.js';

/**
 * Builds a simulation on this thread and makes its first frame, at time 0. Later frames run when `step`, `runFor` or
 * `waitUntil` asks for them. Rejects with what the simulation's build throws, and for an option that does not exist.
 */
export async function start(definition: SimulationDefinition, options: StartOptions = {}): Promise<SimulationRun> {
  requireOptions('start', options, START_OPTIONS);
  return SimulationRun.start(definition, options);
}
