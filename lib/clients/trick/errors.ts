// What can go wrong between a client and a Trick server, one class a cause.

/** Names that are no variables of the simulation; Trick answers BAD_REF. */
export class BadReferenceError extends Error {
  override readonly name = 'BadReferenceError';

  constructor(readonly names: readonly string[]) {
    super(`BAD_REF: the simulation has no variable with a value that is called ${names.join(' or ')}`);
  }
}

/** Values are too large: Trick leaves them out of a binary reply and cuts them off in ASCII, since a message has 8192 bytes. */
export class ValueTooLargeError extends Error {
  override readonly name = 'ValueTooLargeError';

  constructor(readonly names: readonly string[]) {
    super(`${names.join(', ')}: too large for a message of 8192 bytes; ask for elements such as ${names[0]}[0]`);
  }
}

/** A variable cannot be shown in the units asked for. */
export class UnitsError extends Error {
  override readonly name = 'UnitsError';
}

/** A value does not fit the type of the variable it is meant for. */
export class ValueTypeError extends TypeError {
  override readonly name = 'ValueTypeError';
}

/** How varwire's sentence begins when its source takes no writes at all. */
export const REFUSES_ALL = 'this source cannot be written: ';

/** The server did not take a value; the variable has the one that it had, or what the server made of it. */
export class SetRefusedError extends Error {
  override readonly name = 'SetRefusedError';

  /**
   * @param printed what the server printed about it, where the session has asked for that.
   * @param reason the printed sentence that says why; Trick prints none.
   */
  constructor(
    message: string,
    readonly printed: string,
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** The connection ended, or the client was closed, before the answer was complete. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/**
 * The server took longer than `timeoutMillis`. The client then closes the connection: only the order of replies tells
 * which question each one answers.
 */
export class ReplyTimeoutError extends Error {
  override readonly name = 'ReplyTimeoutError';
}

/** The server sent bytes that are no message of Trick's. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** The simulation refused a command, or did not do what it was told within the time limit. */
export class CommandRefusedError extends Error {
  override readonly name = 'CommandRefusedError';

  /** @param printed all that the server printed about it. */
  constructor(
    message: string,
    readonly printed: string,
  ) {
    super(message);
  }
}

/** A condition did not come true in time. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}
