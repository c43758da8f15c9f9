// Simulation time, modes and counters: runs jobs frame by frame and does not use wall time.

import { Mode, Reason } from '../../model/frame/header.js';
import { errorOf } from '../../model/state/thrown.js';
import { CopyTimes } from './copy-times.js';
import type { ExecutiveEvents, Waits } from './executive-events.js';
import { FrameLength } from './frame-length.js';
import { type JobChange, type JobChoice, JobQueue } from './jobs.js';
import { MovedTime } from './moved-time.js';

export interface ExecutiveOptions {
  /** Length of a software frame in seconds. Trick: exec_set_software_frame */
  readonly softwareFrameSeconds: number;
  readonly freezeFrameSeconds: number;
  /** Simulation time at which the run ends, in seconds; Infinity for never. */
  readonly terminateSeconds: number;
  readonly ticsPerSecond: number;
  /** The clock's seconds at a simulation time; the same ones when left out. */
  readonly clockSeconds?: ((elapsedSeconds: number) => number) | undefined;
}

/**
 * One tick covers [T, T + software frame): the frame counter increases, the jobs due in it run at their exact times,
 * time moves to the end, and a snapshot of that moment is published. A tick may have to wait for others at a time within
 * it, and goes on from there. Trick: Executive::loop_single_thread
 */
export class Executive {
  readonly jobs: JobQueue;
  /** Run after the jobs that are due at the same time. */
  readonly recorders = new JobQueue();
  /**
   * Run after the recorders and the copies of the same time, because they move the state on to a later one: what is
   * recorded or shown for a time is the state at that time.
   */
  readonly movers: JobQueue;
  readonly copies = new CopyTimes();
  /** Of the jobs that integrate. */
  readonly moved = new MovedTime();
  readonly ticsPerSecond: number;
  /** Trick: exec_set_software_frame */
  readonly softwareFrame: FrameLength;
  /** Trick: exec_set_freeze_frame */
  readonly freezeFrame: FrameLength;
  /** Whether the run ends at the time at which it starts, whatever it is told until then. */
  endsAtStart = false;
  private readonly toClock: (elapsedSeconds: number) => number;
  private readonly queues: readonly JobQueue[];
  private modeNow: Mode = Mode.initialization;
  /** The mode after initialization, if the build asked for one. */
  private startMode: typeof Mode.run | typeof Mode.freeze | undefined;
  private time = 0;
  /** Where the tick ends that waits within it; undefined between two ticks. */
  private tickEnd: number | undefined;
  /** Whether jobs of a tick run, and nobody is waited for. */
  private isInJobs = false;
  /** Whether the run has ended within a tick. */
  private isCut = false;
  /** How far within a frame the next tick begins, because a checkpoint was made there. */
  private insideTics = 0;
  private jumpCount = 0;
  private ticks = 0;
  private frames = 0;
  private freezeFrames = 0;
  private freezeTime = 0;
  private stepsLeft = 0;
  private pausesEachFrame = false;
  private freezeAt = Number.POSITIVE_INFINITY;
  private stopAt: number;
  /** Copies before this time have been made. */
  private nextCopyFrom = 0;

  constructor(
    options: ExecutiveOptions,
    private readonly events: ExecutiveEvents,
  ) {
    this.jobs = new JobQueue(events.watch);
    this.movers = new JobQueue(events.watch);
    this.queues = [this.jobs, this.recorders, this.movers];
    this.ticsPerSecond = options.ticsPerSecond;
    this.toClock = options.clockSeconds ?? ((elapsed) => elapsed);
    this.softwareFrame = new FrameLength(options.softwareFrameSeconds, 'a software frame', this);
    this.freezeFrame = new FrameLength(options.freezeFrameSeconds, 'a freeze frame', this);
    this.stopAt = this.toTics(options.terminateSeconds);
  }

  get mode(): Mode {
    return this.modeNow;
  }
  /** Whether every frame ends in a pause. Trick: DebugPause::debug_pause_flag */
  get isDebugPauseOn(): boolean {
    return this.pausesEachFrame;
  }
  /** Whether there is no frame to run: not started yet, frozen, at a pause between steps, or at the end. */
  get isHeld(): boolean {
    if (this.modeNow === Mode.initialization) return true;
    // A tick that has begun comes to its end before a freeze.
    if (this.isInTick) return this.isCut;
    return this.modeNow === Mode.freeze || this.modeNow === Mode.exit || this.isPaused;
  }
  /** Whether a tick has begun that waits for others at a time within it. */
  get isInTick(): boolean {
    return this.tickEnd !== undefined;
  }
  /** Whether nothing more runs. */
  get isOver(): boolean {
    return this.modeNow === Mode.exit && (this.isCut || !this.isInTick);
  }
  get isBeforeStart(): boolean {
    return this.modeNow === Mode.initialization;
  }
  /** How often `continueFrom` was called. */
  get jumps(): number {
    return this.jumpCount;
  }

