// The results of many runs as one table, and its text as a .csv file.
import type { Value } from '../model/read.js';
import type { RunRow } from './drawn-run.js';

/** The runs of a Monte Carlo study, one row each. */
export interface MonteCarloTable {
  /** By run. */
  readonly rows: readonly RunRow[];
  /** How many runs have failed. */
  readonly failed: number;
  /**
   * The table as text: a line with the names of the columns, then one line a run: its number, seed, drawn values, time,
   * results, and its error. Lists take a column for each element.
   */
  csv(): string;
}

/** A column: its name, and its cell of a row. */
type Cell = number | bigint | boolean | string | null | undefined;

export function tableOf(rows: readonly RunRow[]): MonteCarloTable {
  const failed = rows.filter(({ error }) => error !== undefined).length;
  return { rows, failed, csv: () => csvOf(rows) };
}

function csvOf(rows: readonly RunRow[]): string {
  const flat = rows.map((row) => ({ row, set: flattened(row.set), values: flattened(row.values) }));
  const set = namesOf(flat.map((one) => one.set));
  const values = namesOf(flat.map((one) => one.values));
  const header = ['run', 'seed', ...set, 'time', ...values.map((name) => resultName(name, set)), 'error'];
  const lines = flat.map(({ row, set: drawn, values: read }) => [
    row.run,
    row.seed,
    ...set.map((name) => drawn.get(name)),
    row.timeSeconds,
    ...values.map((name) => read.get(name)),
    row.error,
  ]);
  return [header, ...lines].map((cells) => `${cells.map(textOf).join(',')}\n`).join('');
}

/** A variable that is both drawn and read has two columns. */
const resultName = (name: string, set: readonly string[]): string => (set.includes(name) ? `${name} at the end` : name);

/** All names in the order in which they come up. */
const namesOf = (rows: readonly ReadonlyMap<string, Cell>[]): string[] => [
  ...new Set(rows.flatMap((row) => [...row.keys()])),
];

/** Lists by element and structures by member: `ball.position[1]`. */
function flattened(values: Readonly<Record<string, Value | undefined>>): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  const add = (name: string, value: Value | undefined): void => {
    if (typeof value !== 'object' || value === null) cells.set(name, value);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) add(`${name}[${index}]`, item as Value);
    else for (const [member, item] of Object.entries(value)) add(`${name}.${member}`, item as Value);
  };
  for (const [name, value] of Object.entries(values)) add(name, value);
  return cells;
}

function textOf(cell: Cell): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
