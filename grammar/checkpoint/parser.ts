// Checkpoints parsed: a file in pieces, of which the long lists are not made tokens.
import { createTokenInstance, EOF, type IRecognitionException, type IToken } from '../chevrotain.js';
import { LongList, tooDeep } from './long-list.js';
import { machinery } from './rules.js';
import * as T from './tokens.js';
import type { CheckpointResult, CheckpointSyntaxError, Statement } from './tree.js';

/** Parses a whole file, one character a byte. Never throws. */
export function parseCheckpoint(text: string): CheckpointResult {
  const all: Statement[][] = [];
  for (const { statements, error } of parsePieces(text)) {
    if (error) return { error };
    all.push([...statements]);
  }
  return { statements: all.flat() };
}

/**
 * Parses a file piece by piece, up to the first error, because the statements of a large file take ten times its
 * memory.
 */
export function* parsePieces(text: string): Generator<CheckpointResult> {
  for (const piece of pieces(text)) {
    const result = parsePiece(text, piece);
    yield result;
    if (result.error) return;
  }
}

function parsePiece(text: string, piece: Piece): CheckpointResult {
  const { parser } = machinery();
  const tokens = tokensOf(text, piece);
  const error = tooDeepIn(tokens);
  if (error) return { error };
  parser.input = tokens;
  const statements = parser.checkpoint();
  const exception = parser.errors[0];
  // The piece ends before a list that cannot be read, unless something is wrong before that.
  if (piece.error && (!exception || exception.token.tokenType === EOF)) return { error: piece.error };
  if (exception !== undefined) return { error: explain(exception, text) };
  return misspelt(statements, text) ?? { statements };
}

/** Each long list is one token. */
function tokensOf(text: string, { start, end, lists }: Piece): IToken[] {
  const tokens: IToken[] = [];
  let at = start;
  for (const list of lists) {
    tokens.push(...shortTokens(text, at, list.start));
    const token = createTokenInstance(T.LongList, '{', list.start, list.end, 0, 0, 0, 0);
    token.payload = list;
    tokens.push(token);
    at = list.end;
  }
  return at === start ? shortTokens(text, start, end) : tokens.concat(shortTokens(text, at, end));
}

function shortTokens(text: string, start: number, end: number): IToken[] {
  const { tokens } = machinery().lexer.tokenize(text.slice(start, end));
  for (const token of tokens) token.startOffset += start;
  return tokens;
}

/** Part of a file: statements, of which the last one may end before a list that cannot be read. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly lists: readonly LongList[];
  readonly error?: CheckpointSyntaxError;
}

/** The tokens of a file of a million statements at a time would fill the memory. */
const PIECE_LENGTH = 65_536;
/** The tokens of longer lists would do so as well. */
const LONG_LIST_LENGTH = 4096;
/**
 * A text, a character or a comment, in which a semicolon ends nothing, the beginning of a list, or the end of a statement.
 * What never ends takes the rest.
 */
const SKIPPED_OR_END =
  /"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*(?:"|$)|'(?:\\[\s\S]|[^'\\])'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{;]/g;

/** The pieces of a file; each but the last ends with a statement. */
function* pieces(text: string): Generator<Piece> {
  let start = 0;
  while (text.length - start > PIECE_LENGTH) {
    const piece = pieceFrom(text, start);
    yield piece;
    start = piece.end;
  }
  if (start < text.length || start === 0) yield { start, end: text.length, lists: [] };
}

function pieceFrom(text: string, start: number): Piece {
  const lists: LongList[] = [];
  SKIPPED_OR_END.lastIndex = start;
  for (let found = SKIPPED_OR_END.exec(text); found; found = SKIPPED_OR_END.exec(text)) {
    const { lastIndex } = SKIPPED_OR_END;
    if (found[0] === '{') {
      const list = LongList.at(text, found.index);
      if (!(list instanceof LongList)) return { start, end: found.index, lists, error: list };
      if (list.end - list.start > LONG_LIST_LENGTH) lists.push(list);
      SKIPPED_OR_END.lastIndex = list.end;
    } else if (found[0] === ';' && lastIndex - start >= PIECE_LENGTH) return { start, end: lastIndex, lists };
  }
  return { start, end: text.length, lists };
}

/** Refuses what the grammar takes but no checkpoint has: another function than clear_all_vars, an index that is no whole number. */
function misspelt(statements: readonly Statement[], text: string): CheckpointResult | undefined {
  for (const statement of statements) {
    const { at } = statement;
    if (statement.kind === 'clear') {
      if (!text.startsWith('clear_all_vars', at))
        return { error: { message: 'a checkpoint calls clear_all_vars() and nothing else', at } };
    } else {
      const steps = statement.kind === 'declaration' ? statement.extents : statement.target.steps;
      if (steps.some(Number.isNaN)) return { error: { message: 'an index is a whole number from 0 up', at } };
    }
  }
  return undefined;
}

function tooDeepIn(tokens: readonly IToken[]): CheckpointSyntaxError | undefined {
  let depth = 0;
  for (const { tokenType, startOffset } of tokens) {
    if (tokenType === T.LeftBrace) depth++;
    else if (tokenType === T.RightBrace || tokenType === T.Semicolon) depth = Math.max(0, depth - 1);
    const error = tooDeep(depth, startOffset);
    if (error) return error;
  }
  return undefined;
}

const EXPECTED: Readonly<Record<string, string>> = {
  checkpoint: 'an assignment such as ball.state.mass = 1;',
  statement: "';' at the end of the statement",
  declaration: 'a name and its extents, such as double values[3];',
  assignment: "'=' and a value",
  clear: 'clear_all_vars();',
  place: "a member's name or an index",
  member: "a member's name after the dot",
  index: 'an index such as [0]',
  literal: 'a value',
  address: "a variable after '&'",
  list: "',' or '}' in the list",
};

function explain({ token, context }: IRecognitionException, text: string) {
  const isEnd = token.tokenType === EOF;
  const at = isEnd ? text.trimEnd().length : token.startOffset;
  const came = isEnd ? 'the end of the file' : T.found(token);
  const rule = context.ruleStack.at(-1) ?? 'checkpoint';
  return { message: `expected ${EXPECTED[rule] ?? 'a statement'}, found ${came}`, at };
}

/** The line that an offset is on, from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++;
  return line;
}
