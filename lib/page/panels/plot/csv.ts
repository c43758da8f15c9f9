// A plot's samples as CSV: time first, units in braces behind the names, as data recording writes them.
import type { SamplePyramid } from './sample-pyramid.js';

export interface CsvColumn {
  readonly alias: string;
  readonly unit: string;
}

/** Rows between two times. Where samples were thinned, each variable has two columns: its least and its most. */
export function csvText(columns: readonly CsvColumn[], samples: SamplePyramid, from: number, to: number): string {
  const rows = [...samples.rows(from, to)];
  const isThinned = rows.some(({ least, most }) => least.some((value, k) => value !== most[k] && !Number.isNaN(value)));
  const names = columns.flatMap(({ alias, unit }) => {
    const name = (word: string): string => quoted(`${alias}${word} {${unit === '' ? '1' : unit}}`);
    return isThinned ? [name(' min'), name(' max')] : [name('')];
  });
  const lines = rows.map(({ time, least, most }) =>
    [time, ...least.flatMap((value, k) => (isThinned ? [value, most[k] as number] : [value]))].map(cell).join(','),
  );
  return `${[quoted('time {s}'), ...names].join(',')}\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** A cell without a value is empty. */
const cell = (value: number): string => (Number.isNaN(value) ? '' : String(value));

/** A name that a spreadsheet would take for several cells, or for a formula, is quoted or made text. */
function quoted(text: string): string {
  const plain = /^[=+@\t-]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
