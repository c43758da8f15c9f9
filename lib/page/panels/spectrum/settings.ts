// Settings of a spectrum: its variables, the time that it looks at, and its scale.
import type { VariableFacts } from '../../data/server.js';
import { listOf, numberOf, recordOf, textOf } from '../values/given.js';

export interface SpectrumSettings {
  readonly [name: string]: unknown;
  readonly aliases: readonly string[];
  /** Seconds up to now, while there are no two cursors. */
  readonly span: number;
  readonly isLogarithmic: boolean;
}

const MOST_LINES = 8;
export const SPANS = { least: 0.01, most: 3600, usual: 10 } as const;

export function spectrumSettings(given: unknown): SpectrumSettings {
  const { aliases, span, isLogarithmic } = recordOf(given);
  return {
    aliases: [...new Set(listOf(aliases, MOST_LINES, textOf))],
    span: numberOf(span, SPANS.least, SPANS.most) ?? SPANS.usual,
    isLogarithmic: isLogarithmic === true,
  };
}

/** The settings with a variable more, or why it has no spectrum. */
export function withSpectrum(
  { aliases }: Pick<SpectrumSettings, 'aliases'>,
  { alias, kind, dim }: VariableFacts,
): Partial<SpectrumSettings> | string {
  if (kind !== 'number' || dim.length > 0) return `${alias} is not one number`;
  if (aliases.length >= MOST_LINES) return `a spectrum has at most ${MOST_LINES} lines`;
  return { aliases: [...new Set([...aliases, alias])] };
}
