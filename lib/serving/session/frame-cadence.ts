// Cadence by tick count: a message is due every so many ticks, so there are no timers and no drift.
import { type FrameHeader, Reason } from '../../model/frame/header.js';

/** Simulation time between two ticks. */
export const tickMillisOf = (header: FrameHeader): number => (header.softwareFrameTics * 1000) / header.ticsPerSecond;

export interface FrameCadence {
  readonly everyTicks: number;
  /** Simulation time between two messages in milliseconds. */
  readonly effectiveCycleMillis: number;
}

/**
 * Rounds the requested cycle up to whole ticks, at least one: at 100 Hz, 33 ms gives 4 ticks, 40 ms. Zero and negative
 * cycles give every tick. Throws a RangeError for a cycle that is not finite.
 */
export function frameCadence(cycleMillis: number, tickMillis: number): FrameCadence {
  if (!Number.isFinite(cycleMillis)) throw new RangeError(`a cycle is a number of milliseconds, not ${cycleMillis}`);
  const everyTicks = Math.max(1, Math.ceil(cycleMillis / tickMillis - 1e-9));
  return { everyTicks, effectiveCycleMillis: tidy(everyTicks * tickMillis) };
}

/** Rounds to 12 digits, so that 4 x 10.000000000000002 reads 40. */
const tidy = (millis: number): number => Number(millis.toPrecision(12));

/** Whether a message is due at a frame: at every nth tick, and at every frame of a freeze. */
export function isDue(cadence: FrameCadence, header: FrameHeader): boolean {
  if (header.reason === Reason.freeze) return true;
  return header.reason === Reason.tick && header.tick % cadence.everyTicks === 0;
}
