// Rows of recorded values, and the headers of their files. Trick: DRAscii, DRBinary
// By hand: .trk is Trick's own form, which no library writes.
import { isDeepStrictEqual } from 'node:util';
import { Memory } from '../../model/state/memory.js';
import { cNameOf, isLeaf, isSameType, type LeafType, sizeOf, trickCodeOf } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';

/** Trick's name for simulation time, the first column of every file. */
export const TIME_NAME = 'sys.exec.out.time';

/** A recorded variable, and where its value lies in a row. */
export interface Column {
  readonly name: string;
  readonly units: string;
  readonly type: LeafType;
  readonly offsetBytes: number;
}

export const TIME_COLUMN: Column = {
  name: TIME_NAME,
  units: 's',
  type: { kind: 'number', name: 'double' },
  offsetBytes: 0,
};
const TIME_BYTES = 8;

/** A variable and the name of its column. */
export interface Recordable {
  readonly variable: Variable;
  readonly name: string;
}

/** Columns without padding between them, time first. Throws a RangeError for a variable that is not a single number. */
export function layOut(recordables: readonly Recordable[]): readonly Column[] {
  let offsetBytes = TIME_BYTES;
  const columns = recordables.map(({ name, variable: { path, units, type } }) => {
    if (!isLeaf(type) || type.kind === 'text')
      throw new RangeError(`${path} is not a single number; only those are recorded`);
    const column = { name, units, type, offsetBytes };
    offsetBytes += sizeOf(type);
    return column;
  });
  return [TIME_COLUMN, ...columns];
}

/** Throws an Error for a variable that has come anew since the columns were laid out, and does not fit its own. */
export function requireFit(columns: readonly Column[], recordables: readonly Recordable[]): void {
  for (const [index, { variable }] of recordables.entries()) {
    const { type, units } = columns[index + 1] as Column;
    const isSame = isSameType(type, variable.type) || isDeepStrictEqual(type, variable.type);
    if (!isSame || units !== variable.units)
      throw new Error(`${variable.path} has another type or other units than its column`);
  }
}

/** Columns of doubles, time first. */
export function doubleColumns(names: readonly string[], units: string): readonly Column[] {
  return [
    TIME_COLUMN,
    ...names.map((name, index) => ({ ...TIME_COLUMN, name, units, offsetBytes: TIME_BYTES * (index + 1) })),
  ];
}

/** The values of one moment, packed as in a .trk file. */
export class Row {
  readonly memory: Memory;

  constructor(readonly columns: readonly Column[]) {
    const last = columns.at(-1) as Column;
    this.memory = new Memory(new ArrayBuffer(last.offsetBytes + sizeOf(last.type)));
  }

  setTime(seconds: number): void {
    this.memory.view.setFloat64(0, seconds, true);
  }

  /** Whether all values but the time are equal, bit for bit. */
  equalValues(other: Row): boolean {
    return this.memory.bytes.subarray(TIME_BYTES).equals(other.memory.bytes.subarray(TIME_BYTES));
  }

  copyValues(other: Row): void {
    this.memory.bytes.set(other.memory.bytes.subarray(TIME_BYTES), TIME_BYTES);
  }
}

export interface RecordFormat {
  readonly extension: 'csv' | 'txt' | 'trk' | 'mcap';
  /** Whether doubles are written as floats, which the header says. */
  readonly isSinglePrecision: boolean;
  /** The text with which every file of the format begins. */
  readonly head: string;
  /** The line of the .header file above the columns. */
  headerLine(fileName: string): string;
  /** The first bytes of a file with these columns. */
  start(columns: readonly Column[]): Buffer;
  row(row: Row): Buffer;
}

const TRK_HEAD = 'Trick-10-L';

export const BINARY: RecordFormat = {
  extension: 'trk',
  isSinglePrecision: false,
  head: TRK_HEAD,
  headerLine: (fileName) => `${fileName} byte_order is little_endian`,
  start: (columns) =>
    Buffer.concat([
      Buffer.from(TRK_HEAD),
      int32(columns.length),
      ...columns.flatMap(({ name, units, type }) => [
        counted(name),
        counted(units),
        int32(trickCodeOf(type)),
        int32(sizeOf(type)),
      ]),
    ]),
  row: ({ memory }) => Buffer.from(memory.bytes),
};

/** Becomes the .h5 file when the run ends, which the .header file says until then. */
export const HDF5: RecordFormat = {
  ...BINARY,
  headerLine: (fileName) => `${BINARY.headerLine(fileName)}\n${becomes(fileName)}`,
};

export const becomes = (fileName: string): string => `# becomes ${fileName}.h5 when the run ends`;
/** The line of a .header file above the columns of an .h5 file. */
export const hdf5HeaderLine = (fileName: string): string => `${fileName} byte_order is HDF5`;

/** In chunks, by a RowEncoder; without a .header file. */
export const MCAP: RecordFormat = { ...BINARY, extension: 'mcap', head: '', start: () => Buffer.alloc(0) };

/**
 * The .header file: the kind of file, then one line per column.
 * @param ended why the recording has ended by itself.
 */
export function headerOf(format: RecordFormat, fileName: string, columns: readonly Column[], ended?: string): Buffer {
  const { isSinglePrecision } = format;
  const lines = columns.map(
    ({ name, units, type }) => `${fileName}\t${typeName(type, isSinglePrecision)}\t${units.padStart(6)}\t${name}`,
  );
  const last = ended === undefined ? [] : [`# recording has ended: ${ended}`];
  return Buffer.from(`${[format.headerLine(fileName), ...lines, ...last].join('\n')}\n`);
}

/** C's name with `_` for blanks; enumerations and bit fields are ints, a bool is a byte. */
export function typeName(type: LeafType, isSinglePrecision = false): string {
  if (type.kind === 'bits') return type.isSigned ? 'int' : 'unsigned_int';
  if (type.kind !== 'number') return 'int';
  if (type.name === 'double' && isSinglePrecision) return 'float';
  return type.name === 'bool' ? 'unsigned_char' : cNameOf(type).replaceAll(' ', '_');
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

const counted = (text: string): Buffer => Buffer.concat([int32(Buffer.byteLength(text)), Buffer.from(text)]);
