// Text to the tree of an expression over variables: `sqrt(x^2 + y^2)`; never throws.
import {
  atFirstUse,
  EmbeddedActionsParser,
  EOF,
  type IParserConfig,
  type IToken,
  LEXER_OPTIONS,
  Lexer,
  PARSER_OPTIONS,
} from '../chevrotain.js';
import * as token from './tokens.js';
import type { ExpressionTree } from './tree.js';

/** The parser refuses a longer text; in UTF-16 units. */
const LONGEST_EXPRESSION = 500;
/** Parentheses, signs and powers may lie inside each other this deep. */
const DEEPEST = 32;

type Operator = Extract<ExpressionTree, { readonly kind: 'operation' }>['operator'];

export class ExpressionParser extends EmbeddedActionsParser {
  constructor(options: IParserConfig = PARSER_OPTIONS) {
    super(token.tokenTypes, { ...options, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  /** sum: product (("+" | "-") product)* */
  readonly sum = this.RULE('sum', (): ExpressionTree => {
    let left = this.SUBRULE(this.product);
    this.MANY(() => {
      const operator = this.CONSUME(token.Sum).image as Operator;
      left = { kind: 'operation', operator, left, right: this.SUBRULE1(this.product) };
    });
    return left;
  });

  /** product: signed (("*" | "/") signed)* */
  readonly product = this.RULE('product', (): ExpressionTree => {
    let left = this.SUBRULE(this.signed);
    this.MANY(() => {
      const operator = this.CONSUME(token.Product).image as Operator;
      left = { kind: 'operation', operator, left, right: this.SUBRULE1(this.signed) };
    });
    return left;
  });

  /** signed: ("+" | "-") signed | power */
  readonly signed = this.RULE(
    'signed',
    (): ExpressionTree =>
      this.OR<ExpressionTree>([
        {
          ALT: () => {
            const { image } = this.CONSUME(token.Sum);
            const of = this.SUBRULE(this.signed);
            return image === '-' ? { kind: 'negative', of } : of;
          },
        },
        { ALT: () => this.SUBRULE(this.power) },
      ]),
  );

  /** power: atom ("^" signed)? */
  readonly power = this.RULE('power', (): ExpressionTree => {
    const left = this.SUBRULE(this.atom);
    const right = this.OPTION(() => {
      this.CONSUME(token.Power);
      return this.SUBRULE(this.signed);
    });
    return right ? { kind: 'operation', operator: '^', left, right } : left;
  });

  /** atom: Number Units? | Path | FunctionName "(" sum ("," sum)* ")" | "(" sum ")" */
  readonly atom = this.RULE(
    'atom',
    (): ExpressionTree =>
      this.OR<ExpressionTree>([
        {
          ALT: () => {
            const value = Number(this.CONSUME(token.NumberLiteral).image);
            const units = this.OPTION(() => this.CONSUME(token.Units).image.slice(1, -1).trim());
            return { kind: 'number', value, units };
          },
        },
        { ALT: () => ({ kind: 'variable', path: this.CONSUME(token.Path).image }) },
        {
          ALT: () => {
            const name = this.CONSUME(token.FunctionName).image;
            this.CONSUME1(token.LeftParenthesis);
            const given: ExpressionTree[] = [];
            this.AT_LEAST_ONE_SEP({ SEP: token.Comma, DEF: () => given.push(this.SUBRULE1(this.sum)) });
            this.CONSUME1(token.RightParenthesis);
            return { kind: 'call', name, given };
          },
        },
        {
          ALT: () => {
            this.CONSUME(token.LeftParenthesis);
            const inner = this.SUBRULE(this.sum);
            this.CONSUME(token.RightParenthesis);
            return inner;
          },
        },
      ]),
  );
}

const machinery = atFirstUse(() => ({
  lexer: new Lexer(token.tokenTypes, LEXER_OPTIONS),
  parser: new ExpressionParser(),
}));

/** The tree of an expression, or one sentence that says what is wrong with it, and where. */
export function parseExpression(text: string): { readonly tree: ExpressionTree } | { readonly problem: string } {
  if (text.length > LONGEST_EXPRESSION)
    return { problem: `expected at most ${LONGEST_EXPRESSION} characters, found ${text.length}` };
  const { lexer, parser } = machinery();
  const { tokens, errors } = lexer.tokenize(text);
  const [stray] = errors;
  if (stray) return { problem: `${JSON.stringify(text[stray.offset])} belongs nowhere, at column ${stray.offset + 1}` };
  if (depthOf(tokens) > DEEPEST)
    return { problem: `parentheses, signs and powers lie inside each other at most ${DEEPEST} deep` };
  parser.input = tokens;
  const tree = parser.sum();
  const [error] = parser.errors;
  if (!error) return { tree };
  const atEnd = error.token.tokenType === EOF;
  const found = atEnd ? 'the end' : JSON.stringify(error.token.image);
  const column = (atEnd ? text.length : error.token.startOffset) + 1;
  const isOver = error.name === 'NotAllInputParsedException';
  const wanted = isOver
    ? 'an operator or the end'
    : error.name === 'MismatchedTokenException'
      ? '")"'
      : 'a number, a variable, a function or "("';
  return { problem: `expected ${wanted}, found ${found} at column ${column}` };
}

/** How deep the rules could go inside each other. */
function depthOf(tokens: readonly IToken[]): number {
  let [depth, deepest, signs] = [0, 0, 0];
  for (const [k, { tokenType }] of tokens.entries()) {
    if (tokenType === token.LeftParenthesis) depth++;
    else if (tokenType === token.RightParenthesis) depth--;
    const before = tokens[k - 1]?.tokenType;
    if (tokenType === token.Power || (tokenType === token.Sum && (before === token.Sum || before === token.Power)))
      signs++;
    deepest = Math.max(deepest, depth);
  }
  return deepest + signs;
}
