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
  /** Ticks that ended after the next one was due. Trick: total_overrun */
  readonly overruns: number;
}

/** Every word is a double: all counters stay below 2^53. */
export const HEADER_BYTES = 14 * 8;

/** Where a header says why its frame was made. */
export const REASON_WORD = 5;

export function encodeHeader(header: FrameHeader, words: Float64Array): void {
  words[0] = header.number;
  words[1] = header.tick;
  words[2] = header.timeTics;
  words[3] = header.ticsPerSecond;
  words[4] = header.mode;
  words[REASON_WORD] = header.reason;
  words[6] = header.frameCount;
  words[7] = header.freezeFrameCount;
  words[8] = header.freezeTimeTics;
  words[9] = header.catalogVersion;
  words[10] = header.softwareFrameTics;
  words[11] = header.clockSeconds;
  words[12] = header.wallMillis;
  words[13] = header.overruns;
}

/** Reads what `encodeHeader` wrote. */
export function decodeHeader(words: Float64Array): FrameHeader {
  return {
    number: words[0] as number,
    tick: words[1] as number,
    timeTics: words[2] as number,
    ticsPerSecond: words[3] as number,
    mode: words[4] as Mode,
    reason: words[REASON_WORD] as Reason,
    frameCount: words[6] as number,
    freezeFrameCount: words[7] as number,
    freezeTimeTics: words[8] as number,
    catalogVersion: words[9] as number,
    softwareFrameTics: words[10] as number,
    clockSeconds: words[11] as number,
    wallMillis: words[12] as number,
    overruns: words[13] as number,
  };
}
