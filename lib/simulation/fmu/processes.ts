// The processes of FMUs that a thread waits for: a thread that waits for one that does not answer cannot be ended.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The program of an FMU's process; its arguments are a directory and the number of the thread that waits for it. */
export const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));

/** Ends an FMU with the run that waits for it. */
export const END_OF_RUN = 'SIGUSR2';

/** Ends the FMUs for which a thread of this process waits, as Linux lists them; elsewhere nothing happens. */
export function endFmusOf(thread: number, signal: NodeJS.Signals): void {
  for (const pid of processes()) {
    try {
      const parent = / \S+ (\d+) /.exec(told(pid, 'stat').split(')').at(-1) as string)?.[1];
      const words = told(pid, 'cmdline').split('\0');
      if (Number(parent) === process.pid && words.includes(CHILD) && words.at(-2) === String(thread))
        process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

const told = (pid: number, what: string): string => readFileSync(`/proc/${pid}/${what}`, 'latin1');
