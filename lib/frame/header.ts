// What a frame says about itself before its bytes: number, time, mode and counters.

/** The executive's modes by Trick's numbers. Trick: include/trick/sim_mode.h */
export const Mode = { initialization: 0, freeze: 1, step: 4, run: 5, exit: 6 } as const;
export type Mode = (typeof Mode)[keyof typeof Mode];

/**
 * Why a frame was made: at the end of a tick (or of a freeze frame), because a request changed something, or at an
 * exact time that a session asked for. Only a scheduled frame may show the state in the middle of a tick.
 */
export const Reason = { tick: 0, freeze: 1, request: 2, scheduled: 3 } as const;
export type Reason = (typeof Reason)[keyof typeof Reason];

export interface FrameHeader {
  /** Counts every frame from 1. */
  readonly number: number;
  /** Ticks run so far; unchanged in a freeze. */
  readonly tick: number;
  /** Simulation time in tics. */
  readonly timeTics: number;
  /** Tics in a second. Trick: time_tic_value */
  readonly ticsPerSecond: number;
  readonly mode: Mode;
  readonly reason: Reason;
  /** Trick: trick_sys.sched.frame_count */
  readonly frameCount: number;
  readonly freezeFrameCount: number;
  /** Time spent in the present freeze, in tics. */
  readonly freezeTimeTics: number;
  readonly catalogVersion: number;
  /** Length of a software frame, which is the period of ticks, in tics. */
  readonly softwareFrameTics: number;
  /** What the simulation's clock shows, in SI seconds. */
  readonly clockSeconds: number;
  /** Wall time of the snapshot, Unix milliseconds. */
  readonly wallMillis: number;
}

const WORDS = [
  'number',
  'tick',
  'timeTics',
  'ticsPerSecond',
  'mode',
  'reason',
  'frameCount',
  'freezeFrameCount',
  'freezeTimeTics',
  'catalogVersion',
  'softwareFrameTics',
  'clockSeconds',
  'wallMillis',
] as const satisfies readonly (keyof FrameHeader)[];

/** Every word is a double: all counters stay below 2^53. */
export const HEADER_BYTES = 8 * WORDS.length;

export function encodeHeader(header: FrameHeader, words: Float64Array): void {
  for (let i = 0; i < WORDS.length; i++) words[i] = header[WORDS[i] as keyof FrameHeader];
}

export function decodeHeader(words: Float64Array): FrameHeader {
  const header: Record<string, number> = {};
  for (let i = 0; i < WORDS.length; i++) header[WORDS[i] as string] = words[i] as number;
  return header as unknown as FrameHeader;
}
