// A plot's samples as CSV: time first, units in braces behind the names, as data recording writes them.
import { plottable } from '../values/value-text.js';
import type { HistorySeries } from './history-rows.js';
import type { ShownSamples } from './shown-samples.js';

export interface CsvColumn {
  readonly alias: string;
  readonly unit: string;
}

/** Rows between two times. Where samples were thinned, each variable has two columns: its least and its most. */
export function csvText(columns: readonly CsvColumn[], samples: ShownSamples, from: number, to: number): string {
  const rows = [...samples.rows(from, to)];
  const isThinned = rows.some(({ least, most }) => least.some((value, k) => value !== most[k] && !Number.isNaN(value)));
  const names = columns.flatMap((column) =>
    isThinned ? [columnName(column, ' min'), columnName(column, ' max')] : [columnName(column)],
  );
  const lines = rows.map(({ time, least, most }) =>
    lineOf([time, ...least.flatMap((value, k) => (isThinned ? [value, most[k] as number] : [value]))]),
  );
  return `${[quoted('time {s}'), ...names].join(',')}\n${lines.join('')}`;
}

/**
 * The history that a server has kept: a row for each time of any variable. A cell is empty where its variable has no
 * point at that time, as between thinned points.
 */
export function historyCsv(columns: readonly CsvColumn[], series: readonly (HistorySeries | undefined)[]): string {
  const rows = new Map<number, number[]>();
  for (const [column, each] of series.entries()) {
    for (const [k, time] of (each?.times ?? []).entries()) {
      const row = rows.get(time) ?? Array.from({ length: columns.length }, () => Number.NaN);
      row[column] = plottable(each?.values[k]);
      rows.set(time, row);
    }
  }
  const lines = [...rows].sort(([one], [other]) => one - other).map(([time, row]) => lineOf([time, ...row]));
  return `${[quoted('time {s}'), ...columns.map((column) => columnName(column))].join(',')}\n${lines.join('')}`;
}

const columnName = ({ alias, unit }: CsvColumn, word = ''): string =>
  quoted(`${alias}${word} {${unit === '' ? '1' : unit}}`);

const lineOf = (values: readonly number[]): string => `${values.map(cell).join(',')}\n`;

/** A cell without a value is empty. */
const cell = (value: number): string => (Number.isNaN(value) ? '' : String(value));

/** A name that a spreadsheet would take for several cells, or for a formula, is quoted or made text. */
function quoted(text: string): string {
  const plain = /^[=+@\t-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
