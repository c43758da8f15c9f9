// Text to tree by the full grammar: lexer, indentation, parser, then the fields of f-strings.
import { atFirstUse, type IRecognitionException, type IToken } from '../../../../grammar/chevrotain.js';
import { diagnose } from './diagnosis.js';
import { tooDeep } from './expression-nodes.js';
import type { PendingField } from './formatted-text.js';
import { expressionTokens, type TokenLines, tokenLines } from './indentation.js';
import { maxExpressionDepth } from './limits.js';
import { CommandParser } from './parser.js';
import { atOnce, type Pieces } from './pieces.js';
import { statementGroups } from './statement-groups.js';
import { SyntaxProblem } from './syntax-error.js';
import type { Block, Expression, Statement } from './tree.js';
import { isDeeperThan } from './tree-depth.js';

const commandParser = atFirstUse(() => new CommandParser());

/** The tree of a block, parsed at once. Throws a SyntaxProblem. */
export const parseWithGrammar = (text: string): Block => atOnce(parseInPieces(text, Number.POSITIVE_INFINITY));

/**
 * The tree of a block; yields between pieces, each of which takes a millisecond or two. Throws a SyntaxProblem.
 * @param mostTokens of a line, and of a statement with all that is indented below it.
 */
export function* parseInPieces(text: string, mostTokens: number): Pieces<Block> {
  const lines = yield* tokenLines(text, mostTokens);
  const body: Statement[] = [];
  const fields: PendingField[] = [];
  let laterProblem: SyntaxProblem | undefined;
  for (const tokens of statementGroups(lines.tokens, mostTokens)) {
    for (const statement of parseTokens(tokens, lines, text, (parser) => parser.block())) body.push(statement);
    const parser = commandParser();
    laterProblem ??= parser.problemAfterParsing;
    for (const field of parser.pendingFields) fields.push(field);
    yield 0;
  }
  if (laterProblem) throw laterProblem;
  checkDepth(body, lines);
  yield* completeFields(fields, text);
  return { kind: 'block', at: 0, body };
}

function parseTokens<Result>(
  tokens: IToken[],
  lines: TokenLines,
  text: string,
  rule: (parser: CommandParser) => Result,
): Result {
  const parser = commandParser();
  parser.begin(tokens, text);
  const result = rule(parser);
  const exception = parser.errors[0];
  if (exception !== undefined) throw stopped(exception, lines, text);
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
function* completeFields(fields: readonly PendingField[], text: string): Pieces<void> {
  for (let round = fields; round.length > 0; ) {
    const next: PendingField[] = [];
    for (const field of round) {
      field.complete(parseField(field, text));
      next.push(...commandParser().pendingFields);
      yield 0;
    }
    round = next;
  }
}

function parseField(field: PendingField, text: string): Expression {
  try {
    const lines = expressionTokens(text, field.start, field.end);
    const value = parseTokens(lines.tokens, lines, text, (parser) => parser.fieldExpression());
    const { problemAfterParsing } = commandParser();
    if (problemAfterParsing !== undefined) throw problemAfterParsing;
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
