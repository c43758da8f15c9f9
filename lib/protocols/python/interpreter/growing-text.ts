// A text that grows by many short pieces: they are joined now and then, because each piece that is appended for itself is
// an object that the garbage collector must copy.

/** A piece of this length or more is appended for itself. */
const LONG_PIECE = 1024;
/** How many short pieces are joined at once. */
const MOST_PIECES = 512;

export class GrowingText {
  private text = '';
  private pieces: string[] = [];

  add(piece: string): void {
    if (piece.length < LONG_PIECE) {
      if (this.pieces.push(piece) >= MOST_PIECES) this.join();
      return;
    }
    this.join();
    this.text += piece;
  }

  toString(): string {
    this.join();
    return this.text;
  }

  private join(): void {
    if (this.pieces.length === 0) return;
    this.text += this.pieces.join('');
    this.pieces = [];
  }
}
