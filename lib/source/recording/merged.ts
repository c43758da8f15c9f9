// Several recordings as one: at each time that one of them has, the last row of each. Trick: data_products/Log/log.cpp
import { Memory } from '../../model/state/memory.js';
import { sizeOf } from '../../model/state/type.js';
import { type Column, TIME_COLUMN } from '../../simulation/recording/row.js';
import type { PlayedStudy } from '../../simulation/recording/study.js';
import type { RecordedMessage } from './mcap-log.js';
import { Recording, type RowBlock, valuesOf } from './recording.js';

export interface Part {
  /** What its names begin with where that tells them apart. */
  readonly name: string;
  readonly recording: Recording;
}

const BLOCK_BYTES = 256 * 1024;
const TIMES_AT_ONCE = 8192;
const TIME_BYTES = sizeOf(TIME_COLUMN.type);

/**
 * Rows of the same time are one, and the times of each part keep their order. A part has NaN and 0 before its first row,
 * and its last values after its last one.
 */
export class MergedRecording extends Recording {
  readonly format: string;
  readonly columns: readonly Column[];
  readonly time = TIME_COLUMN;
  readonly rowBytes: number;
  rows = 0;
  /** The part of each column, and the column there. */
  private readonly places: ReadonlyMap<Column, { readonly recording: Recording; readonly column: Column }>;
  /** What the parts read, and those of them that have any of it. */
  private read: { readonly columns: readonly Column[]; readonly parts: ReadonlySet<Recording> } = {
    columns: [],
    parts: new Set(),
  };
  private readonly blockRows: number;
  /** What each part has before its first row. */
  private readonly nothing: readonly Uint8Array[];
  /** The last row of each part before each block. */
  private marks: (readonly number[])[] = [];

  /**
   * Reads all times once.
   * @param path what it is called.
   * @param isNamed whether all names begin with that of their part; else only those that several parts have.
   * @param study what its runs belong to.
   * @param leftOut why others are not among them, one sentence each.
   */
  constructor(
    path: string,
    private readonly parts: readonly Part[],
    private readonly isNamed: boolean,
    private readonly leftOut: readonly string[] = [],
    override readonly study?: PlayedStudy,
  ) {
    super({
      path,
      look: () => {
        for (const { recording } of parts) recording.refresh();
      },
      close: () => {
        for (const { recording } of parts) recording.close();
      },
    });
    const formats = new Set(parts.map(({ recording }) => recording.format));
    this.format = `${parts.length} recordings: ${[...formats].join('; ')}`;
    this.places = placesOf(parts, isNamed);
    this.columns = [TIME_COLUMN, ...this.places.keys()];
    this.rowBytes = TIME_BYTES + parts.reduce((sum, { recording }) => sum + recording.rowBytes, 0);
    this.blockRows = Math.max(1, Math.min(1024, Math.floor(BLOCK_BYTES / this.rowBytes)));
    this.nothing = parts.map(({ recording }) => nothingOf(recording));
    try {
      this.countRows();
    } catch (error) {
      if (!this.checkParts()) throw error;
      this.countAnew();
    }
  }

  override get runs(): readonly { readonly name: string; readonly file: string }[] {
    return this.isNamed ? this.parts.map(({ name, recording }) => ({ name, file: recording.file })) : [];
  }

  override get messages(): readonly RecordedMessage[] {
    return this.parts.flatMap(({ recording }) => recording.messages).sort((one, other) => one.seconds - other.seconds);
  }

  get faults(): readonly string[] {
    const own = this.parts.flatMap(({ recording }) => recording.faults.map((fault) => `${recording.file}: ${fault}`));
    return [...this.leftOut, ...own];
  }

  override get uncheckedBytes(): number {
    return this.recordings.reduce((sum, recording) => sum + recording.uncheckedBytes, 0);
  }

  override check(): void {
    if (this.checkParts()) this.countAnew();
  }

  /** Whether one of them ends before damage now. */
  private checkParts(): boolean {
    const before = this.recordings.map(({ rows }) => rows);
    for (const recording of this.recordings) recording.check();
    return this.recordings.some(({ rows }, index) => rows !== before[index]);
  }

  private countAnew(): void {
    this.marks = [];
    this.countRows();
  }

  override origin(column: Column): { readonly recording: Recording; readonly column: Column } {
    const place = this.places.get(column);
    return place ? place.recording.origin(place.column) : super.origin(column);
  }

  /** Without the rows of the parts. */
  override *times(): Generator<Float64Array> {
    const progress = new Progress(this.recordings, undefined, this.recordings.map(timesInOrder));
    for (let row = 0; row < this.rows; ) {
      const piece = new Float64Array(Math.min(TIMES_AT_ONCE, this.rows - row));
      for (let index = 0; index < piece.length; index++) {
        progress.next();
        piece[index] = progress.seconds ?? Number.NaN;
      }
      yield piece;
      row += piece.length;
    }
  }

  protected countRows(): void {
    const { marks, recordings } = this;
    const last = marks.pop();
    const isShorter = last?.some((row, index) => row >= (recordings[index] as Recording).rows);
    if (isShorter) marks.length = 0;
    this.rows = marks.length * this.blockRows;
    const progress = new Progress(recordings, isShorter ? undefined : last, recordings.map(timesInOrder));
    do {
      if (this.rows % this.blockRows === 0) marks.push([...progress.rows]);
      progress.next();
      this.rows++;
    } while (progress.seconds !== undefined);
    this.rows--;
  }

