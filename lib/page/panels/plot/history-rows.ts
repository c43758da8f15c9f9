// What var/history answers, as rows for a plot: each variable has times of its own, a plot has one list of times.
import type { Json, Server } from '../../data/server.js';
import { plottable } from '../values/value-text.js';
import type { SampleRow } from './sample-pyramid.js';

/** One variable's part of the answer; null is a time at which it could not be read. */
export interface HistorySeries {
  readonly times: readonly number[];
  readonly values: readonly Json[];
}

/** Whether the server keeps the past, and may be asked for it. */
export const hasHistory = (server: Pick<Server, 'has' | 'session'>): boolean =>
  server.has('var/history') && (server.session.peek()?.history_sec ?? 0) > 0;

/** The series of some variables; undefined for one that the answer does not have, whatever its name. */
export const seriesOf = (
  series: Readonly<Record<string, HistorySeries>>,
  aliases: readonly string[],
): (HistorySeries | undefined)[] => aliases.map((alias) => (Object.hasOwn(series, alias) ? series[alias] : undefined));

/** A row for each time of any variable. A variable without a point at that time is on the line between its own. */
export function historyRows(series: readonly (HistorySeries | undefined)[]): SampleRow[] {
  const times = [...new Set(series.flatMap((each) => each?.times ?? []))].sort((one, other) => one - other);
  const columns = series.map((each) => (each ? valuesAt(each, times) : times.map(() => Number.NaN)));
  return times.map((time, row) => {
    const values = columns.map((column) => column[row] as number);
    return { time, least: values, most: values };
  });
}

function valuesAt({ times, values }: HistorySeries, wanted: readonly number[]): number[] {
  let next = 0;
  // The last points of thinned variables lie apart by less than a stretch, which is no gap.
  const reach = times.length > 1 ? (2 * ((times.at(-1) as number) - (times[0] as number))) / (times.length - 1) : 0;
  return wanted.map((time) => {
    while (next < times.length && (times[next] as number) < time) next++;
    if (times[next] === time) return plottable(values[next]);
    if (next === times.length) return time - (times.at(-1) as number) <= reach ? plottable(values.at(-1)) : Number.NaN;
    return next === 0 ? Number.NaN : between({ times, values }, next, time);
  });
}

function between({ times, values }: HistorySeries, next: number, time: number): number {
  const [before, after] = [times[next - 1] as number, times[next] as number];
  const [from, to] = [plottable(values[next - 1]), plottable(values[next])];
  return from + ((to - from) * (time - before)) / (after - before);
}
