// Threads of this process, started from files.
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Node's options of this process, but for the one that it takes beside `--eval` only: a thread with that one does not start. */
export const optionsOfThreads = (options: readonly string[]): string[] =>
  options.filter((option, index) => !option.startsWith('--input-type') && options[index - 1] !== '--input-type');

/** Starts a thread that runs a file. */
export const startThread = (file: URL | string, options: WorkerOptions): Worker =>
  new Worker(file, { ...options, execArgv: optionsOfThreads(process.execArgv) });