  /** Of a part without any of these columns, its times alone. */
  protected load(row: number, columns: readonly Column[]): RowBlock {
    const withColumns = this.chooseIn(columns);
    const { recordings } = this;
    const mark = Math.floor(row / this.blockRows);
    const from = mark * this.blockRows;
    const count = Math.min(this.blockRows, this.rows - from);
    const memory = new Memory(new ArrayBuffer(count * this.rowBytes));
    const progress = new Progress(recordings, this.marks[mark]);
    for (let at = 0; at < memory.bytes.length; ) {
      progress.next();
      memory.view.setFloat64(at, progress.seconds ?? Number.NaN, true);
      at += TIME_BYTES;
      for (const [index, recording] of recordings.entries()) {
        if (withColumns.has(recording)) memory.bytes.set(this.rowOf(index, progress.rows[index] as number), at);
        at += recording.rowBytes;
      }
    }
    return { from, count, memory };
  }

  /** Has the parts read these columns alone; returns which of them have any. */
  private chooseIn(columns: readonly Column[]): ReadonlySet<Recording> {
    if (columns === this.read.columns) return this.read.parts;
    const own = new Map(this.recordings.map((recording): [Recording, Column[]] => [recording, []]));
    for (const each of columns) {
      const place = this.places.get(each);
      if (place) own.get(place.recording)?.push(place.column);
    }
    for (const [recording, its] of own) recording.choose(its);
    this.read = {
      columns,
      parts: new Set([...own].flatMap(([recording, { length }]) => (length > 0 ? recording : []))),
    };
    return this.read.parts;
  }

  private get recordings(): readonly Recording[] {
    return this.parts.map(({ recording }) => recording);
  }

  private rowOf(index: number, row: number): Uint8Array {
    const { recording } = this.parts[index] as Part;
    if (row < 0) return this.nothing[index] as Uint8Array;
    const { from, memory } = recording.chosenBlock(row);
    const start = (row - from) * recording.rowBytes;
    return memory.bytes.subarray(start, start + recording.rowBytes);
  }
}

/** How far parts have come: the number of the last row of each, -1 before its first. */
class Progress {
  readonly rows: number[];
  /** The time of the rows that came last; NaN for those without; undefined before the first and behind the last. */
  seconds: number | undefined;
  private readonly due: (number | undefined)[];

  constructor(
    private readonly recordings: readonly Recording[],
    rows?: readonly number[],
    private readonly timesOf: readonly ((row: number) => number)[] = recordings.map(
      (recording) => (row) => recording.seconds(row),
    ),
  ) {
    this.rows = [...(rows ?? recordings.map(() => -1))];
    this.due = recordings.map((_, index) => this.dueOf(index));
  }

  /** Goes on to the rows of the lowest time. */
  next(): void {
    let least: number | undefined;
    for (const seconds of this.due)
      if (least === undefined || (seconds !== undefined && (seconds < least || Number.isNaN(seconds)))) least = seconds;
    this.seconds = least;
    if (least === undefined) return;
    for (let index = 0; index < this.due.length; index++)
      if (Object.is(this.due[index], least)) {
        (this.rows[index] as number)++;
        this.due[index] = this.dueOf(index);
      }
  }

  private dueOf(index: number): number | undefined {
    const [recording, next] = [this.recordings[index] as Recording, (this.rows[index] as number) + 1];
    // 0 and -0 are one time.
    return next < recording.rows ? (this.timesOf[index] as (row: number) => number)(next) + 0 : undefined;
  }
}

/** The times of rows that are asked for one after another, of long pieces of the file. */
function timesInOrder(recording: Recording): (row: number) => number {
  let blocks: Iterator<RowBlock> | undefined;
  let from = 0;
  let times: Float64Array = new Float64Array();
  return (row) => {
    while (row >= from + times.length) {
      blocks ??= recording.scan(row, recording.rows)[Symbol.iterator]();
      const block: RowBlock = blocks.next().value;
      from = block.from;
      times = valuesOf(recording, recording.time, block);
    }
    return times[row - from] as number;
  };
}

/** The columns of all, each with the one that it comes from. */
function placesOf(parts: readonly Part[], isNamed: boolean) {
  const ownColumns = ({ recording: { columns, time } }: Part) => columns.filter((column) => column !== time);
  const owners = new Map<string, number>();
  for (const part of parts)
    for (const name of new Set(ownColumns(part).map((column) => column.name)))
      owners.set(name, (owners.get(name) ?? 0) + 1);
  const places = new Map<Column, { readonly recording: Recording; readonly column: Column }>();
  let start = TIME_BYTES;
  for (const part of parts) {
    for (const column of ownColumns(part)) {
      const isShared = isNamed || (owners.get(column.name) ?? 0) > 1;
      const name = isShared ? `${part.name}.${column.name}` : column.name;
      places.set({ ...column, name, offsetBytes: start + column.offsetBytes }, { recording: part.recording, column });
    }
    start += part.recording.rowBytes;
  }
  return places;
}

/** A row of NaN and 0. */
function nothingOf({ columns, rowBytes }: Recording): Uint8Array {
  const { bytes, view } = new Memory(new ArrayBuffer(rowBytes));
  for (const { type, offsetBytes } of columns) {
    if (type.kind !== 'number') continue;
    if (type.name === 'double') view.setFloat64(offsetBytes, Number.NaN, true);
    if (type.name === 'float') view.setFloat32(offsetBytes, Number.NaN, true);
  }
  return bytes;
}
