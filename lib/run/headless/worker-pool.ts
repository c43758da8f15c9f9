// The worker threads of a Monte Carlo: each gets one run at a time, and one that dies is replaced.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { thrownText } from '../../model/state/thrown.js';
import type { SentFile } from '../../simulation/files/sent-files.js';
import { startThread } from '../../source/start-thread.js';
import { stopWorker } from '../../source/stop-worker.js';
import { type Drawn, failedRow, type RunRow } from './run-row.js';

/** What a worker starts with. */
export interface WorkerStart {
  readonly simulationUrl: string;
  /** Whether its runs have an input file. */
  readonly hasInput: boolean;
  /** The input file, and what it reads, where they do not lie here. */
  readonly sent?: readonly SentFile[] | undefined;
  /** Whether it tells the fingerprint of what it has loaded. */
  readonly isCompared: boolean;
}

export interface PoolOptions {
  /** How many threads. */
  readonly size: number;
  /** Wall time that a run may take, and the loading of a simulation that no input file has tried here. */
  readonly mostSeconds?: number | undefined;
  /** Whether the runs have an input file. */
  readonly hasInput?: boolean;
  /** As `WorkerStart` has it. */
  readonly sent?: readonly SentFile[] | undefined;
  /** What each thread has to have loaded; it takes no run before. */
  readonly fingerprint?: string;
}

export type FromWorker =
  | { readonly kind: 'ready'; readonly fingerprint: string | undefined }
  | { readonly kind: 'row'; readonly row: RunRow }
  | { readonly kind: 'unloadable'; readonly error: string };

export type ToWorker =
  | { readonly kind: 'run'; readonly drawn: Drawn }
  /** Ends the present run between two frames, and then the thread. */
  | { readonly kind: 'stop' };

/** What the runs of a study come from: all that are there, or those that come. */
export type Runs = Iterable<Drawn> | AsyncIterable<Drawn>;

const ANOTHER_VERSION = 'the study has another version of its files, of varwire or of Node.js, or another processor';

const ENTRY = new URL('./monte-carlo-worker.js', import.meta.url);

/** A longer timer would fire at once. */
const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

/** The address of a simulation's file. */
export const urlOf = (simulation: string | URL): string =>
  (typeof simulation === 'string' ? pathToFileURL(resolve(simulation)) : simulation).href;

export class WorkerPool {
  private readonly start: WorkerStart;
  private readonly size: number;
  private readonly mostSeconds: number;
  private readonly fingerprint: string | undefined;

  constructor(simulation: string | URL, options: PoolOptions) {
    const { size, mostSeconds = Number.POSITIVE_INFINITY, sent, fingerprint } = options;
    const { hasInput = sent !== undefined } = options;
    this.start = { simulationUrl: urlOf(simulation), hasInput, sent, isCompared: fingerprint !== undefined };
    this.size = size;
    this.mostSeconds = mostSeconds;
    this.fingerprint = fingerprint;
  }

  /**
   * Resolves when all runs have ended, or at the signal. Rejects with one sentence when the simulation cannot be loaded.
   */
  async run(runs: Runs, take: (row: RunRow) => void, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    const over = new AbortController();
    const end = (): void => over.abort();
    signal?.addEventListener('abort', end, { once: true });
    const left = Symbol.asyncIterator in runs ? runs[Symbol.asyncIterator]() : runs[Symbol.iterator]();
    let failure: Error | undefined;
    const lane = (): Promise<void> =>
      this.lane(left, take, over.signal).catch((error: unknown) => {
        failure ??= error as Error;
        end();
      });
    await Promise.all(Array.from({ length: this.size }, lane));
    signal?.removeEventListener('abort', end);
    if (failure) throw failure;
  }

