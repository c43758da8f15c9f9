// Text to tree by the full grammar: lexer, indentation, parser, then the fields of f-strings.
import { atFirstUse, type IRecognitionException } from '../chevrotain.js';
import { diagnose } from './diagnosis.js';
import { tooDeep } from './expression-parser.js';
import type { PendingField } from './formatted-text.js';
import { expressionTokens, type TokenLines, tokenLines } from './indentation.js';
import { maxExpressionDepth } from './limits.js';
import { CommandParser } from './parser.js';
import { SyntaxProblem } from './syntax-error.js';
import type { Block, Expression, Statement } from './tree.js';
import { isDeeperThan } from './tree-depth.js';

const commandParser = atFirstUse(() => new CommandParser());

/** The tree of a block. Throws a SyntaxProblem. */
export function parseWithGrammar(text: string): Block {
  const lines = tokenLines(text);
  const body = parseTokens(lines, text, (parser) => parser.block());
  checkDepth(body, lines);
  completeFields(commandParser().pendingFields, text);
  return { kind: 'block', at: 0, body };
}

function parseTokens<Result>(lines: TokenLines, text: string, rule: (parser: CommandParser) => Result): Result {
  const parser = commandParser();
  parser.begin(lines.tokens, text);
  const result = rule(parser);
  const exception = parser.errors[0];
  if (exception !== undefined) throw stopped(exception, lines, text);
  if (parser.problemAfterParsing !== undefined) throw parser.problemAfterParsing;
  return result;
}

function stopped(exception: IRecognitionException, lines: TokenLines, text: string): SyntaxProblem {
  return diagnose({ exception, lines, text, lastExpressionAt: commandParser().lastExpressionAt });
}

/** A tree has no more levels than its statement has tokens, so a short statement needs no check. */
function checkDepth(roots: readonly (Statement | Expression)[], lines: TokenLines): void {
  if (lines.longestLine <= maxExpressionDepth) return;
  const root = roots.find((candidate) => isDeeperThan([candidate], maxExpressionDepth));
  if (root !== undefined) throw tooDeep(root.at);
}

/** A field may hold an f-string with fields of its own, so each round may add fields for the next. */
function completeFields(fields: readonly PendingField[], text: string): void {
  for (let round = fields; round.length > 0; ) {
    const next: PendingField[] = [];
    for (const field of round) {
      field.complete(parseField(field, text));
      next.push(...commandParser().pendingFields);
    }
    round = next;
  }
}

function parseField(field: PendingField, text: string): Expression {
  try {
    const lines = expressionTokens(text, field.start, field.end);
    const value = parseTokens(lines, text, (parser) => parser.fieldExpression());
    checkDepth([value], lines);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    throw new SyntaxProblem(
      `f-string: ${error.message.replace(/^f-string: /, '')}`,
      error.at,
      error.length,
      error.type,
    );
  }
}
