// var/history: the past of variables, as the server has kept it.

import { z } from 'zod';
import { type History, HistoryError } from '../../serving/history/history.js';
import type { Reference } from '../../serving/session/reference.js';
import type { Source } from '../../source/source.js';
import { AnswerText, MAX_ANSWER_BYTES } from './answer-text.js';
import { type CallContext, settledFrame } from './call-context.js';
import { toJson } from './json-value.js';
import { defineMethod, type Method } from './method.js';
import { whenShown } from './reading.js';
import { createFound, type FoundReferences } from './requested-units.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { alias, jsonValue, lenient, missing, simTime, units } from './schemas.js';
import { simTimeOf } from './sim-time.js';

const MOST_ALIASES = 200;
const MOST_POINTS = 10_000;
const DEFAULT_POINTS = 1000;

const series = z.object({
  times: z.array(z.number()).describe("What the simulation's clock showed, in SI seconds, in order"),
  values: z.array(jsonValue).describe('A number, or a text, for each time; null where there was none'),
  since: z.number().nullable().describe('The earliest time that is kept; null when nothing is yet'),
  whole_since: z.number().nullable().describe('Since then every sample is kept; before, what is least and greatest'),
  stretch_sec: z
    .number()
    .describe('Only the least and the greatest of each stretch of about so many seconds are answered; 0: every sample'),
  in_file: z
    .literal(true)
    .optional()
    .describe('The past is a file: all of it is there at any moment, wherever a playback stands, up to until'),
  until: z.number().optional().describe('With in_file: the last time of it'),
  is_sampled: z
    .literal(true)
    .optional()
    .describe(
      'Of a file that is still being looked through: values here and there, so that peaks may be missing; ask again',
    ),
});

const history = defineMethod({
  name: 'var/history',
  about:
    'The past of single numbers and texts, as far as the server has kept it: since the first client subscribed to them with history, also after the last one has gone; since the start for those that the simulation or --keep names. What was only asked for here is kept for five minutes. Of a recording that is played, or beside a simulation (--reference), it is the file: the whole of it, wherever the playback stands. Older samples are thinned, and when there are more than points, the least and the greatest value of each stretch of time are answered.',
  params: z.strictObject({
    aliases: z
      .array(alias)
      .min(1)
      .max(MOST_ALIASES, { error: `expected at most ${MOST_ALIASES} of them` })
      .describe('Paths of single numbers, truth values, enumerations and texts'),
    from: z.number().optional().describe('As sim_time.sec_si; as early as is kept when left out'),
    to: z.number().optional().describe('As sim_time.sec_si; now when left out, of a file its end'),
    points: z.int().min(2).max(MOST_POINTS).default(DEFAULT_POINTS).describe('At most so many of each variable'),
    units,
    lenient,
  }),
  result: z.object({
    sim_time: simTime,
    kept_sec: z.number().describe('How long every sample is kept, if there is room; what is older is thinned'),
    series: z.record(z.string(), series),
    missing,
  }),
  examples: [
    {
      name: 'asked for the first time',
      params: { aliases: ['ball.position[1]'] },
      result: {
        sim_time: { sec_si: 1.23, label: 'sim_elapsed' },
        kept_sec: 600,
        series: {
          'ball.position[1]': { times: [1.23], values: [9.1], since: 1.23, whole_since: 1.23, stretch_sec: 0 },
        },
      },
    },
  ],
  run: async (context: CallContext, params) => {
    const { source, history: kept } = context;
    if (!kept) throw new RpcError(RpcCode.requestRefused, 'this server keeps no history');
    await settledFrame(context);
    const found = await createFound(source, params, context.turn);
    await whenShown(context, found.references);
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, points } = params;
    const keeping = keepable(kept, found, params.lenient);
    await kept.settled(keeping.references);
    return seriesText(source, kept, keeping, { from, to, points }, context.turn);
  },
});

/** Asks for the past of these. What has none, because it is no number or text or there is no room, is named and left out, or refused. */
function keepable(
  kept: History,
  { references, missing: absent }: FoundReferences,
  isLenient: boolean | undefined,
): FoundReferences {
  const sentences = new Map(Object.entries(absent));
  const numbers = references.filter((reference) => {
    try {
      kept.ask(reference);
      return true;
    } catch (error) {
      if (!isLenient || !(error instanceof HistoryError)) throw error;
      sentences.set(reference.alias, error.message);
      return false;
    }
  });
  return { references: numbers, missing: Object.fromEntries(sentences) };
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly points: number;
}

async function seriesText(
  source: Source,
  kept: History,
  { references, missing: absent }: FoundReferences,
  { from, to, points }: Span,
  turn: () => Promise<void>,
): Promise<AnswerText> {
  await turn();
  const text = new AnswerText(MAX_ANSWER_BYTES);
  const simTime = JSON.stringify(simTimeOf(source, source.frame));
  // The simulation goes on between two turns, so the past of all variables ends at the time at which this began.
  const end = Math.min(to, kept.takenSeconds);
  text.add(`{"sim_time":${simTime},"kept_sec":${kept.wholeSeconds},"series":{`);
  for (const [index, reference] of references.entries()) {
    // A variable's points take up to a millisecond.
    await turn();
    text.add(`${index > 0 ? ',' : ''}${JSON.stringify(reference.alias)}:`);
    const until = kept.isRecorded(reference.path) ? to : end;
    text.add(await textOf(reference, kept, { from, to: until, points }));
  }
  text.add(Object.keys(absent).length === 0 ? '}}' : `},"missing":${JSON.stringify(absent)}}`);
  return text;
}

async function textOf({ path, conversion }: Reference, kept: History, { from, to, points }: Span): Promise<string> {
  const found = await kept.points(path, from, to, points);
  const extent = kept.extent(path);
  const values = (found?.values ?? []).map((value) =>
    value === null ? null : (found?.texts?.[value] ?? toJson(conversion ? conversion.convert(value) : value)),
  );
  return JSON.stringify({
    times: found?.times ?? [],
    values,
    since: extent?.from ?? null,
    whole_since: extent?.wholeFrom ?? null,
    stretch_sec: found?.stretchSeconds ?? 0,
    ...(extent && kept.isRecorded(path) && { in_file: true, until: extent.to }),
    ...(found?.isSampled && { is_sampled: true }),
  });
}

export const historyMethods: readonly Method<CallContext>[] = [history];
