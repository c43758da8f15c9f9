// Values of variables at the time under the cursor of the charts, for panels that show values of now otherwise.
import { useEffect, useState } from 'preact/hooks';
import type { Json, Server } from '../../data/server.js';
import { type HistorySeries, hasHistory, seriesOf } from '../plot/history-rows.js';
import { LOOKED } from '../plot/looked-at.js';

export interface WantedPast {
  readonly alias: string;
  readonly units?: string | undefined;
}

/** What is shown instead of the values of now. */
export interface PastValues {
  readonly seconds: number;
  /** By alias; what the server does not remember is missing. */
  readonly values: ReadonlyMap<string, Json>;
}

/** How far back the row before the cursor is looked for, in seconds. */
const REACHES = [0.5, 30, 3600] as const;
const POINTS = 1000;
const CYCLE_MILLIS = 100;

/**
 * Undefined while there is no cursor, or the panel does not follow it; while it does, the server keeps the past of these
 * variables.
 */
export function usePast(server: Server, wanted: readonly WantedPast[], isFollowing: boolean): PastValues | undefined {
  const [past, setPast] = useState<PastValues>();
  const key = JSON.stringify(wanted);
  const seconds = LOOKED.value;
  useEffect(() => {
    const { aliases } = questionOf(wanted);
    if (!isFollowing || aliases.length === 0 || !hasHistory(server)) return undefined;
    return server.watch(aliases, { cycleMillis: CYCLE_MILLIS, keepsHistory: true, onRefused: () => {} }, () => {});
  }, [server, key, isFollowing]);
  useEffect(() => {
    if (!isFollowing || seconds === undefined) {
      setPast(undefined);
      return undefined;
    }
    let isOver = false;
    valuesAt(server, wanted, seconds).then(
      (values) => isOver || setPast({ seconds, values }),
      () => isOver || setPast({ seconds, values: new Map() }),
    );
    return () => {
      isOver = true;
    };
  }, [server, key, isFollowing, seconds]);
  return isFollowing && seconds !== undefined ? past : undefined;
}

const questionOf = (wanted: readonly WantedPast[]) => ({
  aliases: wanted.map(({ alias }) => alias),
  units: Object.fromEntries(wanted.flatMap(({ alias, units }) => (units ? [[alias, units]] : []))),
});

async function valuesAt(
  server: Server,
  wanted: readonly WantedPast[],
  seconds: number,
): Promise<ReadonlyMap<string, Json>> {
  let missing = wanted;
  const found = new Map<string, Json>();
  for (const reach of REACHES) {
    if (missing.length === 0) break;
    const { aliases, units } = questionOf(missing);
    const question = { aliases, from: seconds - reach, to: seconds, points: POINTS, lenient: true };
    const { series, missing: without = {} } = await server.call<{
      series: Record<string, HistorySeries>;
      missing?: Record<string, string>;
    }>('var/history', { ...question, ...(Object.keys(units).length > 0 && { units }) });
    for (const [k, each] of seriesOf(series, aliases).entries()) {
      const last = each?.values.at(-1);
      if (last !== undefined) found.set(aliases[k] as string, last);
    }
    missing = missing.filter(({ alias }) => !found.has(alias) && without[alias] === undefined);
  }
  return found;
}