  /** Gives runs to one thread until there are no more; when it dies, its run has failed and a new one continues. */
  private async lane(
    runs: Iterator<Drawn> | AsyncIterator<Drawn>,
    take: (row: RunRow) => void,
    over: AbortSignal,
  ): Promise<void> {
    const aborted = new Promise<undefined>((stop) =>
      over.addEventListener('abort', () => stop(undefined), { once: true }),
    );
    let next: IteratorResult<Drawn> | undefined;
    while (!over.aborted) {
      const thread = new RunThread(this.start, this.mostSeconds);
      try {
        const loaded = await Promise.race([thread.ready, aborted]);
        if (!over.aborted && loaded !== this.fingerprint) throw new Error(ANOTHER_VERSION);
        for (; !over.aborted && !thread.isDead; next = undefined) {
          next ??= await Promise.race([runs.next(), aborted]);
          if (next?.done) return;
          // The thread may have died meanwhile: the run waits for another one.
          if (!next || thread.isDead) break;
          const row = await Promise.race([thread.run(next.value), aborted]);
          if (row && !over.aborted) take(row);
        }
      } finally {
        await thread.end();
      }
    }
  }
}

/**
 * What the outcome of a run depends on, as one text: two machines with the same one compute the same rows. Rejects with one
 * sentence when the simulation cannot be loaded.
 */
export async function fingerprintOf(simulation: string | URL, hasInput: boolean): Promise<string> {
  const thread = new RunThread({ simulationUrl: urlOf(simulation), hasInput, isCompared: true });
  try {
    return (await thread.ready) as string;
  } finally {
    await thread.end();
  }
}

/** One worker thread, from its start until it is ended or dies. */
class RunThread {
  isDead = false;
  /** The fingerprint, if it is asked for. Rejects with one sentence when the simulation cannot be loaded. */
  readonly ready: Promise<string | undefined>;
  private readonly worker: Worker;
  private readonly exited: Promise<void>;
  private begin!: (fingerprint: string | undefined) => void;
  private refuse!: (error: Error) => void;
  private current: Drawn | undefined;
  private done: (row: RunRow) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    start: WorkerStart,
    private readonly mostSeconds = Number.POSITIVE_INFINITY,
  ) {
    this.worker = startThread(ENTRY, { workerData: start });
    this.exited = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    this.ready = new Promise((resolve, reject) => {
      this.begin = resolve;
      this.refuse = reject;
    });
    // A thread that is ended early is asked by nobody.
    this.ready.catch(() => undefined);
    this.worker.on('message', (message: FromWorker) => this.receive(message));
    this.worker.on('error', (error) => this.die(`the worker failed: ${thrownText(error)}`));
    this.worker.on('exit', (code) => this.die(`the worker has ended by itself with code ${code}`));
    if (!start.hasInput) this.limit('loading the simulation');
  }

  /** Never rejects: a run in which the thread dies has failed. */
  run(drawn: Drawn): Promise<RunRow> {
    return new Promise((resolve) => {
      this.current = drawn;
      this.done = resolve;
      this.limit('the run');
      this.worker.postMessage({ kind: 'run', drawn } satisfies ToWorker);
    });
  }

  /** One that does not end by itself is terminated. */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    this.worker.postMessage({ kind: 'stop' } satisfies ToWorker);
    await stopWorker(this.worker, this.exited);
  }

  private receive(message: FromWorker): void {
    // What comes after a time limit is too late: the run has failed already.
    if (this.isDead) return;
    clearTimeout(this.timer);
    if (message.kind === 'unloadable') this.refuse(new Error(message.error));
    else if (message.kind === 'ready') this.begin(message.fingerprint);
    else {
      this.current = undefined;
      this.done(message.row);
    }
  }

  private die(why: string): void {
    clearTimeout(this.timer);
    this.isDead = true;
    this.refuse(new Error(why));
    if (this.current) this.done(failedRow(this.current, why));
    this.current = undefined;
  }

  private limit(what: string): void {
    if (!Number.isFinite(this.mostSeconds)) return;
    const millis = Math.min(1000 * this.mostSeconds, LONGEST_TIMER_MILLIS);
    this.timer = setTimeout(() => this.die(`${what} took longer than ${this.mostSeconds} s`), millis);
  }
}
