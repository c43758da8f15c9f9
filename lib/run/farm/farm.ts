// A study whose runs are computed by workers on other machines: jobs of about a second go into a queue, and rows come back.
import { createHash, randomUUID } from 'node:crypto';
import type { Drawn, RunRow } from '../headless/run-row.js';
import type { JobQueue } from './job-queue.js';
import { type Outcome, type Study, toJson } from './messages.js';

const JOB_MILLIS = 1000;
/** A job may have so many times the runs of the one before: how long they take is known from few. */
const MOST_GROWTH = 4;
const MOST_RUNS = 2000;
const MOST_BYTES = 256 * 1024;
/** So many jobs are in the queue for each worker that has been heard of. */
const JOBS_PER_WORKER = 4;
const ANNOUNCE_MILLIS = 250;
const HINT_MILLIS = 10_000;
/** A server that is gone at the end keeps the outcomes for a week. */
const LEAVE_MILLIS = 5000;
const MOST_REFUSALS = 10;
const NO_WORKER = 'nobody has computed a run yet: varwire worker does, where the same simulation lies';
/** After so much silence it is looked whether the server still has the jobs. */
const SILENCE_MILLIS = 30_000;

export interface FarmOptions {
  readonly simulation: string;
  readonly fingerprint: string;
  readonly mostSeconds?: number | undefined;
  /** Whether rows that an earlier study with the same runs has left are taken. */
  readonly isResumed?: boolean;
  /** Called when nobody has taken a run yet, and with the sentence of a worker that takes none, once for each. */
  readonly say?: (sentence: string) => void;
}

/** Computes the runs of a study as a pool of threads does: `run` resolves when every run has its row, or at the signal. */
export class Farm {
  constructor(
    private readonly queue: JobQueue,
    private readonly options: FarmOptions,
  ) {}

  async run(drawn: Iterable<Drawn>, take: (row: RunRow) => void, signal?: AbortSignal): Promise<void> {
    const { fingerprint, isResumed = false, say, ...named } = this.options;
    // Where a run writes here is nothing to others.
    const runs = [...drawn].map(({ runDirectory: _, ...run }) => run);
    const id = idOf(fingerprint, runs);
    const study: Study = { id, fingerprint, runs: runs.length, ...named };
    const over = new AbortController();
    const end = (): void => over.abort();
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    if (!isResumed) await this.queue.forget(id, over.signal);
    await this.queue.clear(id, over.signal);
    const announcing = setInterval(() => this.queue.announce(study), ANNOUNCE_MILLIS);
    this.queue.announce(study);
    const hint = setTimeout(() => say?.(NO_WORKER), HINT_MILLIS);
    const said = new Set<string>();
    const hush = this.queue.hearRefusals(id, (sentence) => {
      if (said.has(sentence) || said.size === MOST_REFUSALS) return;
      said.add(sentence);
      say?.(sentence);
    });
    const told = (row: RunRow): void => {
      clearTimeout(hint);
      take(row);
    };
    try {
      await new StudyUnderWay(this.queue, id, runs, told).run(over.signal);
      if (!over.signal.aborted)
        await this.queue.forget(id, AbortSignal.any([over.signal, AbortSignal.timeout(LEAVE_MILLIS)]));
    } finally {
      clearInterval(announcing);
      clearTimeout(hint);
      hush();
      signal?.removeEventListener('abort', end);
      end();
      await this.queue.stop(id);
    }
  }
}

/** The same runs of the same files are the same study. */
function idOf(fingerprint: string, runs: readonly Drawn[]): string {
  const hash = createHash('sha256').update(fingerprint);
  for (const run of runs) hash.update(toJson({ name: '', runs: [run], lost: 0 }));
  return hash.digest('hex').slice(0, 32);
}

class StudyUnderWay {
  /** Those that have no row yet. */
  private readonly missing: Map<number, Drawn>;
  /** How many runs of a job are missing, by the name of the job; and the job of each run. */
  private readonly jobs = new Map<string, number>();
  private readonly jobOf = new Map<number, string>();
  /** When each worker was heard last. */
  private readonly workers = new Map<string, number>();
  /** Where the runs begin that have not been queued. */
  private next = 0;
  private size = 1;
  private added = 0;
  private heardMillis = performance.now();
  /** Jobs of an earlier command with the same runs have other names. */
  private readonly prefix = randomUUID();

  constructor(
    private readonly queue: JobQueue,
    private readonly id: string,
    private readonly runs: readonly Drawn[],
    private readonly take: (row: RunRow) => void,
  ) {
    this.missing = new Map(runs.map((run) => [run.run, run]));
  }

  async run(over: AbortSignal): Promise<void> {
    await this.fill(over);
    const looking = setInterval(() => void this.lookForLost(over), SILENCE_MILLIS / 3);
    try {
      for await (const outcome of this.queue.outcomes(this.id, over)) {
        this.hear(outcome);
        if (this.missing.size === 0) return;
        await this.fill(over);
      }
    } finally {
      clearInterval(looking);
    }
  }

  private hear({ rows, millisPerRun, worker }: Outcome): void {
    this.heardMillis = performance.now();
    this.workers.set(worker, this.heardMillis);
    for (const [one, millis] of this.workers) if (millis < this.heardMillis - SILENCE_MILLIS) this.workers.delete(one);
    const wanted = Math.round(JOB_MILLIS / Math.max(millisPerRun, JOB_MILLIS / MOST_RUNS));
    this.size = Math.max(1, Math.min(wanted, MOST_GROWTH * this.size));
    for (const row of rows) {
      // Two workers may have computed it, and somebody else may have told of it.
      if (this.missing.get(row.run)?.seed !== row.seed) continue;
      this.missing.delete(row.run);
      this.settle(row.run);
      this.take(row);
    }
  }

  private settle(run: number): void {
    const name = this.jobOf.get(run);
    if (name === undefined) return;
    this.jobOf.delete(run);
    const left = (this.jobs.get(name) ?? 0) - 1;
    if (left > 0) this.jobs.set(name, left);
    else this.jobs.delete(name);
  }

  private async fill(over: AbortSignal): Promise<void> {
    while (!over.aborted && this.jobs.size < JOBS_PER_WORKER * Math.max(1, this.workers.size)) {
      const runs = this.nextRuns();
      if (runs.length === 0) return;
      const job = { name: `${this.prefix}.${this.added++}`, runs, lost: 0 };
      this.jobs.set(job.name, runs.length);
      for (const { run } of runs) this.jobOf.set(run, job.name);
      await this.queue.add(this.id, job, over);
    }
  }

  private nextRuns(): Drawn[] {
    const runs: Drawn[] = [];
    let bytes = 0;
    for (; this.next < this.runs.length && runs.length < this.size && bytes < MOST_BYTES; this.next++) {
      const run = this.runs[this.next] as Drawn;
      if (!this.missing.has(run.run)) continue;
      bytes += toJson({ name: '', runs: [run], lost: 0 }).length;
      runs.push(run);
    }
    return runs;
  }

  /** A server that has lost its files has lost what was queued. */
  private async lookForLost(over: AbortSignal): Promise<void> {
    if (performance.now() < this.heardMillis + SILENCE_MILLIS || (await this.queue.count(this.id)) !== 0) return;
    this.heardMillis = performance.now();
    this.jobs.clear();
    this.jobOf.clear();
    this.next = 0;
    await this.fill(over);
  }
}
