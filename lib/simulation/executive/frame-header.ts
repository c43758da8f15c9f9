// The header of a frame: what the executive, the pacer and the clock say at its moment.
import type { FrameHeader, Reason } from '../../model/frame/header.js';
import type { Executive } from './executive.js';
import type { Pacer } from './pacer.js';
import type { NextFrame } from './publisher.js';

export function headerOf(
  { executive, pacer, isCalled }: { readonly executive: Executive; readonly pacer: Pacer; readonly isCalled: boolean },
  { number, catalogVersion }: NextFrame,
  reason: Reason,
): FrameHeader {
  return {
    number,
    reason,
    catalogVersion,
    tick: executive.tick,
    timeTics: executive.timeTics,
    ticsPerSecond: executive.ticsPerSecond,
    mode: executive.mode,
    frameCount: executive.frameCount,
    freezeFrameCount: executive.freezeFrameCount,
    freezeTimeTics: executive.freezeTimeTics,
    softwareFrameTics: executive.softwareFrameTics,
    clockSeconds: executive.clockSeconds,
    wallMillis: Date.now(),
    overruns: pacer.overrunCount,
    freezeFrameTics: executive.freezeFrameTics,
    terminateTics: executive.terminateTics,
    // Who calls sets the pace.
    clockRatio: pacer.isEnabled || isCalled ? pacer.ratio : 0,
    jumps: executive.jumps,
  };
}
