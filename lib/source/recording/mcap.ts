// Reads MCAP files whose messages are in protobuf, as varwire writes them.
import { Memory } from '../../model/state/memory.js';
import { RequestError } from '../../simulation/executive/request.js';
import { type Column, TIME_NAME } from '../../simulation/recording/row.js';
import type { RecordedMessage } from './mcap-log.js';
import { FIRST, McapRows, type MessagePosition } from './mcap-rows.js';
import { summaryOf } from './mcap-summary.js';
import { Recording, type RowBlock } from './recording.js';
import type { RecordingFile } from './recording-file.js';

const LARGEST_BLOCK_BYTES = 1024 * 1024;
/** Between two places from which rows can be read the file has so many bytes, and so many rows' worth, at least. */
const [BYTES_PER_MARK, ROWS_PER_MARK] = [256 * 1024, 16];

/** From where rows can be read. */
interface Mark {
  readonly row: number;
  readonly place: MessagePosition;
  /** The values before its first message. */
  readonly before: Uint8Array;
}

export class McapRecording extends Recording {
  readonly format = 'MCAP, protobuf';
  readonly columns: readonly Column[];
  readonly time: Column;
  readonly rowBytes: number;
  rows = 0;
  private read: McapRows;
  private readonly blockRows: number;
  private marks: Mark[] = [];
  private scannedBytes = 0;
  private isCut = false;

  /** Reads the file once, or of one that varwire has written and ended its summary alone. Throws an Error with one sentence for one without variables. */
  constructor(protected override readonly source: RecordingFile) {
    super(source);
    this.read = new McapRows(source);
    if (!this.isKnown()) {
      this.read = new McapRows(source);
      this.countRows();
    }
    const { columns, rowBytes, damage, leftOut } = this.read;
    if (columns.length === 1)
      throw new Error(damage ?? `${source.path} has no variable${leftOut.length > 0 ? `: ${leftOut[0]}` : ''}`);
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

  get faults(): readonly string[] {
    const { damage, leftOut } = this.read;
    const cut = !this.isCut || damage !== undefined ? [] : ['it does not end: what is there is read'];
    const ended = this.read.ended === undefined ? [] : [`its recorder has ended it: ${this.read.ended}`];
    return [...leftOut, ...(damage === undefined ? [] : [damage]), ...cut, ...ended];
  }

  /** Whether its summary tells where the rows are. */
  private isKnown(): boolean {
    const { read, source } = this;
    const summary = summaryOf(source);
    let counts: readonly number[] | undefined;
    try {
      counts = summary && read.know(summary);
    } catch {
      // Reading the whole file tells what is wrong with it.
    }
    if (!summary || !counts) return false;
    for (const [index, { chunkStartOffset }] of summary.chunks.entries()) {
      const count = counts[index] as number;
      const place = { offset: Number(chunkStartOffset), index: 0 };
      // A row has all values, so those before do not matter.
      if (count > 0) this.marks.push({ row: this.rows, place, before: new Uint8Array() });
      this.rows += count;
    }
    this.scannedBytes = source.sizeBytes;
    return true;
  }

  protected countRows(): void {
    const { read, source } = this;
    if (this.scannedBytes === source.sizeBytes) return;
    this.scannedBytes = source.sizeBytes;
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

  protected load(row: number): RowBlock {
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
    for (const _ of this.read.from(mark.place)) {
      keep();
      if (++at === from + count) break;
    }
    keep();
    if (at < from + count - 1) throw new RequestError(this.read.damage ?? `${this.file} lacks rows that its index has`);
    return { from, count, memory };
  }
}
