// Reads recordings that are text: Trick's and varwire's .csv and .txt, and tables of other programs.
import { type LeafValue, Memory, readLeaf } from '../../model/state/memory.js';
import { type LeafType, sizeOf } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import type { Column } from '../../simulation/recording/row.js';
import { numberOf } from './csv-cells.js';
import { type CsvHead, headOf } from './csv-head.js';
import { firstLines, linesOf } from './csv-lines.js';
import { CellCounts, DOUBLE, headerTypes, valueIn } from './csv-types.js';
import { readIndex, writeIndex } from './index-file.js';
import { Overview, type SavedOverview } from './overview.js';
import { Recording, type RowBlock } from './recording.js';
import type { RecordingFile } from './recording-file.js';
import { TimeCounter, type TimeFigures } from './time-figures.js';

/** A block of rows has about so many bytes of text. */
const BLOCK_BYTES = 64 * 1024;
/** Read for a single row. */
const SHORT_PIECE_BYTES = 4096;
const NAMES: Readonly<Record<string, string>> = { '\t': 'tab', ' ': 'blanks', ',': 'commas', ';': 'semicolons' };

/** Where a block begins in the file. */
interface Mark {
  readonly row: number;
  readonly offset: number;
}

interface TextRow {
  readonly seconds: number;
  readonly cells: readonly string[];
}

/** What reading all lines finds, but for the rows themselves: the types of columns, and cells that are no numbers. */
interface Found {
  readonly strayLines: number;
  readonly types: readonly LeafType[];
  readonly words: readonly number[];
}

/** An index has also the marks, as numbers, and the numbers of the overview. */
interface IndexFacts {
  readonly found: Found;
  readonly times: TimeFigures;
  readonly overview: SavedOverview['facts'] | undefined;
}

export class CsvRecording extends Recording {
  readonly format: string;
  readonly columns: readonly Column[];
  readonly time: Column;
  readonly rowBytes: number;
  readonly faults: readonly string[];
  rows = 0;
  private readonly head: CsvHead;
  private marks: Mark[];
  private readonly cellOf: ReadonlyMap<Column, number>;

  /** Reads the file once. Throws an Error with one sentence for one that is no table with times. */
  constructor(
    protected override readonly source: RecordingFile,
    timeName?: string,
    progress?: (part: number) => void,
  ) {
    super(source);
    this.timeName = timeName;
    const lines = firstLines(source);
    this.head = headOf(
      source.path,
      lines.map(({ text }) => text),
      timeName,
    );
    const { titles, separator, firstLine } = this.head;
    this.format = `text with ${NAMES[separator] ?? JSON.stringify(separator)} between columns`;
    this.marks = [{ row: 0, offset: lines[firstLine]?.offset ?? source.sizeBytes }];
    const form = `text by ${timeName ?? this.head.time}`;
    const found = this.indexed(form) ?? this.readAll(form, progress);
    const types = headerTypes(source.path);
    let offsetBytes = 0;
    this.columns = titles.map(({ name, units }, index) => {
      const isTime = index === this.head.time;
      const type = isTime ? DOUBLE : (types.get(name) ?? (found.types[index] as LeafType));
      const column = { name, units: isTime ? 's' : units, type, offsetBytes };
      offsetBytes += sizeOf(type);
      return column;
    });
    this.cellOf = new Map(this.columns.map((column, index) => [column, index]));
    this.rowBytes = offsetBytes;
    this.time = this.columns[this.head.time] as Column;
    this.faults = [
      ...(found.strayLines === 0
        ? []
        : [`${found.strayLines} lines have no time or another number of cells, and are passed over`]),
      ...this.columns.flatMap((column, index) => {
        const words = column.type === DOUBLE && column !== this.time ? (found.words[index] ?? 0) : 0;
        return words === 0 ? [] : [`${words} cells of ${column.name} are no numbers, and read as NaN`];
      }),
    ];
  }

  protected countRows(): void {
    this.countLines();
  }

  override handy(row: number): number {
    return this.marks[this.markOf(row)]?.row ?? row;
  }

  override peek(column: Column, row: number): LeafValue {
    const mark = this.marks[this.markOf(row)] as Mark;
    if (mark.row !== row) return super.peek(column, row);
    const memory = new Memory(new ArrayBuffer(this.rowBytes));
    const [line] = linesOf(this.source, mark.offset, SHORT_PIECE_BYTES);
    const found = line && this.rowIn(line.text);
    if (found) this.store(memory, 0, found, [column]);
    return readLeaf(column.type, memory, column.offsetBytes);
  }

