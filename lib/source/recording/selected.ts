// Some variables of a recording as one of its own, each in the units that are wanted.
import { Memory, readLeaf } from '../../model/state/memory.js';
import { sizeOf } from '../../model/state/type.js';
import { type Column, TIME_COLUMN } from '../../simulation/recording/row.js';
import { Recording, type RowBlock } from './recording.js';

export interface Selected {
  readonly column: Column;
  /** What it is called. Default: as in the recording. */
  readonly name?: string;
  /** Those of the values as they are converted. */
  readonly units: string;
  /** Makes a double of each value; without it they stay as they are. */
  readonly convert?: ((value: number) => number) | undefined;
}

const TIME_BYTES = sizeOf(TIME_COLUMN.type);

export class SelectedRecording extends Recording {
  readonly format: string;
  readonly columns: readonly Column[];
  readonly time = TIME_COLUMN;
  readonly rowBytes: number;

  constructor(
    private readonly base: Recording,
    private readonly selected: readonly Selected[],
  ) {
    super({ path: base.file, look: () => base.refresh(), close: () => base.close() });
    this.format = base.format;
    let end = TIME_BYTES;
    const moved = selected.map(({ column, name = column.name, units, convert }) => {
      const [type, offsetBytes] = [convert ? TIME_COLUMN.type : column.type, end];
      end += sizeOf(type);
      return { name, units, type, offsetBytes };
    });
    this.columns = [TIME_COLUMN, ...moved];
    this.rowBytes = end;
  }

  get rows(): number {
    return this.base.rows;
  }

  get faults(): readonly string[] {
    return this.base.faults;
  }

  protected countRows(): void {
    // The base has.
  }

  protected load(row: number): RowBlock {
    const { base, rowBytes } = this;
    const { from, count, memory: given } = base.block(row);
    const memory = new Memory(new ArrayBuffer(count * rowBytes));
    for (let index = 0; index < count; index++) {
      const [start, at] = [index * base.rowBytes, index * rowBytes];
      memory.view.setFloat64(at, Number(readLeaf(base.time.type, given, start + base.time.offsetBytes)), true);
      for (const [k, { column, convert }] of this.selected.entries()) {
        const [source, target] = [start + column.offsetBytes, at + (this.columns[k + 1] as Column).offsetBytes];
        if (convert) memory.view.setFloat64(target, convert(Number(readLeaf(column.type, given, source))), true);
        else memory.bytes.set(given.bytes.subarray(source, source + sizeOf(column.type)), target);
      }
    }
    return { from, count, memory };
  }
}
