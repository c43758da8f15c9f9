// A frame's header: its number, time, mode and counters.

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
  /** Counts all frames from 1. */
  readonly number: number;
  /** Number of ticks that have run; it does not change in a freeze. */
  readonly tick: number;
  /** Simulation time in tics. */
  readonly timeTics: number;
  /** Tics per second. Trick: time_tic_value */
  readonly ticsPerSecond: number;
  readonly mode: Mode;
  readonly reason: Reason;
  /** Trick: trick_sys.sched.frame_count */
  readonly frameCount: number;
  readonly freezeFrameCount: number;
  /** Time spent in the current freeze, in tics. */
  readonly freezeTimeTics: number;
  readonly catalogVersion: number;
  /** Length of a software frame in tics; a tick is one software frame. */
  readonly softwareFrameTics: number;
  /** The simulation's clock, in SI seconds. */
  readonly clockSeconds: number;
  /** Wall time of the snapshot, Unix milliseconds. */
  readonly wallMillis: number;
  /** Number of ticks that ended after the next one was due. Trick: total_overrun */
  readonly overruns: number;
  /** Length of a freeze frame, in tics. */
  readonly freezeFrameTics: number;
  /** Simulation time at which the run ends, in tics; Infinity for never. */
  readonly terminateTics: number;
  /** Simulation seconds in a second, as asked for; 0 for as fast as possible. Trick: real_time_get_rt_clock_ratio */
  readonly clockRatio: number;
  /** How often time was set to another: a checkpoint was loaded, a recording went elsewhere. */
  readonly jumps: number;
}

/** The header of a source that has published no frame yet. */
export const EMPTY_HEADER: FrameHeader = {
  number: 0,
  tick: 0,
  timeTics: 0,
  ticsPerSecond: 1_000_000,
  mode: Mode.initialization,
  reason: Reason.tick,
  frameCount: 0,
  freezeFrameCount: 0,
  freezeTimeTics: 0,
  catalogVersion: 0,
  softwareFrameTics: 1,
  clockSeconds: 0,
  wallMillis: 0,
  overruns: 0,
  freezeFrameTics: 1,
  terminateTics: Number.POSITIVE_INFINITY,
  clockRatio: 0,
  jumps: 0,
};

/** Every word is a little-endian double on every machine, because all counters stay below 2^53. */
export const HEADER_BYTES = 18 * 8;

const REASON_OFFSET = 5 * 8;

export function encodeHeader(header: FrameHeader, bytes: DataView): void {
  bytes.setFloat64(0, header.number, true);
  bytes.setFloat64(8, header.tick, true);
  bytes.setFloat64(16, header.timeTics, true);
  bytes.setFloat64(24, header.ticsPerSecond, true);
  bytes.setFloat64(32, header.mode, true);
  bytes.setFloat64(REASON_OFFSET, header.reason, true);
  bytes.setFloat64(48, header.frameCount, true);
  bytes.setFloat64(56, header.freezeFrameCount, true);
  bytes.setFloat64(64, header.freezeTimeTics, true);
  bytes.setFloat64(72, header.catalogVersion, true);
  bytes.setFloat64(80, header.softwareFrameTics, true);
  bytes.setFloat64(88, header.clockSeconds, true);
  bytes.setFloat64(96, header.wallMillis, true);
  bytes.setFloat64(104, header.overruns, true);
  bytes.setFloat64(112, header.freezeFrameTics, true);
  bytes.setFloat64(120, header.terminateTics, true);
  bytes.setFloat64(128, header.clockRatio, true);
  bytes.setFloat64(136, header.jumps, true);
}

/** Decodes what `encodeHeader` wrote. */
export function decodeHeader(bytes: DataView): FrameHeader {
  return {
    number: bytes.getFloat64(0, true),
    tick: bytes.getFloat64(8, true),
    timeTics: bytes.getFloat64(16, true),
    ticsPerSecond: bytes.getFloat64(24, true),
    mode: bytes.getFloat64(32, true) as Mode,
    reason: bytes.getFloat64(REASON_OFFSET, true) as Reason,
    frameCount: bytes.getFloat64(48, true),
    freezeFrameCount: bytes.getFloat64(56, true),
    freezeTimeTics: bytes.getFloat64(64, true),
    catalogVersion: bytes.getFloat64(72, true),
    softwareFrameTics: bytes.getFloat64(80, true),
    clockSeconds: bytes.getFloat64(88, true),
    wallMillis: bytes.getFloat64(96, true),
    overruns: bytes.getFloat64(104, true),
    freezeFrameTics: bytes.getFloat64(112, true),
    terminateTics: bytes.getFloat64(120, true),
    clockRatio: bytes.getFloat64(128, true),
    jumps: bytes.getFloat64(136, true),
  };
}

/** Decodes only the reason for which a frame was made. */
export const decodeReason = (bytes: DataView): Reason => bytes.getFloat64(REASON_OFFSET, true) as Reason;
