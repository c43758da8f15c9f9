// What the legend of a strip chart says of a line.
import type { VariableFacts } from '../../data/server.js';
import { LOOKED } from '../plot/looked-at.js';
import { valueText } from '../values/value-text.js';
import type { ChartState } from './chart-state.js';
import { type ChartLine, isSame } from './settings.js';

const DIGITS = 6;
const ANY = { kind: 'number', type_path: 'double' } as const;

/** The value under the cursor, or the latest; of thinned samples the range. A line that has just changed has none yet. */
export function shownValue(
  { samples, sampled, words }: ChartState,
  line: ChartLine,
  facts: VariableFacts | undefined,
): string {
  const row = samples.near(LOOKED.value ?? samples.latestTime);
  const index = sampled.findIndex((each) => isSame(each, line));
  if (!row || index < 0) return '–';
  const [least, most] = [row.least[index] as number, row.most[index] as number];
  const shown = (value: number): string =>
    facts?.kind === 'text' ? words.textOf(value) : valueText(value, facts ?? ANY, DIGITS);
  const text = (value: number): string => (Number.isNaN(value) ? '–' : shown(value));
  return least === most || Number.isNaN(least) ? text(most) : `${text(least)} … ${text(most)}`;
}
