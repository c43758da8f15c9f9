// Cadence by tick count: due every so many ticks, no timers, no drift.
import { type FrameHeader, Reason } from '../frame/header.js';

/** Simulation time of a tick. */
export const tickMillisOf = (header: FrameHeader): number => (header.softwareFrameTics * 1000) / header.ticsPerSecond;

export interface FrameCadence {
  readonly everyTicks: number;
  /** Simulation time between two messages in milliseconds. */
  readonly effectiveCycleMillis: number;
}

/**
 * The cycle asked for, rounded up to whole ticks, never under one: 100 Hz and 33 ms give 4 ticks, 40 ms. Zero and less
 * give every tick. Throws a RangeError for a cycle that is not finite.
 */
export function frameCadence(cycleMillis: number, tickMillis: number): FrameCadence {
  if (!Number.isFinite(cycleMillis)) throw new RangeError(`a cycle is a number of milliseconds, not ${cycleMillis}`);
  const everyTicks = Math.max(1, Math.ceil(cycleMillis / tickMillis - 1e-9));
  return { everyTicks, effectiveCycleMillis: tidy(everyTicks * tickMillis) };
}

/** Drops the last bits, so that 4 x 10.000000000000002 reads 40. */
const tidy = (millis: number): number => Number(millis.toPrecision(12));

/** Whether a message is due at a frame: on every so many ticks, and on every frame of a freeze. */
export function isDue(cadence: FrameCadence, header: FrameHeader): boolean {
  if (header.reason === Reason.freeze) return true;
  return header.reason === Reason.tick && header.tick % cadence.everyTicks === 0;
}
