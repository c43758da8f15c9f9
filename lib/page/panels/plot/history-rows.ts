// What var/history answers, as rows for a plot: each variable has times of its own, a plot has one list of times.
import type { Json, Server } from '../../data/server.js';
import { plottable } from '../values/value-text.js';
import type { SampleRow } from './shown-samples.js';

/** One variable's part of the answer; null is a time at which it could not be read. */
export interface HistorySeries {
  readonly times: readonly number[];
  readonly values: readonly Json[];
  /** The earliest time that is kept. */
  readonly since?: number | null;
  /** Above 0: only the least and the greatest of each stretch of so many seconds are among the values. */
  readonly stretch_sec?: number;
}

/** How long, in seconds, a variable's last value lasts: the server samples each one at least this often. */
const REACH = 1;

/** Whether the server keeps the past, and may be asked for it. */
export const hasHistory = (server: Pick<Server, 'has' | 'session'>): boolean =>
  server.has('var/history') && (server.session.peek()?.history_sec ?? 0) > 0;

/** The series of some variables; undefined for one that the answer does not have, whatever its name. */
export const seriesOf = (
  series: Readonly<Record<string, HistorySeries>>,
  aliases: readonly string[],
): (HistorySeries | undefined)[] => aliases.map((alias) => (Object.hasOwn(series, alias) ? series[alias] : undefined));

/**
 * A row for each time of any variable. A variable without a point at that time is interpolated, or keeps its last value
 * if its values hold until the next one. Where no variable has a value, all lines are interrupted.
 */
export function historyRows(
  series: readonly (HistorySeries | undefined)[],
  isHeld: readonly boolean[] = [],
): SampleRow[] {
  const times = [...new Set(series.flatMap((each) => each?.times ?? []))].sort((one, other) => one - other);
  const columns = series.map((each, column) =>
    each ? valuesAt(each, times, isHeld[column] ?? false) : times.map(() => Number.NaN),
  );
  const isThinned = series.some((each) => (each?.stretch_sec ?? 0) > 0);
  return times.map((time, row) => {
    const values = columns.map((column) => column[row] as number);
    const isBreak = values.every(Number.isNaN);
    return { time, least: values, most: values, ...(isBreak && { isBreak }), ...(isThinned && { isThinned }) };
  });
}

function valuesAt(series: HistorySeries, wanted: readonly number[], isHeld: boolean): number[] {
  const { times, values, since } = series;
  let next = 0;
  return wanted.map((time) => {
    while (next < times.length && (times[next] as number) < time) next++;
    if (times[next] === time) return plottable(values[next]);
    if (next === times.length) return time - (times.at(-1) as number) <= REACH ? plottable(values.at(-1)) : Number.NaN;
    if (next === 0) return since !== undefined && since !== null && since <= time ? plottable(values[0]) : Number.NaN;
    return isHeld ? plottable(values[next - 1]) : between(series, next, time);
  });
}

function between({ times, values }: HistorySeries, next: number, time: number): number {
  const [before, after] = [times[next - 1] as number, times[next] as number];
  const [from, to] = [plottable(values[next - 1]), plottable(values[next])];
  return from + ((to - from) * (time - before)) / (after - before);
}
