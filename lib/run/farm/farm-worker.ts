// A worker of farms: takes runs of studies whose simulation it has too, computes them on threads and tells their rows.
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { hostname } from 'node:os';
import { type Drawn, failedRow, type RunRow } from '../headless/run-row.js';
import { WorkerPool } from '../headless/worker-pool.js';
import type { JobQueue, TakenJob } from './job-queue.js';
import { type Study, toJson } from './messages.js';

/** A study that is not announced for so long is over. */
const SILENCE_MILLIS = 5000;
const LOOK_MILLIS = 500;
/** A run that has ended so many workers has failed. */
const MOST_LOST = 3;
/** Rows of one message; a server takes 1 MB. */
const MOST_CHARACTERS = 256 * 1024;

export interface FarmWorkerOptions {
  /** Threads. */
  readonly threads: number;
  /** The file of a simulation that a study names. Throws an Error with one sentence when this worker has none. */
  readonly find: (simulation: string) => string;
  readonly say: (sentence: string) => void;
}

/** Works on one study after the other, until the signal. */
export async function workOnFarm(queue: JobQueue, options: FarmWorkerOptions, signal: AbortSignal): Promise<void> {
  const heard = new Map<string, { readonly study: Study; millis: number }>();
  const refused = new Set<string>();
  const announcements = new EventEmitter();
  queue.hearStudies((study) => {
    heard.set(study.id, { study, millis: performance.now() });
    announcements.emit('heard');
  });
  const isHeard = (id: string): boolean => performance.now() < (heard.get(id)?.millis ?? 0) + SILENCE_MILLIS;
  while (!signal.aborted) {
    for (const id of heard.keys()) if (!isHeard(id)) heard.delete(id);
    const next = [...heard.values()].find(({ study }) => !refused.has(study.id))?.study;
    if (!next) {
      await once(announcements, 'heard', { signal }).catch(() => undefined);
      continue;
    }
    try {
      await workOnStudy(queue, next, options, () => isHeard(next.id), signal);
    } catch (error) {
      refused.add(next.id);
      const { message } = error as Error;
      options.say(`${next.simulation}: ${message}`);
      queue.refuse(next.id, `a worker on ${hostname()} takes no runs: ${message}`);
    }
    heard.delete(next.id);
  }
}

/** Rejects with one sentence when this worker cannot compute the same runs. */
async function workOnStudy(
  queue: JobQueue,
  study: Study,
  { threads, find, say }: FarmWorkerOptions,
  isHeard: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const file = find(study.simulation);
  const over = new AbortController();
  const end = (): void => over.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let isStopped = false;
  const forget = queue.onStop(study.id, () => {
    isStopped = true;
    end();
  });
  const looking = setInterval(() => isHeard() || end(), LOOK_MILLIS);
  const hand = new Hand(queue, study.id, over.signal, () =>
    say(`${study.simulation}: takes runs of a study of ${study.runs}`),
  );
  const { mostSeconds, fingerprint } = study;
  try {
    const pool = new WorkerPool(file, { size: threads, mostSeconds, fingerprint });
    await pool.run(hand.runs(), (row) => hand.take(row), over.signal);
  } finally {
    clearInterval(looking);
    forget();
    signal.removeEventListener('abort', end);
    end();
    await hand.end(isStopped);
    if (hand.hasBegun) say(`${study.simulation}: has computed ${hand.computed} runs`);
  }
}

/** A job some of whose runs have no row yet. */
interface OpenJob {
  readonly job: TakenJob;
  readonly rows: RunRow[];
  readonly startMillis: number;
}

/** What one worker has of one study. */
class Hand {
  computed = 0;
  hasBegun = false;
  private readonly worker = randomUUID();
  private readonly openOf = new Map<number, OpenJob>();
  private readonly telling = new Set<Promise<void>>();
  /** What has been computed is told after the study's end, too. */
  private readonly closed = new AbortController();

  constructor(
    private readonly queue: JobQueue,
    private readonly id: string,
    private readonly over: AbortSignal,
    private readonly begin: () => void,
  ) {}

  /** Those of one job after the other. */
  async *runs(): AsyncGenerator<Drawn> {
    for (let job = await this.next(); job; job = await this.next()) {
      if (!this.hasBegun) this.begin();
      this.hasBegun = true;
      const { runs, attempts } = job;
      if (attempts > 0 && runs.length > 1) await this.split(job);
      else if (attempts >= MOST_LOST) await this.giveUp(job);
      else {
        const open = { job, rows: [], startMillis: performance.now() };
        for (const { run } of runs) this.openOf.set(run, open);
        yield* runs;
      }
    }
  }

  private next(): Promise<TakenJob | undefined> {
    return this.queue.take(this.id, this.over);
  }

  take(row: RunRow): void {
    const open = this.openOf.get(row.run);
    if (!open) return;
    this.openOf.delete(row.run);
    this.computed++;
    open.rows.push(row);
    if (open.rows.length < open.job.runs.length) return;
    const telling = this.tell(open).finally(() => this.telling.delete(telling));
    this.telling.add(telling);
  }

  private async tell({ job, rows, startMillis }: OpenJob): Promise<void> {
    const { worker } = this;
    const millisPerRun = (performance.now() - startMillis) / rows.length;
    for (const [part, some] of inParts(rows).entries())
      await this.queue.tell(
        this.id,
        `${job.name}.rows${part}`,
        { rows: some, millisPerRun, worker },
        this.closed.signal,
      );
    await job.done();
  }

  /** One of its runs may have ended a worker: there are smaller jobs from now on, and after another loss one for each. */
  private async split(job: TakenJob): Promise<void> {
    const { name, runs, attempts } = job;
    const size = attempts === 1 ? Math.ceil(Math.sqrt(runs.length)) : 1;
    for (let at = 0; at < runs.length; at += size) await this.giveBack(job, `${name}.${at}`, runs.slice(at, at + size));
    await job.done();
  }

  private giveBack({ attempts }: TakenJob, name: string, runs: readonly Drawn[]): Promise<void> {
    return this.queue.add(this.id, { name, runs, lost: attempts }, this.closed.signal);
  }

  private async giveUp(job: TakenJob): Promise<void> {
    const why = `${job.attempts} workers have ended in this run`;
    await this.tell({ job, rows: job.runs.map((run) => failedRow(run, why)), startMillis: performance.now() });
  }

  /** Others get what it has not finished, unless the study was stopped. */
  async end(isStopped: boolean): Promise<void> {
    const timer = setTimeout(() => this.closed.abort(), SILENCE_MILLIS);
    await Promise.all(this.telling);
    for (const { job } of new Set(this.openOf.values())) {
      if (!isStopped) await this.giveBack(job, `${job.name}.${randomUUID()}`, job.runs);
      await job.done();
    }
    clearTimeout(timer);
  }
}

/** As many rows a message as a server takes. */
function inParts(rows: readonly RunRow[]): RunRow[][] {
  const parts: RunRow[][] = [[]];
  let characters = 0;
  for (const row of rows) {
    const { length } = toJson({ rows: [row], millisPerRun: 0, worker: '' });
    characters += length;
    if (characters > MOST_CHARACTERS && parts.at(-1)?.length) {
      parts.push([]);
      characters = length;
    }
    parts.at(-1)?.push(length > MOST_CHARACTERS ? tooLong(row, length) : row);
  }
  return parts;
}

const tooLong = (row: RunRow, length: number): RunRow => ({
  run: row.run,
  seed: row.seed,
  set: row.set,
  values: {},
  error: `its row has ${length} characters, and a server of a farm takes ${MOST_CHARACTERS}`,
});
