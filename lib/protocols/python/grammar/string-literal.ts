// The values of string literals: prefixes, quotes, escapes, and strings that stand side by side.
import type { IToken } from '../../../../grammar/chevrotain.js';
import { decodeByteEscapes, decodeEscapes } from './escapes.js';
import { type PendingField, splitFormattedText } from './formatted-text.js';
import { SyntaxProblem } from './syntax-error.js';
import type { Bytes, Expression, Text } from './tree.js';

/** One literal cut into its parts. */
interface StringLiteral {
  readonly at: number;
  readonly isRaw: boolean;
  readonly isBytes: boolean;
  readonly isFormatted: boolean;
  /** What stands between the quotes, and where that starts in the block. */
  readonly content: string;
  readonly contentAt: number;
}

/** The node of one or more literals side by side. Fields of f-strings go to `pending`, to be parsed later. Throws a SyntaxProblem. */
export function joinLiterals(tokens: readonly IToken[], pending: PendingField[]): Expression {
  const literals = tokens.map(cutLiteral);
  const at = literals[0]?.at ?? 0;
  if (literals.some((literal) => literal.isBytes)) return joinBytes(literals, at);
  if (!literals.some((literal) => literal.isFormatted)) {
    return { kind: 'text', at, value: literals.map((literal) => decode(literal)).join('') };
  }
  const parts = literals.flatMap((literal) =>
    literal.isFormatted ? splitFormattedText(literal, pending) : [textPart(literal)],
  );
  return { kind: 'formatted-text', at, parts };
}

function joinBytes(literals: readonly StringLiteral[], at: number): Bytes {
  const text = literals.find((literal) => !literal.isBytes);
  if (text !== undefined) throw new SyntaxProblem('cannot mix bytes and nonbytes literals', text.at);
  return { kind: 'bytes', at, value: literals.map(decodeBytes).join('') };
}

function textPart(literal: StringLiteral): Text {
  return { kind: 'text', at: literal.at, value: decode(literal) };
}

function cutLiteral(token: IToken): StringLiteral {
  const { image, startOffset: at } = token;
  const prefixLength = image.search(/["']/);
  const prefix = image.slice(0, prefixLength).toLowerCase();
  const quote = image[prefixLength] ?? '"';
  const quoteLength = image.startsWith(quote.repeat(3), prefixLength) ? 3 : 1;
  return {
    at,
    isRaw: prefix.includes('r'),
    isBytes: prefix.includes('b'),
    isFormatted: prefix.includes('f'),
    content: image.slice(prefixLength + quoteLength, image.length - quoteLength),
    contentAt: at + prefixLength + quoteLength,
  };
}

function decode(literal: StringLiteral): string {
  return literal.isRaw ? literal.content : decodeEscapes(literal.content, literal.contentAt);
}

function decodeBytes(literal: StringLiteral): string {
  if (/[^\x00-\x7f]/.test(literal.content)) {
    throw new SyntaxProblem('bytes can only contain ASCII literal characters', literal.at);
  }
  return literal.isRaw ? literal.content : decodeByteEscapes(literal.content, literal.contentAt);
}
