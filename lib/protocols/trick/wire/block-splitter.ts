// A stream of bytes cut into blocks: everything up to the last newline that has arrived. Trick: TCPConnection::read

import { isUtf8 } from 'node:buffer';
import { LIMITS } from '../../../model/bounds/limits.js';

/** The longest text kept without a newline, and the longest block. Trick: MAX_CMD_LEN */
export const MAX_BLOCK_BYTES = LIMITS.blockSize.each;

const NEWLINE = 10;

/** Who takes long blocks as bytes: a client may leave before its block begins, and then no text is made of it. */
export interface LongBlocks {
  /** A block of more bytes is long. */
  readonly aboveBytes: number;
  /** Takes the bytes of a long block instead of its text, which `blockText` makes. */
  take(bytes: Buffer): void;
}

/** The text of a block, without carriage returns. */
export const blockText = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\r', '');

/** What Python says of bytes that are no UTF-8: it names the first byte that cannot be decoded. */
function undecodable(bytes: Buffer): string {
  const decoded = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (bytes[at] === decoded[at]) at++;
  const byte = bytes.toString('hex', at, at + 1);
  return `SyntaxError: (unicode error) 'utf-8' codec can't decode byte 0x${byte} in position ${at}`;
}

/** Who takes what becomes of the stream. */
export interface BlockTaker {
  /** Takes each block, newline included, carriage returns removed. */
  block(text: string): void;
  /** Gets how many bytes were dropped, once for each text that grew too long without a newline. */
  tooLong(bytes: number): void;
  /** Gets Python's sentence on a block that was dropped because its bytes are no UTF-8. */
  notText(sentence: string): void;
  readonly long?: LongBlocks;
}

export class BlockSplitter {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private isSkipping = false;

  constructor(private readonly taker: BlockTaker) {}

  push(chunk: Buffer): void {
    const end = chunk.lastIndexOf(NEWLINE);
    if (this.isSkipping) {
      this.skip(chunk);
      return;
    }
    if (end < 0) {
      this.hold(chunk);
      return;
    }
    const last = chunk.subarray(0, end + 1);
    const whole = this.heldBytes === 0 ? last : Buffer.concat([...this.held, last]);
    this.held = [];
    this.heldBytes = 0;
    this.emit(whole);
    if (end + 1 < chunk.length) this.hold(chunk.subarray(end + 1));
  }

  /** Takes a datagram: it is whole, with or without its newline. */
  pushWhole(datagram: Buffer): void {
    this.emit(datagram);
  }

  private emit(bytes: Buffer): void {
    const { taker } = this;
    if (bytes.length > MAX_BLOCK_BYTES) taker.tooLong(bytes.length);
    else if (!isUtf8(bytes)) taker.notText(undecodable(bytes));
    else if (taker.long && bytes.length > taker.long.aboveBytes) taker.long.take(bytes);
    else taker.block(blockText(bytes));
  }

  private hold(bytes: Buffer): void {
    this.heldBytes += bytes.length;
    if (this.heldBytes > MAX_BLOCK_BYTES) {
      this.taker.tooLong(this.heldBytes);
      this.held = [];
      this.heldBytes = 0;
      this.isSkipping = true;
      return;
    }
    // A copy: the chunk may be a small part of a large socket buffer.
    this.held.push(Buffer.from(bytes));
  }

  /** Drops the rest of a line that was too long, and goes on after it. */
  private skip(chunk: Buffer): void {
    const end = chunk.indexOf(NEWLINE);
    if (end < 0) return;
    this.isSkipping = false;
    this.push(chunk.subarray(end + 1));
  }
}
