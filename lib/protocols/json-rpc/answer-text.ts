// The text of an answer, encoded in pieces while it is made, so that no step takes long for a long text.
import { LIMITS } from '../../model/bounds/limits.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** The most bytes that one answer may have. */
export const MAX_ANSWER_BYTES = LIMITS.answerBytes.each;

/**
 * Characters that are encoded together. A string that grows piece by piece is a tree of objects, which each garbage
 * collection meanwhile copies.
 */
const TAIL_CHARACTERS = 2048;
/** UTF-8 bytes of a UTF-16 character, at most. */
const MOST_BYTES_PER_CHARACTER = 3;
const PIECE_BYTES = 16 * 1024;
/** How many pieces are copied between two turns: the memory that one is copied to is new, which takes 50 us. */
const JOINED_AT_ONCE = 8;

export class AnswerText {
  private readonly done: Uint8Array[] = [];
  private doneBytes = 0;
  /** The piece that is being filled. */
  private piece: Buffer | undefined;
  private pieceBytes = 0;
  private tail = '';

  /** @param limitBytes the most bytes; checked per piece, so the text may get slightly longer. */
  constructor(private readonly limitBytes = Number.POSITIVE_INFINITY) {}

  static of(text: string): AnswerText {
    const answer = new AnswerText();
    answer.tail = text;
    return answer;
  }

  /** A text that many answers share: its pieces are made now. */
  static encoded(text: string): AnswerText {
    const answer = AnswerText.of(text);
    answer.encode();
    return answer;
  }

  /** Throws an RpcError when the answer gets too long. */
  add(text: string): void {
    this.tail += text;
    if (this.tail.length >= TAIL_CHARACTERS) this.encodeTail();
  }

  /** Adds a finished text; its pieces are shared, not copied. */
  append(finished: AnswerText): void {
    if (finished.done.length === 0 && !finished.piece) {
      this.add(finished.tail);
      return;
    }
    this.encode();
    for (const piece of finished.pieces) this.push(piece);
  }

  get byteLength(): number {
    return this.doneBytes + this.pieceBytes + Buffer.byteLength(this.tail);
  }

  /** The text as UTF-8 pieces; they do not change afterwards. */
  get pieces(): readonly Uint8Array[] {
    this.encode();
    return this.done;
  }

  /** The whole text in one block of bytes. */
  get bytes(): Uint8Array {
    const { pieces } = this;
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }

  /** As `bytes`, in turns of the client. */
  async joined(turn: () => Promise<void>): Promise<Uint8Array> {
    const { pieces } = this;
    if (pieces.length === 1) return pieces[0] as Uint8Array;
    const all = Buffer.allocUnsafeSlow(this.doneBytes);
    let at = 0;
    for (const [index, piece] of pieces.entries()) {
      if (index % JOINED_AT_ONCE === 0) await turn();
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  toString(): string {
    return Buffer.from(this.bytes).toString();
  }

  /** Makes pieces of what was added, before many answers share them. */
  encode(): void {
    if (this.piece) {
      this.encodeTail();
      this.endPiece();
    } else if (this.tail.length > 0) {
      this.push(Buffer.from(this.tail));
      this.tail = '';
    }
  }

  private encodeTail(): void {
    const { tail } = this;
    const mostBytes = MOST_BYTES_PER_CHARACTER * tail.length;
    if (mostBytes > PIECE_BYTES - this.pieceBytes) this.endPiece();
    if (mostBytes > PIECE_BYTES) this.push(Buffer.from(tail));
    else {
      this.piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
      this.pieceBytes += this.piece.write(tail, this.pieceBytes);
    }
    this.tail = '';
  }

  /** A piece that is not full is copied, so that a short text does not keep much memory. */
  private endPiece(): void {
    if (!this.piece) return;
    const filled = this.piece.subarray(0, this.pieceBytes);
    this.push(2 * filled.length > PIECE_BYTES ? filled : Buffer.from(filled));
    this.piece = undefined;
    this.pieceBytes = 0;
  }

  private push(piece: Uint8Array): void {
    this.done.push(piece);
    this.doneBytes += piece.length;
    if (this.doneBytes <= this.limitBytes) return;
    throw new RpcError(RpcCode.tooMany, `an answer may have ${this.limitBytes} bytes; ask for less at a time`);
  }
}
