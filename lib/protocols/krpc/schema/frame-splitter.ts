// Cuts a byte stream into kRPC's messages, each behind its length.
import { BinaryWriter } from '@bufbuild/protobuf/wire';

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

/** The most bytes of a length. */
const LENGTH_BYTES = 5;
/** So few bytes do not keep a message in memory that is longer than the other. */
const SMALL_BYTES = 8192;
const LARGE_BYTES = 65_536;

/** One for all, as a flood of empty messages makes many. */
const NOTHING = new Uint8Array();
const FRAMED_NOTHING = Uint8Array.of(0);

export class FrameSplitter {
  /** What has come lies between `start` and `end`; behind it there may be room for more. */
  private bytes: Uint8Array = NOTHING;
  private start = 0;
  private end = 0;

  constructor(private readonly mostBytes: number) {}

  /** Bytes of the messages that wait, the last of which may not have come whole. */
  get heldBytes(): number {
    return this.end - this.start;
  }

  push(chunk: Uint8Array): void {
    // Taken as it is: most chunks are whole messages.
    if (this.heldBytes === 0) {
      this.hold(chunk);
      return;
    }
    if (this.end + chunk.length > this.bytes.length) this.grow(chunk.length);
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
  }

  private hold(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.start = 0;
    this.end = bytes.length;
  }

  /** Twice the room, so that a message in single bytes is not copied with each of them; what was given out stays where it is. */
  private grow(bytes: number): void {
    const { heldBytes } = this;
    const larger = new Uint8Array(2 * (heldBytes + bytes));
    larger.set(this.bytes.subarray(this.start, this.end));
    this.bytes = larger;
    this.start = 0;
    this.end = heldBytes;
  }

  /** Whether a message has come whole, or what is none. */
  get hasNext(): boolean {
    try {
      return this.placeOfNext() !== undefined;
    } catch {
      return true;
    }
  }

  /** The next whole message; undefined until more bytes come. Throws a FramingError. */
  next(): Uint8Array | undefined {
    const place = this.placeOfNext();
    if (!place) return undefined;
    const message = place.start === place.end ? NOTHING : this.bytes.subarray(place.start, place.end);
    this.start = place.end;
    if (place.end > LARGE_BYTES && this.heldBytes < SMALL_BYTES) this.hold(Uint8Array.from(this.rest()));
    return message;
  }

  /** Where the next message is; undefined until it has come whole. Throws a FramingError. */
  private placeOfNext(): { readonly start: number; readonly end: number } | undefined {
    let length = 0;
    for (let count = 0; count < LENGTH_BYTES; count++) {
      const at = this.start + count;
      if (at === this.end) return undefined;
      const byte = this.bytes[at] as number;
      length += (byte & 0x7f) * 2 ** (7 * count);
      if (byte < 0x80 && length < 2 ** 32) return this.placeAt(at + 1, length);
    }
    throw new FramingError('the length of a message has more than 32 bits');
  }

  private placeAt(start: number, length: number): { readonly start: number; readonly end: number } | undefined {
    if (length > this.mostBytes) {
      throw new FramingError(`a message may have ${this.mostBytes} bytes, and one has ${length}`, true);
    }
    const end = start + length;
    return end > this.end ? undefined : { start, end };
  }

  /** The bytes behind the messages so far, which are not held any longer. */
  rest(): Uint8Array {
    const rest = this.bytes.subarray(this.start, this.end);
    this.hold(NOTHING);
    return rest;
  }
}

/** What stands before a message of so many bytes. */
export const frameHead = (length: number): Uint8Array => new BinaryWriter().uint32(length).finish();

/** A message behind its length. */
export const framed = (body: Uint8Array): Uint8Array =>
  body.length === 0 ? FRAMED_NOTHING : new BinaryWriter().bytes(body).finish();
