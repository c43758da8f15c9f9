// A variable's whole value as an ASCII reply shows it: one value, a comma-separated list, or text.
import type { Memory } from '../../../model/state/memory.js';
import {
  isLeaf,
  type LeafType,
  NULL_TEXT,
  sizeOf,
  strideOf,
  TEXT_HEADER_BYTES,
  type Type,
} from '../../../model/state/type.js';
import type { Leaves } from '../../../model/state/variable.js';
import type { Converter } from '../../../model/units/index.js';
import { elementFormat, type FormatElement } from './element-text.js';
import { LastBytes } from './last-bytes.js';
import { escapeBytes } from './text-escapes.js';

/** A longer value is cut. Trick: MAX_MSG_LEN less the tab and the newline */
const LONGEST_VALUE_CHARACTERS = 8190;

/** No more elements are shown: each but the first has a character at least, its comma. */
const MOST_ELEMENTS = LONGEST_VALUE_CHARACTERS + 2;

/** How many of so many elements any message shows. */
export const shownElements = (count: number): number => Math.min(count, MOST_ELEMENTS);

/** The most bytes of memory that the text of a value is made from, without what pointers lead to. */
export const readBytes = (type: Type): number => Math.min(sizeOf(type), MOST_ELEMENTS * strideOf(innermost(type)));

/** The most bytes of elements, behind a pointer or not, that any message shows a value from; a binary one shows fewer. */
export function shownElementBytes(type: Type): number {
  const element = innermost(type);
  return element.kind === 'pointer' ? shownElementBytes(element.target) : MOST_ELEMENTS * strideOf(element);
}

function innermost(type: Type): Type {
  return type.kind === 'array' || type.kind === 'sequence' ? innermost(type.element) : type;
}

export type FormatValue = (memory: Memory, leaves: Leaves) => string;

/** Formats the leaves of a variable of this type; throws a TypeError for a composite. */
export function valueFormat(type: Type, converter: Converter | undefined): FormatValue {
  const rowLength = textRowLength(type);
  if (rowLength > 0) return formatRow(rowLength);
  const format = elementFormat(elementOf(type), converter);
  return (memory, leaves) => formatList(memory, leaves, format);
}

/** The type of the single values; a structure has none. */
function elementOf(type: Type): LeafType {
  if (isLeaf(type)) return type;
  if (type.kind === 'struct') throw new TypeError(`the structure ${type.name} has no text`);
  return elementOf(type.kind === 'pointer' ? type.target : type.element);
}

/** Number of elements in a row of an array of characters, which is shown as text; 0 for every other type. */
function textRowLength(type: Type): number {
  if (type.kind !== 'array' || type.isContainer) return 0;
  const { element, length } = type;
  if (element.kind === 'array') return textRowLength(element);
  return element.kind === 'number' && CHARACTERS.has(element.name) ? length : 0;
}

const CHARACTERS: ReadonlySet<string> = new Set(['char', 'unsigned char', 'wchar_t']);

/** Formats characters as text; of several rows only the first is shown. */
const formatRow =
  (length: number): FormatValue =>
  (memory, { offsetBytes, strideBytes }) => {
    if (strideBytes > 1) return formatWideRow(memory, offsetBytes, length);
    const nul = memory.bytes.subarray(offsetBytes, offsetBytes + length).indexOf(0);
    return escapeBytes(memory.bytes, offsetBytes, offsetBytes + (nul < 0 ? length : nul));
  };

function formatWideRow({ view }: Memory, offset: number, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) {
    const code = view.getUint32(offset + 4 * i, true);
    if (code === 0) break;
    text += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  }
  const bytes = Buffer.from(text);
  return escapeBytes(bytes, 0, bytes.length);
}

function formatList(memory: Memory, leaves: Leaves, format: FormatElement): string {
  const { offsetBytes, count, strideBytes } = leaves;
  if (count === 0) return '';
  let text = format(memory, offsetBytes);
  // No need to go on: a value is cut at this length.
  for (let i = 1; i < count && text.length <= LONGEST_VALUE_CHARACTERS; i++) {
    text += `,${format(memory, offsetBytes + i * strideBytes)}`;
  }
  return text;
}

/** The field of one variable in a list message, kept while the bytes it comes from do not change. */
export class ValueText {
  private readonly last = new LastBytes();
  private field = '';

  constructor(
    private readonly format: FormatValue,
    /** ` {m}`, or nothing. */
    private readonly unitsSuffix: string,
  ) {}

  /** A tab and the value. */
  fieldOf(memory: Memory, leaves: Leaves): string {
    if (this.last.isSame(memory, leaves.offsetBytes, usedBytes(memory, leaves))) return this.field;
    const field = `\t${this.format(memory, leaves)}${this.unitsSuffix}`;
    this.field = field.length > LONGEST_VALUE_CHARACTERS + 1 ? field.slice(0, LONGEST_VALUE_CHARACTERS + 1) : field;
    return this.field;
  }
}

/** The bytes that a value depends on; what lies behind the end of a text does not count. */
function usedBytes(memory: Memory, { element, count, strideBytes, offsetBytes }: Leaves): number {
  if (element.kind !== 'text' || count !== 1) return count * strideBytes;
  const length = memory.view.getUint32(offsetBytes, true);
  return TEXT_HEADER_BYTES + (length === NULL_TEXT ? 0 : length);
}
