// What a simulation's options mean for its executive.
import type { ExecutiveOptions } from './executive.js';
import { Pacer } from './pacer.js';
import type { SimulationOptions } from './simulation.js';

export const TICS_PER_SECOND = 1_000_000;

/** Unless the simulation says something else, a run of an input file is paced only when the file says so, as in Trick. */
export const pacerOf = ({ realTime }: SimulationOptions, hasInputFile = false): Pacer =>
  new Pacer(TICS_PER_SECOND, realTime ?? !hasInputFile, realTime === undefined);

export function executiveOptions({
  frameSeconds,
  freezeFrameSeconds = 1,
  terminateSeconds = Number.POSITIVE_INFINITY,
  clock,
}: SimulationOptions): ExecutiveOptions {
  return {
    softwareFrameSeconds: frameSeconds,
    freezeFrameSeconds,
    terminateSeconds,
    ticsPerSecond: TICS_PER_SECOND,
    clockSeconds: clock && ((elapsed) => clock.seconds(elapsed)),
  };
}
