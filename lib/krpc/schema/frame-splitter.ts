// Cuts a byte stream into kRPC's messages, each behind its length.
import { readLength, varintBytes, writeVarint } from './varint.js';

/** The bytes are no message, or one that is longer than allowed. */
export class FramingError extends Error {
  override readonly name = 'FramingError';
}

export class FrameSplitter {
  private bytes: Uint8Array = new Uint8Array();
  private start = 0;
  private end = 0;

  constructor(private readonly mostBytes: number) {}

  /** Bytes of a message that is not complete. */
  get heldBytes(): number {
    return this.end - this.start;
  }

  push(chunk: Uint8Array): void {
    if (this.heldBytes === 0) {
      // Taken as it is: most chunks are whole messages.
      [this.bytes, this.start, this.end] = [chunk, 0, chunk.length];
      return;
    }
    const needed = this.heldBytes + chunk.length;
    if (this.bytes.length - this.end < chunk.length) {
      // Doubled, so that a message in single bytes is not copied for each of them.
      const larger = new Uint8Array(Math.max(256, 2 * needed));
      larger.set(this.bytes.subarray(this.start, this.end));
      [this.bytes, this.start, this.end] = [larger, 0, this.heldBytes];
    }
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
  }

  /** The next whole message; undefined until more bytes come. Throws a FramingError. */
  next(): Uint8Array | undefined {
    if (this.heldBytes === 0) return undefined;
    const length = readLength(this.bytes.subarray(this.start, this.end));
    if (length === undefined) return undefined;
    if (length === 'bad') throw new FramingError('the length of a message has more than 32 bits');
    if (length.value > this.mostBytes) {
      throw new FramingError(`a message may have ${this.mostBytes} bytes, and one has ${length.value}`);
    }
    const from = this.start + length.end;
    if (this.end < from + length.value) return undefined;
    this.start = from + length.value;
    return this.bytes.subarray(from, this.start);
  }

  /** The bytes behind the messages so far, which are not held any longer. */
  rest(): Uint8Array {
    const rest = this.bytes.subarray(this.start, this.end);
    this.start = this.end;
    return rest;
  }
}

/** A message behind its length. */
export function framed(body: Uint8Array): Uint8Array {
  const head = varintBytes(body.length);
  const bytes = new Uint8Array(head + body.length);
  writeVarint(bytes, 0, body.length);
  bytes.set(body, head);
  return bytes;
}
