// Threads of this process by Linux's numbers, and the processor time that they have taken.
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The number of the calling thread; undefined on systems other than Linux. */
export function threadNumber(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}

/** Processor time of a thread in seconds; undefined where the system does not tell, and when the thread has ended. */
export function cpuSecondsOf(thread: number): number | undefined {
  try {
    // The first number is the time on a processor, in nanoseconds. It takes some 30 µs to read.
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e9;
  } catch {
    return undefined;
  }
}
