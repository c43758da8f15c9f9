// A recording that is read: columns of values over time. Rows are read in blocks, as bytes packed as in a .trk file.
import { type LeafValue, type Memory, readLeaf } from '../../model/state/memory.js';
import type { Column } from '../../simulation/recording/row.js';
import type { PlayedStudy } from '../../simulation/recording/study.js';
import type { RecordedMessage } from './mcap-log.js';
import type { Overview } from './overview.js';
import type { TimeFigures } from './time-figures.js';

/** Some rows in a row. */
export interface RowBlock {
  /** The number of its first row; that of a recording is 0. */
  readonly from: number;
  readonly count: number;
  /** The rows, one after another, `rowBytes` each; values are little-endian. */
  readonly memory: Memory;
}

/** The file of a recording, or several. */
export interface RecordingSource {
  readonly path: string;
  /** Sees what has been added. */
  look(): void;
  close(): void;
}

/** A file of rows over time. Memory is bounded by the length of a row, whatever the size of the file. */
export abstract class Recording {
  /** In words, such as `Trick-10, little-endian`. */
  abstract readonly format: string;
  /** All variables, the time among them, in the order of the file. Names and units as the file has them. */
  abstract readonly columns: readonly Column[];
  /** The column of the time, in seconds. */
  abstract readonly time: Column;
  abstract readonly rowBytes: number;
  /** Number of whole rows. */
  abstract readonly rows: number;
  /** What is wrong with the file, one sentence each; what is readable is read in spite of it. */
  abstract readonly faults: readonly string[];
  /** The column of times that it was opened with. */
  timeName: string | undefined;
  /** What was found for plots when all rows were read, and of their times. */
  overview: Overview | undefined;
  timeFigures: TimeFigures | undefined;
  /** Bytes of rows that are looked through in less than a tenth of a second. */
  readonly quickBytes: number = 4e6;
  /** What it is of, if it is of many runs. */
  readonly study?: PlayedStudy | undefined;
  private last: RowBlock | undefined;
  /** The columns that were chosen, with the time, and the latest blocks of these: a player looks at the times of the next rows. */
  private chosen: readonly Column[] | undefined;
  private chosenBlocks: readonly RowBlock[] = [];

  protected constructor(protected readonly source: RecordingSource) {}

  /** Where names of several runs begin with those of their runs: these, with their files. */
  get runs(): readonly { readonly name: string; readonly file: string }[] {
    return [];
  }

  get file(): string {
    return this.source.path;
  }

  /** Sees which rows a program that still writes the file has added. */
  refresh(): void {
    this.last = undefined;
    this.chosenBlocks = [];
    this.source.look();
    this.countRows();
  }

  /** What was said meanwhile, as far as the file tells. */
  get messages(): readonly RecordedMessage[] {
    return [];
  }

  /** What the file tells of the run: its seed, and what else its recorder has written. */
  get facts(): Readonly<Record<string, string>> {
    return {};
  }

  /** Bytes in which there may be damage that opening did not look for. */
  get uncheckedBytes(): number {
    return 0;
  }

  /** Looks for it, by reading the whole file; the recording ends before the first damage then, which `faults` tell. */
  check(): void {}

  /** The times of all rows, as an index has them; they may be rounded, and are those of the row before where there are none. */
  quickTimes(): Iterable<Float64Array> | undefined {
    return undefined;
  }

  /** The times of all rows, one piece after another. */
  *times(): Generator<Float64Array> {
    for (const block of this.scan(0, this.rows))
      yield valuesOf(this, this.time, block).subarray(0, this.rows - block.from);
  }

  /** Counts the rows that the file has now. */
  protected abstract countRows(): void;

  /**
   * The block with a row that is there. Throws an Error when the file has become shorter.
   * @param columns those that are read, the time among them; others may be left out.
   */
  protected abstract load(row: number, columns: readonly Column[]): RowBlock;

  /** The block with a row. Throws a RangeError for a row that is not there. */
  block(row: number): RowBlock {
    this.requireRow(row);
    const { last } = this;
    if (last && hasRow(last, row)) return last;
    this.last = this.load(row, this.columns);
    return this.last;
  }

  /** From now on `chosenBlock` and `seconds` read the times and these columns alone. */
  choose(columns: readonly Column[]): void {
    this.chosen = [...new Set([this.time, ...columns])];
    this.chosenBlocks = [];
  }

