// What can be wrong with a client's request to a session; each protocol answers it with its own code.

/** A path that names no variable. */
export class UnknownVariableError extends Error {
  override readonly name = 'UnknownVariableError';

  /**
   * @param alias the path as the client wrote it.
   * @param nearest existing paths that look like it.
   */
  constructor(
    sentence: string,
    readonly alias: string,
    readonly nearest: readonly string[],
  ) {
    super(sentence);
  }
}

/** A variable that clients may write but not read. */
export class WriteOnlyError extends Error {
  override readonly name = 'WriteOnlyError';

  constructor(readonly path: string) {
    super(`${path} is write-only`);
  }
}

/** An id that names no subscription, or one that has ended. */
export class UnknownSubscriptionError extends Error {
  override readonly name = 'UnknownSubscriptionError';

  constructor(readonly id: string) {
    super(`there is no subscription ${JSON.stringify(id)}`);
  }
}

/** Why something of a client ends whose account has closed. */
export const FORGOTTEN = 'the server has forgotten this client, because many others have come since';
