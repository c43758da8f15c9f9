// var/statistics and var/spectrum: what a stretch of the past amounts to, of every row that is kept.

import { z } from 'zod';
import { SpectrumError, spectrumOf, thinnedSpectrum } from '../../serving/analysis/spectrum.js';
import { statisticsOf } from '../../serving/analysis/statistics.js';
import { type History, HistoryError, isText } from '../../serving/history/history.js';
import type { Reference } from '../../serving/session/reference.js';
import { type CallContext, settledFrame } from './call-context.js';
import { defineMethod, type Method } from './method.js';
import { whenShown } from './reading.js';
import { createFound } from './requested-units.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { alias, missing, units } from './schemas.js';

const MOST_ALIASES = 64;
const MOST_POINTS = 10_000;
const DEFAULT_POINTS = 1000;

const from = z.number().describe('Begin of the stretch, as sim_time.sec_si');
const to = z.number().describe('End of the stretch');
const number = z.number().nullable();

const statisticsResult = z.object({
  count: z.int().describe('Rows with a number'),
  is_exact: z.boolean().describe('false: older rows are thinned, so that only least and greatest are known'),
  first_sec: number.describe('Time of the first row; null without rows'),
  first: number,
  last_sec: number,
  last: number,
  least: number,
  least_sec: number.describe('Time of the first row with it'),
  greatest: number,
  greatest_sec: number.describe('Time of the first row with it'),
  mean: number.describe('Of the rows, each counted alike; null when it is not exact'),
  rms: number.describe('Root of the mean square; null when it is not exact'),
});

const statistics = defineMethod({
  name: 'var/statistics',
  about:
    'The first and the last value, the least and the greatest, with their times, the mean and the root mean square of a stretch of the past that var/history keeps.',
  params: z.strictObject({
    aliases: z
      .array(alias)
      .min(1)
      .max(MOST_ALIASES, { error: `expected at most ${MOST_ALIASES} of them` })
      .describe('Paths of single numbers'),
    from,
    to,
    units,
  }),
  result: z.object({ series: z.record(z.string(), statisticsResult), missing }),
  examples: [
    {
      name: 'of a moment',
      params: { aliases: ['ball.position[1]'], from: 0, to: 10 },
      result: {
        series: {
          'ball.position[1]': {
            ...{ count: 1, is_exact: true, first_sec: 1.23, first: 9.1, last_sec: 1.23, last: 9.1 },
            ...{ least: 9.1, least_sec: 1.23, greatest: 9.1, greatest_sec: 1.23, mean: 9.1, rms: 9.1 },
          },
        },
      },
    },
  ],
  run: async (context: CallContext, params) => {
    const history = historyOf(context, 'var/statistics');
    await settledFrame(context);
    const asked = { ...params, lenient: true };
    const found = await createFound(context.source, asked, context.turn);
    await whenShown(context, found.references);
    await askNumbers(history, found.references);
    const series = await statisticsIn(history, found.references, params, context.turn);
    return { series, ...(Object.keys(found.missing).length > 0 && { missing: found.missing }) };
  },
});

interface Stretch {
  readonly from: number;
  readonly to: number;
}

async function statisticsIn(
  history: History,
  references: readonly Reference[],
  stretch: Stretch,
  turn: () => Promise<void>,
): Promise<Record<string, z.input<typeof statisticsResult>>> {
  const series: Record<string, z.input<typeof statisticsResult>> = {};
  for (const reference of references) {
    // The rows of a variable take a millisecond.
    await turn();
    series[reference.alias] = await statisticsOfOne(history, reference, stretch);
  }
  return series;
}

