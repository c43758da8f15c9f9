// The jobs of a simulation, each on its own grid of simulation time.

export interface Job {
  readonly name: string;
  readonly periodTics: number;
  /** @param deltaSeconds the job's own period. */
  readonly run: (deltaSeconds: number) => void;
}

interface Scheduled extends Job {
  readonly gridTics: number;
  nextTics: number;
}

/** Jobs due at the same time run in the order in which they were added. Trick: ScheduledJobQueue */
export class JobQueue {
  /** Replaced, never changed, so that jobs may come and go while a round runs. */
  private jobs: readonly Scheduled[] = [];

  /**
   * @param firstTics simulation time of the first call.
   * @param gridTics where its grid begins: the earliest call when time goes back.
   * @returns what takes the job out again.
   */
  add(job: Job, firstTics: number, gridTics = firstTics): () => void {
    const added = { ...job, gridTics, nextTics: firstTics };
    this.jobs = [...this.jobs, added];
    return () => {
      added.nextTics = Number.POSITIVE_INFINITY;
      this.jobs = this.jobs.filter((other) => other !== added);
    };
  }

  /** Time of the next due job; Infinity without jobs. */
  get nextTics(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const job of this.jobs) if (job.nextTics < next) next = job.nextTics;
    return next;
  }

  /** Runs every job due at exactly this time. What a job throws ends the round; that job counts as run. */
  runDue(timeTics: number, ticsPerSecond: number): void {
    for (const job of this.jobs) {
      if (job.nextTics !== timeTics) continue;
      job.nextTics += job.periodTics;
      try {
        job.run(job.periodTics / ticsPerSecond);
      } catch (thrown) {
        throw new JobError(job.name, thrown);
      }
    }
  }

  /** Sets every job to its first due time at or after a time that may be past, on its own grid. */
  restartAt(timeTics: number): void {
    for (const job of this.jobs) {
      const periods = Math.max(0, Math.ceil((timeTics - job.gridTics) / job.periodTics));
      job.nextTics = job.gridTics + periods * job.periodTics;
    }
  }

  /** Moves jobs that are behind to their first due time at or after a time, on their own grid. */
  realign(timeTics: number): void {
    for (const job of this.jobs) {
      if (job.nextTics >= timeTics) continue;
      job.nextTics += Math.ceil((timeTics - job.nextTics) / job.periodTics) * job.periodTics;
    }
  }
}

/** What a job threw, with the job's name. */
export class JobError extends Error {
  override readonly name = 'JobError';

  constructor(jobName: string, thrown: unknown) {
    super(`job ${jobName} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
  }
}
