// The tokens of a units expression. White space is a token: it multiplies (`m s`), except around `/`, `per`, `@` and its words.
// Every character belongs to some token, so lexing cannot fail.
import { createToken, type IToken, type TokenType } from '../chevrotain.js';

type Matcher = (text: string, offset: number, before: IToken[]) => RegExpExecArray | null;

/** A token whose match depends on the tokens before it. */
function contextual(name: string, exec: Matcher): TokenType {
  return createToken({ name, pattern: { exec }, line_breaks: false });
}

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

/**
 * After an identifier, and after its `^n`, a point multiplies and no identifier can follow unseparated: `m.5` and `m^2.5`
 * mean m times 5 and m² times 5. A bare exponent ends that: `m2.5` is m² times 0.5. (UDUNITS-2: scanner.l, start state ID_SEEN.)
 */
function followsIdentifier(before: IToken[]): boolean {
  const last = before.at(-1);
  return last?.tokenType === Identifier || (last?.tokenType === Power && before.at(-2)?.tokenType === Identifier);
}

/** `@`, `after`, `from`, `since`, `ref`. */
export const Shift = createToken({
  name: 'Shift',
  pattern: /[ \t\r\f\v]*(?:@|(?:after|from|since|ref)(?![A-Za-z_]))[ \t\r\f\v]*/i,
  line_breaks: false,
});

export const Divide = createToken({
  name: 'Divide',
  pattern: /[ \t\r\f\v]*(?:\/|per(?![A-Za-z_]))[ \t\r\f\v]*/i,
  line_breaks: false,
});

/** `lg(re`, `lg(re:`, and with `log`, `ln`, `lb`: up to the reference level. */
export const LogarithmStart = createToken({
  name: 'LogarithmStart',
  pattern: /(?:lg|log|ln|lb)[ \t\r\f\v]*\([ \t\r\f\v]*[Rr][Ee](?::[ \t\r\f\v])?[ \t\r\f\v]*/,
  line_breaks: false,
});

/** A date, or a date and a clock with or without time zone, to the end of the text or of the parenthesis. */
const timeOrigin =
  /[+-]?\d{1,4}(?:-\d{1,2}(?:-\d{1,2})?|\d{2}(?:\d{2})?)?(?:(?:T|[ \t]+)[+-]?\d{1,2}(?::?\d{2}|:\d)?(?::?\d{1,2}(?:\.\d*)?)?(?:[ \t]*(?:UTC|GMT|Z|[+-]?\d{1,2}(?::?\d{2})?))?)?(?=\)|$)/y;
const wholeNumber = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=\)|$)/y;

export const TimeOrigin = contextual('TimeOrigin', (text, offset, before) => {
  if (before.at(-1)?.tokenType !== Shift || matchAt(wholeNumber, text, offset) !== null) return null;
  return matchAt(timeOrigin, text, offset);
});

const real = /[+-]?(?:\d+[eE][+-]?\d+|(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
export const Real = contextual('Real', (text, offset, before) =>
  followsIdentifier(before) ? null : matchAt(real, text, offset),
);

/** A number, or the exponent of whatever stands directly before it (`m2`, `s-1`). */
export const Integer = createToken({ name: 'Integer', pattern: /[+-]?\d+/ });

export const Power = createToken({ name: 'Power', pattern: /(?:\^|\*\*)[+-]?\d+/ });

export const Superscript = createToken({ name: 'Superscript', pattern: /[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/ });

/** Letters take in the underscore, the no-break space, degree, micro, ohm, ångström and prime signs; digits stand inside only. */
const identifier =
  /[A-Za-z_\u00a0\u00b0\u00b5\u2032\u2033\p{L}\u2103\u2109\u212b\u2126](?:[0-9A-Za-z_\u00a0\u00b0\u00b5\u2032\u2033\p{L}\u2103\u2109\u212b\u2126]*[A-Za-z_\u00a0\u00b0\u00b5\u2032\u2033\p{L}\u2103\u2109\u212b\u2126])?|[%'"]/uy;
export const Identifier: TokenType = contextual('Identifier', (text, offset, before) =>
  followsIdentifier(before) ? null : matchAt(identifier, text, offset),
);

export const Multiply = createToken({ name: 'Multiply', pattern: /[ \t\r\f\v]+|[-.*·]/, line_breaks: false });
export const LeftParenthesis = createToken({ name: 'LeftParenthesis', pattern: '(' });
export const RightParenthesis = createToken({ name: 'RightParenthesis', pattern: ')' });
const anyCharacter = /[\s\S]/uy;
/** A character that belongs nowhere; no rule takes it, so the parser points at it. */
const Stray = contextual('Stray', (text, offset) => matchAt(anyCharacter, text, offset));

/** In the order in which the lexer tries them. */
export const tokenTypes: TokenType[] = [
  Shift,
  Divide,
  LogarithmStart,
  TimeOrigin,
  Real,
  Integer,
  Power,
  Superscript,
  Identifier,
  Multiply,
  LeftParenthesis,
  RightParenthesis,
  Stray,
];
