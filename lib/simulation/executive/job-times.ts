// How long jobs take: for the vitals, and for the sentence that says why frames were late.
import type { JobWatch } from './jobs.js';
import type { Vitals } from './vitals.js';

/** A frame may be late in each frame; one sentence in this time says so. */
const WARNING_MILLIS = 1000;

export class JobTimes implements JobWatch {
  private startMillis = 0;
  private slowest = 0;
  private slowestMillis = 0;
  private frameMillis = 0;
  private lateFrames = 0;
  private warnedMillis = Number.NEGATIVE_INFINITY;

  /** @param logged called with each run of a job. */
  constructor(
    private readonly vitals: Vitals,
    private readonly nowMillis: () => number,
    private readonly logged: (number: number, startMillis: number, endMillis: number) => void = () => undefined,
  ) {}

  starts(number: number): void {
    this.vitals.jobStarts(number);
    this.startMillis = this.nowMillis();
  }

  ended(number: number): void {
    const now = this.nowMillis();
    const millis = now - this.startMillis;
    this.logged(number, this.startMillis, now);
    this.vitals.jobTook(number, millis);
    this.frameMillis += millis;
    if (millis <= this.slowestMillis) return;
    this.slowest = number;
    this.slowestMillis = millis;
  }

  /**
   * Called after each frame.
   * @param isLate whether it ended late, for whatever reason.
   * @param lengthMillis the time that a frame has.
   * @returns a warning, at most once a second, that names the job that took longest since the last one.
   */
  frameEnded(isLate: boolean, lengthMillis: number): string | undefined {
    // A machine that was busy with something else is not the jobs' fault.
    if (isLate && this.frameMillis >= lengthMillis / 2) this.lateFrames++;
    this.frameMillis = 0;
    const now = this.nowMillis();
    if (this.lateFrames === 0) {
      this.slowestMillis = 0;
      return undefined;
    }
    if (now < this.warnedMillis + WARNING_MILLIS) return undefined;
    const { name } = this.vitals.timeOf(this.slowest);
    const frames = this.lateFrames === 1 ? 'a frame has' : `${this.lateFrames} frames have`;
    const sentence = `${frames} ended late: the longest job was ${name || 'one of many'}, with ${+this.slowestMillis.toFixed(1)} ms of the ${lengthMillis} ms that a frame has`;
    this.warnedMillis = now;
    this.lateFrames = 0;
    this.slowestMillis = 0;
    return sentence;
  }
}
