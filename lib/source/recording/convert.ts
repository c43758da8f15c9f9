// Writes a recording in another form: .trk, or text.
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { type LeafValue, readLeaf } from '../../model/state/memory.js';
import { sizeOf } from '../../model/state/type.js';
import { partialName } from '../../simulation/files/partial-name.js';
import { reasonOf } from '../../simulation/files/run-directory.js';
import {
  asciiFormat,
  BINARY,
  type Column,
  type RecordFormat,
  Row,
  TIME_COLUMN,
} from '../../simulation/recording/row.js';
import type { Recording } from './recording.js';

type Form = Pick<RecordFormat, 'start' | 'row'>;

const PIECE_BYTES = 256 * 1024;

/**
 * Writes a recording to a file, which appears whole or not at all. Its first column is the time, by Trick's name.
 * Returns the names of variables that the form does not have. Throws an Error with one sentence.
 * @param isTricks of text: with the digits and titles of Trick; else so that all numbers are read back exactly.
 */
export function convert(recording: Recording, path: string, isTricks = false): readonly string[] {
  const form = formOf(path, isTricks);
  const others = recording.columns.filter((column) => column !== recording.time && column.name !== TIME_COLUMN.name);
  const kept = others.filter(({ type }) => type.kind !== 'text' || form === EXACT);
  const partial = join(dirname(path), partialName());
  try {
    const descriptor = openSync(partial, 'wx');
    try {
      for (const piece of piecesOf(recording, kept, form)) writeSync(descriptor, piece);
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

function formOf(path: string, isTricks: boolean): Form {
  const extension = extname(path);
  if (extension === '.trk') return BINARY;
  if (extension === '.csv') return isTricks ? asciiFormat() : EXACT;
  throw new Error(`${path} would be of a form that is not written: .trk and .csv are`);
}

function* piecesOf(recording: Recording, kept: readonly Column[], form: Form): Generator<Buffer> {
  let end = sizeOf(TIME_COLUMN.type);
  const columns = [
    TIME_COLUMN,
    ...kept.map((column) => {
      const offsetBytes = end;
      end += sizeOf(column.type);
      return { ...column, offsetBytes };
    }),
  ];
  const row = new Row(columns);
  yield form.start(columns);
  let pieces: Buffer[] = [];
  let bytes = 0;
  for (const { count, memory } of recording.blocks())
    for (let index = 0; index < count; index++) {
      const start = index * recording.rowBytes;
      row.setTime(Number(readLeaf(recording.time.type, memory, start + recording.time.offsetBytes)));
      for (const [at, { type, offsetBytes }] of kept.entries()) {
        const from = start + offsetBytes;
        row.memory.bytes.set(memory.bytes.subarray(from, from + sizeOf(type)), columns[at + 1]?.offsetBytes);
      }
      const piece = form.row(row);
      pieces.push(piece);
      bytes += piece.length;
      if (bytes < PIECE_BYTES) continue;
      yield Buffer.concat(pieces);
      [pieces, bytes] = [[], 0];
    }
  yield Buffer.concat(pieces);
}

/** Text that other tools read as what it is: titles in quotes, and digits that read back as the same number. */
const EXACT: Form = {
  start: (columns) => Buffer.from(`${columns.map(({ name, units }) => quoted(`${name} {${units}}`)).join(',')}\n`),
  row: ({ columns, memory }) =>
    Buffer.from(`${columns.map(({ type, offsetBytes }) => cellOf(readLeaf(type, memory, offsetBytes))).join(',')}\n`),
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""').replaceAll(/[\r\n]/g, ' ')}"`;

function cellOf(value: LeafValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'number' || Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}
