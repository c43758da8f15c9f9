// What can be wrong with what a client asks of a session.

/** A path that names no variable. */
export class UnknownVariableError extends Error {
  override readonly name = 'UnknownVariableError';

  /** @param nearest existing paths that look like it. */
  constructor(
    sentence: string,
    readonly nearest: readonly string[],
  ) {
    super(sentence);
  }
}
