// Backslash escapes of strings and bytes.
import { SyntaxProblem } from './syntax-error.js';

const simpleEscapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const textEscape =
  /\\(?:(?<octal>[0-7]{1,3})|x(?<hex2>[\da-fA-F]{0,2})|u(?<hex4>[\da-fA-F]{0,4})|U(?<hex8>[\da-fA-F]{0,8})|\r*(?<other>[\s\S]))/g;

type Groups = Readonly<Record<string, string | undefined>>;

/** The name of each hexadecimal escape in Python's error sentences. */
const hexForms = { hex2: '\\xXX', hex4: '\\uXXXX', hex8: '\\UXXXXXXXX' } as const;

/** Text with its escapes resolved; an escape that Python does not know keeps its backslash. Throws a SyntaxProblem. */
export function decodeEscapes(content: string, at: number): string {
  if (!content.includes('\\')) return content;
  return content.replace(textEscape, (...match) => {
    const groups = match.at(-1) as Groups;
    const { octal, other } = groups;
    const position = match.at(-3) as number;
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    if (other === 'N') {
      throw new SyntaxProblem('\\N{...} is not part of the command language; write \\uXXXX', at + position, 2);
    }
    if (other !== undefined) return simpleEscapes[other] ?? (match[0] as string);
    return decodeHex(groups, position, at);
  });
}

function decodeHex(groups: Groups, position: number, at: number): string {
  for (const [group, form] of Object.entries(hexForms)) {
    const digits = groups[group];
    if (digits === undefined) continue;
    const codePoint = Number.parseInt(digits, 16);
    const isComplete = digits.length === form.length - 2;
    if (isComplete && codePoint <= 0x10ffff) return String.fromCodePoint(codePoint);
    const reason = isComplete ? 'illegal Unicode character' : `truncated ${form} escape`;
    const range = `${position}-${position + 1 + digits.length}`;
    const message = `(unicode error) 'unicodeescape' codec can't decode bytes in position ${range}: ${reason}`;
    throw new SyntaxProblem(message, at + position, 2 + digits.length);
  }
  return '';
}

const byteEscape = /\\(?:(?<octal>[0-7]{1,3})|x(?<hex>[\da-fA-F]{0,2})|\r*(?<other>[\s\S]))/g;

/** Bytes, one character each, with their escapes resolved. Throws a SyntaxProblem. */
export function decodeByteEscapes(content: string, at: number): string {
  return content.replace(byteEscape, (...match) => {
    const { octal, hex, other } = match.at(-1) as Groups;
    const position = match.at(-3) as number;
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (other !== undefined) return simpleEscapes[other] ?? (match[0] as string);
    if (hex?.length === 2) return String.fromCharCode(Number.parseInt(hex, 16));
    throw new SyntaxProblem(`(value error) invalid \\x escape at position ${position}`, at + position, 2);
  });
}
