// Parses JSON text from a client; every error is one sentence.
import { ElementReader, JsonBoundError, parseInPieces } from './json-pieces.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** Deeper than any value here, and far less than the depth that overflows the stack of a recursive parser. */
const MAX_DEPTH = 64;
/** Numbers and texts in lists do not count: whole arrays are set. */
const MAX_PARTS = 50_000;
const BOUNDS = { maxDepth: MAX_DEPTH, maxParts: MAX_PARTS };
/** What a longer list says takes much more memory than its text. */
const LONG_CHARACTERS = 8 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

type Turn = () => Promise<void>;
/** Yields between pieces. */
type Parsing = Generator<void, unknown>;

/**
 * A short text is parsed at once; of a long one the promise resolves after turns of the client. Throws, or rejects with, an
 * RpcError: -32700 for bytes that are not JSON in UTF-8, -32600 for JSON beyond a bound.
 */
export const parseJson = (bytes: Uint8Array, turn: Turn): unknown =>
  finished(asked(parseInPieces(textOf(bytes), BOUNDS)), turn);

function finished(parsing: Parsing, turn: Turn): unknown {
  const step = parsing.next();
  return step.done ? step.value : rest(parsing, turn);
}

async function rest(parsing: Parsing, turn: Turn): Promise<unknown> {
  for (;;) {
    await turn();
    const step = parsing.next();
    if (step.done) return step.value;
  }
}

function textOf(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw new RpcError(RpcCode.parse, 'a JSON-RPC request was expected, the body is empty');
  return text;
}

/** What a client asked; its mistakes are RpcErrors. */
function* asked(parsing: Parsing): Parsing {
  try {
    return yield* parsing;
  } catch (error) {
    if (error instanceof JsonBoundError) throw new RpcError(RpcCode.invalidRequest, `the request is ${error.message}`);
    throw new RpcError(RpcCode.parse, `the request is not JSON: ${shorten((error as Error).message)}`);
  }
}

/** A list whose elements are parsed when they are needed; all of its text has been checked. */
export class LongList {
  private readonly elements: ElementReader;

  constructor(
    readonly length: number,
    text: string,
  ) {
    this.elements = new ElementReader(text, BOUNDS);
  }

  /** The next elements, in their order; undefined after the last ones. */
  async next(turn: () => Promise<void>): Promise<unknown[] | undefined> {
    for (;;) {
      await turn();
      const some = this.elements.next();
      if (some?.length !== 0) return some;
    }
  }
}

/** As `parseJson`, but a long list is a LongList. */
export function parseJsonRequests(bytes: Uint8Array, turn: Turn): unknown {
  const text = textOf(bytes);
  const isLongList = text.length > LONG_CHARACTERS && /^\s*\[/.test(text);
  return finished(asked(isLongList ? longList(text) : parseInPieces(text, BOUNDS)), turn);
}

function* longList(text: string): Parsing {
  const elements = new ElementReader(text, BOUNDS);
  let length = 0;
  for (let some = elements.next(); some; some = elements.next()) {
    length += some.length;
    yield;
  }
  return new LongList(length, text);
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
