// Tools for recorded runs: list, open, read, compare. They are there when the operator has named directories.
import { z } from 'zod';
import { defineTool, hinted, type Lenient, type Tool } from './tool.js';

const file = z.string().min(1).max(1000).describe('As list_runs tells it, such as "RUN_a/log_flight.trk"');
const offset = z.number().int().min(0).default(0).describe('How many come before this page');
const limit = z.number().int().min(1).max(200).default(50);

const listRuns = defineTool({
  name: 'list_runs',
  about: 'The recorded files that can be opened, a page at a time.',
  takes: z.object({ offset, limit }),
  next: 'Ask for another page, or the user for the directory.',
  run: async (call, given) => (await call('list', given)) as object,
});

const openRun = defineTool({
  name: 'open_run',
  about:
    'What a recorded file has: its times, step, gaps and faults, and its variables with their units, a page at a time.',
  takes: z.object({ file, offset, limit }),
  next: 'list_runs tells the files.',
  run: async (call, given) => (await call('open', given)) as object,
});

const readRun = defineTool({
  name: 'read_run',
  about:
    'Values of variables of a recorded file: the least and the greatest with their times, the mean, and samples over the span.',
  takes: z.object({
    file,
    names: z.array(z.string().max(4096)).min(1).max(20).describe('Names as open_run tells them'),
    from: z.number().optional().describe('Seconds; from the first row when left out'),
    to: z.number().optional().describe('Seconds; to the last row when left out'),
    samples: z.number().int().min(2).max(500).default(50),
  }),
  next: 'list_runs tells the files, open_run the variables of one.',
  run: async (call, given) =>
    hinted((await call('read', given)) as Lenient, 'open_run tells the variables that there are.'),
});

const compareRuns = defineTool({
  name: 'compare_runs',
  about:
    'Where two recorded files differ, at the times that both have: for each variable the first and the largest difference. What differs first comes first.',
  takes: z.object({
    one: file,
    other: file,
    tolerance: z.number().min(0).default(0).describe('By how much numbers may differ'),
    relative: z.number().min(0).default(0).describe('By what part of the greater one they may differ besides'),
    offset,
    limit,
  }),
  next: 'list_runs tells the files.',
  run: async (call, given) => (await call('compare', given)) as object,
});

export const RUN_TOOLS: readonly Tool[] = [listRuns, openRun, readRun, compareRuns];
