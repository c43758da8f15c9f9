// Where a simulation elsewhere is: its mode, its counters and its time.
import { Mode } from '../../model/frame/header.js';
import type { MomentElsewhere } from '../feed-host.js';

/** Trick's own variables that tell of which moment values are. */
export const COUNTERS = [
  'mode',
  'frame_count',
  'freeze_frame_count',
  'time_tics',
  'time_tic_value',
  'software_frame',
].map((name) => `trick_sys.sched.${name}`);

const MODES: readonly number[] = [Mode.initialization, Mode.freeze, Mode.step, Mode.run];

/** Of other lengths no frame is: its variable holds something else. */
const FRAME_SECONDS = { least: 1e-6, most: 1e6 };

/** @param values of COUNTERS, which come first. */
export function momentOf(values: readonly unknown[]): MomentElsewhere {
  const [mode, frameCount, freezeFrameCount, tics, ticsPerSecond, frameSeconds] = values.map(Number) as number[];
  const timeSeconds = (tics as number) / (ticsPerSecond as number);
  return {
    mode: MODES.includes(mode as number) ? (mode as Mode) : Mode.freeze,
    frameCount: frameCount as number,
    freezeFrameCount: freezeFrameCount as number,
    timeSeconds: Math.max(timeSeconds, 0) || 0,
    frameSeconds: frameSecondsOf(frameSeconds),
  };
}

/** 1 where the simulation does not tell. */
export function frameSecondsOf(told: unknown): number {
  const seconds = Number(told);
  return seconds >= FRAME_SECONDS.least && seconds <= FRAME_SECONDS.most ? seconds : 1;
}

export const isOlder = (one: MomentElsewhere, floor: MomentElsewhere | undefined): boolean =>
  floor !== undefined &&
  (one.frameCount < floor.frameCount ||
    (one.frameCount === floor.frameCount && one.freezeFrameCount <= floor.freezeFrameCount));
