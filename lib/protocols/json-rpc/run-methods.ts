// runs/list and runs/curves: the runs of a source, and variables of several of them over their whole time.

import { z } from 'zod';
import { type CurveTerm, type CurveWish, RunCurves } from '../../serving/history/run-curves.js';
import type { Source, SourceRun } from '../../source/source.js';
import { AnswerText, MAX_ANSWER_BYTES } from './answer-text.js';
import { type CallContext, settledFrame, translateError } from './call-context.js';
import { toJson } from './json-value.js';
import { defineMethod, type Method } from './method.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { alias, unitsText } from './schemas.js';

const MOST_CURVES = 64;
const MOST_POINTS = 10_000;
/** Of all curves together. */
const MOST_IN_ALL = 200_000;
const DEFAULT_POINTS = 1000;

const run = z.object({
  run: z.string().describe('What the names of its variables begin with; empty when the source is one run'),
  label: z.string().describe('The file or the directory, or the name of a simulation'),
  is_live: z.boolean().describe('true for a simulation that goes on; false for a recording'),
});

const list = defineMethod({
  name: 'runs/list',
  about: 'The runs that this server has: those of a playback, or a simulation and its references.',
  params: z.strictObject({}),
  result: z.object({ runs: z.array(run) }),
  examples: [{ name: 'of a simulation', params: {}, result: { runs: [{ run: '', label: 'ball', is_live: true }] } }],
  run: ({ source }: CallContext) => ({ runs: runsOf(source) }),
});

function runsOf({ info, playback, runs, references }: Source): z.input<typeof run>[] {
  const told = ({ object, label, isLive }: SourceRun) => ({ run: object, label, is_live: isLive });
  if (runs) return runs.map(told);
  const own = { run: '', label: playback ? info.file : info.name, is_live: playback === undefined };
  return [own, ...(references?.runs ?? []).map(told)];
}

const finite = z.number();
const term = z.strictObject({
  run: z.string().max(200).describe('As runs/list answers it'),
  name: alias.describe('Path of a number below the run, or = and an expression of such paths'),
  units: unitsText.optional().describe('Units to convert to'),
  from_units: unitsText.optional().describe('Units of the values, where they are not those of the variable'),
  scale: finite.default(1).describe('The value in its units is multiplied by this'),
  bias: finite.default(0).describe('and this is added'),
  shift_sec: finite.default(0).describe('By how much later the curve is drawn'),
});

const curve = z.object({
  times: z.array(z.number()).optional(),
  values: z
    .array(z.union([z.number(), z.string(), z.null()]))
    .optional()
    .describe('A number for each time; null and "NaN" where there is none'),
  units: z.string().optional(),
  is_held: z.boolean().optional().describe('true: a value holds until the next one'),
  from: z.number().nullable().optional().describe('How far all of it reaches; null without rows'),
  to: z.number().nullable().optional(),
  stretch_sec: z.number().optional().describe('As of var/history: 0 when every row is answered'),
  is_sampled: z.literal(true).optional().describe('As of var/history: ask again for all peaks'),
  problem: z.string().optional().describe('Why there is no such curve; then it has nothing else'),
});

const curves = defineMethod({
  name: 'runs/curves',
  about:
    'Variables of runs, or expressions of them, over the whole time of the runs: shifted, scaled, or less the same of another run, which is interpolated at the times of the first (an integer holds). Every row is computed; when there are more than points, the least and the greatest of each stretch are answered.',
  params: z.strictObject({
    curves: z
      .array(term.extend({ minus: term.optional().describe('What is taken off') }))
      .min(1)
      .max(MOST_CURVES, { error: `expected at most ${MOST_CURVES} curves` }),
    from: z.number().optional().describe('As sim_time.sec_si; the beginning when left out'),
    to: z.number().optional().describe('As sim_time.sec_si; the end when left out'),
    points: z.int().min(2).max(MOST_POINTS).default(DEFAULT_POINTS).describe('At most about so many of each curve'),
  }),
  result: z.object({ curves: z.array(curve) }),
  examples: [
    {
      name: 'in feet, before anything is kept',
      params: { curves: [{ run: '', name: 'ball.position[1]', units: 'ft' }], from: -2, to: -1 },
      result: {
        curves: [{ times: [], values: [], units: 'ft', is_held: false, from: 1.23, to: 1.23, stretch_sec: 0 }],
      },
    },
  ],
  run: async (context: CallContext, { curves: asked, from = -Infinity, to = Infinity, points }) => {
    const { history, source } = context;
    if (!history) throw new RpcError(RpcCode.requestRefused, 'runs/curves: this server keeps no history');
    await settledFrame(context);
    const known = CURVES.get(source) ?? new RunCurves(source, history);
    CURVES.set(source, known);
    const most = Math.max(2, Math.min(points, Math.floor(MOST_IN_ALL / asked.length)));
    const text = new AnswerText(MAX_ANSWER_BYTES);
    text.add('{"curves":[');
    const wishes = asked.map(wishOf);
    await known.prepare(wishes);
    for (const [index, wish] of wishes.entries()) {
      await context.turn();
      text.add(`${index > 0 ? ',' : ''}${await curveText(known, wish, { from, to, most }, context.turn)}`);
    }
    text.add(']}');
    return text;
  },
});

const CURVES = new WeakMap<Source, RunCurves>();

const termOf = (given: z.output<typeof term>): CurveTerm => ({
  run: given.run,
  name: given.name,
  units: given.units,
  fromUnits: given.from_units,
  scale: given.scale,
  bias: given.bias,
  shiftSeconds: given.shift_sec,
});

const wishOf = ({
  minus,
  ...given
}: z.output<typeof term> & { minus?: z.output<typeof term> | undefined }): CurveWish => ({
  ...termOf(given),
  ...(minus && { minus: termOf(minus) }),
});

/** One that cannot be drawn is told of, and the others are answered. */
async function curveText(
  known: RunCurves,
  wish: CurveWish,
  { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
  turn: () => Promise<void>,
): Promise<string> {
  try {
    const found = await known.points(wish, from, to, most, turn);
    return JSON.stringify({
      times: found.times,
      values: found.values.map((value) => (value === null ? null : toJson(value))),
      units: found.units,
      is_held: found.isHeld,
      from: found.from ?? null,
      to: found.to ?? null,
      stretch_sec: found.stretchSeconds,
      ...(found.isSampled && { is_sampled: true }),
    });
  } catch (error) {
    const refusal = translateError(error);
    if (!refusal) throw error;
    return JSON.stringify({ problem: refusal.message });
  }
}

export const runMethods: readonly Method<CallContext>[] = [list, curves];
