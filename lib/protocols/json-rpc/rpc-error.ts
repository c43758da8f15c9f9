// Errors of JSON-RPC: a code, one sentence, and data that a program can act on.

/** JSON-RPC 2.0's own codes, then this server's. Bevy also answers -23402 for an unknown type path. */
export const RpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  unknownVariable: -23402,
  valueRefused: -23411,
  unitsRefused: -23412,
  notReadable: -23413,
  unknownSubscription: -23414,
  requestRefused: -23415,
  notAllowed: -23416,
  timedOut: -23417,
  tooMany: -23418,
} as const;

export type RpcCode = (typeof RpcCode)[keyof typeof RpcCode];

/** A method throws it to answer with an error object. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    sentence: string,
    readonly data?: unknown,
  ) {
    // The client made the error, so a stack says nothing; making one would cost more than the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(sentence);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Made once, because a flood meets it often. */
export const TOO_MANY_BODIES = new RpcError(
  RpcCode.tooMany,
  'requests that wait for their answers have as many bytes as this server holds for an address, or for all; send it later',
);

const QUOTED_CHARACTERS = 100;

/** A client's text in quotes for a sentence, cut off when it is long. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text);
