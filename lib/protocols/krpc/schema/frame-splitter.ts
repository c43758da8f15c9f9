// Cuts a byte stream into kRPC's messages, each behind its length.
import { readLength, varintBytes, writeVarint } from './varint.js';

/** The bytes are no message, or one that is longer than allowed. */
export class FramingError extends Error {
  override readonly name = 'FramingError';

  constructor(
    message: string,
    /** Whether it is a message that is longer than allowed. */
    readonly isTooLong = false,
  ) {
    super(message);
  }
}

/** Smaller chunks are copied together, so that a message in single bytes is not kept as that many chunks. */
const SMALL_BYTES = 8192;
const LARGE_BYTES = 65_536;
/** The most bytes of a length. */
const LENGTH_BYTES = 10;

/** One for all, as a flood of empty messages makes many. */
const NOTHING = new Uint8Array();
const FRAMED_NOTHING = Uint8Array.of(0);

export class FrameSplitter {
  /** Bytes that have come, in order. */
  private chunks: Uint8Array[] = [];
  /** Bytes of the last chunk that are in use, where small chunks are copied together. */
  private tail: { readonly bytes: Uint8Array; used: number } | undefined;
  private held = 0;
  /** How many bytes must be there before there is something to do. */
  private wanted = 1;

  constructor(private readonly mostBytes: number) {}

  /** Bytes of the messages that wait, the last of which may not have come whole. */
  get heldBytes(): number {
    return this.held;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    // Taken as it is: most chunks are whole messages.
    if (this.held === 0 || chunk.length >= SMALL_BYTES) {
      this.chunks.push(chunk);
      this.tail = undefined;
    } else this.pushSmall(chunk);
    this.held += chunk.length;
  }

  private pushSmall(chunk: Uint8Array): void {
    const { tail } = this;
    if (tail && tail.bytes.length - tail.used >= chunk.length) {
      tail.bytes.set(chunk, tail.used);
      tail.used += chunk.length;
      this.chunks[this.chunks.length - 1] = tail.bytes.subarray(0, tail.used);
      return;
    }
    const bytes = Buffer.allocUnsafeSlow(2 * SMALL_BYTES);
    bytes.set(chunk);
    this.tail = { bytes, used: chunk.length };
    this.chunks.push(bytes.subarray(0, chunk.length));
  }

  /** Whether a message has come whole, or what is none. */
  get hasNext(): boolean {
    try {
      return this.lengthOfNext() !== undefined;
    } catch {
      return true;
    }
  }

  /** The next whole message; undefined until more bytes come. Throws a FramingError. */
  next(): Uint8Array | undefined {
    const length = this.lengthOfNext();
    if (!length) return undefined;
    const end = length.end + length.value;
    const bytes = this.rest();
    const behind = bytes.subarray(end);
    // A few bytes must not keep a long message in memory.
    this.push(end > LARGE_BYTES && behind.length < SMALL_BYTES ? Uint8Array.from(behind) : behind);
    return length.value === 0 ? NOTHING : bytes.subarray(length.end, end);
  }

  /** The length of the next message and where it ends; undefined until the message has come whole. Throws a FramingError. */
  private lengthOfNext(): { readonly value: number; readonly end: number } | undefined {
    if (this.held < this.wanted) return undefined;
    const length = readLength(this.head());
    if (length === undefined) {
      this.wanted = this.held + 1;
      return undefined;
    }
    if (length === 'bad') throw new FramingError('the length of a message has more than 32 bits');
    if (length.value > this.mostBytes) {
      throw new FramingError(`a message may have ${this.mostBytes} bytes, and one has ${length.value}`, true);
    }
    this.wanted = length.end + length.value;
    return this.held < this.wanted ? undefined : length;
  }

  /** The first bytes that wait, as many as a length may have. */
  private head(): Uint8Array {
    const [first = new Uint8Array()] = this.chunks;
    if (first.length >= LENGTH_BYTES || this.chunks.length === 1) return first;
    return Buffer.concat(this.chunks.slice(0, LENGTH_BYTES)).subarray(0, LENGTH_BYTES);
  }

  /** The bytes behind the messages so far, which are not held any longer. */
  rest(): Uint8Array {
    const [first = new Uint8Array()] = this.chunks;
    const bytes = this.chunks.length > 1 ? Buffer.concat(this.chunks) : first;
    this.chunks = [];
    this.tail = undefined;
    this.held = 0;
    this.wanted = 1;
    return bytes;
  }
}

/** What stands before a message of so many bytes. */
export function frameHead(length: number): Uint8Array {
  const bytes = new Uint8Array(varintBytes(length));
  writeVarint(bytes, 0, length);
  return bytes;
}

/** A message behind its length. */
export function framed(body: Uint8Array): Uint8Array {
  if (body.length === 0) return FRAMED_NOTHING;
  const head = varintBytes(body.length);
  const bytes = new Uint8Array(head + body.length);
  writeVarint(bytes, 0, body.length);
  bytes.set(body, head);
  return bytes;
}
