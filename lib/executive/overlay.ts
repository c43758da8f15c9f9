// Objects that a front-end adds to whatever makes frames, so that their values belong to each frame's instant.
import type { Mode } from '../frame/header.js';
import type { State } from '../model/state.js';

/** How far whatever makes frames has come, as it is at the moment of the question. */
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
  /** Whether simulation time is held to wall time. */
  readonly isRealTime: boolean;
  /** Simulation seconds per wall second over the last second or so. */
  readonly actualRatio: number;
  /** Frames that ended after the next one was due. */
  readonly overrunCount: number;
  /** Whether every frame ends in a pause. */
  readonly isDebugPauseOn: boolean;
}

/** What a run was started from. */
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

/** What a client's write to an overlay's variables may turn into. */
export interface OverlayControls {
  /** All of them or, when one makes no sense, none: throws a RangeError that says which. */
  setTimes(times: Times): void;
  setRealTime(isRealTime: boolean): void;
}

export interface OverlayHost {
  readonly state: State;
  readonly clockwork: Clockwork;
  readonly facts: RunFacts;
  /** None where the source cannot be controlled: what would control it is read-only then. */
  readonly controls?: OverlayControls;
}

/** What the server may show through an overlay, by name. Each takes plain data and throws an Error for what it cannot show. */
export type Shows = Readonly<Record<string, (value: unknown) => void>>;

/** Adds its objects after those of the source's own. */
export type Overlay = (host: OverlayHost) => Shows;

/** Hands plain data to the overlay that shows it. Throws an Error when none does, or it cannot. */
export function show(shows: Shows, overlay: string, value: unknown): void {
  const shown = Object.hasOwn(shows, overlay) ? shows[overlay] : undefined;
  if (!shown) throw new Error(`nothing here shows ${JSON.stringify(overlay)}`);
  shown(value);
}

/** Lays all overlays on; returns what they show together. */
export const lay = (overlays: readonly Overlay[], host: OverlayHost): Shows =>
  Object.assign({}, ...overlays.map((overlay) => overlay(host)));
