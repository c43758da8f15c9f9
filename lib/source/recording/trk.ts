// Reads .trk files, binary recordings of Trick. Trick: DRBinary, Log/TrickBinary.cpp
import { type LeafValue, Memory, readLeaf } from '../../model/state/memory.js';
import { type LeafType, type NumberName, sizeOf } from '../../model/state/type.js';
import { type Column, TIME_NAME } from '../../simulation/recording/row.js';
import { Recording, type RowBlock } from './recording.js';
import type { RecordingFile } from './recording-file.js';

const BLOCK_BYTES = 256 * 1024;
const SCAN_BYTES = 1024 * 1024;
/** Few columns of long rows are read alone, in so many reads for a block at most; columns so near each other in one. */
const [MOST_SPANNED, MOST_READS, NEAR_BYTES] = [64, 16, 4096];
const SIGNATURE = /^Trick-(\d\d)-([LB])$/;
const SIGNATURE_BYTES = 10;
const VERSIONS = ['05', '07', '10'];

/** Whether a file is meant as one, of whatever version. */
export const isTrk = (file: RecordingFile): boolean => file.read(0, 6).toString('latin1') === 'Trick-';

const MOST_VARIABLES = 100_000;
const LONGEST_TEXT = 4096;
const LONGEST_HEAD_BYTES = 64 * 1024 * 1024;
/** Of a variable without a name: the lengths of two texts, type and size. */
const LEAST_VARIABLE_BYTES = 16;
const LARGEST_VALUE_BYTES = 1024;
/** A recorder writes about so many bytes at once. */
const MOST_UNWRITTEN_BYTES = 128 * 1024;

export class TrkRecording extends Recording {
  readonly format: string;
  readonly columns: readonly Column[];
  readonly time: Column;
  readonly rowBytes: number;
  rows = 0;
  override readonly quickBytes = 64e6;
  private readonly unknown: readonly string[];
  private readonly headBytes: number;
  private readonly isBigEndian: boolean;
  private readonly blockRows: number;
  /** Memory of a single value. */
  private readonly one = new Memory(new ArrayBuffer(LARGEST_VALUE_BYTES));

  /** Throws an Error with one sentence for a file that is no .trk file, or has a damaged list of variables. */
  constructor(protected override readonly source: RecordingFile) {
    super(source);
    const { version, isBigEndian, entries, headBytes } = readHead(source);
    this.format = `Trick-${version}, ${isBigEndian ? 'big' : 'little'}-endian`;
    this.isBigEndian = isBigEndian;
    this.headBytes = headBytes;
    this.columns = entries.flatMap(({ type, ...entry }) => (type ? { ...entry, type } : []));
    this.unknown = entries.filter(({ type }) => !type).map(({ sentence }) => sentence);
    this.rowBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const time = this.columns.find(({ name }) => name === TIME_NAME) ?? this.columns[0];
    if (!time) throw new Error(`${source.path} has no variable`);
    this.time = time;
    this.blockRows = Math.max(1, Math.floor(BLOCK_BYTES / this.rowBytes));
    this.countRows();
  }

  get faults(): readonly string[] {
    const rest = (this.source.sizeBytes - this.headBytes) % this.rowBytes;
    return rest === 0 ? this.unknown : [...this.unknown, `its last row is cut: ${rest} of ${this.rowBytes} bytes`];
  }

  protected countRows(): void {
    this.rows = Math.max(0, Math.floor((this.source.sizeBytes - this.headBytes) / this.rowBytes));
    this.rows -= this.unwrittenRows();
  }

  /** Rows of zeros at the end, behind a later time: a recorder makes room for rows first, and may have been killed then. */
  private unwrittenRows(): number {
    const most = Math.min(this.rows - 1, Math.ceil(MOST_UNWRITTEN_BYTES / this.rowBytes));
    for (let count = 0; count <= most; count++) {
      const row = this.rows - 1 - count;
      const bytes = this.source.read(this.headBytes + row * this.rowBytes, this.rowBytes);
      if (bytes.some((byte) => byte !== 0)) return Number(this.peek(this.time, row)) > 0 ? count : 0;
    }
    return 0;
  }

