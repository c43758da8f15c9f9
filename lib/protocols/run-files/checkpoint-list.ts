// sim/checkpoints: the checkpoints of the run directory.

import { z } from 'zod';
import { CHECKPOINT_HEAD } from '../../simulation/checkpoint/writer.js';
import { beginsWith, sharedListings } from '../../simulation/files/run-listing.js';
import type { CallContext } from '../json-rpc/call-context.js';
import { defineMethod, type Method } from '../json-rpc/method.js';

const MOST_LISTED = 1000;

const checkpointsOf = sharedListings((_name, path) => beginsWith(path, CHECKPOINT_HEAD));

const checkpoints = defineMethod({
  name: 'sim/checkpoints',
  about: 'The checkpoints of the run directory, the newest first, without those in directories below it.',
  params: z.strictObject({}),
  result: z.object({
    directory: z.string(),
    files: z.array(
      z.object({ file: z.string(), bytes: z.int(), modified: z.string().describe('When it was written, in ISO 8601') }),
    ),
    more: z.boolean().describe(`Whether there are more than ${MOST_LISTED}`),
  }),
  examples: [
    {
      name: 'one',
      params: {},
      result: {
        directory: '/sims/RUN_ball',
        files: [{ file: 'chkpnt_1.230000', bytes: 4321, modified: '2026-01-02T03:04:05.000Z' }],
        more: false,
      },
    },
  ],
  run: async ({ source }: CallContext) => {
    const { runDirectory } = source.info;
    const files = await checkpointsOf(source, runDirectory);
    return {
      directory: runDirectory,
      files: files.slice(0, MOST_LISTED).map(({ name, bytes, modifiedMillis }) => ({
        file: name,
        bytes,
        modified: new Date(modifiedMillis).toISOString(),
      })),
      more: files.length > MOST_LISTED,
    };
  },
});

export const checkpointListMethods: readonly Method<CallContext>[] = [checkpoints];
