// Parsing in pieces, and all of it at once.

/** Parses in pieces of a millisecond or two; yields how many characters have become tokens since it last yielded. */
export type Pieces<Result> = Generator<number, Result>;

/** The result of work that yields between its pieces. */
export function atOnce<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const step = pieces.next();
    if (step.done) return step.value;
  }
}
