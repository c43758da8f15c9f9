// What a simulation's options mean for its executive.
import type { ExecutiveOptions } from './executive.js';
import type { SimulationOptions } from './simulation.js';

export const TICS_PER_SECOND = 1_000_000;

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
