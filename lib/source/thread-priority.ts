// Asks the operating system to run the simulation's thread before others, then the server's, and the thread for
// checkpoints after all of them.
// compat-tests/bench/optimizations.md has what it saves, and how to measure that again.
import { setPriority } from 'node:os';
import { threadNumber } from './this-thread.js';

/** The nice value; that of other threads is 0. */
const PREFERRED = -10;
const SERVING = -5;
const YIELDING = 5;

/**
 * Prefers the calling thread when several want a processor. Linux allows it to root and to programs with CAP_SYS_NICE;
 * elsewhere nothing changes, and the result is false.
 */
export const preferThisThread = (): boolean => setNice(PREFERRED);

/** Prefers the calling thread, which serves clients, to other programs, but not to the simulation's thread. */
export const preferServerThread = (): boolean => setNice(SERVING);

/**
 * Lets other threads go before the calling one. A thread begins with the priority of the one that made it, so one that
 * the simulation's thread makes would go before the server's. False where the system has no priorities of threads.
 */
export const preferOtherThreads = (): boolean => setNice(YIELDING);

function setNice(nice: number): boolean {
  const thread = threadNumber();
  if (thread === undefined) return false;
  try {
    // Linux accepts a thread's number in place of a process's.
    setPriority(thread, nice);
    return true;
  } catch {
    return false;
  }
}
