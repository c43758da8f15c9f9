// Packed values for clients that plot thousands of numbers: the layout is sent once, then little-endian bytes follow
// it.
import type { Frame } from '../../model/frame/reader.js';
import { Memory, readLeaf } from '../../model/state/memory.js';
import type { Value } from '../../model/state/read.js';
import {
  cellOf,
  isCharacters,
  isLeaf,
  type LeafType,
  type NumberName,
  strideOf,
  type Type,
} from '../../model/state/type.js';
import { locate } from '../../model/state/variable.js';
import type { Reference } from '../../serving/session/reference.js';
import { valuesIn } from '../../serving/session/value-count.js';
import { MAX_ANSWER_BYTES } from './answer-text.js';
import { RpcCode, RpcError } from './rpc-error.js';

export const BINARY_FORMATS = [
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
] as const;
type Format = (typeof BINARY_FORMATS)[number];

/** Where a variable's values lie in a message, and how many there are. */
interface LayoutRow {
  readonly alias: string;
  readonly format: Format;
  readonly count: number;
  /** In bytes, from the start of the message. */
  readonly offset: number;
}

export interface BinaryLayout {
  readonly rows: readonly LayoutRow[];
  readonly sizeBytes: number;
}

/** Length of the part with which every message starts, whatever its layout (lib/protocols/http/binary-message.ts). */
export const PREFIX_BYTES = 48;
/** The most dimensions that are flattened; no array here has as many. */
const MAX_RANK = 16 as number;

const SIZES: Readonly<Record<Format, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float32: 4,
  float64: 8,
};

const FORMAT_OF: Readonly<Record<NumberName, Format>> = {
  char: 'int8',
  'unsigned char': 'uint8',
  short: 'int16',
  'unsigned short': 'uint16',
  int: 'int32',
  'unsigned int': 'uint32',
  long: 'int64',
  'unsigned long': 'uint64',
  'long long': 'int64',
  'unsigned long long': 'uint64',
  float: 'float32',
  double: 'float64',
  bool: 'uint8',
  wchar_t: 'int32',
};

const WRITERS: Readonly<Record<Format, (view: DataView, offset: number, value: number | bigint) => void>> = {
  int8: (view, offset, value) => view.setInt8(offset, Number(value)),
  uint8: (view, offset, value) => view.setUint8(offset, Number(value)),
  int16: (view, offset, value) => view.setInt16(offset, Number(value), true),
  uint16: (view, offset, value) => view.setUint16(offset, Number(value), true),
  int32: (view, offset, value) => view.setInt32(offset, Number(value), true),
  uint32: (view, offset, value) => view.setUint32(offset, Number(value), true),
  int64: (view, offset, value) => view.setBigInt64(offset, wholeOf(value), true),
  uint64: (view, offset, value) => view.setBigUint64(offset, wholeOf(value), true),
  float32: (view, offset, value) => view.setFloat32(offset, Number(value), true),
  float64: (view, offset, value) => view.setFloat64(offset, Number(value), true),
};

/** A variable that was declared anew may have fractions where the message has whole numbers. */
const wholeOf = (value: number | bigint): bigint =>
  typeof value === 'bigint' ? value : Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;

/** Throws an RpcError for a variable without a fixed number of numbers, and for messages that would be too long. */
export function binaryLayout(references: readonly Reference[]): BinaryLayout {
  let offset = PREFIX_BYTES;
  const rows = references.map((reference): LayoutRow => {
    const { format, count } = cellsOf(reference);
    const size = SIZES[format];
    const start = Math.ceil(offset / size) * size;
    offset = start + size * count;
    return { alias: reference.alias, format, count, offset: start };
  });
  if (offset > MAX_ANSWER_BYTES) throw tooLong(offset);
  return { rows, sizeBytes: offset };
}

const tooLong = (bytes: number): RpcError =>
  new RpcError(
    RpcCode.tooMany,
    `each message would have ${bytes} bytes, and may have ${MAX_ANSWER_BYTES}; subscribe to less at a time`,
  );

function cellsOf(reference: Reference): { readonly format: Format; readonly count: number } {
  let type = reference.current?.type;
  let count = 1;
  for (; type?.kind === 'array' && !isCharacters(type); type = type.element) count *= type.length;
  // It may have been deleted since the subscription was made.
  const format = type && formatOf(type);
  if (!format) {
    const sentence = `${reference.alias} has no fixed number of numbers, which format "binary" needs; subscribe to it as json`;
    throw new RpcError(RpcCode.invalidParams, sentence);
  }
  // Converted values have fractions even when the variable holds integers.
  return { format: reference.isConverted ? 'float64' : format, count };
}

function formatOf(type: Type): Format | undefined {
  if (type.kind === 'number') return FORMAT_OF[type.name];
  if (type.kind === 'bits') return type.isSigned ? 'int32' : 'uint32';
  return type.kind === 'enumeration' ? FORMAT_OF[cellOf(type)] : undefined;
}

/** So many numbers of a row are written together: 10 us. */
const NUMBERS_TOGETHER = 64;

/**
 * Copies the values of a frame to a message with a buffer of its own. Numbers that do not lie in memory as the message has
 * them are written by the functions returned, called in their order; the frame is not needed for that. A variable that
 * cannot be reached gives NaN, or zeros in integer formats.
 */
