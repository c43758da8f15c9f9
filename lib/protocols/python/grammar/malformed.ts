// Says in Python's words what is wrong with text that is no token.
import type { IToken } from '../../../../grammar/chevrotain.js';
import { lineNumberAt, SyntaxProblem } from './syntax-error.js';
import { InvalidCharacter, MalformedNumber, UnterminatedString } from './tokens.js';

/** The problem of a malformed token of a text that ends before `end`. */
export function explainMalformed(token: IToken, text: string, end: number): SyntaxProblem {
  const at = token.startOffset;
  if (token.tokenType === UnterminatedString) return new SyntaxProblem(unterminated(token, text, end), at);
  if (token.tokenType === MalformedNumber) return new SyntaxProblem(malformedNumber(token.image), at);
  if (token.tokenType === InvalidCharacter) return new SyntaxProblem(invalidCharacter(token.image), at);
  const rest = text.slice(at + 1, end).trim();
  if (rest === '') return new SyntaxProblem('unexpected EOF while parsing', at + 1);
  return new SyntaxProblem('unexpected character after line continuation character', at + 1);
}

function unterminated(token: IToken, text: string, end: number): string {
  const triple = /^\w*(?:"""|''')/.test(token.image);
  const line = lineNumberAt(text, triple ? end - 1 : token.startOffset);
  return `unterminated ${triple ? 'triple-quoted ' : ''}string literal (detected at line ${line})`;
}

const bases: readonly { prefix: RegExp; name: string; digits: RegExp }[] = [
  { prefix: /^0[xX]/, name: 'hexadecimal', digits: /^[\da-fA-F_]*$/ },
  { prefix: /^0[oO]/, name: 'octal', digits: /^[0-7_]*/ },
  { prefix: /^0[bB]/, name: 'binary', digits: /^[01_]*/ },
];

function malformedNumber(image: string): string {
  const base = bases.find(({ prefix }) => prefix.test(image));
  if (base !== undefined) {
    const wrong = image.slice(2).replace(base.digits, '')[0] ?? '';
    return /\d/.test(wrong) ? `invalid digit '${wrong}' in ${base.name} literal` : `invalid ${base.name} literal`;
  }
  if (/^0[\d_]*$/.test(image)) {
    return 'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers';
  }
  if (/^[\d._]+[jJ]$/.test(image)) return 'a complex number is not part of the command language';
  return 'invalid decimal literal';
}

/** Names are ASCII in this language, so the sentence names any other character by its code. */
function invalidCharacter(image: string): string {
  const codePoint = image.codePointAt(0) ?? 0;
  if (codePoint === 0) return 'source code string cannot contain null bytes';
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const character = String.fromCodePoint(codePoint);
  return /[\p{C}\p{Z}]/u.test(character)
    ? `invalid non-printable character ${code}`
    : `invalid character '${character}' (${code})`;
}
