// Follows the frames of a WebSocket: how much the parser keeps of a message that has not come whole.

const FIN = 0x80;
const CONTROL = 0x08;
const MASKED = 0x80;
const LENGTH = 0x7f;
const LONGEST_HEADER = 14;
/** What the parser keeps for each piece and each frame besides their bytes. */
const PART_BYTES = 200;

/** Follows the frames in the bytes of one WebSocket. */
export class FrameScanner {
  private readonly header = Buffer.alloc(LONGEST_HEADER);
  private headerBytes = 0;
  private payloadLeft = 0;
  private isLast = false;
  private isControl = false;
  private bytes = 0;

  /** About so many bytes are kept of a message that has not come whole. */
  get unfinishedBytes(): number {
    return this.bytes;
  }

  take(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      if (this.payloadLeft > 0) {
        const count = Math.min(this.payloadLeft, piece.length - at);
        at += count;
        this.takePayload(count);
      } else this.takeHeader(piece[at++] as number);
    }
    if (this.bytes > 0) this.bytes += PART_BYTES;
  }

  private takeHeader(byte: number): void {
    this.header[this.headerBytes++] = byte;
    if (this.headerBytes < 2 || this.headerBytes < headerLength(this.header)) return;
    this.headerBytes = 0;
    const [first = 0] = this.header;
    this.isLast = (first & FIN) !== 0;
    this.isControl = (first & CONTROL) !== 0;
    this.payloadLeft = payloadLength(this.header);
    if (!this.isControl) this.bytes += PART_BYTES;
    this.takePayload(0);
  }

  private takePayload(count: number): void {
    this.payloadLeft -= count;
    if (this.isControl) return;
    this.bytes += count;
    if (this.payloadLeft === 0 && this.isLast) this.bytes = 0;
  }
}

function headerLength(header: Buffer): number {
  const second = header[1] as number;
  const length = second & LENGTH;
  return 2 + (length === 126 ? 2 : length === 127 ? 8 : 0) + (second & MASKED ? 4 : 0);
}

function payloadLength(header: Buffer): number {
  const length = (header[1] as number) & LENGTH;
  if (length === 126) return header.readUInt16BE(2);
  return length === 127 ? Number(header.readBigUInt64BE(2)) : length;
}
