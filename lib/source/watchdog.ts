// Notices from another thread that a simulation is stuck: a job that does not return, frames that do not come.
import { LIMITS } from '../model/bounds/limits.js';
import { Mode } from '../model/frame/header.js';
import type { Frame } from '../model/frame/reader.js';
import type { Vitals } from '../simulation/executive/vitals.js';

export const DEFAULT_STUCK_AFTER_MILLIS = LIMITS.stuckMillis.all;
/** How many checks there are in the time after which it reports a fault. */
const LOOKS = 10;

/** What it watches, and where it reports. */
interface Watched {
  readonly frame: Frame;
  setSilence(sentence: string | undefined): void;
  setStandstill(sentence: string | undefined): void;
}

/**
 * Counts time in checks, not by a clock, so that after a pause of the whole process, or a late check, nothing counts as
 * stuck.
 */
export class Watchdog {
  private readonly periodMillis: number;
  private turns = Number.NaN;
  private looksWithoutTurn = 0;
  private frameNumber = 0;
  private looksWithoutFrame = 0;
  /** The most checks between two frames so far. */
  private usualLooks = 0;

  /**
   * @param vitals of the simulation's thread.
   * @param mayRest whether the thread belongs to a program that may leave the simulation alone for as long as it likes;
   * then a turn counts as too long only while a job or a request is at work.
   */
  constructor(
    private readonly watched: Watched,
    private readonly vitals: Vitals,
    stuckAfterMillis = DEFAULT_STUCK_AFTER_MILLIS,
    private readonly mayRest = false,
  ) {
    this.periodMillis = stuckAfterMillis / LOOKS;
  }

  /** Starts checking; returns a function that stops it. It does not keep the process alive. */
  start(): () => void {
    const timer = setInterval(() => this.look(), this.periodMillis).unref();
    return () => clearInterval(timer);
  }

  /** One check. Call it ten times in the time after which a simulation counts as stuck. */
  look(): void {
    this.lookForTurns();
    // Without turns there are no frames: that is one fault, not two.
    if (this.looksWithoutTurn === 0) this.lookForFrames();
  }

  private lookForTurns(): void {
    const { turns, busyWith } = this.vitals;
    const isResting = this.mayRest && busyWith === undefined;
    this.looksWithoutTurn = turns === this.turns && !isResting ? this.looksWithoutTurn + 1 : 0;
    this.turns = turns;
    if (this.looksWithoutTurn < LOOKS) this.watched.setSilence(undefined);
    else {
      const where = busyWith === undefined ? '' : `: it is busy with ${busyWith}`;
      this.watched.setSilence(`the simulation has not answered for ${this.seconds} s${where}`);
    }
  }

  private lookForFrames(): void {
    const { header } = this.watched.frame;
    if (header.number !== this.frameNumber || header.mode !== Mode.run) {
      if (this.frameNumber > 0 && header.mode === Mode.run)
        this.usualLooks = Math.max(this.usualLooks, this.looksWithoutFrame);
      this.looksWithoutFrame = 0;
      this.frameNumber = header.number;
      this.watched.setStandstill(undefined);
      return;
    }
    this.looksWithoutFrame++;
    // A simulation with long frames, or slower than real time, is not stuck between them.
    const frameLooks = (1000 * header.softwareFrameTics) / header.ticsPerSecond / this.periodMillis;
    if (this.looksWithoutFrame < Math.max(LOOKS, 3 * frameLooks, 3 * this.usualLooks)) return;
    const seconds = (this.looksWithoutFrame * this.periodMillis) / 1000;
    this.watched.setStandstill(`no frame has come for ${+seconds.toFixed(1)} s although the simulation runs`);
  }

  private get seconds(): number {
    return +((this.looksWithoutTurn * this.periodMillis) / 1000).toFixed(1);
  }
}
