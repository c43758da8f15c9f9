// The variables that clients see of a recording: paths of structures and arrays where its names are such.

import * as declare from '../../model/state/declare.js';
import { cNameOf, type LeafType, type NumberName } from '../../model/state/type.js';
import type { Column } from '../../simulation/recording/row.js';

/** A column, and where clients find it. */
export interface PlacedColumn {
  readonly column: Column;
  readonly object: string;
  readonly component: string;
}

/** The object of names without dots. */
const NO_OBJECT = 'recording';
/** Names that begin with trick_ are those of Trick's own variables, which every source has. */
const OF_OBJECT = /^(?!trick_)(\w+)\.(.+)$/;
/** Arrays may have so many elements that are in no column. */
const MOST_UNUSED_ELEMENTS = 10_000;

/** @param isFlat gives every column a name without dots and indices, which always fits. */
export function placed(columns: readonly Column[], isFlat: boolean): readonly PlacedColumn[] {
  const taken = new Set<string>();
  const withArrays = !isFlat && elementsOf(columns) <= MOST_UNUSED_ELEMENTS + 16 * columns.length;
  return columns.map((column) => {
    const path = pathOf(column.name);
    const wanted = isFlat ? path.replaceAll(/\W+/g, '_') : withArrays ? path : path.replaceAll(/[[\]]+/g, '_');
    let free = wanted;
    for (let number = 2; taken.has(free); number++) free = `${wanted.replace(/(\[\d+\])*$/, '')}_${number}`;
    taken.add(free);
    const [, object = NO_OBJECT, component = free] = OF_OBJECT.exec(free) ?? [];
    return { column, object, component };
  });
}

/** What a column is called, with `_` for signs that no name has. */
const pathOf = (name: string): string =>
  name
    .split('.')
    .map((step) => {
      // Words may follow the index: `ball.position[1] min`.
      const [, word = '', indices = '', more = ''] = /^(.*?)((?:\[\d{1,4}\])*)(\s.*)?$/s.exec(step) ?? [];
      return (word + more).replace(/^(?=\d|$)|\W/g, '_') + indices;
    })
    .join('.');

/** How many elements arrays need that have all indices in the names. */
function elementsOf(columns: readonly Column[]): number {
  const lengths = new Map<string, number[]>();
  for (const { name } of columns) {
    const indices = [...name.matchAll(/\[(\d{1,9})\]/g)].map(([, index]) => Number(index) + 1);
    if (indices.length === 0) continue;
    const array = name.replaceAll(/\[\d+\]/g, '[]');
    const known = lengths.get(array) ?? [];
    lengths.set(
      array,
      indices.map((length, at) => Math.max(length, known[at] ?? 0)),
    );
  }
  return [...lengths.values()].reduce((sum, each) => sum + each.reduce((product, length) => product * length, 1), 0);
}

type Scalar = (options: { units: string }) => declare.Declared;

const NUMBERS: Readonly<Record<NumberName, Scalar>> = {
  char: declare.char,
  'unsigned char': declare.unsignedChar,
  short: declare.short,
  'unsigned short': declare.unsignedShort,
  int: declare.int,
  'unsigned int': declare.unsignedInt,
  long: declare.long,
  'unsigned long': declare.unsignedLong,
  'long long': declare.longLong,
  'unsigned long long': declare.unsignedLongLong,
  float: declare.float,
  double: declare.double,
  bool: declare.bool,
  wchar_t: declare.wideChar,
};

/** Enumerations, whose labels are in no file, and bit fields are shown as the integers that they are recorded as. */
export function declaredAs(type: LeafType, units: string): declare.Declared {
  if (type.kind === 'text') return declare.text(type.capacityBytes);
  if (type.kind === 'enumeration') return declare.int({ units });
  return NUMBERS[cNameOf(type) as NumberName]({ units });
}
