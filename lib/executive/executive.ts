// Simulation time, modes and counters: runs jobs frame by frame and knows nothing of wall time.
import { Mode, Reason } from '../frame/header.js';
import { CopyTimes } from './copy-times.js';
import { JobQueue } from './jobs.js';

export interface ExecutiveOptions {
  /** Length of a software frame in seconds. Trick: exec_set_software_frame */
  readonly softwareFrameSeconds: number;
  readonly freezeFrameSeconds: number;
  /** Simulation time at which the run ends, in seconds; Infinity for never. */
  readonly terminateSeconds: number;
  readonly ticsPerSecond: number;
}

export interface ExecutiveEvents {
  /** Takes a snapshot now. */
  readonly publish: (reason: Reason) => void;
  /** Something went wrong in the simulation's own code; it is frozen now. */
  readonly failed: (error: Error) => void;
}

/**
 * One tick covers [T, T + software frame): the frame counter goes up, the jobs due within it run at their exact times,
 * time moves to the end, and a snapshot of that moment is published. Trick: Executive::loop_single_thread
 */
export class Executive {
  readonly jobs = new JobQueue();
  readonly copies = new CopyTimes();
  readonly ticsPerSecond: number;
  private modeNow: Mode = Mode.initialization;
  private time = 0;
  private ticks = 0;
  private frames = 0;
  private freezeFrames = 0;
  private freezeTime = 0;
  private stepsLeft = 0;
  private softwareFrame: number;
  private freezeFrameLength: number;
  private freezeAt = Number.POSITIVE_INFINITY;
  private stopAt: number;
  /** Copies before this time have been made. */
  private nextCopyFrom = 0;

  constructor(
    options: ExecutiveOptions,
    private readonly events: ExecutiveEvents,
  ) {
    this.ticsPerSecond = options.ticsPerSecond;
    this.softwareFrame = this.toTics(options.softwareFrameSeconds);
    this.freezeFrameLength = this.toTics(options.freezeFrameSeconds);
    this.stopAt = this.toTics(options.terminateSeconds);
  }

  get mode(): Mode {
    return this.modeNow;
  }
  get timeTics(): number {
    return this.time;
  }
  get timeSeconds(): number {
    return this.time / this.ticsPerSecond;
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
    return this.softwareFrame;
  }
  get freezeFrameTics(): number {
    return this.freezeFrameLength;
  }
  /** Infinity for never. */
  get terminateTics(): number {
    return this.stopAt;
  }

  /** Ends initialization with the first frame, at time 0. */
  start(mode: typeof Mode.run | typeof Mode.freeze): void {
    if (mode === Mode.freeze) this.freeze();
    else this.run();
    this.events.publish(Reason.tick);
  }

  run(): void {
    if (this.modeNow !== Mode.exit) this.modeNow = Mode.run;
  }

  /** Freezes now. Call between ticks. */
  freeze(): void {
    if (this.modeNow === Mode.exit || this.modeNow === Mode.freeze) return;
    this.modeNow = Mode.freeze;
    this.freezeFrames = 0;
    this.freezeTime = 0;
    this.freezeAt = Number.POSITIVE_INFINITY;
    this.stepsLeft = 0;
  }

  /** Runs so many frames and freezes. */
  step(frames: number): void {
    if (this.modeNow === Mode.exit) return;
    this.modeNow = Mode.step;
    this.stepsLeft = frames;
  }

  freezeAtTics(timeTics: number): void {
    this.freezeAt = timeTics;
  }

  stopAtTics(timeTics: number): void {
    this.stopAt = timeTics;
  }

  exit(): void {
    this.modeNow = Mode.exit;
  }

  setSoftwareFrame(seconds: number): void {
    this.softwareFrame = this.toTics(seconds);
  }

  setFreezeFrame(seconds: number): void {
    this.freezeFrameLength = this.toTics(seconds);
  }

  toTics(seconds: number): number {
    return Math.round(seconds * this.ticsPerSecond);
  }

  /** Runs one software frame and publishes its end. */
  runTick(): void {
    const endTics = this.time + this.softwareFrame;
    this.frames++;
    try {
      this.runJobs(endTics);
    } catch (error) {
      this.freeze();
      this.jobs.realign(endTics);
      this.events.failed(error as Error);
    }
    this.time = endTics;
    this.ticks++;
    this.changeMode();
    this.events.publish(Reason.tick);
  }

  /** Passes one freeze frame: time stands, counters go on. */
  runFreezeFrame(): void {
    this.freezeFrames++;
    this.freezeTime += this.freezeFrameLength;
    this.events.publish(Reason.freeze);
  }

  private runJobs(endTics: number): void {
    for (;;) {
      const next = Math.min(this.jobs.nextTics, this.copies.next(this.nextCopyFrom));
      if (next >= endTics) return;
      this.time = Math.max(this.time, next);
      this.jobs.runDue(next, this.ticsPerSecond);
      if (this.time >= this.nextCopyFrom && this.copies.isDue(this.time)) this.events.publish(Reason.scheduled);
      this.nextCopyFrom = this.time + 1;
    }
  }

  private changeMode(): void {
    if (this.modeNow === Mode.step && --this.stepsLeft <= 0) this.freeze();
    if (this.time >= this.freezeAt) this.freeze();
    if (this.time >= this.stopAt) this.exit();
  }
}
