// A safe subset of Python 3: text to syntax tree. Nothing runs here.
import { BlockCache } from './block-cache.js';
import { parseInPieces } from './block-parser.js';
import { atOnce, type Pieces } from './pieces.js';
import { parseSimpleLines } from './simple-lines.js';
import { type BlockError, describeProblem, SyntaxProblem } from './syntax-error.js';
import type { Block } from './tree.js';

export { type BlockError, printedPieces, type SyntaxErrorType } from './syntax-error.js';
export type * from './tree.js';

/** A tree, or the one error that keeps the block from running. */
export type ParseResult =
  | { readonly tree: Block; readonly error?: undefined }
  | { readonly error: BlockError; readonly tree?: undefined };

const cacheCapacity = 4096;
const cache = new BlockCache<ParseResult>(cacheCapacity);

/**
 * Parses a whole text. Never throws. Results are shared between
 * callers with the same text. The caller bounds the length.
 */
export function parseBlock(text: string): ParseResult {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const result = parseUncached(text);
  cache.set(text, result);
  return result;
}

/**
 * Parses a block as `parseBlock`, with a bound on how much a line may hold; yields between pieces that take a
 * millisecond or two how many characters have become tokens: a token takes far more memory than its characters.
 * @param mostTokens of a line, and of a statement with all that is indented below it.
 */
export function* parseBlockInPieces(text: string, mostTokens: number): Pieces<ParseResult> {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const result = yield* parsePieces(text, mostTokens);
  cache.set(text, result);
  return result;
}

/** Parses at once and without a cache. */
export const parseUncached = (text: string): ParseResult => atOnce(parsePieces(text, Number.POSITIVE_INFINITY));

function* parsePieces(text: string, mostTokens: number): Pieces<ParseResult> {
  const simple = yield* parseSimpleLines(text);
  if (simple !== undefined) return { tree: simple };
  try {
    return { tree: yield* parseInPieces(text, mostTokens) };
  } catch (error) {
    return { error: describeProblem(asProblem(error), text) };
  }
}

/** When the caller has left little of the stack, a block within the limits can overflow it; the block gets that error too. */
function asProblem(error: unknown): SyntaxProblem {
  if (error instanceof SyntaxProblem) return error;
  if (error instanceof RangeError) return new SyntaxProblem('too many nested operations', 0);
  throw error;
}
