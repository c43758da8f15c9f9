// Writes a recording in another form: .trk, MCAP, Parquet, HDF5, or text.
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, parse } from 'node:path';
import { readLeaf } from '../../model/state/memory.js';
import { sizeOf } from '../../model/state/type.js';
import { partialName } from '../../simulation/files/partial-name.js';
import { reasonOf } from '../../simulation/files/run-directory.js';
import { BINARY, type Column, type RecordFormat, Row, TIME_COLUMN } from '../../simulation/recording/row.js';
import { asciiFormat, CSV } from '../../simulation/recording/text-rows.js';
import type { Written } from './mcap-writer.js';
import type { Recording } from './recording.js';
import { zstd } from './zstd.js';

/** What decides about a form besides the ending. */
export interface WrittenAs {
  /** Of text: with the digits and titles of Trick; else so that all numbers are read back exactly. */
  readonly isTricks?: boolean;
  /** Of the messages of MCAP. Default: protobuf. */
  readonly encoding?: 'protobuf' | 'json';
  /** Of the chunks of MCAP. Default: zstd. */
  readonly compression?: 'zstd' | 'none';
}

type Form = Pick<RecordFormat, 'start' | 'row'>;
type Write = (written: Written, write: (bytes: Uint8Array) => void) => void;

/** A form that takes a library. */
interface LoadedForm {
  load(as: WrittenAs): Promise<Write>;
}

const MCAP: LoadedForm = {
  load: async ({ encoding, compression = 'zstd' }) => {
    const { writeMcap } = await import('./mcap-writer.js');
    const options = { ...(encoding && { encoding }), ...(compression === 'zstd' && { compress: await zstd() }) };
    return (written, write) => writeMcap(written, write, options);
  },
};
const PARQUET: LoadedForm = {
  load: async () => {
    const { writeParquet } = await import('./parquet-writer.js');
    return ({ columns, rows }, write) => writeParquet(columns, rows, write);
  },
};

/** What is written of a recording. Default: all. */
export interface Chosen {
  readonly isWanted?: (column: Column) => boolean;
  /** Both ends are included. */
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
  /** Of rows that are closer together only the first is written. */
  readonly everySeconds?: number;
}

const PIECE_BYTES = 256 * 1024;

/**
 * Writes a recording to a file, which appears whole or not at all. Its first column is the time, by Trick's name.
 * Returns the names of variables that the form does not have. Rejects with an Error with one sentence.
 */
export async function convert(
  recording: Recording,
  path: string,
  as: WrittenAs = {},
  chosen: Chosen = {},
): Promise<readonly string[]> {
  const form = formOf(path, as.isTricks ?? false);
  const { isWanted = () => true } = chosen;
  const others = recording.columns.filter(
    (column) => column !== recording.time && column.name !== TIME_COLUMN.name && isWanted(column),
  );
  const kept = others.filter(({ type }) => type.kind !== 'text' || form === CSV || form === PARQUET);
  const columns = columnsOf(kept);
  const rows = rowsOf(recording, kept, columns, chosen);
  const partial = join(dirname(path), partialName());
  try {
    const descriptor = openSync(partial, 'wx+');
    try {
      const write = (bytes: Uint8Array): void => writeFileSync(descriptor, bytes);
      if (form === 'h5')
        await (await import('./hdf5-writer.js')).writeHdf5(columns, rows, descriptor, parse(path).name);
      else if ('start' in form) for (const piece of piecesOf(rows, columns, form)) write(piece);
      else {
        const messages = messagesOf(recording, chosen);
        (await form.load(as))({ columns, rows, messages, facts: recording.facts }, write);
      }
    } finally {
      closeSync(descriptor);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new Error(`${path} cannot be written: ${reasonOf(error)}`);
  }
  return others.filter((column) => !kept.includes(column)).map(({ name }) => name);
}

function formOf(path: string, isTricks: boolean): Form | LoadedForm | 'h5' {
  const extension = extname(path);
  if (extension === '.trk') return BINARY;
  if (extension === '.mcap') return MCAP;
  if (extension === '.parquet') return PARQUET;
  if (extension === '.h5') return 'h5';
  if (extension === '.csv') return isTricks ? asciiFormat() : CSV;
  throw new Error(`${path} would be of a form that is not written: .trk, .mcap, .parquet, .h5 and .csv are`);
}

/** What was said, by the times of the rows. */
function messagesOf(
  recording: Recording,
  { fromSeconds = Number.NEGATIVE_INFINITY, toSeconds = Number.POSITIVE_INFINITY }: Chosen,
) {
  if (recording.messages.length === 0) return [];
  const origin = recording.rows === 0 ? 0 : Math.min(0, recording.seconds(0)) || 0;
  return recording.messages
    .map((message) => ({ ...message, seconds: message.seconds + origin }))
    .filter(({ seconds }) => seconds >= fromSeconds && seconds <= toSeconds);
}

/** The time, and then the others without padding between them. */
function columnsOf(kept: readonly Column[]): readonly Column[] {
  let end = sizeOf(TIME_COLUMN.type);
  const moved = kept.map((column) => {
    const offsetBytes = end;
    end += sizeOf(column.type);
    return { ...column, offsetBytes };
  });
  return [TIME_COLUMN, ...moved];
}

/** The rows, one after another in the same memory. */
function* rowsOf(
  recording: Recording,
  kept: readonly Column[],
  columns: readonly Column[],
  chosen: Chosen,
): Generator<Row> {
  const row = new Row(columns);
  const isDue = dueRows(chosen);
  for (const { count, memory } of recording.blocks())
    for (let index = 0; index < count; index++) {
      const start = index * recording.rowBytes;
      const seconds = Number(readLeaf(recording.time.type, memory, start + recording.time.offsetBytes));
      if (!isDue(seconds)) continue;
      row.setTime(seconds);
      for (const [at, { type, offsetBytes }] of kept.entries()) {
        const from = start + offsetBytes;
        row.memory.bytes.set(memory.bytes.subarray(from, from + sizeOf(type)), columns[at + 1]?.offsetBytes);
      }
      yield row;
    }
}

/** Times of sums such as 0.1 + 0.2 are a little off. */
const NEAR = 1e-6;

/** Whether a row is written, by its time; asked of all rows in order. */
function dueRows({ fromSeconds, toSeconds, everySeconds = 0 }: Chosen): (seconds: number) => boolean {
  let next = Number.NEGATIVE_INFINITY;
  return (seconds) => {
    if (fromSeconds !== undefined && !(seconds >= fromSeconds)) return false;
    if (toSeconds !== undefined && !(seconds <= toSeconds)) return false;
    if (everySeconds === 0) return true;
    const isBack = seconds < next - 2 * everySeconds;
    if (seconds < next - NEAR * everySeconds && !isBack) return false;
    // On a grid from the first row on, whatever the times of the rows are.
    const steps = Math.floor((seconds - next) / everySeconds + NEAR) + 1;
    next = Number.isFinite(next) && !isBack ? next + steps * everySeconds : seconds + everySeconds;
    return true;
  };
}

function* piecesOf(rows: Iterable<Row>, columns: readonly Column[], form: Form): Generator<Buffer> {
  yield form.start(columns);
  let pieces: Buffer[] = [];
  let bytes = 0;
  for (const row of rows) {
    const piece = form.row(row);
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    [pieces, bytes] = [[], 0];
  }
  yield Buffer.concat(pieces);
}
