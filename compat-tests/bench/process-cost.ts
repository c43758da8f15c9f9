// The CPU time that a process has used.
import { readdirSync, readFileSync } from 'node:fs';

/** CPU seconds of all its threads, to the nanosecond. */
export function cpuSeconds(processId: number): number {
  const directory = `/proc/${processId}/task`;
  const ran = readdirSync(directory).map((thread) =>
    Number.parseInt(readFileSync(`${directory}/${thread}/schedstat`, 'utf8'), 10),
  );
  return ran.reduce((sum, nanoseconds) => sum + nanoseconds, 0) * 1e-9;
}

const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** How many cores a process uses over some seconds, after some seconds to settle. */
export async function coresTaken(processId: number, seconds: number, settleSeconds = 0): Promise<number> {
  await wait(settleSeconds);
  const [before, start] = [cpuSeconds(processId), performance.now()];
  await wait(seconds);
  return (cpuSeconds(processId) - before) / ((performance.now() - start) / 1000);
}
