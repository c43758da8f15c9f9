// What a simulation's options mean for its executive.
import type { ExecutiveOptions } from './executive.js';
import type { SimulationOptions } from './simulation.js';

export const TICS_PER_SECOND = 1_000_000;

export function executiveOptions({
  frame,
  freezeFrame = 1,
  terminateTime = Number.POSITIVE_INFINITY,
  clock,
}: SimulationOptions): ExecutiveOptions {
  return {
    softwareFrameSeconds: frame,
    freezeFrameSeconds: freezeFrame,
    terminateSeconds: terminateTime,
    ticsPerSecond: TICS_PER_SECOND,
    clockSeconds: clock && ((elapsed) => clock.seconds(elapsed)),
  };
}
