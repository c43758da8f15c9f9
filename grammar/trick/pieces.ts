// Does all of the work at once that could be done in pieces.

/** The result of work that yields between its pieces. */
export function atOnce<Result>(pieces: Generator<void, Result>): Result {
  for (;;) {
    const step = pieces.next();
    if (step.done) return step.value;
  }
}
