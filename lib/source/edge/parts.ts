// Messages that are longer than a carrier takes, in parts.
import { Down } from './carrier.js';

const HEAD_BYTES = 13;
/** No frame or catalog is longer. */
export const MOST_MESSAGE_BYTES = 2 ** 29;

/** The message itself, or its parts: kind, number of the message, offset, and length of the whole. */
export function* partsOf(message: Uint8Array, mostBytes: number, number: number): Generator<Uint8Array> {
  if (message.length <= mostBytes) {
    yield message;
    return;
  }
  const room = mostBytes - HEAD_BYTES;
  for (let offset = 0; offset < message.length; offset += room) {
    const piece = message.subarray(offset, offset + room);
    const part = Buffer.alloc(HEAD_BYTES + piece.length);
    part.writeUInt8(Down.part, 0);
    part.writeUInt32LE(number, 1);
    part.writeUInt32LE(offset, 5);
    part.writeUInt32LE(message.length, 9);
    part.set(piece, HEAD_BYTES);
    yield part;
  }
}

/** Puts parts together that come in order; a message of which one is missing is left out. */
export class PartsJoined {
  private number = -1;
  private whole = Buffer.alloc(0);
  private filled = 0;

  /** The message, once it is whole. Throws an Error for a message that is too long. */
  take(message: Uint8Array): Uint8Array | undefined {
    if (message[0] !== Down.part) return message;
    const part = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    const [number, offset, length] = [part.readUInt32LE(1), part.readUInt32LE(5), part.readUInt32LE(9)];
    if (length > MOST_MESSAGE_BYTES) throw new Error(`a message of ${length} bytes is too long`);
    if (offset === 0) {
      this.number = number;
      this.whole = Buffer.alloc(length);
      this.filled = 0;
    }
    if (number !== this.number || offset !== this.filled || length !== this.whole.length) return undefined;
    this.filled += part.copy(this.whole, offset, HEAD_BYTES);
    if (this.filled < length) return undefined;
    const { whole } = this;
    this.whole = Buffer.alloc(0);
    this.number = -1;
    return whole;
  }
}
