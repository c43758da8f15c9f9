// What a study and its workers tell each other, as JSON.
import { z } from 'zod';
import { fromJson } from '../../source/edge/wire-values.js';
import type { Drawn, RunRow } from '../headless/run-row.js';
import { INPUT_FACTS } from './sent-input.js';

export { toJson } from '../../source/edge/wire-values.js';

/** Of the messages: who speaks another one takes no part. */
export const FORM = 2;

const NAME = z.string().max(1000);

/** Told again and again while a study goes on. */
const STUDY = z.object({
  form: z.int(),
  /** Follows from what its runs are: the same study has the same. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** Random for each command that makes it. */
  asked: NAME,
  /** How long it has been going on. */
  seconds: z.number(),
  /** As its command names it; a worker looks for it below its own working directory. */
  simulation: NAME,
  /** What the outcome of a run depends on, as `fingerprintOf` has it. */
  fingerprint: NAME,
  runs: z.number(),
  /** A worker that has not been heard for so long is lost. */
  lostAfterMillis: z.number().min(100).max(3_600_000),
  /** Wall time of a run after which it is stopped and has failed. */
  mostSeconds: z.number().positive().optional(),
  /** Of runs that have an input file. */
  input: INPUT_FACTS.optional(),
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
  input: z.object({ text: z.string(), number: z.number(), isGenerated: z.boolean(), isOn: z.boolean() }).optional(),
  shown: VALUES.optional(),
});

/** Some runs that a worker takes together. */
export interface Job {
  /** No other job has it. */
  readonly name: string;
  readonly runs: readonly Drawn[];
}
const JOB = z.object({ name: NAME, runs: z.array(RUN).min(1) });

/** Told again and again by each worker of a study. */
const HOLDING = z.object({
  /** Random for each worker. */
  worker: NAME,
  /** The jobs that it has taken and not finished. */
  jobs: z.array(NAME).max(1000),
});
export type Holding = z.infer<typeof HOLDING>;

/** What has come of runs of a job. */
export interface Outcome {
  readonly rows: readonly RunRow[];
  /** Wall time that one run took on the average. */
  readonly millisPerRun: number;
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
const OUTCOME = z.object({ rows: z.array(ROW), millisPerRun: z.number() });

/** Some of what `sent-input.ts` makes of an input file. */
const PART = z.object({ part: z.int().min(0), text: z.string() });
export type Part = z.infer<typeof PART>;

/** The messages in texts; undefined for one that is none. */
export const studyIn = (text: string): Study | undefined => messageIn(STUDY, text);
export const jobIn = (text: string): Job | undefined => messageIn(JOB, text) as Job | undefined;
export const holdingIn = (text: string): Holding | undefined => messageIn(HOLDING, text);
export const outcomeIn = (text: string): Outcome | undefined => messageIn(OUTCOME, text) as Outcome | undefined;
export const partIn = (text: string): Part | undefined => messageIn(PART, text);

function messageIn<Message>(schema: z.ZodType<Message>, text: string): Message | undefined {
  try {
    return schema.safeParse(fromJson(text)).data;
  } catch {
    return undefined;
  }
}
