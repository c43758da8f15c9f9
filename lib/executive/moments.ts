// Jobs that run at a moment of the run instead of at simulation times: at its start, its end, in a freeze.
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
  run(moment: Moment, end = NO_END): void {
    let failure: unknown;
    for (const job of this.jobs.get(moment) ?? []) {
      try {
        watched(job, this.watch, () => job.run(end));
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
  }
}
