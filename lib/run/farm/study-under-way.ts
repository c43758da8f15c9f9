// The runs of a study that have no row yet: which of them are queued, who has them, and what comes of those that are lost.
import { randomUUID } from 'node:crypto';
import { type Drawn, failedRow, givenTo, type RunRow } from '../headless/run-row.js';
import type { JobQueue } from './job-queue.js';
import { type Outcome, toJson } from './messages.js';
import { RollCall } from './roll-call.js';
import type { InputParts } from './sent-input.js';

const JOB_MILLIS = 1000;
/** A job may have so many times the runs of the one before: how long they take is known from few. */
const MOST_GROWTH = 4;
const MOST_RUNS = 2000;
const MOST_BYTES = 256 * 1024;
/** So many jobs are in the queue for each worker that has been heard of. */
const JOBS_PER_WORKER = 4;
/** A run that has ended so many workers has failed. */
const MOST_LOST = 3;
/** After so many times that of a lost worker without an outcome it is looked whether the server still has the jobs. */
const SILENT_TIMES = 6;

export interface StudyFacts {
  readonly id: string;
  readonly runs: readonly Drawn[];
  readonly input: InputParts | undefined;
  readonly lostAfterMillis: number;
}

/** What a study needs of a queue. */
export type StudyQueue = Pick<
  JobQueue,
  'add' | 'answers' | 'count' | 'drop' | 'hearHoldings' | 'keepInput' | 'outcomes'
>;

interface QueuedJob {
  /** Those that have no row. */
  readonly runs: Map<number, Drawn>;
  /** Workers that have ended with its runs. */
  readonly lost: Set<string>;
  /** The server's number. */
  sequence?: number | undefined;
}

export class StudyUnderWay {
  private readonly missing: Map<number, Drawn>;
  private readonly jobs = new Map<string, QueuedJob>();
  /** The name of the job of each run that is queued. */
  private readonly jobOf = new Map<number, string>();
  /** The workers, with the jobs that they have. */
  private readonly crew: RollCall<readonly string[]>;
  /** Where the runs begin that have not been queued. */
  private next = 0;
  private size = 1;
  private heardMillis = performance.now();
  /** When every run has its row. */
  private readonly done = new AbortController();

  constructor(
    private readonly queue: StudyQueue,
    private readonly facts: StudyFacts,
    private readonly take: (row: RunRow) => void,
  ) {
    this.missing = new Map(facts.runs.map((run) => [run.run, run]));
    this.crew = new RollCall(facts.lostAfterMillis, () => queue.answers());
  }

  /** Resolves when every run has its row, or at the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { queue, facts, done } = this;
    const over = AbortSignal.any([signal, done.signal]);
    const deafen = queue.hearHoldings(facts.id, ({ worker, jobs }) => {
      const isBack = this.crew.hear(worker, jobs);
      if (isBack) for (const { lost } of this.jobs.values()) lost.delete(worker);
    });
    try {
      await Promise.race([this.hearOutcomes(over), this.watch(over)]);
    } finally {
      deafen();
      done.abort();
    }
  }

  private async hearOutcomes(over: AbortSignal): Promise<void> {
    await this.keepInput(over);
    await this.fill(over);
    for await (const outcome of this.queue.outcomes(this.facts.id, over)) {
      this.hear(outcome);
      await this.fill(over);
    }
  }

  private async keepInput(over: AbortSignal): Promise<void> {
    const { id, input } = this.facts;
    if (input) await this.queue.keepInput(id, randomUUID(), input, over);
  }

  private hear({ rows, millisPerRun }: Outcome): void {
    this.heardMillis = performance.now();
    const wanted = Math.round(JOB_MILLIS / Math.max(millisPerRun, JOB_MILLIS / MOST_RUNS));
    this.size = Math.max(1, Math.min(wanted, MOST_GROWTH * this.size));
    for (const row of rows) {
      const run = this.missing.get(row.run);
      // Two workers may have computed it, and somebody else may have told of it.
      if (run && run.seed === row.seed) this.settle({ ...row, set: givenTo(run) });
    }
  }

  private settle(row: RunRow): void {
    const name = this.jobOf.get(row.run);
    this.missing.delete(row.run);
    this.jobOf.delete(row.run);
    const job = this.jobs.get(name ?? '');
    job?.runs.delete(row.run);
    if (name !== undefined && job?.runs.size === 0) this.jobs.delete(name);
    this.take(row);
    if (this.missing.size === 0) this.done.abort();
  }

  private async fill(over: AbortSignal): Promise<void> {
    while (!over.aborted && this.jobs.size < JOBS_PER_WORKER * Math.max(1, this.crew.size)) {
      const runs = this.nextRuns();
      if (runs.length === 0) return;
      await this.add(runs, new Set(), over);
    }
  }

  private async add(runs: readonly Drawn[], lost: Set<string>, over: AbortSignal): Promise<void> {
    const name = randomUUID();
    const job: QueuedJob = { runs: new Map(runs.map((run) => [run.run, run])), lost };
    this.jobs.set(name, job);
    for (const { run } of runs) this.jobOf.set(run, name);
    job.sequence = await this.queue.add(this.facts.id, { name, runs }, over);
  }

  private nextRuns(): Drawn[] {
    const { runs: all } = this.facts;
    const runs: Drawn[] = [];
    let bytes = 0;
    for (; this.next < all.length && runs.length < this.size && bytes < MOST_BYTES; this.next++) {
      const run = all[this.next] as Drawn;
      if (!this.missing.has(run.run)) continue;
      bytes += toJson(run).length;
      runs.push(run);
    }
    return runs;
  }

  /** Looks after the workers, until the signal. */
  private async watch(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      for (const [worker, jobs] of await this.crew.look(over))
        for (const name of jobs) await this.lose(name, worker, over);
      await this.lookForJobs(over);
    }
  }

  /** One of its runs may have ended the worker: there are smaller jobs from now on, and after another loss one for each. */
  private async lose(name: string, worker: string, over: AbortSignal): Promise<void> {
    const job = this.jobs.get(name);
    if (!job) return;
    this.jobs.delete(name);
    if (job.sequence !== undefined) await this.queue.drop(job.sequence);
    const lost = new Set([...job.lost, worker]);
    const runs = [...job.runs.values()].filter(({ run }) => this.missing.has(run));
    if (runs.length === 1 && lost.size >= MOST_LOST)
      return this.settle(failedRow(runs[0] as Drawn, `${lost.size} workers have ended in this run`));
    const size = lost.size === 1 ? Math.ceil(Math.sqrt(runs.length)) : 1;
    for (let at = 0; at < runs.length; at += size) await this.add(runs.slice(at, at + size), new Set(lost), over);
  }

  /** A server that has lost its files has lost what was queued. */
  private async lookForJobs(over: AbortSignal): Promise<void> {
    const { id, lostAfterMillis } = this.facts;
    if (performance.now() < this.heardMillis + SILENT_TIMES * lostAfterMillis) return;
    if ((await this.queue.count(id)) !== 0) return;
    this.heardMillis = performance.now();
    this.jobs.clear();
    this.jobOf.clear();
    this.next = 0;
    await this.keepInput(over);
    await this.fill(over);
  }
}
