// sim/checkpoint and sim/load-checkpoint: the state written to a file of the run directory, and taken from one.
import { z } from 'zod';
import type { CallContext } from './call-context.js';
import { defineMethod, type Method } from './method.js';
import { frameNumber, simTime } from './schemas.js';
import { simTimeOf } from './sim-time.js';

const LONGEST_FILE = 1000;
const MOST_OBJECTS = 10_000;

const file = z.string().min(1).max(LONGEST_FILE).describe('In the run directory');

/** The value that the simulation answers, lib/simulation/checkpoint's SavedCheckpoint. */
const saved = z.object({ file: z.string(), seconds: z.number() });

const save = defineMethod({
  name: 'sim/checkpoint',
  about: 'Writes the state, or some of its objects, to a file of the run directory. Answers when the file is there.',
  params: z.strictObject({
    file: file.optional().describe('In the run directory; chkpnt_ and the simulation time when left out'),
    objects: z.array(z.string()).min(1).max(MOST_OBJECTS).optional().describe('Names of objects; all when left out'),
  }),
  result: z.object({
    file: z.string(),
    frame: frameNumber.describe('The latest when the file was there'),
    sim_time: simTime.describe('Time of the state in the file, which may be some ticks before the frame'),
  }),
  isChange: true,
  examples: [
    {
      name: 'by a name',
      params: { file: 'before-entry' },
      result: { file: 'before-entry', frame: 125, sim_time: { sec_si: 1.23, label: 'sim_elapsed' } },
    },
  ],
  run: async ({ session, source }: CallContext, { file: name = '', objects }) => {
    const { frame, value } = await session.submit({ kind: 'checkpoint', file: name, ...(objects && { objects }) });
    const { file: written, seconds } = saved.parse(value);
    return { file: written, frame, sim_time: { sec_si: seconds, label: source.info.clockLabel } };
  },
});

const load = defineMethod({
  name: 'sim/load-checkpoint',
  about: 'Goes on from a checkpoint of the run directory, at its simulation time. Answers when a frame shows it.',
  params: z.strictObject({ file }),
  result: z.object({ frame: frameNumber, sim_time: simTime }),
  isChange: true,
  examples: [
    {
      name: 'by a name',
      params: { file: 'before-entry' },
      result: { frame: 125, sim_time: { sec_si: 1.23, label: 'sim_elapsed' } },
    },
  ],
  run: async ({ session, source }: CallContext, { file: name }) => {
    const { frame } = await session.submit({ kind: 'load-checkpoint', file: name });
    return { frame, sim_time: simTimeOf(source, source.past(frame) ?? source.frame) };
  },
});

export const checkpointMethods: readonly Method<CallContext>[] = [save, load];
