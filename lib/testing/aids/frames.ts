// Frames and headers for tests, of a simulation that runs at 100 Hz.
import { type FrameHeader, Mode, Reason } from '../../model/frame/header.js';
import { Frame } from '../../model/frame/reader.js';
import type { State } from '../../model/state/state.js';

/** The header of the first frame, at time 0, with the given changes. */
export const headerOf = (facts: Partial<FrameHeader> = {}): FrameHeader => ({
  number: 1,
  tick: 0,
  timeTics: 0,
  ticsPerSecond: 1_000_000,
  mode: Mode.run,
  reason: Reason.tick,
  frameCount: 0,
  freezeFrameCount: 0,
  freezeTimeTics: 0,
  catalogVersion: 1,
  softwareFrameTics: 10_000,
  clockSeconds: 0,
  wallMillis: 0,
  overruns: 0,
  freezeFrameTics: 1_000_000,
  terminateTics: Number.POSITIVE_INFINITY,
  clockRatio: 1,
  jumps: 0,
  ...facts,
});

/** The header of a frame by its number; every word that changes with time differs from frame to frame. */
export const headerAt = (number: number): FrameHeader =>
  headerOf({ number, tick: number, timeTics: 10_000 * number, clockSeconds: 0.01 * number, wallMillis: 10 * number });

/** A copy of the current state. */
export function frameOf({ arena: { usedBytes, memory } }: State, header: FrameHeader): Frame {
  const frame = new Frame(usedBytes, header);
  frame.memory.bytes.set(memory.bytes.subarray(0, usedBytes));
  return frame;
}
