// What overlays can read of a running simulation, and what writes to their variables do.
import type { State } from '../../model/state/state.js';
import type { Executive } from './executive.js';
import type { Clockwork, OverlayControls, OverlayHost, RunFacts } from './overlay.js';
import type { Pacer } from './pacer.js';

interface Run {
  readonly state: State;
  readonly executive: Executive;
  readonly pacer: Pacer;
  readonly nowMillis: () => number;
}

export const overlayHost = (run: Run, facts: RunFacts): OverlayHost => ({
  state: run.state,
  clockwork: clockworkOf(run),
  facts,
  controls: controlsOf(run),
});

const clockworkOf = ({ executive, pacer }: Run): Clockwork => ({
  ticsPerSecond: executive.ticsPerSecond,
  get mode() {
    return executive.mode;
  },
  get timeTics() {
    return executive.timeTics;
  },
  get frameCount() {
    return executive.frameCount;
  },
  get freezeFrameCount() {
    return executive.freezeFrameCount;
  },
  get softwareFrameTics() {
    return executive.softwareFrameTics;
  },
  get freezeFrameTics() {
    return executive.freezeFrameTics;
  },
  get terminateTics() {
    return executive.terminateTics;
  },
  get isRealTime() {
    return pacer.isEnabled;
  },
  get actualRatio() {
    return pacer.actualRatio;
  },
  get overrunCount() {
    return pacer.overrunCount;
  },
  get isDebugPauseOn() {
    return executive.isDebugPauseOn;
  },
});

const controlsOf = ({ executive, pacer, nowMillis }: Run): OverlayControls => ({
  setTimes({ softwareFrameSeconds, freezeFrameSeconds, terminateTics }) {
    // Checked before anything is set, so that all is set or nothing.
    if (softwareFrameSeconds !== undefined) executive.softwareFrame.require(softwareFrameSeconds);
    if (freezeFrameSeconds !== undefined) executive.freezeFrame.require(freezeFrameSeconds);
    if (terminateTics !== undefined) executive.stopAtTics(terminateTics);
    if (softwareFrameSeconds !== undefined) executive.softwareFrame.set(softwareFrameSeconds);
    if (freezeFrameSeconds !== undefined) executive.freezeFrame.set(freezeFrameSeconds);
  },
  setRealTime: (isRealTime) => pacer.setEnabled(isRealTime, nowMillis(), executive.timeTics),
});
