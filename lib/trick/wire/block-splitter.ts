// A stream of bytes cut into blocks: everything up to the last newline that has arrived. Trick: TCPConnection::read

/** The longest text kept without a newline, and the longest block. Trick: MAX_CMD_LEN */
export const MAX_BLOCK_BYTES = 200_000;

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

export class BlockSplitter {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private isSkipping = false;

  /**
   * @param block takes each block, newline included, carriage returns removed.
   * @param tooLong gets how many bytes were dropped, once for each text that grew too long without a newline.
   */
  constructor(
    private readonly block: (text: string) => void,
    private readonly tooLong: (bytes: number) => void,
    private readonly long: LongBlocks = { aboveBytes: Number.POSITIVE_INFINITY, take: () => undefined },
  ) {}

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
    if (bytes.length > MAX_BLOCK_BYTES) {
      this.tooLong(bytes.length);
      return;
    }
    if (bytes.length > this.long.aboveBytes) this.long.take(bytes);
    else this.block(blockText(bytes));
  }

  private hold(bytes: Buffer): void {
    this.heldBytes += bytes.length;
    if (this.heldBytes > MAX_BLOCK_BYTES) {
      this.tooLong(this.heldBytes);
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