  protected load(row: number, columns: readonly Column[]): RowBlock {
    const { rowBytes } = this;
    const from = row - (row % this.blockRows);
    const count = Math.min(this.blockRows, this.rows - from);
    const start = this.headBytes + from * rowBytes;
    const spans = columns.length <= MOST_SPANNED ? spansOf(columns) : [];
    if (spans.length === 0 || count * spans.length > MOST_READS) {
      const bytes = this.source.read(start, count * rowBytes);
      if (this.isBigEndian) this.swap(bytes, this.columns);
      return { from, count, memory: new Memory(bytes.buffer) };
    }
    const memory = new Memory(new ArrayBuffer(count * rowBytes));
    for (let at = 0; at < memory.bytes.length; at += rowBytes)
      for (const [first, end] of spans)
        this.source.readInto(memory.bytes.subarray(at + first, at + end), start + at + first);
    if (this.isBigEndian) this.swap(memory.bytes, columns);
    return { from, count, memory };
  }

  override *scan(first: number, to: number): Generator<RowBlock> {
    const { rowBytes } = this;
    const mostRows = Math.max(1, Math.floor(SCAN_BYTES / rowBytes));
    const memory = new Memory(new ArrayBuffer(Math.min(mostRows, to - first) * rowBytes));
    for (let from = first; from < to; from += mostRows) {
      const count = Math.min(mostRows, to - from);
      const bytes = memory.bytes.subarray(0, count * rowBytes);
      this.source.readInto(bytes, this.headBytes + from * rowBytes);
      if (this.isBigEndian) this.swap(bytes, this.columns);
      yield { from, count, memory };
    }
  }

  override peek({ type, offsetBytes }: Column, row: number): LeafValue {
    const bytes = this.one.bytes.subarray(0, sizeOf(type));
    this.source.readInto(bytes, this.headBytes + row * this.rowBytes + offsetBytes);
    if (this.isBigEndian) bytes.reverse();
    return readLeaf(type, this.one, 0);
  }

  private swap(bytes: Buffer, columns: readonly Column[]): void {
    for (const { type, offsetBytes } of columns) {
      const size = sizeOf(type);
      if (size > 1)
        for (let at = offsetBytes; at < bytes.length; at += this.rowBytes) bytes.subarray(at, at + size).reverse();
    }
  }
}

/** Where columns are in a row: from one byte to another, in order. */
function spansOf(columns: readonly Column[]): [from: number, to: number][] {
  const spans: [number, number][] = [];
  for (const { type, offsetBytes } of [...columns].sort((one, other) => one.offsetBytes - other.offsetBytes)) {
    const [end, last] = [offsetBytes + sizeOf(type), spans.at(-1)];
    if (last && offsetBytes - last[1] <= NEAR_BYTES) last[1] = end;
    else spans.push([offsetBytes, end]);
  }
  return spans;
}

/** A variable of the file; one of a type that is not known is passed over. */
interface Entry {
  readonly name: string;
  readonly units: string;
  readonly type: LeafType | undefined;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  /** What is to be said when its type is not known. */
  readonly sentence: string;
}

interface Head {
  readonly version: string;
  readonly isBigEndian: boolean;
  readonly entries: readonly Entry[];
  readonly headBytes: number;
}

/** Reads as much of the beginning of a file as its list of variables takes. */
function readHead(file: RecordingFile): Head {
  const most = Math.min(file.sizeBytes, LONGEST_HEAD_BYTES);
  for (let length = 16 * 1024; ; length *= 4) {
    const head = headIn(file, file.read(0, Math.min(length, most)));
    if (head) return head;
    if (length >= most) throw new Error(`${file.path} ends within its list of variables`);
  }
}

