// Finds members that a request names twice: JSON.parse keeps the last one and says nothing.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENINGS = new Set([0x5b, 0x7b]);
const CLOSINGS = new Set([0x5d, 0x7d]);
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * The requests of a message that name a member twice, each with that member.
 * @param value what JSON.parse made of the message: one request, or a list of them.
 */
export function repeatedMembers(message: Uint8Array, value: unknown): [request: object, member: string][] {
  if (value === null || typeof value !== 'object') return [];
  const isBatch = Array.isArray(value);
  const found: [object, string][] = [];
  const check = (members: readonly string[], index: number): void => {
    const twice = members.find((member, place) => members.indexOf(member) !== place);
    const request = isBatch ? (value as unknown[])[index] : value;
    if (twice !== undefined && typeof request === 'object' && request !== null) found.push([request, twice]);
  };
  visitMembers(message, isBatch ? 2 : 1, check);
  return found;
}

/** Calls `check` with the members of each object at a depth, and its number among the values there. */
function visitMembers(bytes: Uint8Array, depthWanted: number, check: (members: string[], index: number) => void): void {
  let [depth, index] = [0, 0];
  let members: string[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i] as number;
    if (code === QUOTE) {
      const end = endOfText(bytes, i);
      // A few members are enough to find one that stands twice.
      if (depth === depthWanted && members.length < 100 && isKey(bytes, end + 1)) members.push(textAt(bytes, i, end));
      i = end;
    } else if (OPENINGS.has(code)) depth++;
    else if (CLOSINGS.has(code)) {
      if (depth === depthWanted) {
        check(members, index);
        members = [];
      }
      depth--;
    } else if (code === COMMA && depth === depthWanted - 1) index++;
  }
}

const COMMA = 0x2c;

const textAt = (bytes: Uint8Array, start: number, end: number): string =>
  JSON.parse(Buffer.from(bytes.subarray(start, end + 1)).toString()) as string;

function isKey(bytes: Uint8Array, from: number): boolean {
  let i = from;
  while (BLANKS.has(bytes[i] as number)) i++;
  return bytes[i] === COLON;
}

function endOfText(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
