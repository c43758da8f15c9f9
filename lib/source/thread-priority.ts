// Asks the operating system to run the simulation's thread before others.
// docs/performance.md has what it buys, and how to measure that again.
import { setPriority } from 'node:os';
import { threadNumber } from './this-thread.js';

/** The nice value; that of other threads is 0. */
const PREFERRED = -10;

/**
 * Prefers the calling thread when several want a processor. Linux allows it to root and to programs with CAP_SYS_NICE;
 * elsewhere nothing changes, and the result is false.
 */
export function preferThisThread(): boolean {
  const thread = threadNumber();
  if (thread === undefined) return false;
  try {
    // Linux accepts a thread's number in place of a process's.
    setPriority(thread, PREFERRED);
    return true;
  } catch {
    return false;
  }
}
