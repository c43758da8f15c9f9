// The live table of `varwire watch`: one line per variable, drawn over the previous table.
import type { Update } from '../trick/index.js';
import { formatValue, printable } from './value-text.js';

const HOME = '\x1b[H';
const CLEAR = '\x1b[2J';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const RATE_WINDOW_MILLIS = 2000;

export const OPEN_TABLE = `${HIDE_CURSOR}${CLEAR}`;
export const CLOSE_TABLE = `${SHOW_CURSOR}\n`;

export class WatchTable {
  private readonly arrivalsMillis: number[] = [];
  private readonly nameWidth: number;
  private valueWidth = 12;

  constructor(
    private readonly server: string,
    private readonly names: readonly string[],
  ) {
    this.nameWidth = Math.max(8, ...names.map((name) => name.length));
  }

  /** Updates per second, over the last two seconds; undefined until there have been two updates. */
  get rateHz(): number | undefined {
    const [first, last] = [this.arrivalsMillis[0], this.arrivalsMillis.at(-1)];
    if (first === undefined || last === undefined || last <= first) return undefined;
    return (1000 * (this.arrivalsMillis.length - 1)) / (last - first);
  }

  count(nowMillis: number): void {
    this.arrivalsMillis.push(nowMillis);
    while ((this.arrivalsMillis[0] as number) < nowMillis - RATE_WINDOW_MILLIS) this.arrivalsMillis.shift();
  }

  /** The text that redraws the table on a terminal of that size. */
  draw({ timeSeconds, values, units }: Update, columns: number, rows: number, note = ''): string {
    const texts = values.map(formatValue);
    this.valueWidth = Math.min(columns, Math.max(this.valueWidth, ...texts.map((text) => text.length)));
    const rate = this.rateHz === undefined ? '' : `${this.rateHz.toFixed(1)} Hz`;
    const head = [this.server, `time ${Number(timeSeconds.toFixed(6))} s`, rate, note].filter((text) => text !== '');
    const lines = [head.join('   '), '', this.line('variable', 'value', 'units')];
    for (const [index, text] of texts.entries())
      lines.push(this.line(this.names[index] as string, text, units[index] ?? ''));
    return (
      HOME +
      lines
        .slice(0, rows - 1)
        .map((line) => fit(line, columns))
        .join('') +
      CLEAR_BELOW
    );
  }

  private line(name: string, value: string, units: string): string {
    return `${printable(name).padEnd(this.nameWidth)}  ${value.padEnd(this.valueWidth)}  ${units === '--' ? '' : printable(units)}`;
  }
}

const fit = (line: string, columns: number): string => `${line.slice(0, columns).trimEnd()}${CLEAR_LINE}\r\n`;

/** Output without a terminal: one tab-separated line per update, with the time and then each value with its units. */
export function plainLine({ timeSeconds, values, units }: Update): string {
  const fields = values.map((value, index) => {
    const shown = units[index];
    return shown === undefined || shown === '--' ? formatValue(value) : `${formatValue(value)} ${printable(shown)}`;
  });
  return `${[timeSeconds, ...fields].join('\t')}\n`;
}
