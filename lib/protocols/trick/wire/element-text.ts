// One value as an ASCII reply shows it, by its type and the units asked for.
import { type Memory, readLeaf, textBytesBorrow } from '../../../model/state/memory.js';
import { formatDouble, formatFloat } from '../../../model/state/number-text.js';
import { cellOf, type LeafType, type NumberName, type NumberType } from '../../../model/state/type.js';
import type { Converter } from '../../../model/units/index.js';
import { escapeBytes } from './text-escapes.js';

export type FormatElement = (memory: Memory, offset: number) => string;

const formatLong: FormatElement = ({ view }, offset) => {
  const low = view.getUint32(offset, true);
  const high = view.getInt32(offset + 4, true);
  if (high === low >> 31) return `${low | 0}`;
  return isSafeHigh(high) ? `${high * 2 ** 32 + low}` : `${view.getBigInt64(offset, true)}`;
};

const formatUnsignedLong: FormatElement = ({ view }, offset) => {
  const high = view.getInt32(offset + 4, true);
  return high >= 0 && isSafeHigh(high)
    ? `${high * 2 ** 32 + view.getUint32(offset, true)}`
    : `${view.getBigUint64(offset, true)}`;
};

/** Whether a 64-bit integer with this high word is below 2^53. */
const isSafeHigh = (high: number): boolean => high < 2 ** 21 && high >= -(2 ** 21);

const PLAIN: Readonly<Record<NumberName, FormatElement>> = {
  char: ({ view }, offset) => `${view.getInt8(offset)}`,
  'unsigned char': ({ view }, offset) => `${view.getUint8(offset)}`,
  short: ({ view }, offset) => `${view.getInt16(offset, true)}`,
  'unsigned short': ({ view }, offset) => `${view.getUint16(offset, true)}`,
  int: ({ view }, offset) => `${view.getInt32(offset, true)}`,
  'unsigned int': ({ view }, offset) => `${view.getUint32(offset, true)}`,
  long: formatLong,
  'unsigned long': formatUnsignedLong,
  'long long': formatLong,
  'unsigned long long': formatUnsignedLong,
  float: ({ view }, offset) => formatFloat(view.getFloat32(offset, true)),
  double: ({ view }, offset) => formatDouble(view.getFloat64(offset, true)),
  bool: ({ view }, offset) => (view.getUint8(offset) === 0 ? '0' : '1'),
  wchar_t: ({ view }, offset) => `${view.getInt32(offset, true)}`,
};

/** Numbers that units do not apply to. */
const UNCONVERTED: ReadonlySet<NumberName> = new Set(['bool', 'wchar_t']);

/** A converted value as C's cast to an integer type leaves it. Differs from Trick: a value beyond the type is not wrapped. */
function formatTruncated(x: number): string {
  const whole = Math.trunc(x);
  if (!Number.isFinite(whole)) return formatDouble(whole);
  return Number.isSafeInteger(whole) ? `${whole + 0}` : `${BigInt(whole)}`;
}

function convertedNumber(type: NumberType, { convert }: Converter): FormatElement {
  const { name } = type;
  if (name === 'double') return ({ view }, offset) => formatDouble(convert(view.getFloat64(offset, true)));
  if (name === 'float') return ({ view }, offset) => formatFloat(convert(view.getFloat32(offset, true)));
  // Conversions work on doubles.
  return (memory, offset) => formatTruncated(convert(Number(readLeaf(type, memory, offset))));
}

const formatText: FormatElement = (memory, offset) => {
  const bytes = textBytesBorrow(memory, offset);
  return bytes ? escapeBytes(bytes, 0, bytes.length) : '';
};

/**
 * The formatter of a type: integers in decimal, truth values 0 or 1, enumerations as their number, null text empty.
 * Truth values, enumerations and text are never converted. Trick: VariableReference::writeValueAscii
 */
export function elementFormat(type: LeafType, converter: Converter | undefined): FormatElement {
  const conversion = converter?.isIdentity ? undefined : converter;
  switch (type.kind) {
    case 'number':
      return conversion && !UNCONVERTED.has(type.name) ? convertedNumber(type, conversion) : PLAIN[type.name];
    case 'bits': {
      const name = type.isSigned ? 'int' : 'unsigned int';
      return conversion ? convertedNumber({ kind: 'number', name }, conversion) : PLAIN[name];
    }
    case 'enumeration':
      return PLAIN[cellOf(type)];
    case 'text':
      return formatText;
  }
}
