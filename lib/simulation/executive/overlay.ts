// Objects that a front-end adds to a simulation or feed, so that their values belong to each frame's moment.
import type { Mode } from '../../model/frame/header.js';
import type { State } from '../../model/state/state.js';

/** The current time and mode of a simulation or feed. */
export interface Clockwork {
  readonly mode: Mode;
  /** Simulation time in tics. */
  readonly timeTics: number;
  readonly ticsPerSecond: number;
  readonly frameCount: number;
  readonly freezeFrameCount: number;
  readonly softwareFrameTics: number;
  readonly freezeFrameTics: number;
  /** Infinity for never. */
  readonly terminateTics: number;
  /** Whether simulation time follows wall time. */
  readonly isRealTime: boolean;
  /** Simulation seconds per wall second over the last second or so. */
  readonly actualRatio: number;
  /** Frames that ended after the next one was due. */
  readonly overrunCount: number;
  /** Whether every frame ends in a pause. */
  readonly isDebugPauseOn: boolean;
}

/** How a run was started. */
export interface RunFacts {
  readonly directory: string;
  readonly program: string;
  readonly inputFile: string;
  readonly runDirectory: string;
}

export interface Times {
  readonly softwareFrameSeconds?: number;
  readonly freezeFrameSeconds?: number;
  /** Infinity for never. */
  readonly terminateTics?: number;
}

/** What a client's write to an overlay's variables can change. */
export interface OverlayControls {
  /** Sets all times or none; throws a RangeError that names the one that is not valid. */
  setTimes(times: Times): void;
  setRealTime(isRealTime: boolean): void;
}

export interface OverlayHost {
  readonly state: State;
  readonly clockwork: Clockwork;
  readonly facts: RunFacts;
  /** Undefined when the source cannot be controlled; the overlay's control variables are read-only then. */
  readonly controls?: OverlayControls;
}

/**
 * What the server may show through an overlay, by name. A function throws an Error for data that it cannot show, and
 * returns the steps by which it shows the others: a long piece of work is done in several turns between ticks.
 */
export type Shows = Readonly<Record<string, (value: unknown) => Iterable<void>>>;

/**
 * Adds its objects after the source's own; their names begin with `trick_`, so that nobody takes them for the source's. What
 * it adds to the source's own objects clients only read.
 */
export type Overlay = (host: OverlayHost) => Shows;

/**
 * Passes plain data to an overlay, and returns the steps by which it is shown. Throws an Error when no overlay has that
 * name or it cannot show the data.
 */
export function show(shows: Shows, overlay: string, value: unknown): Iterator<void> {
  const shown = Object.hasOwn(shows, overlay) ? shows[overlay] : undefined;
  if (!shown) throw new Error(`nothing here shows ${JSON.stringify(overlay)}`);
  return shown(value)[Symbol.iterator]();
}

/** Adds all overlays; returns what they can show. */
export const lay = (overlays: readonly Overlay[], host: OverlayHost): Shows =>
  Object.assign({}, ...overlays.map((overlay) => overlay(host)));
