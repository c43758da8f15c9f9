// What a bystander waited, and what of it is beyond its goals and beyond what the machine makes everybody wait.
import type { Witnessed } from '../attacks/bystander.js';
import { GOALS } from '../bench/witness.js';

/** A standstill of the machine meets a chain of questions more often than an echo. */
export const STANDSTILLS = 2;

/** What others waited, of the server and of a process that only echoes. */
export const waitedText = ({ value, echo }: Witnessed): string =>
  [value, echo]
    .map(({ p50Millis, p99Millis, worstMillis }) =>
      [p50Millis, p99Millis, worstMillis].map((ms) => ms.toFixed(1)).join(', '),
    )
    .map((waits, index) => `${index === 0 ? 'a bystander waited' : 'an echo took'} ${waits} ms (p50, p99, worst)`)
    .join('; ');

/** One sentence for each wait that is too long. */
export function tooLong({ value, echo }: Pick<Witnessed, 'value' | 'echo'>): readonly string[] {
  const found: string[] = [];
  if (value.p99Millis > GOALS.p99Millis + echo.p99Millis)
    found.push(`the bystander's p99 was ${value.p99Millis.toFixed(1)} ms`);
  if (value.worstMillis > GOALS.worstMillis + STANDSTILLS * echo.worstMillis)
    found.push(`the bystander waited ${value.worstMillis.toFixed(1)} ms`);
  return found;
}
