// A study whose runs are computed by workers on other machines: jobs of about a second go into a queue, and rows come back.
import { createHash, randomUUID } from 'node:crypto';
import type { CommonToRuns } from '../headless/monte-carlo.js';
import type { Drawn, RunRow } from '../headless/run-row.js';
import type { JobQueue } from './job-queue.js';
import { FORM, type Study, toJson } from './messages.js';
import { Rivals } from './rivals.js';
import { inParts } from './sent-input.js';
import { StudyUnderWay } from './study-under-way.js';

const ANNOUNCE_MILLIS = 250;
const HINT_MILLIS = 10_000;
/** A server that is gone at the end keeps the outcomes for a week. */
const LEAVE_MILLIS = 5000;
const MOST_REFUSALS = 10;
const LOST_AFTER_MILLIS = 5000;
const NO_WORKER = 'nobody has computed a run yet: varwire worker does, where the same simulation lies';

export interface FarmOptions {
  readonly simulation: string;
  readonly fingerprint: string;
  /** Whether rows that an earlier study with the same runs has left are taken. */
  readonly isResumed?: boolean | undefined;
  /** A worker that has not been heard for so long is lost, with the jobs that it has. */
  readonly lostAfterMillis?: number | undefined;
  /** Called when nobody has taken a run yet, and with the sentence of a worker that takes none, once for each. */
  readonly say: (sentence: string) => void;
}

/** Computes the runs of a study as a pool of threads does: `run` resolves when every run has its row, or at the signal. */
export class Farm {
  constructor(
    private readonly queue: JobQueue,
    private readonly options: FarmOptions,
  ) {}

  /** Rejects with one sentence when the server does not allow it, or another command makes the same study. */
  async run(
    drawn: Iterable<Drawn>,
    take: (row: RunRow) => void,
    signal?: AbortSignal,
    { mostSeconds, files }: CommonToRuns = {},
  ): Promise<void> {
    const { queue } = this;
    const { simulation, fingerprint, lostAfterMillis = LOST_AFTER_MILLIS, isResumed, say } = this.options;
    const runs = [...drawn].map(sent);
    const input = files && inParts(files);
    const id = idOf([fingerprint, input?.hash ?? ''], runs);
    const [asked, beganMillis] = [randomUUID(), performance.now()];
    const study = (): Study => ({
      ...{ form: FORM, id, asked, simulation, fingerprint, runs: runs.length, lostAfterMillis },
      seconds: (performance.now() - beganMillis) / 1000,
      ...(mostSeconds !== undefined && Number.isFinite(mostSeconds) && { mostSeconds }),
      ...(input && { input: { hash: input.hash, parts: input.parts } }),
    });
    const ended = new AbortController();
    const over = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
    const announcing = setInterval(() => queue.announce(study()), ANNOUNCE_MILLIS);
    const hint = setTimeout(() => say(NO_WORKER), HINT_MILLIS);
    const hush = queue.hearRefusals(id, onceEach(say));
    const rivals = new Rivals(queue, study);
    const told = (row: RunRow): void => {
      clearTimeout(hint);
      take(row);
    };
    const compute = async (): Promise<void> => {
      if (!isResumed) await queue.forget(id, over);
      await queue.clear(id, over);
      await new StudyUnderWay(queue, { id, runs, input, lostAfterMillis }, told).run(over);
      if (!over.aborted) await queue.forget(id, AbortSignal.any([over, AbortSignal.timeout(LEAVE_MILLIS)]));
    };
    try {
      await rivals.none(over);
      await rivals.unless(compute());
    } finally {
      clearInterval(announcing);
      clearTimeout(hint);
      hush();
      rivals.close();
      ended.abort();
      if (!rivals.found) await queue.stop(id);
    }
  }
}

/** Where a run reads and writes here is nothing to others. */
function sent({ runDirectory: _, input, ...run }: Drawn): Drawn {
  if (!input) return run;
  const { here: __, ...part } = input;
  return { ...run, input: part };
}

/** The same runs of the same files are the same study. */
function idOf(files: readonly string[], runs: readonly Drawn[]): string {
  const hash = createHash('sha256').update(files.join());
  for (const run of runs) hash.update(toJson(run));
  return hash.digest('hex').slice(0, 32);
}

function onceEach(say: (sentence: string) => void): (sentence: string) => void {
  const said = new Set<string>();
  return (sentence) => {
    if (said.has(sentence) || said.size === MOST_REFUSALS) return;
    said.add(sentence);
    say(sentence);
  };
}
