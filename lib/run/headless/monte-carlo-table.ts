// The results of many runs as one table, and its text as a .csv file.
import type { RequirementRate } from '../../simulation/recording/study.js';
import { rateOf } from './requirement.js';
import type { RunRow } from './run-row.js';
import { type Cell, type Column, columnsOf, type RunsAsked } from './table-columns.js';

/** The runs of a Monte Carlo study, one row each. */
export interface MonteCarloTable {
  /** By run. */
  readonly rows: readonly RunRow[];
  /** How many runs have failed. */
  readonly failed: number;
  /** How many runs are missing because the study was stopped. */
  readonly missing: number;
  /** How many runs meet each requirement. */
  readonly requirements: readonly RequirementRate[];
  /**
   * The table as text: a line with the names of the columns and their units, then one line a run: its number, seed, drawn values, time,
   * results, and its error. Lists take a column for each element.
   */
  csv(): string;
  /** The same columns as an Apache Parquet file; numbers are DOUBLE, 64-bit integers INT64. */
  parquet(): Promise<Uint8Array>;
}

/** @param runs how many there should be. */
export function tableOf({ rows, asked }: RunsAsked, runs: number): MonteCarloTable {
  const failed = rows.filter(({ error }) => error !== undefined).length;
  return {
    rows,
    failed,
    missing: runs - rows.length,
    requirements: asked.map((requirement) => rateOf(requirement, rows)),
    csv: () => csvOf(columnsOf({ rows, asked })),
    // Loaded only for those who call it.
    parquet: async () => (await import('./parquet.js')).parquetOf(columnsOf({ rows, asked })),
  };
}

function csvOf(columns: readonly Column[]): string {
  const header = columns.map((column) => textOf(headOf(column))).join(',');
  const count = columns[0]?.cells.length ?? 0;
  const lines = Array.from({ length: count }, (_, row) => columns.map(({ cells }) => textOf(cells[row])).join(','));
  return [header, ...lines].map((line) => `${line}\n`).join('');
}

/** Names have no units of their own where they are those of the variable; here they stand behind all. */
function headOf({ name, kind, units }: Column): string {
  const isOfVariable = kind === 'drawn' || kind === 'result';
  return isOfVariable && units !== undefined && !isNone(units) && !name.endsWith('}') ? `${name} {${units}}` : name;
}

const isNone = (units: string): boolean => units === '--' || units === '1' || units === '';

function textOf(cell: Cell): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
