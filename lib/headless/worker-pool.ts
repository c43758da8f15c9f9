// The worker threads of a Monte Carlo: each gets one run at a time, and one that dies is replaced.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Drawn, failedRow, type RunRow } from './drawn-run.js';

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'row'; readonly row: RunRow }
  | { readonly kind: 'unloadable'; readonly error: string };

const ENTRY = new URL('./monte-carlo-worker.js', import.meta.url);

export class WorkerPool {
  private readonly simulationUrl: string;
  private runs!: Iterator<Drawn>;
  private take!: (row: RunRow) => void;
  /** Ends the whole Monte Carlo. */
  private abort!: (error: Error) => void;

  /** @param mostSeconds wall time that a run may take. */
  constructor(
    simulation: string | URL,
    private readonly size: number,
    private readonly mostSeconds = Number.POSITIVE_INFINITY,
  ) {
    if (!(mostSeconds > 0)) throw new RangeError(`a run may take a number of seconds above 0, not ${mostSeconds}`);
    this.simulationUrl = (typeof simulation === 'string' ? pathToFileURL(resolve(simulation)) : simulation).href;
  }

  /** Resolves when all runs have ended. Rejects with one sentence when the simulation cannot be loaded. */
  async run(runs: Iterable<Drawn>, take: (row: RunRow) => void): Promise<void> {
    this.runs = runs[Symbol.iterator]();
    this.take = take;
    const stop = new Set<() => void>();
    const aborted = new Promise<never>((_, reject) => {
      this.abort = reject;
    });
    const all = Promise.all(Array.from({ length: this.size }, () => this.lane(stop)));
    try {
      await Promise.race([all, aborted]);
    } finally {
      for (const end of stop) end();
      await all.catch(() => undefined);
    }
  }

  /** Works until there are no more runs; a worker that dies takes its run with it, and a new one goes on. */
  private async lane(stop: Set<() => void>): Promise<void> {
    let isStopped = false;
    for (let isMore = true; isMore && !isStopped; ) {
      const worker = new Worker(ENTRY, { workerData: { simulationUrl: this.simulationUrl }, stdout: false });
      const end = (): void => {
        isStopped = true;
        void worker.terminate();
      };
      stop.add(end);
      try {
        isMore = await this.work(worker);
      } catch (error) {
        this.abort(error as Error);
        isMore = false;
      }
      stop.delete(end);
      await worker.terminate();
    }
  }

  /** @returns whether runs are left, because the worker has died. Rejects when it could not be started. */
  private work(worker: Worker): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let current: Drawn | undefined;
      let timer: NodeJS.Timeout | undefined;
      let hasStarted = false;
      const fail = (why: string): void => {
        clearTimeout(timer);
        if (!hasStarted) reject(new Error(why));
        if (current) this.take(failedRow(current, why));
        current = undefined;
        resolve(true);
      };
      const next = (): void => {
        const { value, done } = this.next(reject);
        current = done ? undefined : value;
        if (done) {
          resolve(false);
          return;
        }
        if (Number.isFinite(this.mostSeconds)) {
          timer = setTimeout(() => fail(`the run took longer than ${this.mostSeconds} s`), 1000 * this.mostSeconds);
        }
        worker.postMessage(value);
      };
      worker.on('message', (message: FromWorker) => {
        clearTimeout(timer);
        if (message.kind === 'unloadable') {
          reject(new Error(message.error));
          return;
        }
        hasStarted = true;
        if (message.kind === 'row') {
          // A row that comes after its time has been given up already.
          if (message.row.run !== current?.run) return;
          this.take(message.row);
        }
        next();
      });
      worker.on('error', (error) => fail(`the worker failed: ${error.message}`));
      worker.on('exit', (code) => fail(`the worker has ended by itself with code ${code}`));
    });
  }

  /** The next run; a draw that throws ends the whole. */
  private next(reject: (error: Error) => void): IteratorResult<Drawn> {
    try {
      return this.runs.next();
    } catch (error) {
      reject(error as Error);
      return { done: true, value: undefined };
    }
  }
}
