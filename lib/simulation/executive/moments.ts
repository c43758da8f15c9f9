// Jobs that run at a moment of the run instead of at simulation times: at its start, its end, in a freeze.
import { performance } from 'node:perf_hooks';
import { callWithin } from './bounded-call.js';
import { type Job, type JobWatch, watched } from './jobs.js';

/** How a simulation has ended. */
export interface SimulationEnd {
  /** The exit code of the process. */
  readonly code: number;
  readonly reason: string;
}

/**
 * `initialization`: once, after the build and the input file. `end_of_frame`: at the end of each frame, before its
 * snapshot. `freeze_init`, `freeze`, `unfreeze`: when a freeze begins, at each of its frames, when it ends. `shutdown`:
 * at the end of the run. Trick: job classes
 */
export type Moment = 'initialization' | 'end_of_frame' | 'freeze_init' | 'freeze' | 'unfreeze' | 'shutdown';

export const MOMENTS: readonly Moment[] = [
  'initialization',
  'end_of_frame',
  'freeze_init',
  'freeze',
  'unfreeze',
  'shutdown',
];

type MomentJob = Pick<Job, 'name' | 'number' | 'rank' | 'order'> & { readonly run: (end: SimulationEnd) => void };

const NO_END: SimulationEnd = { code: 0, reason: '' };

export class Moments {
  private readonly jobs = new Map<Moment, readonly MomentJob[]>();

  constructor(private readonly watch: JobWatch) {}

  /** @returns removes the job; returns whether it was still there. */
  add(moment: Moment, job: MomentJob): () => boolean {
    const jobs = this.jobs.get(moment) ?? [];
    const place = jobs.findIndex((other) => (other.rank ?? 0) > (job.rank ?? 0));
    this.jobs.set(moment, jobs.toSpliced(place < 0 ? jobs.length : place, 0, job));
    return () => {
      const now = this.jobs.get(moment) ?? [];
      this.jobs.set(
        moment,
        now.filter((other) => other !== job),
      );
      return now.includes(job);
    };
  }

  get all(): readonly (MomentJob & { readonly moment: Moment })[] {
    return [...this.jobs].flatMap(([moment, jobs]) => jobs.map((job) => ({ ...job, moment })));
  }

  has(moment: Moment): boolean {
    return (this.jobs.get(moment) ?? []).length > 0;
  }

  /** Runs all jobs of a moment, also when one throws. Throws the first JobError. */
  run(moment: Moment): void {
    this.runAll(moment, (job) => job.run(NO_END));
  }

  /**
   * Runs the jobs of the shutdown as `run` does, in a time that all share: one that takes more than half of what is left
   * is interrupted, the last one at its end.
   */
  shutDown(end: SimulationEnd, withinMillis: number): void {
    const endMillis = performance.now() + withinMillis;
    this.runAll('shutdown', (job, isLast) => {
      const leftMillis = endMillis - performance.now();
      callWithin(isLast ? leftMillis : leftMillis / 2, () => job.run(end));
    });
  }

  private runAll(moment: Moment, call: (job: MomentJob, isLast: boolean) => void): void {
    const jobs = this.jobs.get(moment) ?? [];
    let failure: unknown;
    for (const [index, job] of jobs.entries()) {
      try {
        watched(job, this.watch, () => call(job, index === jobs.length - 1));
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
  }
}
