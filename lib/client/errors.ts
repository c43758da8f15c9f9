// What can go wrong between a client and a Trick server, one class a cause.

/** Names that stand for no variable of the simulation; Trick answers BAD_REF. */
export class BadReferenceError extends Error {
  override readonly name = 'BadReferenceError';

  constructor(readonly names: readonly string[]) {
    super(`BAD_REF: the simulation has no variable with a value that is called ${names.join(' or ')}`);
  }
}

/** Values that Trick leaves out of a binary reply, or cuts off in ASCII, because a message has 8192 bytes. */
export class ValueTooLargeError extends Error {
  override readonly name = 'ValueTooLargeError';

  constructor(readonly names: readonly string[]) {
    super(`${names.join(', ')}: too large for a message of 8192 bytes; ask for elements such as ${names[0]}[0]`);
  }
}

/** Units that a variable cannot be shown in. */
export class UnitsError extends Error {
  override readonly name = 'UnitsError';
}

/** A value that does not go with the type of the variable it is for. */
export class ValueTypeError extends TypeError {
  override readonly name = 'ValueTypeError';
}

/** The connection ended, or was closed here, before what was asked for was there. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** The server took longer than `timeoutMs`; the connection is given up, since replies are told apart by their order. */
export class ReplyTimeoutError extends Error {
  override readonly name = 'ReplyTimeoutError';
}

/** Bytes that are no message of Trick's. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
