// Writes HDF5 files as Trick does: a list of numbers for each variable, and the group `header`. Trick: DRHDF5
import { setImmediate as immediate } from 'node:timers/promises';
import { cellOf, type LeafType, type NumberName, sizeOf } from '../../model/state/type.js';
import { type Column, type Row, typeName } from '../../simulation/recording/row.js';
import { createHdf5, type Hdf5Group, loadHdf5 } from './hdf5-library.js';

/** As Trick has its chunks; fewer rows are in memory when they are wide. */
const CHUNK_ROWS = 1024;
const MOST_HELD_BYTES = 64 * 1024 * 1024;
/** Of each text in the group `header`. */
const TEXT_BYTES = 256;
const FASTEST_DEFLATE = 1;

/**
 * Rejects with an Error with one sentence where the library is not installed, or the file cannot be written.
 * @param descriptor of a new file that may be written and read.
 * @param file what the group `header` names as the file.
 */
export async function writeHdf5(
  columns: readonly Column[],
  rows: Iterable<Row>,
  descriptor: number,
  file: string,
): Promise<void> {
  await loadHdf5();
  const made = createHdf5(descriptor);
  try {
    writeHeader(made.root.create_group('header'), columns, file);
    await writeRows(made.root, columns, rows);
  } finally {
    made.close();
  }
}

function writeHeader(header: Hdf5Group, columns: readonly Column[], file: string): void {
  const lists = {
    byte_order: ['little_endian'],
    file_names: columns.map(() => file),
    param_types: columns.map(({ type }) => typeName(type)),
    param_units: columns.map(({ units }) => units),
    param_names: columns.map(({ name }) => name),
  };
  for (const [name, data] of Object.entries(lists)) {
    const size = Math.max(TEXT_BYTES, ...data.map((text) => Buffer.byteLength(text) + 1));
    header.create_dataset({ name, data, dtype: `S${size}` });
  }
}

/** Others do something between two blocks. */
async function writeRows(root: Hdf5Group, columns: readonly Column[], rows: Iterable<Row>): Promise<void> {
  const lists = columns.map(({ name, type, offsetBytes }) => {
    const { element, List } = storedAs(type);
    const dataset = root.create_dataset({
      ...{ name, data: new List(0), shape: [0], dtype: element, maxshape: [null] },
      ...{ chunks: [CHUNK_ROWS], compression: 'gzip', compression_opts: [FASTEST_DEFLATE] },
    });
    return { dataset, List, size: sizeOf(type), offsetBytes };
  });
  let written = 0;
  for (const { bytes, rowBytes, count } of blocksOf(columns, rows)) {
    for (const { dataset, List, size, offsetBytes } of lists) {
      const data = new Uint8Array(count * size);
      for (let row = 0, at = offsetBytes; row < count; row++, at += rowBytes)
        data.set(bytes.subarray(at, at + size), row * size);
      dataset.resize([written + count]);
      dataset.write_slice([[written, written + count]], new List(data.buffer));
    }
    written += count;
    await immediate();
  }
}

/** Rows side by side, in the same memory each time. */
function* blocksOf(columns: readonly Column[], rows: Iterable<Row>) {
  const last = columns.at(-1) as Column;
  const rowBytes = last.offsetBytes + sizeOf(last.type);
  const most = Math.max(1, Math.min(CHUNK_ROWS, Math.floor(MOST_HELD_BYTES / rowBytes)));
  const bytes = new Uint8Array(most * rowBytes);
  let count = 0;
  for (const { memory } of rows) {
    bytes.set(memory.bytes, count++ * rowBytes);
    if (count < most) continue;
    yield { bytes, rowBytes, count };
    count = 0;
  }
  if (count > 0) yield { bytes, rowBytes, count };
}

/** Lists of numbers by the bytes of each, and Python's letters of them, which are capital ones without a sign. */
const SIGNED = { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array } as const;
const UNSIGNED = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array } as const;
const FLOATING = { 4: Float32Array, 8: Float64Array } as const;
const LETTERS = { 1: 'b', 2: 'h', 4: 'i', 8: 'q' } as const;

/** How a type is stored; bit fields and enumerations are integers. */
function storedAs(type: LeafType) {
  const size = sizeOf(type) as 1 | 2 | 4 | 8;
  const name = numberOf(type);
  if (name === 'float') return { element: '<f', List: FLOATING[4] };
  if (name === 'double') return { element: '<d', List: FLOATING[8] };
  if (name !== 'bool' && !name.startsWith('unsigned')) return { element: `<${LETTERS[size]}`, List: SIGNED[size] };
  return { element: `<${LETTERS[size].toUpperCase()}`, List: UNSIGNED[size] };
}

function numberOf(type: LeafType): NumberName {
  if (type.kind === 'number') return type.name;
  if (type.kind === 'enumeration') return cellOf(type);
  return type.kind === 'bits' && !type.isSigned ? 'unsigned int' : 'int';
}
