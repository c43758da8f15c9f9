// An array of one or more extents as rows of cells that people look at and type into.
import type { Value } from '../../data/server.js';
import { isList } from './value-text.js';

/** Cells that a grid shows at most; what lies beyond is reached by its index. */
export const MOST_CELLS = 1000;

export interface GridCell {
  /** [2][0], to go behind the array's alias. */
  readonly index: string;
  readonly value: Value;
}

/**
 * Rows of an array: a vector is a column, the last extent of a matrix runs to the right.
 * @param dim extents, for values that come flattened
 */
export function gridRows(value: Value, dim: readonly number[] = []): readonly (readonly GridCell[])[] {
  const cells = [...cellsOf(value, dim, '')];
  const rowOf = ({ index }: GridCell): string => index.replace(/\[\d+\]$/, '');
  const isMatrix = cells.some(({ index }) => /\]\[/.test(index));
  if (!isMatrix) return cells.map((cell) => [cell]);
  const rows = new Map<string, GridCell[]>();
  for (const cell of cells) rows.set(rowOf(cell), [...(rows.get(rowOf(cell)) ?? []), cell]);
  return [...rows.values()];
}

function* cellsOf(value: Value, dim: readonly number[], index: string): Generator<GridCell> {
  if (!isList(value)) return void (yield { index, value });
  const isFlat = !Array.isArray(value) && dim.length > 1 && !dim.includes(0);
  let room = MOST_CELLS;
  for (let k = 0; k < value.length && room > 0; k++) {
    const own = isFlat ? indexIn(dim, k) : `${index}[${k}]`;
    for (const cell of cellsOf(value[k] as Value, [], own)) {
      if (room-- > 0) yield cell;
    }
  }
}

/** The indices of the k-th number of a flattened array, the last index running fastest. */
function indexIn(dim: readonly number[], k: number): string {
  let rest = k;
  const indices = [...dim].reverse().map((extent) => {
    const own = rest % extent;
    rest = (rest - own) / extent;
    return `[${own}]`;
  });
  return indices.reverse().join('');
}
