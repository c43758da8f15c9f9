// The body of a whole answer, written part by part: what its client has not taken becomes less while the client reads.
import type { ServerResponse } from 'node:http';

/** Node counts all bytes of a write as waiting until the last of them is taken, inside TLS and HTTP/2 too. */
const PART_BYTES = 64 * 1024;

export class AnswerBody {
  private readonly parts: readonly Uint8Array[];
  private written = 0;
  private unwritten: number;
  private isListening = false;

  /**
   * @param bytes the length of all pieces together.
   * @param taken called when the client has taken some of it, and more has been written.
   */
  constructor(
    private readonly response: ServerResponse,
    pieces: readonly Uint8Array[],
    bytes: number,
    private readonly taken: () => void,
  ) {
    this.parts = pieces.flatMap(inParts);
    this.unwritten = bytes;
  }

  /** Bytes that the response does not have yet. */
  get unwrittenBytes(): number {
    return this.unwritten;
  }

  /** Writes one part, or many small ones, and the others when these are taken; ends the response with the last. */
  write(): void {
    for (let bytes = 0; this.written < this.parts.length - 1; ) {
      const part = this.next() as Uint8Array;
      bytes += part.length;
      const hasRoom = this.response.write(part);
      if (hasRoom || bytes < PART_BYTES) continue;
      this.listen();
      return;
    }
    this.response.end(this.next());
  }

  /** Not by the callback of each write, nor once each time: what compresses a program's answers passes neither on. */
  private listen(): void {
    if (!this.isListening) this.response.on('drain', this.writeOn);
    this.isListening = true;
  }

  private readonly writeOn = (): void => {
    // The last part may be taken, too.
    if (this.written >= this.parts.length) return;
    this.write();
    this.taken();
  };

  private next(): Uint8Array | undefined {
    const part = this.parts[this.written++];
    this.unwritten -= part?.length ?? 0;
    return part;
  }
}

function inParts(piece: Uint8Array): readonly Uint8Array[] {
  if (piece.length <= PART_BYTES) return [piece];
  const count = Math.ceil(piece.length / PART_BYTES);
  return Array.from({ length: count }, (_, at) => piece.subarray(at * PART_BYTES, (at + 1) * PART_BYTES));
}
