// Frames and their headers as tests need them, of a simulation that runs at 100 Hz.
import { type FrameHeader, Mode, Reason } from '../../frame/header.js';
import { Frame } from '../../frame/reader.js';
import type { State } from '../../model/state.js';

/** Of the first frame, at time 0, but for what is given. */
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
  ...facts,
});

/** Of a frame by its number: every word that changes with time is another in each. */
export const headerAt = (number: number): FrameHeader =>
  headerOf({ number, tick: number, timeTics: 10_000 * number, clockSeconds: 0.01 * number, wallMillis: 10 * number });

/** A copy of a state as it is now. */
export function frameOf({ arena: { usedBytes, memory } }: State, header: FrameHeader): Frame {
  const frame = new Frame(usedBytes, header);
  frame.memory.bytes.set(memory.bytes.subarray(0, usedBytes));
  return frame;
}
