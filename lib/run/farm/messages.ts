// What a study and its workers tell each other, as JSON.
import { z } from 'zod';
import { fromJson } from '../../source/edge/wire-values.js';
import type { Drawn, RunRow } from '../headless/run-row.js';

export { toJson } from '../../source/edge/wire-values.js';

/** Told again and again while a study goes on. */
const STUDY = z.object({
  /** Follows from what its runs are: the same study has the same. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** As its command names it; a worker looks for it below its own working directory. */
  simulation: z.string(),
  /** What the outcome of a run depends on, as `fingerprintOf` has it. */
  fingerprint: z.string(),
  runs: z.number(),
  /** Wall time of a run after which it is stopped and has failed. */
  mostSeconds: z.number().positive().optional(),
});
export type Study = z.infer<typeof STUDY>;

/** Values have been checked by nobody: a run refuses what does not fit. */
const VALUES = z.record(z.string(), z.unknown());
/** What is left out, such as where a run writes, is not for others to say. */
const RUN = z.object({
  run: z.number(),
  seed: z.number(),
  set: VALUES,
  read: z.array(z.string()),
  untilSeconds: z.number().optional(),
  arguments: z.array(z.string()).optional(),
});

/** Some runs that a worker takes together. */
export interface Job {
  /** No other job has it. */
  readonly name: string;
  readonly runs: readonly Drawn[];
  /** How many workers have been lost with it before it was queued. */
  readonly lost: number;
}
const JOB = z.object({ name: z.string(), runs: z.array(RUN).min(1), lost: z.number() });

/** What has come of runs of a job. */
export interface Outcome {
  readonly rows: readonly RunRow[];
  /** Wall time that one run took on the average. */
  readonly millisPerRun: number;
  /** Random for each worker. */
  readonly worker: string;
}
const ROW = z.object({
  run: z.number(),
  seed: z.number(),
  set: VALUES,
  timeSeconds: z.number().optional(),
  values: VALUES,
  units: z.record(z.string(), z.string()).optional(),
  error: z.string().optional(),
});
const OUTCOME = z.object({ rows: z.array(ROW), millisPerRun: z.number(), worker: z.string() });

/** The messages in texts; undefined for one that is none. */
export const studyIn = (text: string): Study | undefined => messageIn(STUDY, text);
export const jobIn = (text: string): Job | undefined => messageIn(JOB, text) as Job | undefined;
export const outcomeIn = (text: string): Outcome | undefined => messageIn(OUTCOME, text) as Outcome | undefined;

function messageIn<Message>(schema: z.ZodType<Message>, text: string): Message | undefined {
  try {
    return schema.safeParse(fromJson(text)).data;
  } catch {
    return undefined;
  }
}
