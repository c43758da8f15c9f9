// Follows frames on a cycle: which are due, how many were passed over, what is paused or late.
import { type FrameHeader, Mode, Reason } from '../../model/frame/header.js';
import { type FrameCadence, frameCadence, isDue, tickMillisOf } from './frame-cadence.js';

/** A frame that something is due at. */
export interface Due {
  /** How many cycles before it were passed over: their own frames never came. */
  readonly missed: number;
}

/**
 * As fast as possible, cycles of simulation time pass thousands of times a second: messages that wait to be read would keep
 * answers waiting for seconds.
 */
const LEAST_MILLIS = 10;

export class Follower {
  isPaused = false;
  /** Whether something was due at a frame without the values; the next frame that has them is sent instead. */
  isLate = false;
  private cadence: FrameCadence;
  private tickMillis: number;
  /** Those of the frame that came last. */
  private tick: number;
  private number: number;
  /** Whether frames were skipped before it. */
  private hasSkipped = false;
  /** Wall time of the frame that something was due at last. */
  private dueMillis = Number.NEGATIVE_INFINITY;
  /** Number of whole cycles before the frame that came last. */
  private cycle: number | undefined;

  /** @param header of the frame at which it begins. */
  constructor(
    private cycleMillis: number,
    header: FrameHeader,
  ) {
    this.tickMillis = tickMillisOf(header);
    this.tick = header.tick;
    this.number = header.number;
    this.cadence = frameCadence(cycleMillis, this.tickMillis);
    this.cycle = Math.floor(header.tick / this.cadence.everyTicks);
  }

  get everyTicks(): number {
    return this.cadence.everyTicks;
  }

  get effectiveCycleMillis(): number {
    return this.cadence.effectiveCycleMillis;
  }

  /** The tick of the frame that came last. */
  get lastTick(): number {
    return this.tick;
  }

  /** What another cycle would be. Throws a RangeError for a cycle that is not finite. */
  cadenceFor(cycleMillis: number): FrameCadence {
    return frameCadence(cycleMillis, this.tickMillis);
  }

  /** Sets another cycle, from the next frame on. */
  setCycle(cycleMillis: number): void {
    this.cadence = this.cadenceFor(cycleMillis);
    this.cycleMillis = cycleMillis;
    this.cycle = undefined;
  }

  /** Whether it has not looked at a frame yet; it has looked at the one at which it began. */
  isNewTo({ number }: FrameHeader): boolean {
    if (number <= this.number) return false;
    this.hasSkipped = number > this.number + 1;
    this.number = number;
    return true;
  }

  /** Whether the cycle falls on this frame; used to look up past frames. */
  isDue(header: FrameHeader): boolean {
    this.followTicks(header);
    return isDue(this.cadence, header);
  }

  /** Whether something may be due at a frame, which it does not look at. */
  mayBeDue(header: FrameHeader): boolean {
    if (this.isTooSoon(header)) return false;
    if (this.isLate || this.cycle === undefined || header.reason !== Reason.tick) return true;
    if (tickMillisOf(header) !== this.tickMillis) return true;
    return isDue(this.cadence, header) || this.cycleOf(header.tick) !== this.cycle;
  }

  /** Goes on to a frame. A due frame that never came counts too. */
  look(header: FrameHeader): Due | undefined {
    if (this.isTooSoon(header)) return undefined;
    const isOwn = this.isDue(header) || this.replacesFreeze(header);
    this.tick = header.tick;
    const passed = this.passed(header);
    if (passed === 0 && !isOwn) return undefined;
    this.dueMillis = header.wallMillis;
    return { missed: Math.max(0, passed - 1) };
  }

  /** Whether the simulation runs as fast as possible, and something was due just now. */
  private isTooSoon({ clockRatio, mode, reason, wallMillis }: FrameHeader): boolean {
    if (clockRatio !== 0 || mode !== Mode.run || reason !== Reason.tick) return false;
    const passed = wallMillis - this.dueMillis;
    return passed >= 0 && passed < LEAST_MILLIS;
  }

  /** The tick of the last cycle before the one that a tick lies in. */
  cycleBefore(tick: number): number {
    return (this.cycleOf(tick) - 1) * this.everyTicks;
  }

  /** How many cycles fall on the ticks after one, up to and including a later one. */
  dueBetween(tick: number, laterTick: number): number {
    return Math.max(0, this.cycleOf(laterTick) - this.cycleOf(tick));
  }

  private cycleOf(tick: number): number {
    return Math.floor(tick / this.cadence.everyTicks);
  }

  /** Whether the frame of a request shows a freeze whose own frame may have been skipped. */
  private replacesFreeze({ reason, mode }: FrameHeader): boolean {
    return this.hasSkipped && reason === Reason.request && mode === Mode.freeze;
  }

  /** How many due ticks lie after the previous frame, up to and including this one. */
  private passed({ reason, tick, mode }: FrameHeader): number {
    // The frame of a request may be the first one after a tick whose own frame was skipped.
    if (reason !== Reason.tick && !(reason === Reason.request && mode === Mode.run)) return 0;
    const cycle = this.cycleOf(tick);
    const passed = this.cycle === undefined ? 0 : cycle - this.cycle;
    this.cycle = cycle;
    // Simulation time may go back.
    return Math.max(0, passed);
  }

  /** The software frame may change while the simulation runs. */
  private followTicks(header: FrameHeader): void {
    const tickMillis = tickMillisOf(header);
    if (tickMillis === this.tickMillis) return;
    this.tickMillis = tickMillis;
    this.setCycle(this.cycleMillis);
  }
}
