// Reads recordings that are text: Trick's and varwire's .csv and .txt, and tables of other programs.
import { Memory } from '../../model/state/memory.js';
import { sizeOf } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import type { Column } from '../../simulation/recording/row.js';
import { numberOf } from './csv-cells.js';
import { type CsvHead, headOf } from './csv-head.js';
import { firstLines, linesOf } from './csv-lines.js';
import { CellCounts, DOUBLE, headerTypes, valueIn } from './csv-types.js';
import { type Block, Recording } from './recording.js';
import type { RecordingFile } from './recording-file.js';

/** A block of rows has about so many bytes of text. */
const BLOCK_BYTES = 64 * 1024;
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

export class CsvRecording extends Recording {
  readonly format: string;
  readonly columns: readonly Column[];
  readonly time: Column;
  readonly rowBytes: number;
  readonly faults: readonly string[];
  rows = 0;
  private readonly head: CsvHead;
  private readonly marks: Mark[];

  /** Reads the file once. Throws an Error with one sentence for one that is no table with times. */
  constructor(
    protected override readonly source: RecordingFile,
    timeName?: string,
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
    const counts = titles.map(() => new CellCounts());
    const strayLines = this.countLines(counts);
    const types = headerTypes(source.path);
    let offsetBytes = 0;
    this.columns = titles.map(({ name, units }, index) => {
      const isTime = index === this.head.time;
      const type = isTime ? DOUBLE : (types.get(name) ?? (counts[index] as CellCounts).type);
      const column = { name, units: isTime ? 's' : units, type, offsetBytes };
      offsetBytes += sizeOf(type);
      return column;
    });
    this.rowBytes = offsetBytes;
    this.time = this.columns[this.head.time] as Column;
    this.faults = [
      ...(strayLines === 0 ? [] : [`${strayLines} lines have no time or another number of cells, and are passed over`]),
      ...this.columns.flatMap((column, index) => {
        const words = column.type === DOUBLE && column !== this.time ? (counts[index]?.words ?? 0) : 0;
        return words === 0 ? [] : [`${words} cells of ${column.name} are no numbers, and read as NaN`];
      }),
    ];
  }

  protected countRows(): void {
    this.countLines();
  }

  protected load(row: number): Block {
    const { marks } = this;
    let [low, high] = [0, marks.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((marks[middle] as Mark).row <= row) low = middle;
      else high = middle - 1;
    }
    const { row: from, offset } = marks[low] as Mark;
    const count = (marks[low + 1]?.row ?? this.rows) - from;
    const memory = new Memory(new ArrayBuffer(count * this.rowBytes));
    let done = 0;
    for (const { text } of linesOf(this.source, offset)) {
      const row = this.rowIn(text);
      if (row) this.store(memory, done++ * this.rowBytes, row);
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

  private store(memory: Memory, start: number, { seconds, cells }: TextRow): void {
    const { isDecimalComma, time } = this.head;
    for (const [index, { type, offsetBytes }] of this.columns.entries()) {
      const cell = cells[index] as string;
      const at = start + offsetBytes;
      if (index === time) memory.view.setFloat64(at, seconds, true);
      else if (type === DOUBLE) memory.view.setFloat64(at, numberOf(cell, isDecimalComma) ?? Number.NaN, true);
      else storeValue(memory, type, at, valueIn(cell, type, isDecimalComma));
    }
  }

  /** Counts rows from the last mark on, and sets more marks. Returns how many lines are no rows. */
  private countLines(counts: readonly CellCounts[] = []): number {
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
      for (const [index, count] of counts.entries()) count.add(row.cells[index] as string, head.isDecimalComma);
    }
    this.rows = rows;
    return strayLines;
  }
}
