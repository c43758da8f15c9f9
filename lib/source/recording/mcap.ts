// Reads MCAP files whose messages are in protobuf, as varwire writes them.
import { type LeafValue, Memory } from '../../model/state/memory.js';
import { RequestError } from '../../simulation/executive/request.js';
import { type Column, TIME_NAME } from '../../simulation/recording/row.js';
import { damageIn } from './mcap-chunks.js';
import type { RecordedMessage } from './mcap-log.js';
import { FIRST, McapRows, type MessagePosition } from './mcap-rows.js';
import { type McapSummary, secondsIn, summaryOf } from './mcap-summary.js';
import { Recording, type RowBlock } from './recording.js';
import type { RecordingFile } from './recording-file.js';

const LARGEST_BLOCK_BYTES = 1024 * 1024;
/** Between two places from which rows can be read the file has so many bytes, and so many rows' worth, at least. */
const [BYTES_PER_MARK, ROWS_PER_MARK] = [256 * 1024, 16];

/** A file that was opened by its summary. */
interface Known {
  readonly summary: McapSummary;
  /** Rows of each chunk. */
  readonly counts: readonly number[];
}

/** From where rows can be read. */
interface Mark {
  readonly row: number;
  readonly place: MessagePosition;
  /** The values before its first message. */
  readonly before: Uint8Array;
}

export class McapRecording extends Recording {
  readonly format: string;
  readonly columns: readonly Column[];
  readonly time: Column;
  readonly rowBytes: number;
  rows = 0;
  private read: McapRows;
  private readonly blockRows: number;
  private marks: Mark[] = [];
  private scannedBytes = 0;
  private isCut = false;
  private known: Known | undefined;
  private isChecked = false;
  private damage: string | undefined;

  /** Reads the file once, or of one that varwire has written and ended its summary alone. Throws an Error with one sentence for one without variables. */
  constructor(protected override readonly source: RecordingFile) {
    super(source);
    this.read = new McapRows(source);
    this.known = this.knownBySummary();
    if (!this.known) {
      this.read = new McapRows(source);
      this.countRows();
    }
    const { columns, encodings, rowBytes, damage, leftOut } = this.read;
    if (columns.length === 1)
      throw new Error(damage ?? `${source.path} has no variable${leftOut.length > 0 ? `: ${leftOut[0]}` : ''}`);
    this.format = ['MCAP', ...encodings].join(', ');
    this.rowBytes = rowBytes;
    this.blockRows = Math.max(1, Math.floor(LARGEST_BLOCK_BYTES / rowBytes));
    const own = columns.find(
      ({ name, type }) => name === TIME_NAME && type.kind === 'number' && type.name === 'double',
    );
    this.time = own ?? (columns[0] as Column);
    // As they were before each object had a channel of its own.
    this.columns = columns
      .slice(own ? 1 : 0)
      .sort((one, other) => (one.index ?? columns.length) - (other.index ?? columns.length));
  }

  override get messages(): readonly RecordedMessage[] {
    return this.read.log.messages;
  }

  override get facts(): Readonly<Record<string, string>> {
    return this.read.facts;
  }

  get faults(): readonly string[] {
    const { leftOut } = this.read;
    const damage = this.damage ?? this.read.damage;
    const cut = !this.isCut || damage !== undefined ? [] : ['it does not end: what is there is read'];
    const ended = this.read.ended === undefined ? [] : [`its recorder has ended it: ${this.read.ended}`];
    return [...leftOut, ...(damage === undefined ? [] : [damage]), ...cut, ...ended];
  }

  override get uncheckedBytes(): number {
    return this.known && !this.isChecked ? this.source.sizeBytes : 0;
  }

  override check(): void {
    if (!this.known || this.isChecked) return;
    this.isChecked = true;
    const { summary, counts } = this.known;
    const found = damageIn(this.source, summary);
    if (!found) return;
    this.damage = found.sentence;
    this.rows = counts.slice(0, found.index).reduce((sum, count) => sum + count, 0);
  }

