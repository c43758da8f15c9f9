// Settings of a table of values: its rows, in their order, and how many digits they show.
import type { VariableFacts } from '../../data/server.js';
import { listOf, numberOf, recordOf, textOf } from '../values/given.js';
import { DEFAULT_DIGITS, MOST_DIGITS } from '../values/number-text.js';

export interface TableRow {
  readonly alias: string;
  /** Undefined for the variable's own. */
  readonly units?: string | undefined;
}

export interface TableSettings {
  readonly [name: string]: unknown;
  readonly rows: readonly TableRow[];
  readonly digits: number;
  /** Share of the names in the width, in percent; undefined for as much as is usual. */
  readonly nameShare?: number | undefined;
  /** Shows values at the time under the cursor of the charts, while there is one. */
  readonly followsCursor?: boolean;
}

export const NAME_SHARES = { least: 10, most: 80 } as const;

export const MOST_ROWS = 500;

export function tableSettings(given: unknown): TableSettings {
  const { rows, digits, nameShare, followsCursor } = recordOf(given);
  const found = listOf(rows, MOST_ROWS, rowOf);
  const share = numberOf(nameShare, NAME_SHARES.least, NAME_SHARES.most);
  return {
    rows: [...new Map(found.map((row) => [row.alias, row])).values()],
    digits: Math.trunc(numberOf(digits, 1, MOST_DIGITS) ?? DEFAULT_DIGITS),
    ...(share !== undefined && { nameShare: share }),
    ...(followsCursor === true && { followsCursor }),
  };
}

function rowOf(given: unknown): TableRow | undefined {
  const { alias, units } = typeof given === 'string' ? { alias: given } : recordOf(given);
  const name = textOf(alias);
  return name === undefined ? undefined : { alias: name, units: textOf(units) };
}

/** The rows with a variable more; a structure gives a row for each of its members. */
export function withRow({ rows }: Pick<TableSettings, 'rows'>, facts: VariableFacts): Partial<TableSettings> | string {
  if (facts.access === 'write-only') return `${facts.alias} is write-only`;
  const members = facts.kind === 'struct' && facts.dim.length === 0 ? facts.members : undefined;
  const aliases = members ? members.map(({ alias }) => alias) : [facts.alias];
  const added = aliases.filter((alias) => !rows.some((row) => row.alias === alias));
  if (rows.length + added.length > MOST_ROWS) return `a table has at most ${MOST_ROWS} rows`;
  return { rows: [...rows, ...added.map((alias) => ({ alias }))] };
}

/** The rows with one moved up (-1) or down (1). */
export function moved(rows: readonly TableRow[], alias: string, by: -1 | 1): readonly TableRow[] {
  const from = rows.findIndex((row) => row.alias === alias);
  const to = from + by;
  if (from < 0 || to < 0 || to >= rows.length) return rows;
  const others = rows.filter((_, index) => index !== from);
  return [...others.slice(0, to), rows[from] as TableRow, ...others.slice(to)];
}
