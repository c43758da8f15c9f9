// Reads HDF5 files with a dataset for each variable, as Trick writes them. Trick: DRHDF5
import { type LeafValue, Memory, readLeaf } from '../../model/state/memory.js';
import { isSameType, type LeafType, sizeOf } from '../../model/state/type.js';
import { type Column, TIME_NAME } from '../../simulation/recording/row.js';
import { damaged, type Hdf5Dataset, type Hdf5Root, type OpenHdf5, openHdf5 } from './hdf5-library.js';
import { Recording, type RowBlock, timesOfColumn } from './recording.js';
import type { RecordingFile } from './recording-file.js';
import { typeOf } from './trk.js';

const MOST_VARIABLES = 100_000;
const LONGEST_TEXT = 4096;
const LARGEST_BLOCK_BYTES = 16 * 1024 * 1024;
/** The library has a whole chunk of a dataset in memory. */
const LARGEST_CHUNK_BYTES = 64 * 1024 * 1024;
/** As Trick has its chunks. */
const BLOCK_ROWS = 1024;
/** Deflate makes this of a byte, at most. */
const MOST_OF_A_BYTE = 1032;
/** Kinds of HDF5's types, and Trick's codes of a type of any size. HDF5: H5T_class_t */
const [INTEGER, FLOAT, TEXT, ENUMERATION] = [0, 1, 3, 8];
const [SIGNED_CODE, UNSIGNED_CODE, FLOAT_CODE] = [14, 15, 10];
const USUAL_TIMES = [TIME_NAME, 'time', 'Time', 't'];

/** A column, and the dataset that it is of. */
interface Stored {
  readonly column: Column;
  readonly dataset: Hdf5Dataset;
}

export class Hdf5Recording extends Recording {
  readonly format = 'HDF5';
  readonly columns: readonly Column[];
  readonly time: Column;
  readonly rowBytes: number;
  rows = 0;
  private readonly blockRows: number;
  private readonly leftOut: readonly string[];
  private stored = new Map<Column, Hdf5Dataset>();
  private hdf5: OpenHdf5;
  private seen: readonly number[];
  private damage: string | undefined;

  /** Throws an Error with one sentence for a file without a dataset of times. */
  constructor(
    protected override readonly source: RecordingFile,
    timeName?: string,
  ) {
    super(source);
    this.hdf5 = openHdf5(source);
    this.seen = [source.sizeBytes, source.changedMillis];
    try {
      const { stored, leftOut } = readingOf(source, () => variablesIn(this.hdf5.root));
      this.columns = stored.map(({ column }) => column);
      this.leftOut = leftOut;
      this.time = this.timeOf(timeName);
      this.rowBytes = stored.reduce((sum, { column }) => sum + sizeOf(column.type), 0);
      this.blockRows = Math.max(1, Math.min(BLOCK_ROWS, Math.floor(LARGEST_BLOCK_BYTES / this.rowBytes)));
      this.take(stored);
    } catch (error) {
      this.hdf5.close();
      throw error;
    }
  }

  get faults(): readonly string[] {
    return this.damage === undefined ? this.leftOut : [...this.leftOut, this.damage];
  }

  /** The library knows a file as it was when it was opened. */
  protected countRows(): void {
    const { source } = this;
    const now = [source.sizeBytes, source.changedMillis];
    if (now.every((figure, index) => figure === this.seen[index])) return;
    this.seen = now;
    this.hdf5.close();
    this.stored.clear();
    this.rows = 0;
    this.damage = undefined;
    try {
      this.hdf5 = openHdf5(source);
      this.take(readingOf(source, () => variablesIn(this.hdf5.root).stored));
    } catch (error) {
      this.damage = (error as Error).message;
    }
  }

  protected load(row: number, columns: readonly Column[]): RowBlock {
    const from = row - (row % this.blockRows);
    const count = Math.min(this.blockRows, this.rows - from);
    const memory = new Memory(new ArrayBuffer(count * this.rowBytes));
    for (const column of columns) {
      const bytes = this.bytesOf(column, from, from + count);
      const size = sizeOf(column.type);
      for (let index = 0; index < count; index++)
        for (let byte = 0; byte < size; byte++)
          memory.bytes[index * this.rowBytes + column.offsetBytes + byte] = bytes[index * size + byte] as number;
    }
    return { from, count, memory };
  }

  override peek(column: Column, row: number): LeafValue {
    return this.values(column, row, row + 1)[0] as LeafValue;
  }

