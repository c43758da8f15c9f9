// Finds Python's sentence for the token at which the parser stopped.
import { EOF, type IRecognitionException, type IToken, tokenMatcher } from '../../../../grammar/chevrotain.js';
import type { TokenLines } from './indentation.js';
import { lineNumberAt, SyntaxProblem } from './syntax-error.js';
import * as t from './tokens.js';

/** What was being parsed when the parser stopped. */
export interface Stop {
  readonly exception: IRecognitionException;
  readonly lines: TokenLines;
  readonly text: string;
  /** Where the last complete expression began. */
  readonly lastExpressionAt: number;
}

/** The problem to report for the parser's exception. */
export function diagnose(stop: Stop): SyntaxProblem {
  const { exception, lines, text } = stop;
  const token = exception.token;
  const isEnd = token.tokenType === EOF;
  const at = isEnd ? Math.max(0, text.length - 1) : token.startOffset;
  const { unclosed } = lines;
  if (unclosed !== undefined && (isEnd || lineNumberAt(text, at) > lineNumberAt(text, unclosed.startOffset))) {
    return new SyntaxProblem(`'${unclosed.image}' was never closed`, unclosed.startOffset);
  }
  if (token.tokenType === t.Indent) return new SyntaxProblem('unexpected indent', at - 1, 1, 'IndentationError');
  const index = lines.tokens.indexOf(token);
  return refusal(token, lines.tokens, index) ?? suggestion(stop, index) ?? unexplained(exception, at);
}

function unexplained(exception: IRecognitionException, at: number): SyntaxProblem {
  return new SyntaxProblem(exception.message, at, exception.token.image.length);
}

/** Statements of Python that this language leaves out on purpose. */
function refusal(token: IToken, tokens: readonly IToken[], index: number): SyntaxProblem | undefined {
  const feature = refusedFeature(token, tokens[index - 1], () => isInBrackets(tokens, index));
  if (feature === undefined) return undefined;
  return new SyntaxProblem(`${feature} is not part of the command language`, token.startOffset, token.image.length);
}

function refusedFeature(token: IToken, previous: IToken | undefined, inBrackets: () => boolean): string | undefined {
  if (token.tokenType === t.At) return startsStatement(previous) ? 'a decorator' : "'@'";
  if (tokenMatcher(token, t.Refused)) return /^\w/.test(token.image) ? token.image : `'${token.image}'`;
  if (token.tokenType === t.For && !startsStatement(previous) && inBrackets())
    return 'a comprehension that makes no list';
  const isStar = token.tokenType === t.Star || token.tokenType === t.DoubleStar;
  if (isStar && !endsExpression(previous)) return inBrackets() ? 'a starred argument' : 'a starred expression';
  return undefined;
}

/** The cases in which Python guesses what was meant. */
function suggestion(stop: Stop, index: number): SyntaxProblem | undefined {
  const { lines, lastExpressionAt } = stop;
  const token = lines.tokens[index];
  const previous = lines.tokens[index - 1];
  if (token === undefined || previous === undefined) return undefined;
  if (token.tokenType === t.Assign && startsCondition(lines.tokens, index)) {
    const message = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
    return new SyntaxProblem(message, lastExpressionAt, endOf(token) - lastExpressionAt);
  }
  if (!startsOperand(token)) return undefined;
  if (previous.tokenType === t.Name && (previous.image === 'print' || previous.image === 'exec')) {
    return missingParentheses(lines.tokens, index);
  }
  if (!endsExpression(previous) || !isInBrackets(lines.tokens, index)) return undefined;
  const message = 'invalid syntax. Perhaps you forgot a comma?';
  return new SyntaxProblem(message, lastExpressionAt, endOf(token) - lastExpressionAt);
}

/** `print "text"`, the statement of Python 2. */
function missingParentheses(tokens: readonly IToken[], index: number): SyntaxProblem {
  const word = tokens[index - 1] as IToken;
  const rest = tokens.slice(index);
  const end = rest.findIndex((token) => token.tokenType === t.Newline || token.tokenType === t.Semicolon);
  const last = rest[(end < 0 ? rest.length : end) - 1] as IToken;
  const message = `Missing parentheses in call to '${word.image}'. Did you mean ${word.image}(...)?`;
  return new SyntaxProblem(message, word.startOffset, endOf(last) - word.startOffset);
}

function endOf(token: IToken): number {
  return token.startOffset + token.image.length;
}

function startsStatement(previous: IToken | undefined): boolean {
  if (previous === undefined) return true;
  const { tokenType } = previous;
  return tokenType === t.Newline || tokenType === t.Indent || tokenType === t.Dedent || tokenType === t.Semicolon;
}

const atoms = new Set([t.Name, t.Integer, t.Float, t.StringLiteral, t.True, t.False, t.None]);
const closings = new Set([t.RightParenthesis, t.RightBracket, t.RightBrace]);
const openings = new Set([t.LeftParenthesis, t.LeftBracket, t.LeftBrace]);
const conditions = new Set([t.If, t.Elif, t.While]);

function startsOperand(token: IToken): boolean {
  return atoms.has(token.tokenType) || openings.has(token.tokenType);
}

function endsExpression(token: IToken | undefined): boolean {
  return token !== undefined && (atoms.has(token.tokenType) || closings.has(token.tokenType));
}

function startsCondition(tokens: readonly IToken[], index: number): boolean {
  let start = index;
  while (!startsStatement(tokens[start - 1])) start--;
  const first = tokens[start];
  return first !== undefined && conditions.has(first.tokenType);
}

function isInBrackets(tokens: readonly IToken[], index: number): boolean {
  let depth = 0;
  for (const { tokenType } of tokens.slice(0, index)) {
    if (openings.has(tokenType)) depth++;
    else if (closings.has(tokenType)) depth--;
  }
  return depth > 0;
}
