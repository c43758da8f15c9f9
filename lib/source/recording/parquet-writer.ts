// Writes recordings as Apache Parquet, by the library hyparquet-writer: a group of rows after another.
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { type LeafValue, readLeaf } from '../../model/state/memory.js';
import { cellOf, type LeafType, NUMBER_FACTS, type NumberName, sizeOf, type TextType } from '../../model/state/type.js';
import type { Column, Row } from '../../simulation/recording/row.js';

/** So much of the rows is in memory at once. */
const GROUP_BYTES = 16 * 1024 * 1024;

type Values = Float64Array | LeafValue[];

/** Units stand in the metadata of the file, as JSON by the names of columns. */
export function writeParquet(
  columns: readonly Column[],
  rows: Iterable<Row>,
  write: (bytes: Uint8Array) => void,
  groupBytes = GROUP_BYTES,
): void {
  requireNames(columns);
  const bytes = new ByteWriter();
  const units = JSON.stringify(Object.fromEntries(columns.map(({ name, units }) => [name, units])));
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)];
  // Doubles hardly become shorter by the compression that the library has.
  const file = new ParquetWriter({
    writer: bytes,
    schema,
    codec: 'UNCOMPRESSED',
    kvMetadata: [{ key: 'units', value: units }],
    createdBy: 'varwire',
  });
  const take = (): void => {
    write(bytes.getBytes());
    bytes.index = 0;
  };
  const groupRows = Math.max(1, Math.floor(groupBytes / columns.reduce((sum, { type }) => sum + sizeOf(type), 0)));
  const lists = columns.map(({ type }) => valuesFor(type, groupRows));
  let count = 0;
  const endGroup = (): void => {
    if (count === 0) return;
    // A dictionary would make -0 a 0.
    const columnData = columns.map(({ name }, index): ColumnSource => {
      return { name, data: (lists[index] as Values).slice(0, count), encoding: 'PLAIN' };
    });
    file.write({ columnData, rowGroupSize: count });
    take();
    count = 0;
  };
  for (const { memory } of rows) {
    for (const [index, { type, offsetBytes }] of columns.entries())
      (lists[index] as LeafValue[])[count] = readLeaf(type, memory, offsetBytes);
    if (++count === groupRows) endGroup();
  }
  endGroup();
  file.finish();
  take();
}

/** Columns are known by their names alone. */
function requireNames(columns: readonly Column[]): void {
  const names = new Set<string>();
  for (const { name } of columns) {
    if (names.has(name)) throw new Error(`two of its variables are called ${name}`);
    names.add(name);
  }
}

/** Integers of fewer than 64 bits are INT32, marked with their width and sign. */
function elementOf({ name, type }: Column): SchemaElement {
  const required = { name, repetition_type: 'REQUIRED' } as const;
  if (type.kind === 'text') return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' };
  const { family, sizeBytes, isSigned } = factsOf(type);
  if (family === 'floating') return { ...required, type: sizeBytes === 8 ? 'DOUBLE' : 'FLOAT' };
  if (family === 'bool') return { ...required, type: 'BOOLEAN' };
  const bits = (8 * sizeBytes) as 8 | 16 | 32 | 64;
  return { ...required, type: bits === 64 ? 'INT64' : 'INT32', converted_type: `${isSigned ? 'INT' : 'UINT'}_${bits}` };
}

function factsOf(type: Exclude<LeafType, TextType>): (typeof NUMBER_FACTS)[NumberName] {
  if (type.kind === 'bits') return NUMBER_FACTS[type.isSigned ? 'int' : 'unsigned int'];
  return NUMBER_FACTS[type.kind === 'enumeration' ? cellOf(type) : type.name];
}

/** Room for the values of a group. */
function valuesFor(type: LeafType, rows: number): Values {
  const isFloating = type.kind === 'number' && factsOf(type).family === 'floating';
  return isFloating ? new Float64Array(rows) : [];
}
