// Parses JSON text from a client; every error is one sentence.
import { RpcCode, RpcError } from './rpc-error.js';

/** Deeper than any value here, and far less than what overflows the stack of a recursive parser. */
const MAX_DEPTH = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Throws an RpcError: -32700 for bytes that are not JSON in UTF-8, -32600 for JSON that is nested too deep. */
export function parseJsonText(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw new RpcError(RpcCode.parse, 'a JSON-RPC request was expected, the body is empty');
  if (isDeeperThan(text, MAX_DEPTH)) {
    throw new RpcError(RpcCode.invalidRequest, `the request is nested deeper than ${MAX_DEPTH} levels`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;

function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (isOpening(code) && ++depth > maxDepth) return true;
    else if (isClosing(code)) depth--;
  }
  return false;
}

/** Index of the quote that closes a string, or the text's length if none does. A search is faster than a loop. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
