// When the state is copied for a checkpoint. A copy shows one moment, so it is made in one step: in memory that has been
// used before, which takes a fifth of the time, and right after a frame when it takes long.

import { Mode } from '../../model/frame/header.js';
import type { ClientOrOperator } from '../../model/state/fair-share.js';
import type { State } from '../../model/state/state.js';
import type { Desk } from '../checkpoint/desk.js';
import type { Executive } from './executive.js';
import type { Holds } from './holds.js';
import type { Pacer } from './pacer.js';

/** What is copied in a millisecond, at least, when the memory has been used before. */
const COPIED_IN_MILLI = 5_000_000;
/** A copy that takes less is made at any time. */
const SHORT_MILLIS = 0.5;

/** What a request waits for before it is begun; the requests behind it wait too. */
export interface Preparation {
  /** Whether it can only go on after a frame. */
  readonly waitsForFrame: boolean;
  /** Makes it ready until `isOver`; returns whether it is. */
  prepare(isOver: () => boolean): boolean;
}

interface Copied {
  readonly state: State;
  readonly desk: Desk;
  readonly executive: Executive;
  readonly pacer: Pacer;
  readonly holds: Pick<Holds, 'isDue'>;
  readonly nowMillis: () => number;
  /** Whether frames run when a program asks for them. */
  readonly isCalled: boolean;
}

export class StateCopy implements Preparation {
  /** Simulation time at which it began to wait. */
  private sinceTics: number | undefined;
  private isWaiting = false;

  constructor(
    private readonly running: Copied,
    private readonly by: ClientOrOperator | undefined,
  ) {}

  get waitsForFrame(): boolean {
    return this.isWaiting;
  }

  prepare(isOver: () => boolean): boolean {
    const { state, desk, executive } = this.running;
    const { usedBytes } = state.arena;
    this.isWaiting = false;
    if (!state.arena.touch(isOver) || !desk.prepare(usedBytes, this.by, isOver)) return false;
    const millis = usedBytes / COPIED_IN_MILLI;
    if (millis < SHORT_MILLIS || this.leftMillis >= millis) return true;
    this.sinceTics ??= executive.timeTics;
    this.isWaiting = executive.timeTics === this.sinceTics;
    return !this.isWaiting;
  }

  /** Time before the next frame that comes by itself. A tick that waits for a read may wait for a request behind this one. */
  private get leftMillis(): number {
    const { executive, pacer, holds, nowMillis, isCalled } = this.running;
    const { mode, isHeld, timeTics } = executive;
    const isRunning = !isCalled && mode === Mode.run && !isHeld && pacer.isEnabled && !holds.isDue(timeTics);
    return isRunning ? pacer.dueMillis(timeTics) - nowMillis() : Number.POSITIVE_INFINITY;
  }
}

/** A checkpoint that is loaded is copied into the state, whose memory must have been used before. */
export const loadInto = ({ arena }: State): Preparation => ({
  waitsForFrame: false,
  prepare: (isOver) => arena.touch(isOver),
});