export function takeRows(
  { rows }: BinaryLayout,
  references: readonly Reference[],
  frame: Frame,
  message: DataView,
): readonly (() => void)[] {
  const writes: (() => void)[] = [];
  let memory: Memory | undefined;
  for (let i = 0; i < rows.length; i++) {
    const [row, reference] = [rows[i] as LayoutRow, references[i] as Reference];
    if (copyRow(message, row, reference, frame)) continue;
    const taken = takeRow(message, row, reference, frame);
    if (!taken) {
      writeRow(message, row, reference.read(frame));
      continue;
    }
    memory ??= new Memory(message.buffer as ArrayBuffer);
    const copied = memory;
    for (let from = 0; from < taken.count; from += NUMBERS_TOGETHER)
      writes.push(() => writeTaken(taken, message, copied, from));
    fillMissing(message, row, taken.count);
  }
  return writes;
}

/**
 * Copies numbers that lie in memory as the message has them; false when they do not. A variable that was declared anew may
 * have fewer, or others.
 */
function copyRow(view: DataView, row: LayoutRow, reference: Reference, frame: Frame): boolean {
  const { current, isConverted } = reference;
  if (!current || isConverted) return false;
  const type = elementOf(current.type);
  if (type.kind !== 'number' || FORMAT_OF[type.name] !== row.format) return false;
  const at = locate(current, frame.memory);
  if (at < 0) return false;
  const found = Math.min(row.count, valuesIn(current.type));
  const { bytes } = frame.memory;
  bytes.copy(new Uint8Array(view.buffer, view.byteOffset), row.offset, at, at + found * SIZES[row.format]);
  fillMissing(view, row, found);
  return true;
}

function writeRow(view: DataView, row: LayoutRow, value: Value | undefined): void {
  const cells = value === undefined ? [] : ([value] as unknown[]).flat(MAX_RANK);
  const found = Math.min(row.count, cells.length);
  for (let i = 0; i < found; i++) writeCell(view, row, i, cells[i]);
  fillMissing(view, row, found);
}

function writeCell(view: DataView, { format, offset }: LayoutRow, index: number, cell: unknown): void {
  const isNumber = typeof cell === 'number' || typeof cell === 'bigint';
  const number = isNumber ? cell : typeof cell === 'boolean' ? Number(cell) : missingIn(format);
  WRITERS[format](view, offset + index * SIZES[format], number);
}

const missingIn = (format: Format): number => (format.startsWith('float') ? Number.NaN : 0);

/** Writes what stands for a number that is not there from a place of the row to its end. */
function fillMissing(view: DataView, { format, count, offset }: LayoutRow, from: number): void {
  if (from >= count) return;
  const size = SIZES[format];
  const one = Buffer.alloc(size);
  WRITERS[format](new DataView(one.buffer, one.byteOffset, size), 0, missingIn(format));
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  bytes.fill(one, offset + from * size, offset + count * size);
}

/** How many values of a message are read one by one, because they do not lie in memory as the message has them. */
export function readOneByOne({ rows }: BinaryLayout, references: readonly Reference[]): number {
  return rows.reduce((sum, row, index) => {
    const { current, isConverted } = references[index] as Reference;
    const type = current && elementOf(current.type);
    const isCopied = !isConverted && type?.kind === 'number' && FORMAT_OF[type.name] === row.format;
    return sum + (isCopied ? 0 : row.count);
  }, 0);
}

/** Numbers of a row that lie at its end as the variable has them, and that are to be written from its start on. */
interface TakenRow {
  readonly row: LayoutRow;
  readonly type: LeafType;
  readonly at: number;
  readonly count: number;
  readonly convert: ((x: number) => number) | undefined;
}

/**
 * Copies the numbers of a variable to the end of its row. The message is then written over the row from its start, and never
 * reaches a number that is still to be read, because none is longer here than there. Undefined for a variable without such numbers.
 */
function takeRow(view: DataView, row: LayoutRow, reference: Reference, frame: Frame): TakenRow | undefined {
  const { current, conversion } = reference;
  const type = current && elementOf(current.type);
  if (!current || !type || !isLeaf(type) || type.kind === 'text') return undefined;
  const from = locate(current, frame.memory);
  const stride = strideOf(type);
  if (from < 0 || stride > SIZES[row.format]) return undefined;
  const count = Math.min(row.count, valuesIn(current.type));
  const at = row.offset + count * (SIZES[row.format] - stride);
  frame.memory.bytes.copy(new Uint8Array(view.buffer), at, from, from + count * stride);
  return { row, type, at, count, convert: conversion?.convert };
}

function writeTaken(
  { row, type, at, count, convert }: TakenRow,
  message: DataView,
  memory: Memory,
  from: number,
): void {
  const stride = strideOf(type);
  const end = Math.min(from + NUMBERS_TOGETHER, count);
  for (let i = from; i < end; i++) {
    const value = readLeaf(type, memory, at + i * stride);
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    writeCell(message, row, i, convert && isNumber ? convert(Number(value)) : value);
  }
}

function elementOf(type: Type): Type {
  return type.kind === 'array' ? elementOf(type.element) : type;
}
