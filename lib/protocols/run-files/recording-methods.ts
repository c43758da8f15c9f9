// recording/list, recording/start and recording/stop: recordings of the simulation, whose files GET /recordings/ gives.

import { z } from 'zod';
import { isCharacters } from '../../model/state/type.js';
import { childrenOf, type Variable } from '../../model/state/variable.js';
import { findVariable } from '../../serving/session/reference.js';
import { type ListedFile, sharedListings } from '../../simulation/files/run-listing.js';
import type { CallContext } from '../json-rpc/call-context.js';
import { defineMethod, type Method } from '../json-rpc/method.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { alias, frameNumber } from '../json-rpc/schemas.js';
import { beginWithPast, MOST_PAST_VARIABLES, pastResult, requirePast } from './recorded-past.js';
import { RECORDINGS_PATH, type RecordingName, recordingIn } from './recording-file.js';

const MOST_LISTED = 1000;
const MOST_VARIABLES = 10_000;

const recording = z.object({
  name: z.string(),
  format: z.enum(['csv', 'txt', 'trk', 'mcap']),
  file: z.string().describe('In the run directory'),
  bytes: z.int(),
  modified: z.string().describe('When it was last written, in ISO 8601'),
  is_open: z.boolean().describe('Whether it is still being recorded'),
  ended: z.string().optional().describe('Why it has ended by itself, if it has'),
  url: z.string().describe("Where it can be fetched, relative to the server's own root"),
});

const recordingsOf = sharedListings((name) => recordingIn(name) !== undefined);

const list = defineMethod({
  name: 'recording/list',
  about:
    'The recordings of the run directory, those of earlier runs too, the newest first. One that is switched off, or waits for its past, may have no file yet.',
  params: z.strictObject({}),
  result: z.object({
    recordings: z.array(recording),
    waiting: z.array(z.string()).describe('Names of recordings that have no file yet'),
    more: z.boolean().describe(`Whether there are more than ${MOST_LISTED}`),
  }),
  examples: [
    {
      name: 'one that goes on',
      params: {},
      result: {
        recordings: [
          {
            name: 'ball',
            format: 'csv',
            file: 'log_ball.csv',
            bytes: 4321,
            modified: '2026-01-02T03:04:05.000Z',
            is_open: true,
            url: 'recordings/log_ball.csv',
          },
        ],
        waiting: [],
        more: false,
      },
    },
  ],
  run: async (context: CallContext) => {
    const { source } = context;
    const open = new Set(await recordingsNow(context, 'list'));
    const ended = endedOf(await recordingsNow(context, 'list ended'));
    const files = await recordingsOf(source, source.info.runDirectory);
    const recordings = files.slice(0, MOST_LISTED).map((file) => rowOf(file, open, ended));
    const written = new Set(files.map(({ name }) => keyOf(recordingIn(name) as RecordingName)));
    const waiting = [...open].filter((key) => !written.has(key)).map((key) => key.replace(/^\S+ /, ''));
    return { recordings, waiting, more: files.length > MOST_LISTED };
  },
});

function rowOf(
  { name: file, bytes, modifiedMillis }: ListedFile,
  open: ReadonlySet<string>,
  ended: ReadonlyMap<string, string>,
) {
  const why = ended.get(keyOf(recordingIn(file) as RecordingName));
  const recording = recordingIn(file) as RecordingName;
  const modified = new Date(modifiedMillis).toISOString();
  const url = `${RECORDINGS_PATH.slice(1)}${file}`;
  return {
    ...recording,
    file,
    bytes,
    modified,
    is_open: open.has(keyOf(recording)),
    url,
    ...(why !== undefined && { ended: why }),
  };
}

const KINDS = { csv: 'ascii', txt: 'ascii', trk: 'binary', mcap: 'mcap' } as const;

/** As the simulation lists it: a name may have been recorded in the other form before. */
const keyOf = ({ name, format }: RecordingName): string => `${KINDS[format]} ${name}`;

