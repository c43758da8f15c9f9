// The thread that answers one question about recorded runs: files may be long, and nobody waits for them.
import { parentPort, workerData } from 'node:worker_threads';
import { thrownText } from '../../model/state/thrown.js';
import { preferOtherThreads } from '../thread-priority.js';
import { loadHdf5 } from './hdf5-library.js';
import { type RunQuestion, runAnswer } from './run-answers.js';
import type { RunAnswered } from './run-desk.js';
import { loadZstd } from './zstd.js';

const { directories, question } = workerData as {
  readonly directories: readonly string[];
  readonly question: RunQuestion;
};

preferOtherThreads();
answered().then((answer) => parentPort?.postMessage(answer));

async function answered(): Promise<RunAnswered> {
  try {
    const asked = JSON.stringify(question);
    if (/\.h5"/i.test(asked)) await loadHdf5();
    if (/\.mcap"/i.test(asked)) await loadZstd();
    return { result: runAnswer(directories, question) };
  } catch (error) {
    return { error: thrownText(error) };
  }
}
