// The tools: find, read, watch, set, control, call, messages, checkpoints.
import { z } from 'zod';
import { type CallMethod, defineTool, hinted, type Lenient, type Tool } from './tool.js';
import { watch } from './watch.js';

const names = z.array(z.string()).min(1).max(200).describe('Names of variables, such as ["lander.altitude"]');
const units = z
  .record(z.string(), z.string())
  .optional()
  .describe('Units by name, such as {"lander.altitude": "km"}; the own units of a variable when left out');

interface Match {
  readonly alias: string;
  readonly type: string;
  readonly unit?: string;
  readonly about?: string;
  readonly access?: string;
}

const findVariables = defineTool({
  name: 'find_variables',
  about:
    'Finds variables of the simulation by words of their names, descriptions and units, best first. Use it first: all other tools take exact names.',
  takes: z.object({
    words: z
      .string()
      .min(1)
      .max(200)
      .describe('Words with blanks between, such as "altitude" or "engine temperature K"'),
    limit: z.number().int().min(1).max(100).default(20),
    under: z.string().optional().describe('Only below this name'),
  }),
  next: 'Use fewer and shorter words, or list_variables.',
  async run(call, { words, limit, under }) {
    const found = (await call('var/search', { text: words, limit: limit + 1, ...(under && { under }) })) as {
      matches: readonly Match[];
      is_complete: boolean;
    };
    const variables = found.matches.slice(0, limit);
    const more = found.matches.length > limit || !found.is_complete;
    return { variables, more, ...(variables.length === 0 && { hint: await otherWords(call, words, under) }) };
  },
});

/** Words whose matches are told when all together have none. */
const MOST_WORDS = 8;
const MOST_NAMES = 20;

/** What to look for when nothing has been found: words that fit alone, or the objects that there are. */
async function otherWords(call: CallMethod, words: string, under: string | undefined): Promise<string> {
  const fitting: string[] = [];
  const single = words.split(/\s+/).filter((word) => word !== '');
  for (const text of single.length > 1 ? single.slice(0, MOST_WORDS) : []) {
    const { matches } = (await call('var/search', { text, limit: 3, ...(under && { under }) })) as { matches: Match[] };
    if (matches.length > 0) fitting.push(`"${text}" alone finds ${matches.map(({ alias }) => alias).join(', ')}`);
  }
  if (fitting.length > 0) return `Nothing has all these words; use fewer: ${fitting.join('; ')}.`;
  const below = { path: under ?? '', count: MOST_NAMES };
  const { children } = (await call('var/children', below)) as { children: readonly Match[] };
  const names = children.map(({ alias }) => alias).join(', ');
  return `Nothing is called so or described so; try another word for it, or list_variables. There are ${names || 'no variables'}.`;
}

const FIRST_NAMES = 'Leave out pattern and after to see the first names.';

const listVariables = defineTool({
  name: 'list_variables',
  about: 'Lists variables in their order, a page at a time: pass the last name of a page as `after` for the next one.',
  takes: z.object({
    pattern: z.string().optional().describe('Only names that fit: * is any characters, ? is one'),
    limit: z.number().int().min(1).max(200).default(100),
    after: z.string().optional(),
  }),
  next: FIRST_NAMES,
  async run(call, { limit, ...given }) {
    const listed = (await call('var/list', { ...given, limit: limit + 1 })) as readonly Match[];
    const more = listed.length > limit;
    return { variables: listed.slice(0, limit), more, ...(listed.length === 0 && { hint: FIRST_NAMES }) };
  },
});

const getValues = defineTool({
  name: 'get_values',
  about: 'The values of variables now, all of one moment. Names that do not exist are told with the nearest ones.',
  takes: z.object({ names, units }),
  next: 'find_variables tells names and units.',
  run: async (call, { names: aliases, units: asked }) =>
    hinted((await call('var/get', { aliases, lenient: true, ...(asked && { units: asked }) })) as Lenient, NAMES),
});

const NAMES = 'find_variables tells the names that there are.';

/** Seconds before and after all times. */
const EVER = 1e15;

const history = defineTool({
  name: 'get_history',
  about:
    'The past of single numbers: statistics (first, last, least, greatest, with their times in seconds, mean) and samples. Answers when something was highest. The past of a variable is kept since somebody first asked for it, or from the start with --keep; `begins` says so when it is shorter than what you asked for.',
  takes: z.object({
    names: names.max(20),
    from: z.number().optional().describe('Simulation time in seconds; as early as is kept when left out'),
    to: z.number().optional().describe('Simulation time in seconds; now when left out'),
    samples: z.number().int().min(2).max(500).default(50).describe('At most so many of each variable'),
    units,
  }),
  next: 'find_variables tells names and units.',
  async run(call, { names: aliases, samples: points, ...span }) {
    const past = hinted((await call('var/history', { aliases, points, lenient: true, ...span })) as Past, NAMES);
    const statistics = await statisticsOf(call, past.series, span);
    const begins = Object.entries(past.series).flatMap(([name, one]) => beginOf(name, one, span.from));
    return { ...past, statistics, ...(begins.length > 0 && { begins }) };
  },
});

interface Past extends Lenient {
  readonly series: Readonly<Record<string, Kept>>;
}

interface Kept {
  readonly values: readonly unknown[];
  readonly since: number | null;
  readonly in_file?: true;
}

/** A sentence about a past that begins later than what was asked for. */
function beginOf(name: string, { since, in_file }: Kept, from = 0): readonly string[] {
  if (in_file || (since !== null && since <= from)) return [];
  return [
    `What is known of ${name} begins ${since === null ? 'now' : `at ${since} s`}: do not speak of the time before. The simulation keeps it from the start when it is run with --keep ${name}.`,
  ];
}

