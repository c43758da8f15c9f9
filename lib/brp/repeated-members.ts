// Finds members that a request names twice: JSON.parse keeps the last one and says nothing.
import type { Slice, Sliced } from '../scheduling/slice.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** No member of a request has a longer name; one that has is refused by itself. */
const LONGEST_NAME = 100;
/** Quotes in a text that are looked at before the clock is read again. */
const LOOK_QUOTES = 512;
/** Bytes that are scanned before the clock is read again. */
const LOOK_BYTES = 4096;
/** Steps of a slice that scanning them costs. */
const LOOK_STEPS = 64;

/**
 * The requests of a message that name a member twice, each with that member.
 * @param value what JSON.parse made of the message: one request, or a list of them.
 */
export function* repeatedMembers(
  message: Uint8Array,
  value: unknown,
  slice: Slice,
): Sliced<[request: object, member: string][]> {
  if (value === null || typeof value !== 'object') return [];
  const isBatch = Array.isArray(value);
  const found: [object, string][] = [];
  const check = (members: readonly string[], index: number): void => {
    const twice = members.find((member, place) => members.indexOf(member) !== place);
    const request = isBatch ? (value as unknown[])[index] : value;
    if (twice !== undefined && typeof request === 'object' && request !== null) found.push([request, twice]);
  };
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  yield* visit(bytes, new Members(isBatch ? 2 : 1, check), slice);
  return found;
}

/** Passes over a message's texts, and shows the names of members and what stands between the texts. */
function* visit(bytes: Buffer, members: Members, slice: Slice): Sliced<void> {
  let [start, end, lookAt] = [0, 0, LOOK_BYTES];
  for (let i = 0; i < bytes.length; i++) {
    if (i >= lookAt) {
      lookAt = i + LOOK_BYTES;
      if (slice.isOver(LOOK_STEPS)) yield;
    }
    const code = bytes[i] as number;
    if (code === QUOTE) {
      [start, end] = [i, endOfText(bytes, i + 1)];
      if (end < 0) end = yield* endOfLongText(bytes, ~end, slice);
      i = end;
    } else if (code === COLON) members.name(bytes, start, end);
    else members.pass(code);
  }
}

/** Calls `check` with the members of each object at a depth, and its number among the values there. */
class Members {
  private depth = 0;
  private index = 0;
  private names: string[] = [];

  constructor(
    private readonly depthWanted: number,
    private readonly check: (names: readonly string[], index: number) => void,
  ) {}

  /** A text that a colon follows. */
  name(bytes: Buffer, start: number, end: number): void {
    // A few members are enough to find one that stands twice.
    const isWanted = this.depth === this.depthWanted && this.names.length < 100 && end - start <= LONGEST_NAME;
    if (isWanted) this.names.push(textAt(bytes, start, end));
  }

  pass(code: number): void {
    if (code === OPEN_LIST || code === OPEN_OBJECT) this.depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.leave();
    else if (code === COMMA && this.depth === this.depthWanted - 1) this.index++;
  }

  private leave(): void {
    if (this.depth-- !== this.depthWanted) return;
    this.check(this.names, this.index);
    this.names = [];
  }
}

const textAt = (bytes: Buffer, start: number, end: number): string =>
  JSON.parse(bytes.toString('utf8', start, end + 1)) as string;

function* endOfLongText(bytes: Buffer, from: number, slice: Slice): Sliced<number> {
  for (let next = from; ; ) {
    if (slice.isOver(LOOK_STEPS)) yield;
    const end = endOfText(bytes, next);
    if (end >= 0) return end;
    next = ~end;
  }
}

/**
 * Where the quote stands that ends a text. A search is faster than a loop. After many quotes that do not end it: the
 * complement of where to search on.
 */
function endOfText(bytes: Buffer, from: number): number {
  let next = from;
  for (let quotes = 0; quotes < LOOK_QUOTES; quotes++) {
    const end = bytes.indexOf(QUOTE, next);
    if (end < 0) return bytes.length;
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
    next = end + 1;
  }
  return ~next;
}
