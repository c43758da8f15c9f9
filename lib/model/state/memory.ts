// Typed access to bytes: the arena of a simulation, or the copy of it in a frame.
import {
  type Characters,
  cellOf,
  type LeafType,
  NULL_TEXT,
  type NumberName,
  sizeOf,
  TEXT_HEADER_BYTES,
  type TextType,
} from './type.js';

/** The value of a leaf: 64-bit integers are bigint, a null text is null. */
export type LeafValue = number | bigint | boolean | string | null;

/** Bytes, as a buffer and as a DataView. Offsets count from the start of the arena. */
export class Memory {
  bytes: Buffer;
  view: DataView;

  /** @param lengthBytes how much of the buffer is used. Default: all. */
  constructor(
    readonly buffer: ArrayBufferLike,
    lengthBytes = buffer.byteLength,
  ) {
    this.bytes = Buffer.from(buffer, 0, lengthBytes);
    this.view = new DataView(buffer, 0, lengthBytes);
  }

  /** Makes bytes accessible by which the buffer has grown; existing views stay valid. */
  remap(): void {
    this.bytes = Buffer.from(this.buffer);
    this.view = new DataView(this.buffer, 0, this.buffer.byteLength);
  }
}

type ReadNumber = (view: DataView, offset: number) => number | bigint | boolean;
type WriteNumber = (view: DataView, offset: number, value: number | bigint) => void;

const READERS: Readonly<Record<NumberName, ReadNumber>> = {
  char: (view, offset) => view.getInt8(offset),
  'unsigned char': (view, offset) => view.getUint8(offset),
  short: (view, offset) => view.getInt16(offset, true),
  'unsigned short': (view, offset) => view.getUint16(offset, true),
  int: (view, offset) => view.getInt32(offset, true),
  'unsigned int': (view, offset) => view.getUint32(offset, true),
  long: (view, offset) => view.getBigInt64(offset, true),
  'unsigned long': (view, offset) => view.getBigUint64(offset, true),
  'long long': (view, offset) => view.getBigInt64(offset, true),
  'unsigned long long': (view, offset) => view.getBigUint64(offset, true),
  float: (view, offset) => view.getFloat32(offset, true),
  double: (view, offset) => view.getFloat64(offset, true),
  bool: (view, offset) => view.getUint8(offset) !== 0,
  wchar_t: (view, offset) => view.getInt32(offset, true),
};

const writeBigInt: WriteNumber = (view, offset, value) =>
  view.setBigInt64(offset, BigInt.asIntN(64, BigInt(value)), true);
const writeInt32: WriteNumber = (view, offset, value) => view.setInt32(offset, toInt32(value), true);
const writeInt16: WriteNumber = (view, offset, value) => view.setInt16(offset, toInt32(value), true);
const writeInt8: WriteNumber = (view, offset, value) => view.setInt8(offset, toInt32(value));

const WRITERS: Readonly<Record<NumberName, WriteNumber>> = {
  char: writeInt8,
  'unsigned char': writeInt8,
  short: writeInt16,
  'unsigned short': writeInt16,
  int: writeInt32,
  'unsigned int': writeInt32,
  long: writeBigInt,
  'unsigned long': writeBigInt,
  'long long': writeBigInt,
  'unsigned long long': writeBigInt,
  float: (view, offset, value) => view.setFloat32(offset, Number(value), true),
  double: (view, offset, value) => view.setFloat64(offset, Number(value), true),
  bool: (view, offset, value) => view.setUint8(offset, Number(value) === 0 ? 0 : 1),
  wchar_t: writeInt32,
};

/** The low 32 bits, which C keeps when it converts a wider integer. */
const toInt32 = (value: number | bigint): number =>
  typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value;

/** Writes an integer (for float and double any number); a number outside the range wraps as in C. */
export const writeNumber = (name: NumberName, memory: Memory, offset: number, value: number | bigint): void =>
  WRITERS[name](memory.view, offset, value);

/** The bytes of a text without its NUL, or null. Borrowed: valid until the memory is written. */
export function textBytesBorrow(memory: Memory, offset: number): Buffer | null {
  const length = memory.view.getUint32(offset, true);
  if (length === NULL_TEXT) return null;
  const start = offset + TEXT_HEADER_BYTES;
  return memory.bytes.subarray(start, start + length);
}

/** Writes UTF-8 text or null; the caller has checked that it fits. */
export function writeText(type: TextType, memory: Memory, offset: number, text: string | null): void {
  if (text === null) {
    memory.view.setUint32(offset, NULL_TEXT, true);
    return;
  }
  const start = offset + TEXT_HEADER_BYTES;
  const length = memory.bytes.write(text, start, type.capacityBytes, 'utf8');
  memory.bytes[start + length] = 0;
  memory.view.setUint32(offset, length, true);
}

/** The characters of an array up to its NUL. */
export function readCharacters(type: Characters, memory: Memory, offset: number): string {
  const { element, length } = type;
  if (element.name === 'wchar_t') return readWide(memory, offset, length);
  const bytes = memory.bytes.subarray(offset, offset + length);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? length : end);
}

function readWide({ view }: Memory, offset: number, length: number): string {
  let text = '';
  for (let at = offset; at < offset + WIDE_BYTES * length; at += WIDE_BYTES) {
    const code = view.getUint32(at, true);
    if (code === 0) break;
    text += code <= LAST_CODE_POINT ? String.fromCodePoint(code) : '\ufffd';
  }
  return text;
}

const WIDE_BYTES = 4;
const LAST_CODE_POINT = 0x10ffff;

/** Writes text and fills the rest of the array with NUL; the caller has checked that it fits. */
export function writeCharacters(type: Characters, memory: Memory, offset: number, text: string): void {
  const end = offset + sizeOf(type);
  let at = offset;
  if (type.element.name === 'char') at += memory.bytes.write(text, offset, type.length, 'utf8');
  else {
    for (const character of text) {
      memory.view.setUint32(at, character.codePointAt(0) as number, true);
      at += WIDE_BYTES;
    }
  }
  memory.bytes.fill(0, at, end);
}

export function readLeaf(type: LeafType, memory: Memory, offset: number): LeafValue {
  switch (type.kind) {
    case 'number':
      return READERS[type.name](memory.view, offset);
    case 'bits':
      return type.isSigned ? memory.view.getInt32(offset, true) : memory.view.getUint32(offset, true);
    case 'enumeration':
      return READERS[cellOf(type)](memory.view, offset);
    case 'text':
      return textBytesBorrow(memory, offset)?.toString('utf8') ?? null;
  }
}

/** The value of a leaf, or the text of an array of characters. */
export const readSingle = (type: LeafType | Characters, memory: Memory, offset: number): LeafValue =>
  type.kind === 'array' ? readCharacters(type, memory, offset) : readLeaf(type, memory, offset);

/** Writes the low bits of a value, sign-extended if the field is signed. */
export function writeBits(memory: Memory, offset: number, widthBits: number, isSigned: boolean, value: bigint): void {
  const kept = isSigned ? BigInt.asIntN(widthBits, value) : BigInt.asUintN(widthBits, value);
  memory.view.setInt32(offset, Number(BigInt.asIntN(32, kept)), true);
}

/** Whether a value of this type can hold the whole text. */
export function fitsText(type: TextType | Characters, text: string): boolean {
  if (type.kind === 'text') return Buffer.byteLength(text) <= type.capacityBytes;
  return (type.element.name === 'char' ? Buffer.byteLength(text) : charactersIn(text)) < type.length;
}

/** How many wide characters a text has. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
