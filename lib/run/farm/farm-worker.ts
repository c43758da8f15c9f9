// A worker of farms: takes runs of studies whose simulation it has too, computes them on threads and tells their rows.
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { hostname } from 'node:os';
import type { Drawn, RunRow } from '../headless/run-row.js';
import { WorkerPool } from '../headless/worker-pool.js';
import type { JobQueue, TakenJob } from './job-queue.js';
import { FORM, type Study, toJson } from './messages.js';
import { RollCall } from './roll-call.js';
import { filesIn } from './sent-input.js';

/** So long a worker takes runs of one study while others wait. */
const STINT_MILLIS = 10_000;
/** A study that is not announced for so long is over. */
const SILENCE_MILLIS = 5000;
const LOOK_MILLIS = 500;
const TOLD_TIMES = 5;
/** Rows of one message; a server takes 1 MB. */
const MOST_CHARACTERS = 256 * 1024;

export interface FarmWorkerOptions {
  /** Threads. */
  readonly threads: number;
  /** The file of a simulation that a study names. Throws an Error with one sentence when this worker has none. */
  readonly find: (simulation: string) => string;
  readonly say: (sentence: string) => void;
  /** So long it takes runs of one study while others wait. Default: ten seconds. */
  readonly stintMillis?: number;
}

/** What a worker has to know of a study, besides what the study says. */
interface Turn {
  isHeard(): boolean;
  /** Whether there are other studies. */
  othersWait(): boolean;
  /** Whether this worker has computed runs of it. */
  readonly isKnown: boolean;
}

/** Works on the studies that are there, in turn, until the signal. */
export async function workOnFarm(queue: JobQueue, options: FarmWorkerOptions, signal: AbortSignal): Promise<void> {
  const heard = new RollCall<Study>(SILENCE_MILLIS, () => queue.answers());
  const refused = new Set<string>();
  const known = new Set<string>();
  /** Many that are new may be false: after each there is a turn for one that is known. */
  let wasNew = false;
  const announcements = new EventEmitter();
  queue.hearStudies((study) => {
    heard.hear(study.asked, study);
    if (!refused.has(study.asked)) announcements.emit('heard');
  });
  const looking = (async () => {
    while (!signal.aborted)
      for (const [asked] of await heard.look(signal)) for (const names of [refused, known]) names.delete(asked);
  })();
  while (!signal.aborted) {
    const waiting = heard.all.filter(({ asked }) => !refused.has(asked));
    const next = waiting.find(({ asked }) => known.has(asked) === wasNew) ?? waiting[0];
    if (!next) {
      await once(announcements, 'heard', { signal }).catch(() => undefined);
      continue;
    }
    wasNew = !known.has(next.asked);
    const isOther = ({ asked }: Study): boolean => asked !== next.asked && !refused.has(asked);
    const turn: Turn = {
      isHeard: () => heard.has(next.asked),
      othersWait: () => heard.all.some(isOther),
      isKnown: known.has(next.asked),
    };
    try {
      await workOnStudy(queue, next, options, turn, signal);
      known.add(next.asked);
      // When it is heard again, it comes after the others.
      heard.forget(next.asked);
    } catch (error) {
      refused.add(next.asked);
      const { message } = error as Error;
      options.say(`${next.simulation}: ${message}`);
      queue.refuse(next.id, `a worker on ${hostname()} takes no runs: ${message}`);
    }
  }
  await looking;
}

/** Rejects with one sentence when this worker cannot compute the same runs. */
async function workOnStudy(
  queue: JobQueue,
  study: Study,
  { threads, find, say, stintMillis = STINT_MILLIS }: FarmWorkerOptions,
  { isHeard, othersWait, isKnown }: Turn,
  signal: AbortSignal,
): Promise<void> {
  if (study.form !== FORM) throw new Error('the study is made by another version of varwire');
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
  let failure: Error | undefined;
  const beganMillis = performance.now();
  const hand = new Hand(queue, study, over.signal, {
    isOver: (isIdle) => (isIdle || performance.now() - beganMillis > stintMillis) && othersWait(),
    begun: () => say(`${study.simulation}: takes runs of a study of ${study.runs}`),
    failed: (error) => {
      failure ??= error;
      end();
    },
  });
  try {
    const { mostSeconds, fingerprint, input } = study;
    const texts = input && (await queue.input(study.id, input, over.signal));
    if (over.signal.aborted) return;
    const sent = input && filesIn(input, texts ?? []);
    const pool = new WorkerPool(file, { size: threads, mostSeconds, fingerprint, sent });
    const runs = hand.runs();
    // What has been loaded before is loaded again for runs, not to look for some.
    const first = isKnown ? await runs.next() : undefined;
    if (!first?.done) await pool.run(first ? after(first.value, runs) : runs, (row) => hand.take(row), over.signal);
  } finally {
    clearInterval(looking);
    forget();
    signal.removeEventListener('abort', end);
    end();
    await hand.end(isStopped);
    if (hand.hasBegun) say(`${study.simulation}: has computed ${hand.computed} runs`);
  }
  if (failure) throw failure;
}

