// Rows as the bytes of a file: of text and .trk one by one, of MCAP in chunks.
import { type LogLevel, McapFile, type McapOptions, type RecordedMark } from './mcap-file.js';
import { type Column, MCAP, type RecordFormat, type Row } from './row.js';

/** Makes the bytes of one file, from its first to its last. */
export interface RowEncoder {
  readonly start: Buffer;
  /** The bytes that a row adds; none while a chunk is open. */
  row(row: Row): Buffer;
  /** Bytes of rows that are in no chunk yet. */
  readonly heldBytes: number;
  /** Closes the chunk. */
  held(): Buffer;
  /** A message of the simulation, or what has happened to it. */
  say(seconds: number, level: LogLevel, text: string, mark?: RecordedMark): Buffer;
  /** Forgets what is not in a file of so many bytes; returns how many of them stay. Undefined: it has no end. */
  backTo(bytes: number): number | undefined;
  /** The end of the file. @param why the recording has ended by itself. */
  end(why?: string): Buffer;
}

const NOTHING = Buffer.alloc(0);

/**
 * @param facts of the run: its seed and the like.
 * @param mcap of MCAP alone.
 */
export function encoderOf(
  format: Pick<RecordFormat, 'start' | 'row'>,
  columns: readonly Column[],
  facts: Readonly<Record<string, string>>,
  mcap: McapOptions = {},
): RowEncoder {
  if (format !== MCAP)
    return {
      start: format.start(columns),
      row: (row) => format.row(row),
      heldBytes: 0,
      held: () => NOTHING,
      say: () => NOTHING,
      backTo: () => undefined,
      end: () => NOTHING,
    };
  const file = new McapFile(columns, { hasLog: true, ...mcap });
  return {
    start: file.start(facts),
    row: (row) => file.add(row),
    get heldBytes() {
      return file.openBytes;
    },
    held: () => file.endChunk(),
    say: (...said) => file.say(...said),
    backTo: (bytes) => file.backTo(bytes),
    end: (why) => file.end(why),
  };
}
