// Finds members that a request names twice: JSON.parse keeps the last one and says nothing.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** No member of a request has a longer name; one that has is refused by itself. */
const LONGEST_NAME = 100;
/** Bytes that are passed, or quotes in a text that are looked at, before others have their turns. */
const RANGE_BYTES = 16 * 1024;
const RANGE_QUOTES = 512;

/**
 * The requests of a message that name a member twice, each with that member.
 * @param value what JSON.parse made of the message: one request, or a list of them.
 */
export async function repeatedMembers(
  message: Uint8Array,
  value: unknown,
  turn: () => Promise<void>,
): Promise<[request: object, member: string][]> {
  if (value === null || typeof value !== 'object') return [];
  const isBatch = Array.isArray(value);
  const found: [object, string][] = [];
  const check = (members: readonly string[], index: number): void => {
    const twice = members.find((member, place) => members.indexOf(member) !== place);
    const request = isBatch ? (value as unknown[])[index] : value;
    if (twice !== undefined && typeof request === 'object' && request !== null) found.push([request, twice]);
  };
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const visit = new Visit(bytes, new Members(isBatch ? 2 : 1, check));
  while (visit.goOn()) await turn();
  return found;
}

/** Passes over a message's texts, and shows the names of members and what stands between the texts. */
class Visit {
  private at = 0;
  /** The latest text. */
  private start = 0;
  private end = 0;
  private isInText = false;

  constructor(
    private readonly bytes: Buffer,
    private readonly members: Members,
  ) {}

  /** Passes over the next bytes; false when none are left. */
  goOn(): boolean {
    const { bytes } = this;
    const until = Math.min(bytes.length, this.at + RANGE_BYTES);
    while (this.at < until) {
      if (!this.isInText) this.pass(bytes[this.at++] as number);
      else if (!this.leaveText()) break;
    }
    return this.at < bytes.length;
  }

  private pass(code: number): void {
    this.isInText = code === QUOTE;
    if (this.isInText) this.start = this.at - 1;
    else if (code === COLON) this.members.name(this.bytes, this.start, this.end);
    else this.members.pass(code);
  }

  /** Looks for the quote that ends a text, which is faster than a loop; false when many others stand before it. */
  private leaveText(): boolean {
    const { bytes } = this;
    for (let quotes = 0; quotes < RANGE_QUOTES && this.isInText; quotes++) {
      this.end = bytes.indexOf(QUOTE, this.at);
      if (this.end < 0) this.end = bytes.length;
      let backslashes = 0;
      while (bytes[this.end - 1 - backslashes] === BACKSLASH) backslashes++;
      this.isInText = backslashes % 2 === 1;
      this.at = this.end + 1;
    }
    return !this.isInText;
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
