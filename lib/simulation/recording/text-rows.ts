// Rows as lines of text: Trick's own, and those that other tools read as what they are. Trick: DRAscii
import { type LeafValue, type Memory, readLeaf } from '../../model/state/memory.js';
import { writeDouble, writeExact } from '../../model/state/number-bytes.js';
import { formatDouble, formatFloat } from '../../model/state/number-text.js';
import { type LeafType, NUMBER_FACTS } from '../../model/state/type.js';
import { type RecordFormat, type Row, TIME_NAME } from './row.js';

const FLOATING_WIDTH = 20;
const SHORT_DIGITS = 8;
/** What may stand between columns. */
const DELIMITER = /^[^\w\r\n.+{}-]{1,8}$/;
const [BLANK, COMMA, NEWLINE] = [32, 44, 10];
/** Lines are handed out of pieces of memory that grow to so many bytes. */
const [LEAST_PIECE_BYTES, PIECE_BYTES] = [4096, 256 * 1024];
/** The longest text of a number takes less, with what stands before it. */
const CELL_BYTES = 40;

/** @param delimiter what stands between columns. Throws a RangeError for one that could be a part of a column. */
export function asciiFormat(delimiter = ',', isSinglePrecision = false): RecordFormat {
  if (!DELIMITER.test(delimiter))
    throw new RangeError(`a delimiter is one to eight blanks or signs, not ${JSON.stringify(delimiter)}`);
  const between = Buffer.from(delimiter);
  const line = new Line();
  return {
    extension: delimiter === ',' ? 'csv' : 'txt',
    isSinglePrecision,
    head: `${TIME_NAME} {`,
    headerLine: (fileName) => `${fileName} is in ASCII`,
    start: (columns) => Buffer.from(`${columns.map(({ name, units }) => `${name} {${units}}`).join(delimiter)}\n`),
    row: ({ columns, memory }) => {
      for (const [index, { type, offsetBytes }] of columns.entries()) {
        if (index > 0) line.bytesAre(between);
        const isDouble = type.kind === 'number' && type.name === 'double';
        if (!isDouble || isSinglePrecision) line.text(cell(type, memory, offsetBytes, isSinglePrecision));
        else line.double(memory.view.getFloat64(offsetBytes, true));
      }
      return line.taken();
    },
  };
}

/** Text that other tools read as what it is: titles in quotes, and digits that read back as the same number. */
export const CSV: RecordFormat = {
  extension: 'csv',
  isSinglePrecision: false,
  head: `"${TIME_NAME} {`,
  headerLine: (fileName) => `${fileName} is in ASCII`,
  start: (columns) => Buffer.from(`${columns.map(({ name, units }) => quoted(`${name} {${units}}`)).join(',')}\n`),
  row: (row) => exactRow(row, EXACT_LINE),
};

function exactRow({ columns, memory }: Row, line: Line): Buffer {
  for (const [index, { type, offsetBytes }] of columns.entries()) {
    if (index > 0) line.byte(COMMA);
    const isDouble = type.kind === 'number' && type.name === 'double';
    if (!isDouble || !line.exact(memory.view.getFloat64(offsetBytes, true)))
      line.text(cellOf(readLeaf(type, memory, offsetBytes)));
  }
  return line.taken();
}

/** Lines that are written cell by cell, one behind another in memory: an allocation for each would cost as much as its digits. */
class Line {
  private bytes = Buffer.alloc(0);
  /** Of the line that is being written. */
  private start = 0;
  private end = 0;

  byte(byte: number): void {
    this.require(1);
    this.bytes[this.end++] = byte;
  }

  bytesAre(bytes: Uint8Array): void {
    this.require(bytes.length);
    for (let index = 0; index < bytes.length; index++) this.bytes[this.end++] = bytes[index] as number;
  }

  text(text: string): void {
    this.require(4 * text.length);
    this.end += this.bytes.write(text, this.end);
  }

  /** As wide as Trick has them. */
  double(x: number): void {
    this.require(CELL_BYTES);
    const { bytes, end } = this;
    const after = writeDouble(bytes, end, x);
    if (after < 0) {
      this.text(formatDouble(x).padStart(FLOATING_WIDTH));
      return;
    }
    const blanks = FLOATING_WIDTH - (after - end);
    this.end = after + Math.max(0, blanks);
    if (blanks <= 0) return;
    for (let at = after - 1; at >= end; at--) bytes[at + blanks] = bytes[at] as number;
    for (let at = end; at < end + blanks; at++) bytes[at] = BLANK;
  }

  /** False for a number that is not written so. */
  exact(x: number): boolean {
    this.require(CELL_BYTES);
    const after = writeExact(this.bytes, this.end, x);
    if (after >= 0) this.end = after;
    return after >= 0;
  }

  taken(): Buffer {
    this.byte(NEWLINE);
    const line = this.bytes.subarray(this.start, this.end);
    this.start = this.end;
    return line;
  }

  private require(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const { bytes, start, end } = this;
    const wanted = Math.min(Math.max(2 * bytes.length, LEAST_PIECE_BYTES), PIECE_BYTES);
    this.bytes = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * (end - start + more)));
    this.bytes.set(bytes.subarray(start, end));
    [this.start, this.end] = [0, end - start];
  }
}
const EXACT_LINE = new Line();

const quoted = (text: string): string => `"${text.replaceAll('"', '""').replaceAll(/[\r\n]/g, ' ')}"`;

function cellOf(value: LeafValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value !== 'number' || Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

function cell(type: LeafType, memory: Memory, offset: number, isSinglePrecision: boolean): string {
  const value = readLeaf(type, memory, offset);
  if (type.kind !== 'number') return `${value}`;
  if (type.name === 'double')
    return (isSinglePrecision ? formatShort : formatDouble)(value as number).padStart(FLOATING_WIDTH);
  if (type.name === 'float') return formatFloat(value as number).padStart(FLOATING_WIDTH);
  // As C prints it: a 0 as nothing.
  if (type.name === 'char') return value === 0 ? '' : String.fromCharCode(Number(value) & 0xff);
  return NUMBER_FACTS[type.name].family === 'bool' ? `${Number(value)}` : `${value}`;
}

/** A double as C's `%.8g`. */
function formatShort(x: number): string {
  if (!Number.isFinite(x) || x === 0) return formatDouble(x);
  const [mantissa = '', exponent = ''] = x.toExponential(SHORT_DIGITS - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < SHORT_DIGITS) return formatDouble(Number(x.toPrecision(SHORT_DIGITS)));
  return `${formatDouble(Number(mantissa))}e${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`;
}
