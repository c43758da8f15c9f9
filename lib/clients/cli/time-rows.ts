// Mode and time of a simulation, as commands print them.
import { modeName, type TrickClient } from '../trick/index.js';
import type { Row } from './rows.js';

export type TimeRows = readonly [mode: Row, time: Row];

export const timeRows = (mode: string, seconds: number): TimeRows => [
  { name: 'mode', value: mode, units: undefined },
  { name: 'time', value: seconds, units: 's' },
];

export async function timeOfTrick(client: TrickClient): Promise<TimeRows> {
  const names = ['mode', 'time_tics', 'time_tic_value'].map((name) => `trick_sys.sched.${name}`);
  const [mode, tics, ticsPerSecond] = (await client.get(names)).map(Number) as [number, number, number];
  return timeRows(modeName(mode), tics / ticsPerSecond);
}
