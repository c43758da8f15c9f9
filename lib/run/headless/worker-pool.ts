// The worker threads of a Monte Carlo: each gets one run at a time, and one that dies is replaced.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { thrownText } from '../../model/state/thrown.js';
import { type Drawn, failedRow, type RunRow } from './drawn-run.js';

/** What a worker starts with. */
export interface WorkerStart {
  readonly simulationUrl: string;
  /** Whether its runs have an input file. */
  readonly hasInput: boolean;
}

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'row'; readonly row: RunRow }
  | { readonly kind: 'unloadable'; readonly error: string };

export type ToWorker =
  | { readonly kind: 'run'; readonly drawn: Drawn }
  /** Ends the present run between two frames, and then the thread. */
  | { readonly kind: 'stop' };

const ENTRY = new URL('./monte-carlo-worker.js', import.meta.url);

/** How long a worker may take to end its run when it is stopped. */
const STOP_MILLIS = 1000;

/** A longer timer would fire at once. */
const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

/** The address of a simulation's file. */
export const urlOf = (simulation: string | URL): string =>
  (typeof simulation === 'string' ? pathToFileURL(resolve(simulation)) : simulation).href;

export class WorkerPool {
  private readonly start: WorkerStart;
  private runs!: Iterator<Drawn>;
  private take!: (row: RunRow) => void;
  /** Ends the whole Monte Carlo. */
  private abort!: (error: Error) => void;

  /**
   * @param mostSeconds wall time that a run may take, and the loading of a simulation that no input file has tried here.
   * @param hasInput whether the runs have an input file.
   */
  constructor(
    simulation: string | URL,
    private readonly size: number,
    private readonly mostSeconds = Number.POSITIVE_INFINITY,
    hasInput = false,
  ) {
    if (!(mostSeconds > 0)) throw new RangeError(`a run may take a number of seconds above 0, not ${mostSeconds}`);
    this.start = { simulationUrl: urlOf(simulation), hasInput };
  }

  /**
   * Resolves when all runs have ended, or at the signal. Rejects with one sentence when the simulation cannot be loaded.
   */
  async run(runs: Iterable<Drawn>, take: (row: RunRow) => void, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    this.runs = runs[Symbol.iterator]();
    this.take = (row) => {
      if (!signal?.aborted) take(row);
    };
    const stop = new Set<() => void>();
    const aborted = new Promise<never>((_, reject) => {
      this.abort = reject;
    });
    const stopped = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
    const all = Promise.all(Array.from({ length: this.size }, () => this.lane(stop)));
    try {
      await Promise.race([all, aborted, stopped]);
    } finally {
      for (const end of stop) end();
      await all.catch(() => undefined);
    }
  }

  /** Runs one worker until there are no more runs; when the worker dies, its run fails and a new worker continues. */
  private async lane(stop: Set<() => void>): Promise<void> {
    let isStopped = false;
    for (let isMore = true; isMore && !isStopped; ) {
      const worker = new Worker(ENTRY, { workerData: this.start });
      const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      const end = (): void => {
        isStopped = true;
        void endWorker(worker, exited);
      };
      stop.add(end);
      try {
        isMore = await new WorkerLife(worker, this.runs, this.take, this.mostSeconds, this.start.hasInput).ended;
      } catch (error) {
        this.abort(error as Error);
        isMore = false;
      }
      stop.delete(end);
      await endWorker(worker, exited);
    }
  }
}

/** Stops a worker; one that does not end by itself is terminated. */
async function endWorker(worker: Worker, exited: Promise<void>): Promise<void> {
  worker.postMessage({ kind: 'stop' } satisfies ToWorker);
  const timer = setTimeout(() => void worker.terminate(), STOP_MILLIS);
  await exited;
  clearTimeout(timer);
}

/** One worker, from its start until there are no more runs or it dies. */
class WorkerLife {
  /** Resolves with whether runs are left, because the worker has died. Rejects when the simulation cannot be loaded. */
  readonly ended: Promise<boolean>;
  private current: Drawn | undefined;
  private timer: NodeJS.Timeout | undefined;
  private hasStarted = false;
  private end!: (isMore: boolean) => void;
  private refuse!: (error: Error) => void;

  constructor(
    private readonly worker: Worker,
    private readonly runs: Iterator<Drawn>,
    private readonly take: (row: RunRow) => void,
    private readonly mostSeconds: number,
    isLoadable: boolean,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.end = resolve;
      this.refuse = reject;
    });
    worker.on('message', (message: FromWorker) => this.receive(message));
    worker.on('error', (error) => this.die(`the worker failed: ${thrownText(error)}`));
    worker.on('exit', (code) => this.die(`the worker has ended by itself with code ${code}`));
    if (!isLoadable) this.limit('loading the simulation');
  }

  private receive(message: FromWorker): void {
    clearTimeout(this.timer);
    if (message.kind === 'unloadable') {
      this.refuse(new Error(message.error));
      return;
    }
    this.hasStarted = true;
    if (message.kind === 'row') {
      // A row that comes after its run's time limit: the run has failed already.
      if (message.row.run !== this.current?.run) return;
      this.take(message.row);
    }
    this.startNext();
  }

  private startNext(): void {
    this.current = undefined;
    try {
      const { value, done } = this.runs.next();
      if (done) this.end(false);
      else {
        this.current = value;
        this.limit('the run');
        this.worker.postMessage({ kind: 'run', drawn: value } satisfies ToWorker);
      }
    } catch (error) {
      // A draw that throws ends the whole study.
      this.refuse(error as Error);
    }
  }

  private die(why: string): void {
    clearTimeout(this.timer);
    if (!this.hasStarted) this.refuse(new Error(why));
    if (this.current) this.take(failedRow(this.current, why));
    this.current = undefined;
    this.end(true);
  }

  private limit(what: string): void {
    if (!Number.isFinite(this.mostSeconds)) return;
    const millis = Math.min(1000 * this.mostSeconds, LONGEST_TIMER_MILLIS);
    this.timer = setTimeout(() => this.die(`${what} took longer than ${this.mostSeconds} s`), millis);
  }
}
