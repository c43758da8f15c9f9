// The text of an answer, encoded piece by piece as it is made: no step of it takes long, however long the text.
import { RpcCode, RpcError } from './rpc-error.js';

/** What one answer may have in bytes. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const PIECE_CHARACTERS = 64 * 1024;

export class AnswerText {
  private readonly done: Uint8Array[] = [];
  private doneBytes = 0;
  private tail = '';

  /** @param limitBytes what it may have; by pieces, so a little more may get in. */
  constructor(private readonly limitBytes = Number.POSITIVE_INFINITY) {}

  static of(text: string): AnswerText {
    const answer = new AnswerText();
    answer.tail = text;
    return answer;
  }

  /** Throws an RpcError when the answer gets too long. */
  add(text: string): void {
    this.tail += text;
    if (this.tail.length >= PIECE_CHARACTERS) this.encodeTail();
  }

  /** The same with a text that is ready; its pieces are shared. */
  append({ done, tail }: AnswerText): void {
    if (done.length > 0) this.encodeTail();
    for (const piece of done) this.push(piece);
    this.add(tail);
  }

  get byteLength(): number {
    return this.doneBytes + Buffer.byteLength(this.tail);
  }

  /** In UTF-8; not changed afterwards. */
  get pieces(): readonly Uint8Array[] {
    this.encodeTail();
    return this.done;
  }

  /** All of it as one. */
  get bytes(): Uint8Array {
    const { pieces } = this;
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }

  toString(): string {
    return Buffer.from(this.bytes).toString();
  }

  private encodeTail(): void {
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
