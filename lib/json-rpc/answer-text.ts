// The text of an answer, encoded in pieces while it is made, so that no step takes long for a long text.
import { RpcCode, RpcError } from './rpc-error.js';

/** The most bytes that one answer may have. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const PIECE_CHARACTERS = 64 * 1024;

export class AnswerText {
  private readonly done: Uint8Array[] = [];
  private doneBytes = 0;
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
    if (this.tail.length >= PIECE_CHARACTERS) this.encode();
  }

  /** Adds a finished text; its pieces are shared, not copied. */
  append({ done, tail }: AnswerText): void {
    if (done.length > 0) this.encode();
    for (const piece of done) this.push(piece);
    this.add(tail);
  }

  get byteLength(): number {
    return this.doneBytes + Buffer.byteLength(this.tail);
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

  toString(): string {
    return Buffer.from(this.bytes).toString();
  }

  /** Makes pieces of what was added, before many answers share them. */
  encode(): void {
    if (this.tail.length === 0) return;
    const piece = Buffer.from(this.tail);
    this.tail = '';
    this.push(piece);
  }

  private push(piece: Uint8Array): void {
    this.done.push(piece);
    this.doneBytes += piece.length;
    if (this.doneBytes <= this.limitBytes) return;
    throw new RpcError(RpcCode.tooMany, `an answer may have ${this.limitBytes} bytes; ask for less at a time`);
  }
}
