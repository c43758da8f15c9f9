// The results of many runs by column: one for each single value.
import type { Value } from '../../model/state/read.js';
import type { StudyKind } from '../../simulation/recording/study.js';
import type { Requirement } from './requirement.js';
import type { RunRow } from './run-row.js';

export type Cell = number | bigint | boolean | string | null | undefined;

export interface Column {
  /** As the table's head shows it. */
  readonly name: string;
  /** The variable, without units. */
  readonly path: string;
  readonly units?: string | undefined;
  readonly kind: StudyKind;
  /** One for each row. */
  readonly cells: readonly Cell[];
}

/** Runs, and what they had to meet. */
export interface RunsAsked {
  readonly rows: readonly RunRow[];
  readonly asked: readonly Requirement[];
}

/** The run, its seed, what it was given, its time, its results, whether it meets each requirement, and its error. */
export function columnsOf({ rows, asked }: RunsAsked): Column[] {
  const set = rows.map((row) => flattened(row.set));
  const values = rows.map((row) => flattened(row.values));
  const drawn = namesOf(set);
  const units = unitsOf(rows);
  const column = (name: string, kind: StudyKind, cellOf: (row: RunRow) => Cell, own?: string): Column => ({
    name,
    ...pathAndUnits(name),
    ...(own !== undefined && { units: own }),
    kind,
    cells: rows.map(cellOf),
  });
  const named = (all: readonly ReadonlyMap<string, Cell>[], name: string, kind: StudyKind): Column => ({
    name: kind === 'result' ? resultName(name, drawn) : name,
    ...pathAndUnits(name),
    ...(units.has(name) && { units: units.get(name) }),
    kind,
    cells: all.map((cells) => cells.get(name)),
  });
  return [
    column('run', 'run', ({ run }) => run),
    column('seed', 'seed', ({ seed }) => seed),
    ...drawn.map((name) => named(set, name, 'drawn')),
    column('time', 'time', ({ timeSeconds }) => timeSeconds, 's'),
    ...namesOf(values).map((name) => named(values, name, 'result')),
    ...asked.map((one) => ({ ...column('', 'requirement', (row) => one.isMet(row)), name: one.text, path: one.text })),
    column('error', 'error', ({ error }) => error),
  ];
}

/** Of columns, as far as the runs know them. */
function unitsOf(rows: readonly RunRow[]): ReadonlyMap<string, string> {
  const row = rows.find(({ units }) => units !== undefined);
  const all = new Map<string, string>();
  for (const [name, units] of Object.entries(row?.units ?? {}))
    for (const cell of flattened({ [name]: row?.values[name] ?? row?.set[name] }).keys()) all.set(cell, units);
  return all;
}

function pathAndUnits(name: string): { readonly path: string; readonly units?: string } {
  const [, path = name, units] = /^(.*?)(?: \{(.*)\})?$/s.exec(name) ?? [];
  return units === undefined ? { path } : { path, units };
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
