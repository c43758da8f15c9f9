// An array of one or more extents as rows of cells that people look at and type into.
import type { PanelValue } from './value-text.js';

/** Cells that a grid shows at most; what lies beyond is reached by its index. */
export const MOST_CELLS = 2000;

export interface GridCell {
  /** [2][0], to go behind the array's alias. */
  readonly index: string;
  readonly value: PanelValue;
}

/** Rows of an array: a vector is a column, the last extent of a matrix runs to the right. */
export function gridRows(value: PanelValue): readonly (readonly GridCell[])[] {
  const rows: GridCell[][] = [];
  let room = MOST_CELLS;
  const visit = (item: PanelValue, index: string): void => {
    if (room <= 0) return;
    if (!Array.isArray(item)) return void addRow([{ index, value: item }]);
    const list = item as readonly PanelValue[];
    const isLast = index !== '' && list.every((element) => !Array.isArray(element));
    if (!isLast) for (const [k, element] of list.entries()) visit(element, `${index}[${k}]`);
    else addRow(list.map((element, k) => ({ index: `${index}[${k}]`, value: element })));
  };
  const addRow = (cells: readonly GridCell[]): void => {
    rows.push(cells.slice(0, room));
    room -= cells.length;
  };
  visit(value, '');
  return rows;
}