async function statisticsOfOne(
  history: History,
  reference: Reference,
  stretch: Stretch,
): Promise<z.input<typeof statisticsResult>> {
  const { times, values, isExact } = await rowsOf(history, reference, stretch);
  const found = statisticsOf(values);
  const secondsAt = (place: number | undefined): number | null => (place === undefined ? null : (times[place] ?? null));
  const numberAt = (place: number | undefined): number | null => (place === undefined ? null : finite(values[place]));
  return {
    count: found?.count ?? 0,
    is_exact: isExact,
    first_sec: secondsAt(found?.first),
    first: numberAt(found?.first),
    last_sec: secondsAt(found?.last),
    last: numberAt(found?.last),
    least: numberAt(found?.least),
    least_sec: secondsAt(found?.least),
    greatest: numberAt(found?.greatest),
    greatest_sec: secondsAt(found?.greatest),
    mean: isExact ? finite(found?.mean) : null,
    rms: isExact ? finite(found?.rms) : null,
  };
}

const finite = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const spectrum = defineMethod({
  name: 'var/spectrum',
  about:
    'The amplitudes of the frequencies in a stretch of the past: with a Hann window, without the mean. Of rows that are all kept and evenly spaced only.',
  params: z.strictObject({
    alias,
    from,
    to,
    units: units.describe('Units to convert to'),
    points: z.int().min(2).max(MOST_POINTS).default(DEFAULT_POINTS).describe('At most so many; the greatest are kept'),
  }),
  result: z.object({
    frequencies: z.array(z.number()).describe('In Hz, up to half the rate of the rows'),
    amplitudes: z.array(z.number()).describe('In the units of the variable: of a sine its amplitude'),
  }),
  examples: [
    {
      name: 'before anything is kept',
      params: { alias: 'ball.position[1]', from: 0, to: 1 },
      result: { frequencies: [], amplitudes: [] },
    },
  ],
  run: async (context: CallContext, params) => {
    const history = historyOf(context, 'var/spectrum');
    await settledFrame(context);
    const asked = { aliases: [params.alias], units: params.units };
    const { references } = await createFound(context.source, asked, context.turn);
    await whenShown(context, references);
    await askNumbers(history, references);
    return spectrumIn(history, references[0] as Reference, params, context.turn);
  },
});

async function spectrumIn(
  history: History,
  reference: Reference,
  wish: Stretch & { readonly points: number },
  turn: () => Promise<void>,
) {
  await turn();
  const { times, values, isExact } = await rowsOf(history, reference, wish);
  if (!isExact) throw refused('the rows of this stretch are thinned; ask for a later one');
  try {
    return thinnedSpectrum(await spectrumOf(times, values, turn), wish.points);
  } catch (error) {
    throw error instanceof SpectrumError ? refused(error.message) : error;
  }
}

/** Rows that are looked at at once; more are thinned. */
const MOST_ROWS = 100_000;

interface Rows {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly isExact: boolean;
}

/** The rows of a stretch, in the units asked for. */
async function rowsOf(history: History, reference: Reference, { from, to }: Stretch): Promise<Rows> {
  const found = await history.points(reference.path, from, to, MOST_ROWS);
  const { times = [], values = [], stretchSeconds = 0, isSampled = false } = found ?? {};
  const { conversion } = reference;
  return {
    times,
    values: conversion ? values.map((value) => (value === null ? null : conversion.convert(value))) : values,
    isExact: stretchSeconds === 0 && !isSampled,
  };
}

/** Asks for the past of these, and waits until there is all that is known. */
async function askNumbers(history: History, references: readonly Reference[]): Promise<void> {
  for (const reference of references) {
    if (reference.current && isText(reference.current)) throw new HistoryError(`${reference.alias} is a text`);
    history.ask(reference);
  }
  await history.settled(references);
}

const refused = (sentence: string): RpcError => new RpcError(RpcCode.requestRefused, `var/spectrum: ${sentence}`);

function historyOf({ history }: CallContext, method: string): History {
  if (history) return history;
  throw new RpcError(RpcCode.requestRefused, `${method}: this server keeps no history`);
}

export const analysisMethods: readonly Method<CallContext>[] = [statistics, spectrum];
