// runs/results: the results of a Monte Carlo whose runs are played.

import { z } from 'zod';
import {
  repeatCommand,
  runDirectoryName,
  STUDY_KINDS,
  type Study,
  type StudyColumn,
} from '../../simulation/recording/study.js';
import type { CallContext } from '../json-rpc/call-context.js';
import { defineMethod, type Method } from '../json-rpc/method.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';

/** Values in an answer. */
const MOST_VALUES = 200_000;
/** Between two turns. */
const AT_ONCE = 1000;

const column = z.object({
  name: z.string().describe('Without units'),
  kind: z.enum(STUDY_KINDS),
  units: z.string().optional(),
  values: z
    .array(z.union([z.number(), z.string(), z.boolean(), z.null()]))
    .describe('One for each run asked for; not a number is the text nan, inf or -inf, and null is no value'),
});

const requirement = z.object({
  text: z.string(),
  passed: z.int(),
  runs: z.int(),
  rate: z.number().nullable().describe('From 0 to 1'),
  low: z.number().describe('The true rate is from here'),
  high: z.number().describe('to here, with 95 % confidence'),
});

const results = defineMethod({
  name: 'runs/results',
  about:
    'The results of a Monte Carlo that is played: what each run was given, what came of it, and how many meet each requirement. The variables of an open run are below its name, such as run7.',
  params: z.strictObject({
    columns: z.array(z.string().max(500)).max(1000).optional().describe('Names of those wanted; all when left out'),
    from: z.int().min(0).default(0).describe('The first run, by its place in the columns'),
    count: z.int().min(1).max(MOST_VALUES).default(1000).describe('How many runs'),
    with_repeat: z.boolean().default(false).describe('Also the command that repeats each run'),
  }),
  result: z.object({
    name: z.string().describe('Of the simulation'),
    seed: z.number(),
    runs: z.int().describe('How many there are'),
    missing: z.int().describe('How many are not there because the study was stopped'),
    open: z.array(z.int()).describe('Numbers of the runs whose recordings are open'),
    columns: z.array(column),
    requirements: z.array(requirement),
    directories: z.array(z.string()).describe('Of each run asked for'),
    repeat: z.array(z.string()).optional(),
  }),
  examples: [
    {
      name: 'the drift of three runs',
      params: { columns: ['run', 'air.drift'], count: 3 },
      result: {
        name: 'gusts',
        seed: 1,
        runs: 3,
        missing: 0,
        open: [0, 1, 2],
        columns: [
          { name: 'run', kind: 'run', values: [0, 1, 2] },
          { name: 'air.drift', kind: 'result', units: 'm', values: [53.2, 48.1, 60.7] },
        ],
        requirements: [{ text: 'air.drift < 60', passed: 2, runs: 3, rate: 0.6667, low: 0.2077, high: 0.9385 }],
        directories: ['RUN_00000', 'RUN_00001', 'RUN_00002'],
      },
    },
  ],
  async run({ source, turn }: CallContext, { columns: names, from, count, with_repeat }) {
    const { results: study, open } = source.study ?? {};
    if (!study)
      throw new RpcError(RpcCode.requestRefused, 'this source has no results of runs: varwire play MONTE_name has');
    const columns = names ? names.flatMap((name) => named(study, name)) : study.columns;
    const end = Math.min(study.runs, from + count);
    if (columns.length * (end - from) > MOST_VALUES)
      throw new RpcError(RpcCode.tooMany, `runs/results: an answer has at most ${MOST_VALUES} values`);
    const numbers = study.columns.find(({ kind }) => kind === 'run')?.values ?? [];
    const directories: string[] = [];
    const repeat: string[] = [];
    for (let index = from; index < end; index++) {
      if ((index - from) % AT_ONCE === AT_ONCE - 1) await turn();
      directories.push(runDirectoryName(Number(numbers[index] ?? index), study.digits));
      const command = with_repeat ? repeatCommand(study, index) : undefined;
      if (command !== undefined) repeat.push(command);
    }
    const { name, seed, runs, missing, requirements } = study;
    return {
      ...{ name, seed, runs, missing, open: [...(open ?? [])], directories },
      columns: columns.map((each) => ({ ...each, values: each.values.slice(from, end) })),
      requirements: [...requirements],
      ...(repeat.length > 0 && { repeat }),
    };
  },
});

/** A variable that is both drawn and a result has two columns. Throws an RpcError for a name that there is not. */
function named({ columns }: Study, name: string): readonly StudyColumn[] {
  const found = columns.filter((each) => each.name === name);
  if (found.length === 0) throw new RpcError(RpcCode.unknownVariable, `the results have no column ${name}`);
  return found;
}

export const studyMethods: readonly Method<CallContext>[] = [results];
