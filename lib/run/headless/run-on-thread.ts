// A run on a thread of its own, for a simulation whose native code may not return: this thread hears signals meanwhile.

import { thrownText } from '../../model/state/thrown.js';
import { startThread } from '../../source/start-thread.js';
import { endFmusSoon } from '../../source/stop-worker.js';
import type { RunOptions, RunResult } from './run-options.js';
import type { RunMessage } from './simulation-run.js';

/** What the thread starts with. */
export interface RunStart {
  readonly simulationUrl: string;
  readonly options: Omit<RunOptions, 'say' | 'signal'>;
}

export type FromRun =
  | { readonly kind: 'said'; readonly message: RunMessage }
  | { readonly kind: 'result'; readonly result: RunResult }
  | { readonly kind: 'failed'; readonly reason: string };

/** Ends the run between two frames. */
export interface ToRun {
  readonly exitCode: unknown;
}

const ENTRY = new URL('./run-worker.js', import.meta.url);
/** How long a frame that is under way may wait for an FMU after the signal. */
const LAST_FRAME_MILLIS = 300;

/** As `run`, of a simulation's file. After the signal, an FMU that does not return is ended, and the run fails with its sentence. */
export async function runOnThread(simulationUrl: string, given: RunOptions): Promise<RunResult> {
  const { say, signal, ...options } = given;
  const worker = startThread(ENTRY, { workerData: { simulationUrl, options } satisfies RunStart });
  const { threadId } = worker;
  let result: RunResult | undefined;
  let reason = 'the thread of the run has ended by itself';
  worker.on('message', (message: FromRun) => {
    if (message.kind === 'said') say?.(message.message);
    else if (message.kind === 'result') result = message.result;
    else reason = message.reason;
  });
  worker.on('error', (error) => {
    reason = thrownText(error);
  });
  let goOn = (): void => undefined;
  const stop = (): void => {
    worker.postMessage({ exitCode: signal?.reason } satisfies ToRun);
    goOn = endFmusSoon(threadId, LAST_FRAME_MILLIS);
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  await new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  signal?.removeEventListener('abort', stop);
  goOn();
  if (result) return result;
  throw new Error(reason);
}