  /** As `block`, of the columns that were chosen; of others there may be nothing. */
  chosenBlock(row: number): RowBlock {
    this.requireRow(row);
    const found = this.chosenBlocks.find((block) => hasRow(block, row));
    if (found) return found;
    const block = this.load(row, this.chosen ?? this.columns);
    this.chosenBlocks = [block, ...this.chosenBlocks.slice(0, 1)];
    return block;
  }

  private requireRow(row: number): void {
    if (!(row >= 0 && row < this.rows)) throw new RangeError(`${this.file} has no row ${row}`);
  }

  /** The blocks with the rows from one to another; the first may begin before them, the last end behind. */
  *blocks(from = 0, to = this.rows): Generator<RowBlock> {
    for (let row = from; row < to; ) {
      const block = this.block(row);
      yield block;
      row = block.from + block.count;
    }
  }

  /** As `blocks`, for all rows of a long file; the memory of a block is used again for the next one. */
  scan(from: number, to: number): Iterable<RowBlock> {
    return this.blocks(from, to);
  }

  /** The recording that a variable comes from, and its column there: of several that are one, its own. */
  origin(column: Column): { readonly recording: Recording; readonly column: Column } {
    return { recording: this, column };
  }

  /** A row near one that is read fast alone. */
  handy(row: number): number {
    return row;
  }

  /** A value far from those that were read last. */
  peek(column: Column, row: number): LeafValue {
    return column === this.time ? this.seconds(row) : this.value(column, row);
  }

  value(column: Column, row: number): LeafValue {
    return this.valueIn(this.block(row), column, row);
  }

  private valueIn({ from, memory }: RowBlock, { type, offsetBytes }: Column, row: number): LeafValue {
    return readLeaf(type, memory, (row - from) * this.rowBytes + offsetBytes);
  }

  /** The values of one variable in the rows from one to another, which is not among them. */
  values({ type, offsetBytes }: Column, from = 0, to = this.rows): LeafValue[] {
    const values: LeafValue[] = [];
    for (const { from: first, count, memory } of this.blocks(from, to))
      for (let row = Math.max(from, first); row < Math.min(to, first + count); row++)
        values.push(readLeaf(type, memory, (row - first) * this.rowBytes + offsetBytes));
    return values;
  }

  /** The time of a row; NaN in a damaged file. */
  seconds(row: number): number {
    const block = this.chosen ? this.chosenBlock(row) : this.block(row);
    return Number(this.valueIn(block, this.time, row));
  }

  /** The last row that is not later, by bisection; 0 when all are later. Where time goes back, one of several. */
  rowAt(seconds: number): number {
    return Math.max(0, this.firstRow(0, this.rows, (each) => !(each <= seconds)) - 1);
  }

  /** The first of some rows whose time is late, as all are behind it; the end when none is. */
  firstRow(from: number, to: number, isLate: (seconds: number) => boolean): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const handy = this.handy(middle);
      const row = handy >= low ? handy : middle;
      if (isLate(Number(this.peek(this.time, row)))) high = row;
      else low = row + 1;
    }
    return low;
  }

  close(): void {
    this.source.close();
  }
}

const hasRow = ({ from, count }: RowBlock, row: number): boolean => row >= from && row < from + count;

const TIMES_AT_ONCE = 8192;

/** The times of all rows of a recording whose columns lie apart. */
export function* timesOfColumn(recording: Recording): Generator<Float64Array> {
  const { rows, time } = recording;
  for (let from = 0; from < rows; from += TIMES_AT_ONCE)
    yield Float64Array.from(recording.values(time, from, Math.min(rows, from + TIMES_AT_ONCE)), Number);
}

/** The values of a column in a block, as numbers. */
export function valuesOf(
  { rowBytes }: Recording,
  { type, offsetBytes }: Column,
  { count, memory }: RowBlock,
): Float64Array {
  const values = new Float64Array(count);
  const { view } = memory;
  if (type.kind === 'number' && type.name === 'double')
    for (let index = 0; index < count; index++) values[index] = view.getFloat64(index * rowBytes + offsetBytes, true);
  else
    for (let index = 0; index < count; index++)
      values[index] = Number(readLeaf(type, memory, index * rowBytes + offsetBytes));
  return values;
}