  /** Where rows are looked for, those behind damage have no time: the recording ends before it then. */
  override peek(column: Column, row: number): LeafValue {
    try {
      if (row < this.rows) return super.peek(column, row);
    } catch (error) {
      this.check();
      if (row < this.rows) throw error;
    }
    return Number.NaN;
  }

  /** The times of the log, in nanoseconds. */
  override quickTimes(): Iterable<Float64Array> | undefined {
    return this.known && this.indexedTimes(this.known);
  }

  private *indexedTimes({ summary, counts }: Known): Generator<Float64Array> {
    let [left, origin] = [this.rows, undefined as number | undefined];
    for (const [index, chunk] of summary.chunks.entries()) {
      const count = Math.min(left, counts[index] as number);
      if (count === 0) continue;
      left -= count;
      const seconds = secondsIn(this.source, chunk, this.read.rowChannel).subarray(0, count);
      // Those of the log are not below 0.
      origin ??= Math.min(0, this.seconds(0)) || 0;
      yield origin === 0 ? seconds : seconds.map((each) => each + (origin as number));
    }
  }

  /** Undefined when no summary tells where the rows are. */
  private knownBySummary(): Known | undefined {
    const { read, source } = this;
    const summary = summaryOf(source);
    let counts: readonly number[] | undefined;
    try {
      counts = summary && read.know(summary);
    } catch {
      // Reading the whole file tells what is wrong with it.
    }
    if (!summary || !counts) return undefined;
    for (const [index, { chunkStartOffset }] of summary.chunks.entries()) {
      const count = counts[index] as number;
      const place = { offset: Number(chunkStartOffset), index: 0 };
      // A row has all values, so those before do not matter.
      if (count > 0) this.marks.push({ row: this.rows, place, before: new Uint8Array() });
      this.rows += count;
    }
    this.scannedBytes = source.sizeBytes;
    return { summary, counts };
  }

  protected countRows(): void {
    const { read, source } = this;
    if (this.scannedBytes === source.sizeBytes) return;
    this.scannedBytes = source.sizeBytes;
    this.known = undefined;
    this.damage = undefined;
    read.reset();
    this.marks = [];
    let count = 0;
    for (const place of read.from(FIRST)) {
      const last = this.marks.at(-1);
      if (!last || place.offset - last.place.offset >= Math.max(BYTES_PER_MARK, ROWS_PER_MARK * read.rowBytes))
        this.marks.push({ row: count, place, before: read.row.slice() });
      count++;
    }
    // The last row of a file that is being written, or has been cut, may lack some channels.
    this.isCut = !read.isEnded;
    this.rows = read.isEnded || read.isWhole ? count : Math.max(0, count - 1);
  }

  protected load(row: number, columns: readonly Column[]): RowBlock {
    const mark = this.marks.findLast((each) => each.row <= row) as Mark;
    const from = row - ((row - mark.row) % this.blockRows);
    const next = this.marks[this.marks.indexOf(mark) + 1]?.row ?? this.rows;
    const count = Math.min(this.blockRows, Math.min(next, this.rows) - from);
    const memory = new Memory(new ArrayBuffer(count * this.rowBytes));
    this.read.reset(mark.before);
    let at = mark.row - 1;
    const keep = (): void => {
      if (at >= from && at < from + count) memory.bytes.set(this.read.row, (at - from) * this.rowBytes);
    };
    // Where a row begins, the one before is complete.
    for (const _ of this.read.from(mark.place, columns.length < this.columns.length ? new Set(columns) : undefined)) {
      keep();
      if (++at === from + count) break;
    }
    keep();
    if (at < from + count - 1) throw new RequestError(this.read.damage ?? `${this.file} lacks rows that its index has`);
    return { from, count, memory };
  }
}
