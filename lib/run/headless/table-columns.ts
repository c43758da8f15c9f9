// The results of many runs by column: one for each single value.
import type { Value } from '../../model/state/read.js';
import type { RunRow } from './drawn-run.js';

export type Cell = number | bigint | boolean | string | null | undefined;

export interface Column {
  readonly name: string;
  /** One for each row. */
  readonly cells: readonly Cell[];
}

/** The run, its seed, what it was given, its time, its results and its error. */
export function columnsOf(rows: readonly RunRow[]): Column[] {
  const set = rows.map((row) => flattened(row.set));
  const values = rows.map((row) => flattened(row.values));
  const drawn = namesOf(set);
  const column = (name: string, cellOf: (row: RunRow) => Cell): Column => ({ name, cells: rows.map(cellOf) });
  const named = (all: readonly ReadonlyMap<string, Cell>[], name: string) => all.map((cells) => cells.get(name));
  return [
    column('run', ({ run }) => run),
    column('seed', ({ seed }) => seed),
    ...drawn.map((name) => ({ name, cells: named(set, name) })),
    column('time', ({ timeSeconds }) => timeSeconds),
    ...namesOf(values).map((name) => ({ name: resultName(name, drawn), cells: named(values, name) })),
    column('error', ({ error }) => error),
  ];
}

/** A variable that is both drawn and read has two columns. */
const resultName = (name: string, set: readonly string[]): string => (set.includes(name) ? `${name} at the end` : name);

/** All names in the order in which they come up. */
const namesOf = (rows: readonly ReadonlyMap<string, Cell>[]): string[] => [
  ...new Set(rows.flatMap((row) => [...row.keys()])),
];

/** Lists by element and structures by member: `ball.position[1]`; with other units than their own `ball.position[1] {cm}`. */
function flattened(values: Readonly<Record<string, Value | undefined>>): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  const add = (name: string, units: string, value: Value | undefined): void => {
    if (typeof value !== 'object' || value === null) cells.set(name + units, value);
    else if (Array.isArray(value))
      for (const [index, item] of value.entries()) add(`${name}[${index}]`, units, item as Value);
    else for (const [member, item] of Object.entries(value)) add(`${name}.${member}`, units, item as Value);
  };
  for (const [name, value] of Object.entries(values)) {
    const [, path = name, units = ''] = /^(.*?)(\{.*\})?$/s.exec(name) ?? [];
    add(path, units && ` ${units}`, value);
  }
  return cells;
}
