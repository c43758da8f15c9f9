// Reads recordings that are Apache Parquet: columns of numbers in groups of rows.
import { type LeafValue, Memory } from '../../model/state/memory.js';
import { type LeafType, sizeOf } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import { RequestError } from '../../simulation/executive/request.js';
import { type Column, TIME_NAME } from '../../simulation/recording/row.js';
import { type ParquetColumn, type ParquetHead, parquetHead } from './parquet-head.js';
import { dictionaryIn, type Numbers, type Page, pagesOf, valuesIn } from './parquet-pages.js';
import { Recording, type RowBlock, timesOfColumn } from './recording.js';
import type { RecordingFile } from './recording-file.js';

const [LARGEST_BLOCK_BYTES, MOST_BLOCK_ROWS] = [16 * 1024 * 1024, 4096];
/** Memory of pages that were read last. */
const MOST_PAGES_BYTES = 256 * 1024 * 1024;
const USUAL_TIMES = [TIME_NAME, 'time', 'Time', 't'];

/** A column as it is read: the pages of one group of rows, and the values of one of them. */
interface Reading {
  readonly group: number;
  readonly pages: readonly Page[];
  readonly dictionary: Numbers | undefined;
  page: Page | undefined;
  values: Numbers | undefined;
}

export class ParquetRecording extends Recording {
  readonly format = 'Parquet';
  readonly columns: readonly Column[];
  readonly time: Column;
  readonly rowBytes: number;
  rows = 0;
  private head: ParquetHead;
  /** The first row of each group. */
  private firsts: readonly number[] = [];
  private readonly blockRows: number;
  private readonly read = new Map<ParquetColumn, Reading>();
  private readBytes = 0;
  private seen: readonly number[];
  private damage: string | undefined;

  /** Throws an Error with one sentence for a file that is not finished, is damaged, or has no times. */
  constructor(
    protected override readonly source: RecordingFile,
    timeName?: string,
  ) {
    super(source);
    this.timeName = timeName;
    this.head = parquetHead(source);
    this.seen = [source.sizeBytes, source.changedMillis];
    let offsetBytes = 0;
    this.columns = this.head.columns.map(({ name, units, type }) => {
      const column = { name, units, type, offsetBytes };
      offsetBytes += sizeOf(type);
      return column;
    });
    this.rowBytes = offsetBytes;
    this.time = this.timeOf(timeName);
    this.blockRows = Math.max(1, Math.min(MOST_BLOCK_ROWS, Math.floor(LARGEST_BLOCK_BYTES / this.rowBytes)));
    this.take(this.head);
  }

  get faults(): readonly string[] {
    return this.damage === undefined ? this.head.leftOut : [...this.head.leftOut, this.damage];
  }

  /** Whoever writes such a file writes all of it anew. */
  protected countRows(): void {
    const { source } = this;
    const now = [source.sizeBytes, source.changedMillis];
    if (now.every((figure, index) => figure === this.seen[index])) return;
    this.seen = now;
    this.read.clear();
    this.readBytes = 0;
    this.rows = 0;
    this.damage = undefined;
    try {
      this.take(parquetHead(source));
    } catch (error) {
      this.damage = (error as Error).message;
    }
  }

  protected load(row: number, columns: readonly Column[]): RowBlock {
    const from = row - (row % this.blockRows);
    const count = Math.min(this.blockRows, this.rows - from);
    const memory = new Memory(new ArrayBuffer(count * this.rowBytes));
    const wanted = new Set(columns);
    for (const [index, column] of this.columns.entries()) {
      if (!wanted.has(column)) continue;
      const { type, offsetBytes } = column;
      this.eachPiece(index, from, from + count, (values, first) => {
        let at = (first - from) * this.rowBytes + offsetBytes;
        for (const value of values) {
          store(memory, type, at, value);
          at += this.rowBytes;
        }
      });
    }
    return { from, count, memory };
  }

  /** Without the other columns. */
  override values(column: Column, from = 0, to = this.rows): LeafValue[] {
    const found: LeafValue[] = [];
    const { type } = column;
    this.eachPiece(this.columns.indexOf(column), from, to, (values) => {
      for (const value of values) found.push(leafOf(type, value));
    });
    return found;
  }

  override times(): Generator<Float64Array> {
    return timesOfColumn(this);
  }

  override peek(column: Column, row: number): LeafValue {
    return this.values(column, row, row + 1)[0] ?? null;
  }