interface Span {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly units?: Readonly<Record<string, string>> | undefined;
}

/** Of numbers: texts have a past and no statistics. */
async function statisticsOf(
  call: CallMethod,
  series: Past['series'],
  { from = -EVER, to = EVER, units: asked = {} }: Span,
) {
  const isNumber = ([, { values }]: [string, Kept]): boolean => values.every((value) => typeof value !== 'string');
  const aliases = Object.entries(series)
    .filter(isNumber)
    .map(([name]) => name);
  if (aliases.length === 0) return {};
  const units = Object.fromEntries(Object.entries(asked).filter(([name]) => aliases.includes(name)));
  return ((await call('var/statistics', { aliases, from, to, units })) as Past).series;
}

const setValues = defineTool({
  name: 'set_values',
  about: 'Sets variables, all in the same moment or none; answers when the simulation shows them.',
  takes: z.object({
    values: z
      .record(z.string(), z.unknown())
      .describe('Values by name, such as {"engine.throttle": 0.5}; lists for arrays'),
    units,
  }),
  changes: 'adds',
  next: 'Nothing has changed; find_variables tells names, types and units.',
  run: async (call, { values, units: given }) =>
    (await call('var/set', { values, wait: true, ...(given && { units: given }) })) as object,
});

const status = defineTool({
  name: 'get_status',
  about: 'What the simulation is doing: its mode (run or freeze), time, rate, jobs, and what is wrong if anything is.',
  takes: z.object({}),
  next: 'Ask the user whether the simulation runs.',
  run: async (call) => (await call('sim/status', {})) as object,
});

const control = defineTool({
  name: 'control',
  about:
    'run, freeze, or step so many frames; clock_ratio sets simulation seconds in a second (with ratio); seek goes to a time of a recording (with to_seconds). Freeze before you compare values with care.',
  takes: z.object({
    action: z.enum(['run', 'freeze', 'step', 'clock_ratio', 'seek']),
    frames: z.number().int().optional().describe('With step; below 0, rows of a recording back'),
    ratio: z.number().optional().describe('With clock_ratio: above 0; of a recording also below 0, backwards'),
    to_seconds: z.number().optional().describe('With seek'),
  }),
  changes: 'adds',
  next: 'get_status tells what the simulation is doing.',
  async run(call, { action, to_seconds, ...rest }) {
    if (action !== 'seek') return (await call('sim/control', { action, ...rest })) as object;
    if (to_seconds === undefined) throw new Error('control: seek needs to_seconds');
    return (await call('sim/seek', { to_sec: to_seconds })) as object;
  },
});

const listFunctions = defineTool({
  name: 'list_functions',
  about: 'The functions of the simulation with their parameters and units, for call_function.',
  takes: z.object({}),
  next: 'Ask the user whether the simulation runs.',
  run: async (call) => ({ functions: await call('sim/functions', {}) }),
});

const callFunction = defineTool({
  name: 'call_function',
  about: 'Calls a function of the simulation, and answers with its result.',
  takes: z.object({
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('Arguments by the names of the parameters'),
    units,
  }),
  changes: 'destroys',
  next: 'list_functions tells what can be called, and with what.',
  run: async (call, { units: given, ...rest }) =>
    (await call('sim/call', { ...rest, ...(given && { units: given }) })) as object,
});

const messages = defineTool({
  name: 'get_events',
  about:
    'What happened: freezes, jumps of time, events that fired (marks), and messages of the simulation. Pass the last numbers as after_mark and after_message to get only what is new.',
  takes: z.object({
    after_mark: z.number().int().min(0).default(0),
    after_message: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(200).default(50).describe('The latest so many of each'),
  }),
  next: 'Leave out all arguments for the latest events.',
  async run(call, { after_mark, after_message, limit }) {
    const { marks } = (await call('sim/marks', { after: after_mark })) as { marks: readonly object[] };
    const said = (await call('sim/messages', { last: limit, after: after_message })) as { messages: readonly object[] };
    return { marks: marks.slice(-limit), messages: said.messages };
  },
});

const checkpoint = defineTool({
  name: 'save_checkpoint',
  about:
    'Saves the whole state in a file, so that load_checkpoint can come back to it. Do it before you try something.',
  takes: z.object({ file: z.string().optional().describe('A name; made of the time when left out') }),
  changes: 'adds',
  next: 'Give a plain name, or none.',
  run: async (call, given) => (await call('sim/checkpoint', given)) as object,
});

const restore = defineTool({
  name: 'load_checkpoint',
  about: 'Goes back to a saved state and its time; what has happened since is lost.',
  takes: z.object({ file: z.string().describe('As save_checkpoint or list_checkpoints tells it') }),
  changes: 'destroys',
  next: 'Nothing has changed; list_checkpoints tells what can be loaded.',
  run: async (call, given) => (await call('sim/load-checkpoint', given)) as object,
});

const checkpoints = defineTool({
  name: 'list_checkpoints',
  about: 'The saved states.',
  takes: z.object({}),
  next: 'Ask the user whether the simulation runs.',
  run: async (call) => (await call('sim/checkpoints', {})) as object,
});

export const TOOLS: readonly Tool[] = [
  findVariables,
  listVariables,
  getValues,
  history,
  watch,
  status,
  messages,
  listFunctions,
  checkpoints,
  setValues,
  control,
  callFunction,
  checkpoint,
  restore,
];
