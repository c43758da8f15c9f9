// Runs on this thread that go on: the simulation's own code may end the process, or the worker, in the middle of one.

/** What ends with the process. */
interface Leaving {
  /** Ends the run in this call. */
  leave(exitCode: number): void;
}

const underWay = new Set<Leaving>();

function leave(exitCode: number): void {
  for (const run of underWay) run.leave(exitCode);
}

/** Runs `act`; when the process ends meanwhile, `run` ends with it. */
export async function endingWithProcess<T>(run: Leaving, act: () => Promise<T>): Promise<T> {
  if (underWay.size === 0) process.on('exit', leave);
  underWay.add(run);
  try {
    return await act();
  } finally {
    underWay.delete(run);
    if (underWay.size === 0) process.off('exit', leave);
  }
}

/** The exit code that a signal gives as its reason; undefined when it gives another one, or has not come. */
export const codeOf = (signal?: AbortSignal): number | undefined =>
  signal?.aborted && Number.isInteger(signal.reason) ? (signal.reason as number) : undefined;