  /** Gives the values of some rows, page by page, with the number of the first row of each. */
  private eachPiece(
    index: number,
    from: number,
    to: number,
    give: (values: Iterable<number | bigint>, first: number) => void,
  ): void {
    const column = this.head.columns[index];
    for (let row = from; column && row < to; ) {
      const group = this.groupOf(row);
      const first = this.firsts[group] as number;
      const { page, values } = this.pageWith(column, group, row - first);
      const start = row - first - page.from;
      const end = Math.min(to - first - page.from, page.count);
      give(inSeconds(values.subarray(start, end), column.perSecond), row);
      row += end - start;
    }
  }

  private groupOf(row: number): number {
    return this.firsts.findLastIndex((first) => first <= row);
  }

  /** The page of a group that has a row of it. Throws a RequestError with one sentence for damaged ones. */
  private pageWith(column: ParquetColumn, group: number, row: number): { page: Page; values: Numbers } {
    const chunk = column.chunks[group];
    try {
      if (!chunk) throw new Error('a group of rows is missing');
      let reading = this.read.get(column);
      if (reading?.group !== group) {
        const { dictionary, data } = pagesOf(this.source, chunk, this.head.rows[group] as number);
        const words = dictionary && dictionaryIn(this.source, chunk, dictionary);
        reading = { group, pages: data, dictionary: words, page: undefined, values: undefined };
      }
      const page = reading.pages.findLast((each) => each.from <= row) as Page;
      if (reading.page !== page || !reading.values) {
        reading.page = page;
        reading.values = valuesIn(this.source, chunk, page, reading.dictionary);
      }
      this.keep(column, reading);
      return { page, values: reading.values };
    } catch (error) {
      throw new RequestError(`${this.file} is damaged in ${column.name}: ${reasonOf(error)}`);
    }
  }

  /** Keeps what was read of a column; what was not needed for longest gives way. */
  private keep(column: ParquetColumn, reading: Reading): void {
    const before = this.read.get(column);
    this.readBytes += bytesOf(reading) - (before ? bytesOf(before) : 0);
    this.read.delete(column);
    this.read.set(column, reading);
    for (const [other, held] of this.read) {
      if (this.readBytes <= MOST_PAGES_BYTES || other === column) return;
      this.readBytes -= bytesOf(held);
      this.read.delete(other);
    }
  }

  private timeOf(name: string | undefined): Column {
    const { columns, head } = this;
    const names = name === undefined ? USUAL_TIMES : [name];
    const found = names.flatMap((each) => columns.find((column) => column.name === each) ?? []);
    const moment = name === undefined ? columns[head.columns.findIndex(({ perSecond }) => perSecond)] : undefined;
    const time = found[0] ?? moment;
    if (time) return time;
    throw new Error(
      name === undefined
        ? `${this.file} has no times: no column ${TIME_NAME}; --time names another one`
        : `${this.file} has no column of numbers ${name}`,
    );
  }

  private take(head: ParquetHead): void {
    const isSame = head.columns.every(({ name }, index) => this.columns[index]?.name === name);
    if (head.columns.length !== this.columns.length || !isSame) throw new Error(`${this.file} has become another file`);
    this.head = head;
    let rows = 0;
    this.firsts = head.rows.map((count) => {
      const first = rows;
      rows += count;
      return first;
    });
    this.rows = rows;
  }
}

const bytesOf = ({ values, dictionary }: Reading): number => (values?.byteLength ?? 0) + (dictionary?.byteLength ?? 0);

/** What the library throws may be about itself. */
const reasonOf = (error: unknown): string => (error as Error).message.replace(/\n.*/s, '');

function inSeconds(values: Numbers, perSecond: bigint | undefined): Iterable<number | bigint> {
  if (perSecond === undefined || !(values instanceof BigInt64Array)) return values;
  return Array.from(values, (each) => Number(each / perSecond) + Number(each % perSecond) / Number(perSecond));
}

function store(memory: Memory, type: LeafType, at: number, value: number | bigint): void {
  if (type.kind === 'number' && type.name === 'double') memory.view.setFloat64(at, value as number, true);
  else storeValue(memory, type, at, leafOf(type, value));
}

/** Integers have no NaN. */
function leafOf(type: LeafType, value: number | bigint): number | bigint | boolean {
  if (type.kind !== 'number' || type.name === 'double' || type.name === 'float') return value;
  if (type.name === 'bool') return value === 1;
  if (type.name === 'unsigned long long') return BigInt.asUintN(64, BigInt(value));
  if (type.name === 'unsigned int') return Number(value) >>> 0;
  return typeof value === 'bigint' ? value : value || 0;
}
