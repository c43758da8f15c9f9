// Parses JSON text from a client; every error is one sentence.
import type { Slice, Sliced } from '../session/turns.js';
import { JsonBoundError, parseInPieces } from './json-pieces.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** Deeper than any value here, and far less than the depth that overflows the stack of a recursive parser. */
const MAX_DEPTH = 64;
/** Numbers and texts in lists do not count: whole arrays are set. */
const MAX_PARTS = 50_000;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Throws an RpcError: -32700 for bytes that are not JSON in UTF-8, -32600 for JSON beyond a bound. */
export function* parseJsonText(bytes: Uint8Array, slice: Slice): Sliced<unknown> {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw new RpcError(RpcCode.parse, 'a JSON-RPC request was expected, the body is empty');
  try {
    return yield* parseInPieces(text, { maxDepth: MAX_DEPTH, maxParts: MAX_PARTS }, slice);
  } catch (error) {
    if (error instanceof JsonBoundError) throw new RpcError(RpcCode.invalidRequest, `the request is ${error.message}`);
    throw new RpcError(RpcCode.parse, `the request is not JSON: ${shorten((error as Error).message)}`);
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new RpcError(RpcCode.parse, 'the request is not valid UTF-8');
  }
}

/** The parser's message quotes the text, which may be long. */
const shorten = (sentence: string): string => (sentence.length > 160 ? `${sentence.slice(0, 160)}…` : sentence);
