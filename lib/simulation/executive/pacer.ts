// Simulation time against wall time: when the next frame may start, and whether frames were late. Trick: RealtimeSync

/** When it is further behind, the pacer gives up the lost time instead of catching up. */
const GIVE_UP_MILLIS = 5000;
/** The wall time over which the achieved ratio is measured. */
const RATIO_WINDOW_MILLIS = 1000;

export class Pacer {
  private enabled: boolean;
  private clockRatio = 1;
  private referenceMillis = 0;
  private referenceTics = 0;
  private overruns = 0;
  private worstDelay = 0;
  private achievedRatio = 1;
  /** Time spent on requests since a frame last ended in time. */
  private requestMillis = 0;
  /** Whether a thread works for clients, and takes a processor perhaps, or the time lost meanwhile is being made up for. */
  private isShared = false;
  private lateMillis = 0;
  /** Whether the last frame without such work ended in time. */
  private isPunctual = true;
  private windowMillis = 0;
  private windowTics = 0;

  /** @param isAssumed whether nobody has said so yet. */
  constructor(
    private readonly ticsPerSecond: number,
    enabled: boolean,
    private isAssumed = false,
  ) {
    this.enabled = enabled;
  }

  /** Whether the run goes as fast as it can because nobody has said anything else. */
  get isUnpacedUnasked(): boolean {
    return this.isAssumed && !this.enabled;
  }

  get isEnabled(): boolean {
    return this.enabled;
  }
  /** The wanted number of simulation seconds per wall second. */
  get ratio(): number {
    return this.clockRatio;
  }
  /** Frames that ended after the next one was due. Trick: total_overrun */
  get overrunCount(): number {
    return this.overruns;
  }
  /** The longest delay of any frame's start, in milliseconds. */
  get worstDelayMillis(): number {
    return this.worstDelay;
  }
  /** Simulation seconds per wall second over the last second or so. Trick: actual_run_ratio */
  get actualRatio(): number {
    return this.achievedRatio;
  }

  setEnabled(enabled: boolean, nowMillis: number, timeTics: number): void {
    this.isAssumed = false;
    if (enabled && !this.enabled) this.restart(nowMillis, timeTics);
    this.enabled = enabled;
  }

  /** Continues from this moment at another speed. Throws a RangeError for a number that is not a positive speed. */
  setRatio(ratio: number, nowMillis: number): void {
    if (!(ratio > 0 && ratio < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`a clock ratio is a number above 0, not ${ratio}`);
    }
    const elapsedSeconds = ((nowMillis - this.referenceMillis) / 1000) * this.clockRatio;
    this.referenceTics += elapsedSeconds * this.ticsPerSecond;
    this.referenceMillis = nowMillis;
    this.clockRatio = ratio;
  }

  /** Ties a simulation time to a moment; later times are counted from there, so nothing drifts. */
  restart(nowMillis: number, timeTics: number): void {
    this.referenceMillis = nowMillis;
    this.referenceTics = timeTics;
    this.windowMillis = nowMillis;
    this.windowTics = timeTics;
  }

  /** When the frame that starts at a simulation time may run; in the past when it may run at once. */
  dueMillis(timeTics: number): number {
    if (!this.enabled) return Number.NEGATIVE_INFINITY;
    const seconds = (timeTics - this.referenceTics) / this.ticsPerSecond;
    return this.referenceMillis + (1000 * seconds) / this.clockRatio;
  }

  /** How long after its time the frame that starts at a simulation time would start now; 0 without real time. */
  lateSeconds(nowMillis: number, timeTics: number): number {
    return this.enabled ? (nowMillis - this.dueMillis(timeTics)) / 1000 : 0;
  }

  /** Records that a frame starts now. */
  started(nowMillis: number, timeTics: number): void {
    if (!this.enabled) return;
    const delay = nowMillis - this.dueMillis(timeTics);
    if (delay > this.worstDelay) this.worstDelay = delay;
    if (delay > GIVE_UP_MILLIS) this.restart(nowMillis, timeTics);
  }

  /** Adds time spent on clients' requests. */
  spentOnRequests(millis: number): void {
    this.requestMillis += millis;
  }

  /**
   * Records that a frame has ended and simulation time has moved on.
   * @param isShared whether another thread works on what clients have asked for.
   * @returns whether it ended late only because of the requests since the last frame that ended in time.
   */
  ended(nowMillis: number, timeTics: number, isShared = false): boolean {
    const lateMillis = this.enabled ? nowMillis - this.dueMillis(timeTics) : 0;
    const isLate = lateMillis > 0;
    this.isShared = isShared || (this.isShared && isLate && lateMillis < this.lateMillis);
    this.lateMillis = lateMillis;
    if (!this.isShared) this.isPunctual = !isLate;
    const isByRequests = isLate && (lateMillis <= this.requestMillis || (this.isShared && this.isPunctual));
    if (isLate) this.overruns++;
    else this.requestMillis = 0;
    this.measureRatio(nowMillis, timeTics);
    return isByRequests;
  }

  private measureRatio(nowMillis: number, timeTics: number): void {
    const elapsed = nowMillis - this.windowMillis;
    if (elapsed < RATIO_WINDOW_MILLIS) return;
    this.achievedRatio = (1000 * (timeTics - this.windowTics)) / this.ticsPerSecond / elapsed;
    this.windowMillis = nowMillis;
    this.windowTics = timeTics;
  }
}
