// The tokens of an expression over variables.
import { createToken, Lexer, type TokenType } from '../chevrotain.js';

export const Blank = createToken({ name: 'Blank', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });
export const NumberLiteral = createToken({ name: 'Number', pattern: /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/ });
/** Units of a number: `{m/s}`. */
export const Units = createToken({ name: 'Units', pattern: /\{[^{}]*\}/, line_breaks: true });
/** A name before its arguments; `d/dt` is one. */
export const FunctionName = createToken({ name: 'FunctionName', pattern: /(?:d\/dt|[A-Za-z_]\w*)(?=\s*\()/ });
/** `fx.all.vehicle.sensors[1].label` */
export const Path = createToken({ name: 'Path', pattern: /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*/ });
export const Sum = createToken({ name: 'Sum', pattern: /[+-]/ });
/** Before `Product`, because `**` is a power too. */
export const Power = createToken({ name: 'Power', pattern: /\^|\*\*/ });
export const Product = createToken({ name: 'Product', pattern: /[*/]/ });
export const LeftParenthesis = createToken({ name: 'LeftParenthesis', pattern: '(' });
export const RightParenthesis = createToken({ name: 'RightParenthesis', pattern: ')' });
export const Comma = createToken({ name: 'Comma', pattern: ',' });

/** In the order in which the lexer tries them. */
export const tokenTypes: TokenType[] = [
  Blank,
  NumberLiteral,
  Units,
  FunctionName,
  Path,
  Sum,
  Power,
  Product,
  LeftParenthesis,
  RightParenthesis,
  Comma,
];
