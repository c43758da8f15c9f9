// Prints values as lines, as JSON or as comma-separated values.
import type { TrickValue } from '../trick/index.js';
import type { GivenLine } from './command-line.js';
import { UsageError } from './usage.js';
import { formatLine, formatValue, jsonText, printable, printableLines } from './value-text.js';

/** One value; `undefined` where there is none. A structure of a web server is plain JSON. */
export interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly units: string | undefined;
}

export type OutputForm = 'lines' | 'json' | 'csv';

/** Throws a UsageError when two are asked for. */
export function outputForm({ values }: GivenLine): OutputForm {
  if (values.json && values.csv) throw new UsageError('--json and --csv exclude each other');
  return values.json ? 'json' : values.csv ? 'csv' : 'lines';
}

export function rowsText(rows: readonly Row[], form: OutputForm): string {
  if (form === 'json') {
    const entries = rows.map(({ name, value, units }) => [name, { value: plain(value), ...unitsPart(units) }]);
    return jsonText(Object.fromEntries(entries), 2);
  }
  if (form === 'csv') return ['name,value,units', ...rows.map(csvRow)].join('\n');
  return rows.map(lineOf).join('\n');
}

function lineOf({ name, value, units }: Row): string {
  const known = shown(value);
  return known === undefined ? `${printable(name)}\tBAD_REF` : formatLine(name, { value: known, units });
}

const csvRow = ({ name, value, units }: Row): string =>
  csvLine([name, formatValue(shown(value)), units === '--' ? '' : (units ?? '')]);

/** One line of comma-separated values. */
export const csvLine = (fields: readonly string[]): string =>
  fields
    .map(printableLines)
    .map((field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',');

const unitsPart = (units: string | undefined): { units?: string } =>
  units === undefined || units === '--' || units === '1' ? {} : { units };

/** What a terminal shows of a structure is its JSON. */
const shown = (value: unknown): TrickValue | undefined => {
  const isStructure = typeof value === 'object' && value !== null && !isListOfScalars(value);
  return isStructure ? JSON.stringify(value) : value === null ? undefined : (value as TrickValue | undefined);
};

const isListOfScalars = (value: object): boolean =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);

/** A value as JSON has it: what JSON cannot write becomes text, a missing value null. */
export function plain(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return Array.isArray(value) ? value.map(plain) : value;
}