/** Undefined when there are too few bytes for it. */
function headIn({ path, sizeBytes }: RecordingFile, bytes: Buffer): Head | undefined {
  const signature = bytes.toString('latin1', 0, SIGNATURE_BYTES);
  const [, version = '', order] = SIGNATURE.exec(signature) ?? [];
  if (!VERSIONS.includes(version))
    throw new Error(`${path} begins with ${JSON.stringify(signature)}, which is no .trk file of Trick 05, 07 or 10`);
  const isBigEndian = order === 'B';
  let at = SIGNATURE_BYTES;
  const int = (): number => {
    at += 4;
    if (at > bytes.length) return 0;
    return isBigEndian ? bytes.readInt32BE(at - 4) : bytes.readInt32LE(at - 4);
  };
  const text = (): string => {
    const length = int();
    if (!(length >= 0 && length <= LONGEST_TEXT))
      throw new Error(`${path} is damaged: a name or a unit in its list of variables has ${length} bytes`);
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  const count = int();
  if (at > bytes.length) return undefined;
  if (!(count > 0 && count <= MOST_VARIABLES && count * LEAST_VARIABLE_BYTES <= sizeBytes - at))
    throw new Error(`${path} announces ${count} variables, ${count > 0 ? 'too many for it' : 'and has none'}`);
  const entries: Entry[] = [];
  let offsetBytes = 0;
  for (let index = 0; index < count; index++) {
    const [name, units, code, sizeInFile] = [text(), text().trim() || '--', int(), int()];
    if (at > bytes.length) return undefined;
    if (!(sizeInFile > 0 && sizeInFile <= LARGEST_VALUE_BYTES))
      throw new Error(`${path} is damaged: a value of ${JSON.stringify(name)} has ${sizeInFile} bytes`);
    const type = typeOf(version === '10' ? code : newerCode(code), sizeInFile);
    const sentence = `${name} is left out: a value of ${sizeInFile} bytes of type ${code} is not known`;
    entries.push({ name, units, type, offsetBytes, sizeBytes: sizeInFile, sentence });
    offsetBytes += sizeInFile;
  }
  return { version, isBigEndian, entries, headBytes: at };
}

/** Trick: TrickBinary.cpp, where types before version 10 have other numbers. */
const newerCode = (code: number): number => (code === 102 ? 21 : code <= 14 ? code + 1 : code);

const SIGNED: Readonly<Record<number, NumberName>> = { 1: 'char', 2: 'short', 4: 'int', 8: 'long long' };
const UNSIGNED: Readonly<Record<number, NumberName>> = {
  1: 'unsigned char',
  2: 'unsigned short',
  4: 'unsigned int',
  8: 'unsigned long long',
};
const FLOATING: Readonly<Record<number, NumberName>> = { 4: 'float', 8: 'double' };
const CELLS = { 1: 'char', 2: 'short', 4: 'int' } as const;

const number = (name: NumberName | undefined): LeafType | undefined => name && { kind: 'number', name };

/**
 * The type of a value with one of Trick's codes; undefined for one that is not known. The size counts: a long of a
 * 32-bit machine has 4 bytes. Trick: parameter_types.h
 */
export function typeOf(code: number, sizeBytes: number): LeafType | undefined {
  switch (code) {
    case 1:
    case 4:
    case 6:
    case 14:
      return number(SIGNED[sizeBytes]);
    case 2:
    case 5:
    case 7:
    case 15:
      return number(UNSIGNED[sizeBytes]);
    case 8:
      return number(sizeBytes === 8 ? 'long' : SIGNED[sizeBytes]);
    case 9:
      return number(sizeBytes === 8 ? 'unsigned long' : UNSIGNED[sizeBytes]);
    case 10:
    case 11:
      return number(FLOATING[sizeBytes]);
    case 12:
    case 13:
      return bits(code === 12, sizeBytes);
    case 17:
      return number(sizeBytes === 1 ? 'bool' : UNSIGNED[sizeBytes]);
    case 18:
      return number(sizeBytes === 4 ? 'wchar_t' : undefined);
    case 21:
      return sizeBytes === 1 || sizeBytes === 2 || sizeBytes === 4
        ? { kind: 'enumeration', name: 'enum', labels: {}, storedAs: CELLS[sizeBytes] }
        : undefined;
    default:
      return undefined;
  }
}

/** A bit field is recorded as the integer that it stands in. */
function bits(isSigned: boolean, sizeBytes: number): LeafType | undefined {
  if (sizeBytes !== 4) return number((isSigned ? SIGNED : UNSIGNED)[sizeBytes]);
  return { kind: 'bits', widthBits: 32, isSigned, declaredAs: isSigned ? 'int' : 'unsigned int' };
}
