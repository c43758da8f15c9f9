// Finds members that a request names twice: JSON.parse keeps the last one and says nothing.
import type { Slice, Sliced } from '../scheduling/turns.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

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
  yield* visitMembers(bytes, isBatch ? 2 : 1, check, slice);
  return found;
}

/** Calls `check` with the members of each object at a depth, and its number among the values there. */
function* visitMembers(
  bytes: Buffer,
  depthWanted: number,
  check: (members: string[], index: number) => void,
  slice: Slice,
): Sliced<void> {
  let [depth, index, lookAt] = [0, 0, LOOK_BYTES];
  let members: string[] = [];
  for (let i = 0; i < bytes.length; i++) {
    if (i >= lookAt) {
      lookAt = i + LOOK_BYTES;
      if (slice.isOver(LOOK_STEPS)) yield;
    }
    const code = bytes[i] as number;
    if (code === QUOTE) {
      const end = endOfText(bytes, i);
      // A few members are enough to find one that stands twice.
      if (depth === depthWanted && members.length < 100 && isKey(bytes, end + 1)) members.push(textAt(bytes, i, end));
      i = end;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (depth === depthWanted) {
        check(members, index);
        members = [];
      }
      depth--;
    } else if (code === COMMA && depth === depthWanted - 1) index++;
  }
}

const textAt = (bytes: Buffer, start: number, end: number): string =>
  JSON.parse(bytes.toString('utf8', start, end + 1)) as string;

function isKey(bytes: Buffer, from: number): boolean {
  let i = from;
  while (BLANKS.has(bytes[i] as number)) i++;
  return bytes[i] === COLON;
}

/** Where the quote stands that ends a text. A search is faster than a loop. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length;
}