  /** Of this variable alone: each has a dataset of its own. */
  override values(column: Column, from = 0, to = this.rows): LeafValue[] {
    const values: LeafValue[] = [];
    const size = sizeOf(column.type);
    const most = Math.floor(LARGEST_BLOCK_BYTES / size);
    for (let first = from; first < to; first += most) {
      const bytes = this.bytesOf(column, first, Math.min(to, first + most));
      const memory = new Memory(Uint8Array.from(bytes).buffer);
      for (let at = 0; at < bytes.length; at += size) values.push(readLeaf(column.type, memory, at));
    }
    return values;
  }

  override times(): Generator<Float64Array> {
    return timesOfColumn(this);
  }

  override close(): void {
    this.hdf5.close();
    super.close();
  }

  private bytesOf(column: Column, from: number, to: number): Uint8Array {
    const dataset = this.stored.get(column);
    const values = dataset && readingOf(this.source, () => dataset.slice([[from, to]]));
    if (!ArrayBuffer.isView(values) || values.byteLength !== (to - from) * sizeOf(column.type))
      throw damaged(this.source);
    return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  }

  private timeOf(name: string | undefined): Column {
    const names = name === undefined ? USUAL_TIMES : [name];
    const found = names.flatMap((each) => this.columns.find((column) => column.name === each) ?? []);
    if (found[0]) return found[0];
    throw new Error(
      name === undefined
        ? `${this.file} has no times: no dataset ${TIME_NAME}; --time names another one`
        : `${this.file} has no dataset of numbers ${name}`,
    );
  }

  /** The datasets of the columns that are there as they were; rows that all of them have. */
  private take(stored: readonly Stored[]): void {
    const found = new Map(stored.map((one) => [one.column.name, one]));
    const datasets = this.columns.map((column) => {
      const one = found.get(column.name);
      if (!one || !isSameType(one.column.type, column.type)) throw new Error(`${this.file} has become another file`);
      return [column, one.dataset] as const;
    });
    this.stored = new Map(datasets);
    const rows = Math.min(...datasets.map(([, dataset]) => dataset.metadata.shape?.[0] ?? 0));
    if (rows > MOST_OF_A_BYTE * this.source.sizeBytes)
      throw new Error(`${this.file} announces ${rows} rows, too many for it`);
    this.rows = rows;
  }
}

/** What the library throws has many lines. */
function readingOf<T>(source: RecordingFile, read: () => T): T {
  try {
    return read();
  } catch {
    throw damaged(source);
  }
}

function variablesIn(root: Hdf5Root): { readonly stored: readonly Stored[]; readonly leftOut: readonly string[] } {
  const units = unitsIn(root);
  const [stored, leftOut]: [Stored[], string[]] = [[], []];
  let offsetBytes = 0;
  for (const name of root.keys().slice(0, MOST_VARIABLES)) {
    const dataset = datasetOf(root, name);
    if (!dataset) continue;
    const type = columnType(dataset);
    if (type) {
      stored.push({ dataset, column: { name, units: units.get(name) ?? '--', type, offsetBytes } });
      offsetBytes += sizeOf(type);
    } else leftOut.push(`${name} is left out: it is no list of numbers, or has chunks that are too large`);
  }
  return { stored, leftOut };
}

function datasetOf(root: Hdf5Root, name: string): Hdf5Dataset | undefined {
  const found = root.get(name);
  return found && 'type' in found && found.type === 'Dataset' ? (found as Hdf5Dataset) : undefined;
}

function columnType({ metadata }: Hdf5Dataset): LeafType | undefined {
  const { type, size, signed, shape, chunks, vlen } = metadata;
  const chunkBytes = size * (chunks?.[0] ?? 1);
  if (shape?.length !== 1 || vlen || chunkBytes > LARGEST_CHUNK_BYTES) return undefined;
  if (type === FLOAT) return typeOf(FLOAT_CODE, size);
  return type === INTEGER || type === ENUMERATION ? typeOf(signed ? SIGNED_CODE : UNSIGNED_CODE, size) : undefined;
}

/** Of each variable, as Trick's group `header` has them. */
function unitsIn(root: Hdf5Root): ReadonlyMap<string, string> {
  const [names, units] = ['param_names', 'param_units'].map((list) => textsOf(datasetOf(root, `header/${list}`)));
  return new Map(names?.map((name, index) => [name, units?.[index]?.trim() || '--']));
}

function textsOf(dataset: Hdf5Dataset | undefined): readonly string[] {
  const { type, size = 0, shape, vlen } = dataset?.metadata ?? {};
  if (type !== TEXT || vlen || size > LONGEST_TEXT || !((shape?.[0] ?? 0) <= MOST_VARIABLES)) return [];
  const texts: unknown = dataset?.value;
  // Trick: behind the first 0 is whatever was in its memory.
  return Array.isArray(texts) ? texts.map((text) => String(text).replace(/\0.*$/s, '')) : [];
}