/** The recordings that the simulation has, by form and name; none of a source that cannot record. */
async function recordingsNow({ session, source }: CallContext, action: 'list' | 'list ended'): Promise<string[]> {
  if (!source.abilities.switchRecordings) return [];
  const { value } = await session.submit({ kind: 'record', control: { action } });
  return (Array.isArray(value) ? value : []).map(String);
}

/** Why recordings have ended, by form and name. */
const endedOf = (lines: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    lines
      .map((line) => /^(\S+ \S+) (.*)$/s.exec(line))
      .flatMap((found) => (found ? [[found[1] as string, found[2] as string]] : [])),
  );

const start = defineMethod({
  name: 'recording/start',
  about:
    'Records variables to a file of the run directory, log_NAME.csv, log_NAME.trk or log_NAME.mcap, which is made at once. Arrays are recorded by their elements.',
  params: z.strictObject({
    name: z.string().min(1).max(100).describe('Letters, digits, _, . and -'),
    aliases: z.array(alias).min(1).max(MOST_VARIABLES),
    cycle_sec: z.number().gt(0).default(0.1).describe('Simulation time between rows, in seconds'),
    format: z.enum(['csv', 'trk', 'mcap']).default('csv'),
    past_sec: z
      .number()
      .gt(0)
      .optional()
      .describe(
        `The file begins with what the server still has of so many seconds; with at most ${MOST_PAST_VARIABLES} single values`,
      ),
    when: z.enum(['always', 'change']).default('always').describe('change: only rows in which a value has changed'),
  }),
  result: z.object({ name: z.string(), file: z.string(), frame: frameNumber, past: pastResult.optional() }),
  isChange: true,
  examples: [
    {
      name: 'ten rows a second',
      params: { name: 'ball', aliases: ['ball.position'] },
      result: { name: 'ball', file: 'log_ball.csv', frame: 125 },
    },
  ],
  async run(context: CallContext, { name, aliases, cycle_sec: cycleSeconds, format, when, past_sec: past }) {
    const variables = await singleNumbers(context, aliases);
    const options = { format: KINDS[format], cycleSeconds, variables, when };
    const file = `log_${name}.${format}`;
    if (past !== undefined) {
      if (options.format === 'mcap')
        throw new RpcError(RpcCode.requestRefused, 'recording/start: past_sec is for csv and trk, not for mcap');
      const history = requirePast(context, variables);
      return {
        name,
        file,
        ...(await beginWithPast(context, history, {
          name,
          options: { ...options, format: options.format },
          seconds: past,
        })),
      };
    }
    const request = { kind: 'record', control: { action: 'add', group: name, options } } as const;
    const { frame } = await context.session.submit(request);
    return { name, file, frame };
  },
});

/** The paths of single values at these aliases, arrays by their elements. Throws an RpcError for too many. */
async function singleNumbers({ source, turn }: CallContext, aliases: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  let looked = 0;
  const waiting = aliases.map((path) => findVariable(source, path)).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (++looked % LOOKED_AT_ONCE === 0) await turn();
    if (isPlainArray(next)) waiting.push(...[...childrenOf(next)].reverse());
    else paths.push(next.path);
    if (paths.length + waiting.length > MOST_VARIABLES)
      throw new RpcError(RpcCode.tooMany, `recording/start: a recording has at most ${MOST_VARIABLES} single values`);
  }
  return [...new Set(paths)];
}

const LOOKED_AT_ONCE = 256;

const isPlainArray = ({ type }: Variable): boolean =>
  type.kind === 'array' && !isCharacters(type) && type.length <= MOST_VARIABLES;

const stop = defineMethod({
  name: 'recording/stop',
  about: 'Ends a recording, with all its rows written.',
  params: z.strictObject({ name: z.string().min(1).max(100) }),
  result: z.object({ frame: frameNumber }),
  isChange: true,
  examples: [{ name: 'by name', params: { name: 'ball' }, result: { frame: 125 } }],
  run: async ({ session }: CallContext, { name }) => {
    const { frame } = await session.submit({ kind: 'record', control: { action: 'remove', group: name } });
    return { frame };
  },
});

export const recordingMethods: readonly Method<CallContext>[] = [list, start, stop];
