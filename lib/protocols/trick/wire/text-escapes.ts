// Text as an ASCII reply carries it: no tabs, newlines or bytes that are not printable ASCII.

const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;

/** A carriage return is written as a newline. Trick: VariableReference.cpp, escapeString */
const LETTERS: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\n'],
]);

/** The text of `bytes` from `start` up to, not including, `end`; a quote or a backslash stays as it is. */
export function escapeBytes(bytes: Buffer, start: number, end: number): string {
  for (let i = start; i < end; i++) if (!isPrintable(bytes[i] as number)) return escapeFrom(bytes, start, i, end);
  return bytes.toString('latin1', start, end);
}

const isPrintable = (byte: number): boolean => byte >= FIRST_PRINTABLE && byte <= LAST_PRINTABLE;

function escapeFrom(bytes: Buffer, start: number, firstSpecial: number, end: number): string {
  let text = bytes.toString('latin1', start, firstSpecial);
  for (let i = firstSpecial; i < end; i++) {
    const byte = bytes[i] as number;
    text += isPrintable(byte) ? String.fromCharCode(byte) : escapeByte(byte);
  }
  return text;
}

const escapeByte = (byte: number): string => LETTERS.get(byte) ?? `\\x${byte.toString(16).padStart(2, '0')}`;
