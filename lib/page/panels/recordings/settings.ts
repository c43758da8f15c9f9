// Settings of the recordings: the variables of the next one.
import type { VariableFacts } from '../../data/server.js';
import { listOf, numberOf, recordOf, textOf } from '../values/given.js';

export interface RecordingsSettings {
  readonly [name: string]: unknown;
  readonly aliases: readonly string[];
  readonly cycleSeconds: number;
}

export const MOST_RECORDED = 200;
const DEFAULT_CYCLE_SECONDS = 0.1;

export function recordingsSettings(given: unknown): RecordingsSettings {
  const { aliases, cycleSeconds } = recordOf(given);
  return {
    aliases: [...new Set(listOf(aliases, MOST_RECORDED, textOf))],
    cycleSeconds: numberOf(cycleSeconds, 1e-6, 1e6) ?? DEFAULT_CYCLE_SECONDS,
  };
}

export function withRecorded(
  { aliases }: Pick<RecordingsSettings, 'aliases'>,
  { alias, kind }: VariableFacts,
): Partial<RecordingsSettings> | string {
  if (kind === 'struct') return `${alias} is a structure; record its members`;
  if (kind === 'text') return `${alias} is a text, which is not recorded`;
  if (aliases.length >= MOST_RECORDED) return `a recording has at most ${MOST_RECORDED} variables here`;
  return { aliases: [...new Set([...aliases, alias])] };
}