async function* after(first: Drawn, others: AsyncIterable<Drawn>): AsyncGenerator<Drawn> {
  yield first;
  yield* others;
}

/** A job some of whose runs have no row yet. */
interface OpenJob {
  readonly job: TakenJob;
  readonly rows: RunRow[];
  readonly startMillis: number;
}

interface HandEvents {
  /** Whether others are to have this worker now. */
  isOver(isIdle: boolean): boolean;
  /** With the first job. */
  begun(): void;
  /** When an outcome cannot be told. */
  failed(error: Error): void;
}

/** What one worker has of one study. */
class Hand {
  computed = 0;
  hasBegun = false;
  private readonly worker = randomUUID();
  /** By their names; what has come of them has not been stored. */
  private readonly held = new Map<string, TakenJob>();
  private readonly openOf = new Map<number, OpenJob>();
  private readonly telling = new Set<Promise<void>>();
  /** What has been computed is told after the study's end, too. */
  private readonly closed = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly queue: JobQueue,
    private readonly study: Study,
    private readonly over: AbortSignal,
    private readonly events: HandEvents,
  ) {
    this.timer = setInterval(() => this.tellHeld(), study.lostAfterMillis / TOLD_TIMES);
  }

  /** Those of one job after the other. */
  async *runs(): AsyncGenerator<Drawn> {
    for (let job = await this.next(); job; job = await this.next()) {
      if (this.held.has(job.name)) {
        job.ignore();
        continue;
      }
      if (!this.hasBegun) this.events.begun();
      this.hasBegun = true;
      this.held.set(job.name, job);
      this.tellHeld();
      const open = { job, rows: [], startMillis: performance.now() };
      for (const { run } of job.runs) this.openOf.set(run, open);
      yield* job.runs;
    }
  }

  private async next(): Promise<TakenJob | undefined> {
    while (!this.over.aborted && !(this.hasBegun && this.events.isOver(false))) {
      const job = await this.queue.take(this.study, this.over);
      if (job || this.events.isOver(true)) return job;
    }
    return undefined;
  }

  private tellHeld(): void {
    this.queue.hold(this.study.id, { worker: this.worker, jobs: [...this.held.keys()] });
  }

  take(row: RunRow): void {
    const open = this.openOf.get(row.run);
    if (!open) return;
    this.openOf.delete(row.run);
    this.computed++;
    open.rows.push(row);
    if (open.rows.length < open.job.runs.length) return;
    const telling = this.tell(open)
      .catch(this.events.failed)
      .finally(() => this.telling.delete(telling));
    this.telling.add(telling);
  }

  private async tell({ job, rows, startMillis }: OpenJob): Promise<void> {
    const millisPerRun = (performance.now() - startMillis) / rows.length;
    for (const [part, some] of inParts(rows).entries())
      await this.queue.tell(this.study.id, `${job.name}.rows${part}`, { rows: some, millisPerRun }, this.closed.signal);
    await job.done();
    this.held.delete(job.name);
  }

  /** Others get what it has not finished, unless the study was stopped. */
  async end(isStopped: boolean): Promise<void> {
    const timer = setTimeout(() => this.closed.abort(), SILENCE_MILLIS);
    await Promise.all(this.telling);
    clearTimeout(timer);
    clearInterval(this.timer);
    for (const job of this.held.values()) {
      if (isStopped) await job.done();
      else job.giveBack();
    }
    this.held.clear();
    this.tellHeld();
  }
}

/** As many rows a message as a server takes. */
function inParts(rows: readonly RunRow[]): RunRow[][] {
  const parts: RunRow[][] = [[]];
  let characters = 0;
  for (const row of rows) {
    const { length } = toJson({ rows: [row], millisPerRun: 0 });
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
