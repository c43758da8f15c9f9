// Threads of this process, started from files.
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Whether Node was given a program as text: it hands that option on to threads, and then refuses it there. */
const isText = process.execArgv.some((option) => option.startsWith('--input-type'));

/** Starts a thread that runs a file. */
export const startThread = (file: URL | string, options: WorkerOptions): Worker =>
  new Worker(file, isText ? { ...options, execArgv: [] } : options);
