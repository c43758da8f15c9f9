// A table as an Apache Parquet file, by the library hyparquet-writer.
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { Cell, Column } from './table-columns.js';

type ParquetType = 'DOUBLE' | 'INT64' | 'BOOLEAN' | 'STRING';

/** A cell without a value is null. */
export function parquetOf(columns: readonly Column[]): Uint8Array {
  const columnData = columns.map(({ name, cells }): ColumnSource => {
    const type = typeOf(cells);
    return { name, type, nullable: true, data: cells.map((cell) => cellAs(type, cell)) };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

/** The type that holds every cell; text when they are of several kinds. */
function typeOf(cells: readonly Cell[]): ParquetType {
  const kinds = new Set(cells.flatMap((cell) => (cell === null || cell === undefined ? [] : [typeof cell])));
  const [kind = 'string'] = kinds;
  if (kinds.size > 1) return 'STRING';
  if (kind === 'number') return 'DOUBLE';
  if (kind === 'boolean') return 'BOOLEAN';
  return kind === 'bigint' && cells.every(fitsInt64) ? 'INT64' : 'STRING';
}

const fitsInt64 = (cell: Cell): boolean => typeof cell !== 'bigint' || BigInt.asIntN(64, cell) === cell;

function cellAs(type: ParquetType, cell: Cell): Exclude<Cell, undefined> {
  if (cell === undefined || cell === null) return null;
  return type === 'STRING' ? String(cell) : cell;
}