  get timeTics(): number {
    return this.moved.at(this.time);
  }
  get timeSeconds(): number {
    return this.timeTics / this.ticsPerSecond;
  }
  /** By the simulation's clock. */
  get clockSeconds(): number {
    return this.toClock(this.timeSeconds);
  }
  get tick(): number {
    return this.ticks;
  }
  get frameCount(): number {
    return this.frames;
  }
  get freezeFrameCount(): number {
    return this.freezeFrames;
  }
  get freezeTimeTics(): number {
    return this.freezeTime;
  }
  get softwareFrameTics(): number {
    return this.softwareFrame.tics;
  }
  get freezeFrameTics(): number {
    return this.freezeFrame.tics;
  }
  /** Infinity for never. */
  get terminateTics(): number {
    return this.stopAt;
  }

  /**
   * Ends initialization with the first frame, at time 0; if the build froze or stopped the simulation, that is kept.
   */
  start(mode: typeof Mode.run | typeof Mode.freeze): void {
    if (this.endsAtStart || this.stopAt < this.time) this.stopAt = this.time;
    if (this.modeNow === Mode.initialization)
      this.modeNow = this.stopAt === this.time ? Mode.run : (this.startMode ?? mode);
    this.events.publish(Reason.tick);
  }

  run(): void {
    if (this.modeNow === Mode.initialization) this.startMode = Mode.run;
    else if (this.modeNow !== Mode.exit) this.modeNow = Mode.run;
  }

  /** Freezes now, or at the end of the tick when called in a job. */
  freeze(): void {
    if (this.modeNow === Mode.exit || this.modeNow === Mode.freeze) return;
    if (this.modeNow === Mode.initialization) {
      this.startMode = Mode.freeze;
      return;
    }
    this.modeNow = Mode.freeze;
    this.freezeFrames = 0;
    this.freezeTime = 0;
  }

  /** Runs that many frames and freezes. */
  step(frames: number): void {
    if (!Number.isSafeInteger(frames) || frames < 1) {
      throw new RangeError(`a step is a whole number of frames from 1 up, not ${frames}`);
    }
    if (this.modeNow === Mode.initialization) throw new RangeError('a step needs a simulation that has started');
    if (this.modeNow === Mode.exit) return;
    this.modeNow = Mode.step;
    this.stepsLeft = frames;
  }

  /** Pauses in mode step after every frame, or continues from such a pause. Trick: debug_pause_on, debug_pause_off */
  setDebugPause(isOn: boolean): void {
    if (this.pausesEachFrame && !isOn && this.modeNow === Mode.step) this.modeNow = Mode.run;
    this.pausesEachFrame = isOn;
  }

  /** Runs one frame from a pause to the next; does nothing when not paused. Trick: debug_signal */
  debugSignal(): void {
    if (this.isPaused) this.stepsLeft = 1;
  }

  /** Freezes at the end of the tick that reaches a time, once. Trick: freeze(t) */
  freezeAtTics(timeTics: number): void {
    this.requireFuture(timeTics, 'freeze');
    if (timeTics > this.time) this.freezeAt = timeTics;
    else this.freeze();
  }

  /**
   * Exits at the end of the tick that reaches a time, at once when that is past; Infinity for never. The jobs of the
   * present time run before, and so does the initialization. Trick: exec_set_terminate_time
   */
  stopAtTics(timeTics: number): void {
    if (Number.isNaN(timeTics)) throw new RangeError('a terminate time is a number of seconds');
    this.stopAt = timeTics;
    if (timeTics > this.time || this.isBeforeStart) return;
    if (timeTics < this.time) this.exit();
    else if (!this.isInTick && this.modeNow !== Mode.exit) this.modeNow = Mode.run;
  }

  /** A job ends the run with its tick; others who are waited for end it at once. */
  exit(): void {
    this.modeNow = Mode.exit;
    this.isCut ||= this.isInTick && !this.isInJobs;
  }

  /**
   * Switches jobs on or off, or gives one another cycle in seconds. Returns the first chosen job's cycle in seconds;
   * undefined when there is no such job. Trick: exec_set_job_onoff, exec_set_job_cycle, exec_get_job_cycle
   */
  changeJobs(choice: JobChoice, isOn: boolean | undefined, cycleSeconds: number | undefined): number | undefined {
    const change: JobChange = {
      ...(isOn !== undefined && { isOn }),
      ...(cycleSeconds !== undefined && { cycleTics: this.toTics(cycleSeconds) }),
    };
    const changeIn = (queue: JobQueue) => queue.change(choice, change, this.time, this.softwareFrame.ownTics);
    const inJobs = changeIn(this.jobs);
    const inMovers = inJobs === undefined || 'object' in choice ? changeIn(this.movers) : undefined;
    const cycleTics = inJobs ?? inMovers;
    return cycleTics === undefined ? undefined : cycleTics / this.ticsPerSecond;
  }

  /** Calls a job now; whether it returned something other than 0, undefined when there is no such job. */
  callJob(choice: JobChoice): boolean | undefined {
    const called = this.jobs.call(choice, this.ticsPerSecond);
    return called && Boolean(called.returned);
  }

  toTics(seconds: number): number {
    return Math.round(seconds * this.ticsPerSecond);
  }

  /** Freezes because the simulation's own code threw. */
  fail(thrown: unknown): void {
    this.freeze();
    this.events.failed(errorOf(thrown));
  }

