// For tests and benches: the header of a frame by its number, of a simulation that runs at 100 Hz.
import { type FrameHeader, Mode, Reason } from '../../frame/header.js';

export const testHeader = (number: number): FrameHeader => ({
  number,
  tick: number,
  timeTics: 10_000 * number,
  ticsPerSecond: 1_000_000,
  mode: Mode.run,
  reason: Reason.tick,
  frameCount: 0,
  freezeFrameCount: 0,
  freezeTimeTics: 0,
  catalogVersion: 1,
  softwareFrameTics: 10_000,
  clockSeconds: 0.01 * number,
  wallMillis: 10 * number,
  overruns: 0,
  freezeFrameTics: 1_000_000,
  terminateTics: Number.POSITIVE_INFINITY,
});
