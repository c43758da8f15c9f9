// How the operating system is asked to run the simulation's thread before others.
// docs/performance.md has what it buys, and how to measure that again.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** Nice value; those of other threads are 0. */
const PREFERRED = -10;

/**
 * Prefers the calling thread when several want a processor. Linux grants it to root and to programs that may
 * (CAP_SYS_NICE); elsewhere nothing changes, and the answer is false.
 */
export function preferThisThread(): boolean {
  try {
    // To Linux a thread's number is good for a process's; of others it has no name.
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), PREFERRED);
    return true;
  } catch {
    return false;
  }
}
