// Text to units tree, for the expressions of UDUNITS-2 (its manual, "Grammar"); never throws.
import {
  atFirstUse,
  EmbeddedActionsParser,
  EOF,
  type IParserConfig,
  type IRecognitionException,
  type IToken,
  LEXER_OPTIONS,
  Lexer,
  PARSER_OPTIONS,
} from '../chevrotain.js';
import * as token from './tokens.js';
import type { NumberTree, ProductTerm, UnitsProblem, UnitsTree } from './tree.js';

/** The parser refuses a longer text; in UTF-16 units. */
export const maxUnitsLength = 256;
/** Parentheses may lie inside each other this deep. */
export const maxUnitsNesting = 32;

const superscriptDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const logarithms = { lg: 'lg', log: 'lg', ln: 'ln', lb: 'lb' } as const;

export class UnitsParser extends EmbeddedActionsParser {
  constructor(options: IParserConfig = PARSER_OPTIONS) {
    super(token.tokenTypes, { ...options, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  /** shifted: product (Shift (number | TimeOrigin))? */
  readonly shifted = this.RULE('shifted', (): UnitsTree => {
    const base = this.SUBRULE(this.product);
    return (
      this.OPTION(() => {
        this.CONSUME(token.Shift);
        return this.OR<UnitsTree>([
          { ALT: () => ({ kind: 'timeOrigin', base, origin: this.CONSUME(token.TimeOrigin).image }) },
          { ALT: () => ({ kind: 'offset', base, origin: this.SUBRULE(this.number) }) },
        ]);
      }) ?? base
    );
  });

  /** product: power ((Multiply | Divide)? power)* */
  readonly product = this.RULE('product', (): UnitsTree => {
    const first = this.SUBRULE(this.power);
    const rest: ProductTerm[] = [];
    this.MANY(() => {
      const separator = this.OPTION(() =>
        this.OR([{ ALT: () => this.CONSUME(token.Divide) }, { ALT: () => this.CONSUME(token.Multiply) }]),
      );
      const operator = separator?.tokenType === token.Divide ? '/' : '*';
      rest.push({ operator, operand: this.SUBRULE1(this.power) });
    });
    return rest.length === 0 ? first : { kind: 'product', first, rest };
  });

  /** power: basic (Integer | Power | Superscript)? */
  readonly power = this.RULE('power', (): UnitsTree => {
    const base = this.SUBRULE(this.basic);
    const exponent = this.OPTION(() =>
      this.OR([
        { ALT: () => Number(this.CONSUME(token.Integer).image) },
        { ALT: () => Number(this.CONSUME(token.Power).image.replace(/^(?:\^|\*\*)/, '')) },
        { ALT: () => superscriptValue(this.CONSUME(token.Superscript).image) },
      ]),
    );
    return exponent === undefined ? base : { kind: 'power', base, exponent };
  });

  /** basic: Identifier | number | LogarithmStart product ")" | "(" shifted ")" */
  readonly basic = this.RULE(
    'basic',
    (): UnitsTree =>
      this.OR<UnitsTree>([
        { ALT: () => this.SUBRULE(this.identifier) },
        { ALT: () => this.SUBRULE(this.number) },
        { ALT: () => this.SUBRULE(this.logarithm) },
        {
          ALT: () => {
            this.CONSUME(token.LeftParenthesis);
            const inner = this.SUBRULE(this.shifted);
            this.CONSUME(token.RightParenthesis);
            return inner;
          },
        },
      ]),
  );

  readonly identifier = this.RULE('identifier', (): UnitsTree => {
    const { image, startOffset } = this.CONSUME(token.Identifier);
    return { kind: 'identifier', name: image, column: startOffset + 1 };
  });

  readonly number = this.RULE(
    'number',
    (): NumberTree =>
      this.OR<NumberTree>([
        { ALT: () => ({ kind: 'number', value: Number(this.CONSUME(token.Real).image), isInteger: false }) },
        { ALT: () => ({ kind: 'number', value: Number(this.CONSUME(token.Integer).image), isInteger: true }) },
      ]),
  );

  readonly logarithm = this.RULE('logarithm', (): UnitsTree => {
    const start = this.CONSUME(token.LogarithmStart).image;
    const reference = this.SUBRULE(this.product);
    this.CONSUME(token.RightParenthesis);
    const name = /^(?:lg|log|ln|lb)/.exec(start)?.[0] as keyof typeof logarithms | undefined;
    return { kind: 'logarithm', logarithm: logarithms[name ?? 'lg'], reference };
  });
}

const machinery = atFirstUse(() => ({
  lexer: new Lexer(token.tokenTypes, LEXER_OPTIONS),
  parser: new UnitsParser(),
}));

/** The tree of a units expression, or the one sentence that says what is wrong with it; empty text is the number 1. */
export function parseUnits(text: string): { readonly tree: UnitsTree } | { readonly problem: UnitsProblem } {
  if (text === '') return { tree: { kind: 'number', value: 1, isInteger: true } };
  if (text.length > maxUnitsLength) {
    return problemAt(maxUnitsLength, `expected at most ${maxUnitsLength} characters, found ${text.length}`);
  }
  const { lexer, parser } = machinery();
  const { tokens } = lexer.tokenize(text);
  const tooDeep = firstTooDeep(tokens);
  if (tooDeep !== undefined) {
    return problemAt(
      tooDeep.startOffset,
      `expected at most ${maxUnitsNesting} parentheses inside each other, found more`,
    );
  }
  parser.input = tokens;
  const tree = parser.shifted();
  const error = parser.errors[0];
  return error === undefined ? { tree } : problemOf(error, text);
}

function firstTooDeep(tokens: readonly IToken[]): IToken | undefined {
  let depth = 0;
  return tokens.find(({ tokenType }) => {
    if (tokenType === token.LeftParenthesis || tokenType === token.LogarithmStart) depth++;
    else if (tokenType === token.RightParenthesis) depth--;
    return depth > maxUnitsNesting;
  });
}

function problemOf(error: IRecognitionException, text: string) {
  const atEnd = error.token.tokenType === EOF;
  const offset = atEnd ? text.length : error.token.startOffset;
  const found = atEnd ? 'the end' : JSON.stringify(error.token.image);
  return problemAt(offset, `expected ${expectedBy(error)}, found ${found}`);
}

function expectedBy(error: IRecognitionException): string {
  if (error.name === 'NotAllInputParsedException') return 'an operator or the end';
  if (error.name === 'MismatchedTokenException') return '")"';
  return error.context.ruleStack.at(-1) === 'shifted' ? 'a number or a date' : 'a unit, a number or "("';
}

function problemAt(offset: number, sentence: string): { readonly problem: UnitsProblem } {
  return { problem: { message: `${sentence} at column ${offset + 1}`, column: offset + 1 } };
}

function superscriptValue(image: string): number {
  const digits = image.replace(/[⁺⁻]/, '');
  const value = Number([...digits].map((digit) => superscriptDigits.indexOf(digit)).join(''));
  return image.startsWith('⁻') ? -value : value;
}
