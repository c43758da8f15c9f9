// The jobs of a simulation; each runs on its own grid of simulation time.
import { thrownText } from '../../model/state/thrown.js';

export interface Job {
  readonly name: string;
  /** The number of the job in the thread's vitals. */
  readonly number?: number;
  readonly periodTics: number;
  /** Jobs of a lower rank run first. Default 0. */
  readonly rank?: number;
  readonly jobClass?: string;
  /** Among the jobs of its class. Trick: phase */
  readonly order?: number;
  /** @param deltaSeconds the job's own period. */
  readonly run: (deltaSeconds: number) => void;
}

interface Scheduled extends Job {
  /** As the simulation declared it. */
  readonly declaredTics: number;
  readonly gridTics: number;
  periodTics: number;
  nextTics: number;
  isOn: boolean;
}

/** Which jobs a client changes: one by its name and its place among those of that name, from 1, or all of an object. */
export type JobChoice = { readonly job: string; readonly instance: number } | { readonly object: string };

/** What changes; nothing does when all is left out. */
export interface JobChange {
  readonly isOn?: boolean;
  readonly cycleTics?: number;
}

/** Told of each job that has a number. */
export interface JobWatch {
  starts(number: number): void;
  ended(number: number): void;
}

/** Jobs due at the same time run by rank, and those of one rank as they were added. Trick: ScheduledJobQueue */
export class JobQueue {
  /** Replaced instead of changed, so that jobs may come and go while a round runs. */
  private jobs: readonly Scheduled[] = [];

  constructor(private readonly watch?: JobWatch) {}

  /**
   * @param firstTics simulation time of the first call.
   * @param gridTics where its grid begins: the earliest call when time goes back.
   * @returns removes the job; returns whether it was still there.
   */
  add(job: Job, firstTics: number, gridTics = firstTics): () => boolean {
    const added: Scheduled = { ...job, declaredTics: job.periodTics, gridTics, nextTics: firstTics, isOn: true };
    const { rank = 0 } = job;
    const place = this.jobs.findIndex((other) => (other.rank ?? 0) > rank);
    this.jobs = this.jobs.toSpliced(place < 0 ? this.jobs.length : place, 0, added);
    return () => {
      const isThere = this.jobs.includes(added);
      added.nextTics = Number.POSITIVE_INFINITY;
      this.jobs = this.jobs.filter((other) => other !== added);
      return isThere;
    };
  }

  get all(): readonly (Job & { readonly gridTics: number })[] {
    return this.jobs;
  }

  /** Time of the next due job; Infinity without jobs. */
  get nextTics(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const job of this.jobs) if (job.nextTics < next) next = job.nextTics;
    return next;
  }

  /** Runs every job due at exactly this time. A job that throws ends the round, and counts as run. */
  runDue(timeTics: number, ticsPerSecond: number): void {
    for (const job of this.jobs) {
      if (job.nextTics !== timeTics) continue;
      job.nextTics += job.periodTics;
      if (!job.isOn) continue;
      watched(job, this.watch, () => job.run(job.periodTics / ticsPerSecond));
    }
  }

  /**
   * Switches jobs on or off, or gives one another cycle, which begins at the next multiple of it on the job's grid.
   * @param leastTics the shortest cycle of a job that was not declared with a shorter one.
   * @returns the first chosen job's cycle in tics; undefined when there is no such job. Throws a RangeError for a
   * cycle that is too short.
   */
  change(choice: JobChoice, { isOn, cycleTics }: JobChange, timeTics: number, leastTics: number): number | undefined {
    const [first, ...others] = this.chosen(choice);
    if (!first) return undefined;
    if (cycleTics !== undefined) {
      const least = Math.min(leastTics, first.declaredTics);
      if (!(cycleTics >= least && cycleTics < Number.MAX_SAFE_INTEGER))
        throw new RangeError(
          `job ${first.name} cannot have a cycle shorter than the simulation's own software frame, or without an end`,
        );
      first.periodTics = cycleTics;
      alignTo(first, timeTics);
    }
    if (isOn !== undefined) for (const job of [first, ...others]) job.isOn = isOn;
    return first.periodTics;
  }

  /** Calls a job now, also one that is off. Returns what it returns; undefined when there is no such job. */
  call(choice: JobChoice, ticsPerSecond: number): { readonly returned: unknown } | undefined {
    const [job] = this.chosen(choice);
    if (!job) return undefined;
    let returned: unknown;
    watched(job, this.watch, () => {
      returned = job.run(job.periodTics / ticsPerSecond);
    });
    return { returned };
  }

  private chosen(choice: JobChoice): readonly Scheduled[] {
    if ('object' in choice) return this.jobs.filter(({ name }) => name.startsWith(`${choice.object}.`));
    return this.jobs.filter(({ name }) => name === choice.job).slice(choice.instance - 1, choice.instance);
  }

  /** Sets every job to its first due time at or after a time, which may be in the past, on its own grid. */
  restartAt(timeTics: number): void {
    for (const job of this.jobs) alignTo(job, timeTics);
  }

  /** Moves late jobs to their first due time at or after a time, on their own grid. */
  realign(timeTics: number): void {
    for (const job of this.jobs) {
      if (job.nextTics >= timeTics) continue;
      job.nextTics += Math.ceil((timeTics - job.nextTics) / job.periodTics) * job.periodTics;
    }
  }
}

/** Runs a job, and tells the watch of it. Throws a JobError with what it throws. */
export function watched(
  { name, number }: Pick<Job, 'name' | 'number'>,
  watch: JobWatch | undefined,
  run: () => void,
): void {
  if (number !== undefined) watch?.starts(number);
  try {
    run();
  } catch (thrown) {
    throw new JobError(name, thrown);
  } finally {
    if (number !== undefined) watch?.ended(number);
  }
}

function alignTo(job: Scheduled, timeTics: number): void {
  const periods = Math.max(0, Math.ceil((timeTics - job.gridTics) / job.periodTics));
  job.nextTics = job.gridTics + periods * job.periodTics;
}

/** An error of a job, with the job's name. */
export class JobError extends Error {
  override readonly name = 'JobError';

  constructor(jobName: string, thrown: unknown) {
    super(`job ${jobName} failed: ${thrownText(thrown)}`, { cause: thrown });
  }
}