  /** Continues at a simulation time, past or future, with that frame count; jobs keep their grids. */
  continueFrom(timeTics: number, frameCount: number): void {
    this.jumpCount++;
    this.time = timeTics;
    this.moved.restartAt(timeTics);
    this.frames = frameCount;
    this.nextCopyFrom = timeTics;
    [this.tickEnd, this.insideTics] = [undefined, timeTics % this.softwareFrame.tics];
    for (const queue of this.queues) queue.restartAt(timeTics);
    this.events.waits?.restartAt(timeTics);
  }

  /**
   * Runs one software frame and publishes its end, or goes on with one that has waited. A job that throws ends the frame's
   * jobs, but not the frame. Returns false when the frame waits for others and is to be called again.
   */
  runTick(): boolean {
    if (this.tickEnd === undefined) {
      // The last tick has no length when the terminate time is now.
      const { tics } = this.softwareFrame;
      this.tickEnd = this.time + (this.time === this.stopAt ? 0 : tics - (this.insideTics % tics));
      this.frames++;
    }
    const endTics = this.tickEnd;
    if (!this.runToEnd(endTics)) return false;
    [this.tickEnd, this.insideTics] = [undefined, 0];
    if (endTics === this.stopAt) this.runLastJobs();
    this.endFrame();
    this.changeMode();
    this.events.publish(Reason.tick);
    return true;
  }

  /** Runs the jobs before the end of a tick, and asks the others who are beside jobs at the end of the run. */
  private runToEnd(endTics: number): boolean {
    if (this.time < endTics) {
      this.isInJobs = true;
      try {
        if (!this.runJobs(endTics)) return false;
      } catch (error) {
        for (const queue of this.queues) queue.realign(endTics);
        this.fail(error);
      } finally {
        this.isInJobs = false;
      }
      this.time = endTics;
      this.nextCopyFrom = Math.max(this.nextCopyFrom, endTics);
      this.ticks++;
    }
    return endTics !== this.stopAt || (this.events.waits?.begin(endTics) ?? true);
  }

  /** Passes one freeze frame, also in a pause: time stands, counters increase. */
  runFreezeFrame(): void {
    this.freezeFrames++;
    this.freezeTime += this.freezeFrame.tics;
    this.events.publish(Reason.freeze);
  }

  private endFrame(): void {
    try {
      this.events.frameEnds?.();
    } catch (error) {
      this.fail(error);
    }
  }

  /** False when others must be waited for before the jobs of this time. */
  private runJobs(endTics: number): boolean {
    const { waits } = this.events;
    for (;;) {
      const due = Math.min(this.jobs.nextTics, this.recorders.nextTics, this.movers.nextTics);
      const waited = Math.max(this.time, waits?.nextTics ?? Number.POSITIVE_INFINITY);
      const next = Math.min(due, this.copies.next(this.nextCopyFrom), waited);
      if (next >= endTics) return true;
      this.time = next;
      if (waits && !this.passes(waits, next)) return false;
      this.jobs.runDue(next, this.ticsPerSecond);
      // A job may have added another one for the same time: the copy must show the result of both.
      if (this.jobs.nextTics === next) continue;
      this.recorders.runDue(next, this.ticsPerSecond);
      if (next >= this.nextCopyFrom && this.copies.isDue(next)) {
        this.events.publish(Reason.scheduled);
        this.copies.made(next);
      }
      this.nextCopyFrom = next + 1;
      this.movers.runDue(next, this.ticsPerSecond);
    }
  }

  /** Whether nobody is waited for at a time; what others do may end the run at once. */
  private passes(waits: Waits, timeTics: number): boolean {
    this.isInJobs = false;
    const passes = waits.pass(timeTics) && !this.isCut;
    this.isInJobs = true;
    return passes;
  }

  /** At the terminate time jobs run and rows are taken once more, but nothing moves the state on. */
  private runLastJobs(): void {
    try {
      this.jobs.runDue(this.time, this.ticsPerSecond);
      this.recorders.runDue(this.time, this.ticsPerSecond);
    } catch (error) {
      this.fail(error);
    }
  }

  private changeMode(): void {
    this.endStep();
    if (this.time >= this.freezeAt) {
      this.freezeAt = Number.POSITIVE_INFINITY;
      this.freeze();
    }
    if (this.time >= this.stopAt) this.exit();
  }

  private get isPaused(): boolean {
    return this.modeNow === Mode.step && this.stepsLeft === 0;
  }

  private endStep(): void {
    const isLast =
      this.modeNow === Mode.step ? --this.stepsLeft <= 0 : this.modeNow === Mode.run && this.pausesEachFrame;
    if (!isLast) return;
    if (!this.pausesEachFrame) {
      this.freeze();
      return;
    }
    this.modeNow = Mode.step;
    this.stepsLeft = 0;
  }

  private requireFuture(timeTics: number, what: string): void {
    if (timeTics >= this.time) return;
    const asked = timeTics / this.ticsPerSecond;
    throw new RangeError(`cannot ${what} at ${asked} s, simulation time is ${this.timeSeconds} s already`);
  }
}