  /** The last mark before a row, or at it. */
  private markOf(row: number): number {
    const { marks } = this;
    let [low, high] = [0, marks.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((marks[middle] as Mark).row <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Of columns that are left out, cells are told apart, and made no numbers. */
  protected load(row: number, columns: readonly Column[]): RowBlock {
    const { marks } = this;
    const index = this.markOf(row);
    const { row: from, offset } = marks[index] as Mark;
    const count = (marks[index + 1]?.row ?? this.rows) - from;
    const memory = new Memory(new ArrayBuffer(count * this.rowBytes));
    let done = 0;
    for (const { text } of linesOf(this.source, offset)) {
      const row = this.rowIn(text);
      if (row) this.store(memory, done++ * this.rowBytes, row, columns);
      if (done === count) break;
    }
    return { from, count, memory };
  }

  /** The cells of a line that is a row. */
  private rowIn(text: string): TextRow | undefined {
    const { head } = this;
    const cells = head.split(text);
    const seconds = cells.length === head.titles.length ? head.secondsOf(cells) : undefined;
    return seconds === undefined ? undefined : { seconds, cells };
  }

  private store(memory: Memory, start: number, { seconds, cells }: TextRow, columns: readonly Column[]): void {
    const { isDecimalComma } = this.head;
    for (const column of columns) {
      const { type, offsetBytes } = column;
      const cell = cells[this.cellOf.get(column) as number] as string;
      const at = start + offsetBytes;
      if (column === this.time) memory.view.setFloat64(at, seconds, true);
      else if (type === DOUBLE) memory.view.setFloat64(at, numberOf(cell, isDecimalComma) ?? Number.NaN, true);
      else storeValue(memory, type, at, valueIn(cell, type, isDecimalComma));
    }
  }

  /** What an index file has, as long as the file has not changed. */
  private indexed(form: string): Found | undefined {
    const index = readIndex(this.source, form);
    if (!index) return undefined;
    const { found, times, overview } = index.facts as IndexFacts;
    const [marks, ...numbers] = index.numbers as [Float64Array, ...Float64Array[]];
    this.marks = Array.from({ length: marks.length / 2 }, (_, mark) => ({
      row: marks[2 * mark] as number,
      offset: marks[2 * mark + 1] as number,
    }));
    this.rows = times.rows;
    this.timeFigures = times;
    this.overview = overview && Overview.from({ facts: overview, numbers });
    return found;
  }

  /** Reads all rows, and writes an index of a large file. */
  private readAll(form: string, progress?: (part: number) => void): Found {
    const counts = this.head.titles.map(() => new CellCounts());
    const overview = Overview.of(counts.length);
    const times = new TimeCounter();
    const values = new Float64Array(counts.length);
    const { isDecimalComma } = this.head;
    let told = 0;
    const strayLines = this.countLines(({ seconds, cells }, offset) => {
      for (const [index, count] of counts.entries()) values[index] = count.add(cells[index] as string, isDecimalComma);
      overview?.take(seconds, values);
      times.take(seconds);
      const percent = Math.floor((100 * offset) / this.source.sizeBytes);
      if (percent > told) progress?.(percent / 100);
      told = percent;
    });
    overview?.flush();
    this.overview = overview;
    const found = { strayLines, types: counts.map(({ type }) => type), words: counts.map(({ words }) => words) };
    this.timeFigures = times.figures;
    const facts = { found, times: times.figures, overview: overview?.saved.facts } satisfies IndexFacts;
    const marks = Float64Array.from(this.marks.flatMap(({ row, offset }) => [row, offset]));
    writeIndex(this.source, form, { facts, numbers: [marks, ...(overview?.saved.numbers ?? [])] });
    return found;
  }

  /** Counts rows from the last mark on, and sets more marks. Returns how many lines are no rows. */
  private countLines(take?: (row: TextRow, offset: number) => void): number {
    const { head, marks } = this;
    let { row: rows, offset: markedOffset } = marks.at(-1) as Mark;
    let strayLines = 0;
    for (const { text, offset, isEnded } of linesOf(this.source, markedOffset)) {
      // A recording that is being written, or has been cut, has only a part of this row.
      if (head.isTricks && !isEnded) break;
      const row = this.rowIn(text);
      if (!row) {
        if (text.trim() !== '') strayLines++;
        continue;
      }
      if (offset - markedOffset >= BLOCK_BYTES) {
        markedOffset = offset;
        marks.push({ row: rows, offset });
      }
      rows++;
      take?.(row, offset);
    }
    this.rows = rows;
    return strayLines;
  }
}
