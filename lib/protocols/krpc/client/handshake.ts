// kRPC's handshake on a stream socket: one ConnectionRequest, and the answers that refuse anything else.
import type { Clock } from '../../../serving/scheduling/clock.js';
import type { Connection } from '../../../serving/transport/connection.js';
import { FrameSplitter, framed } from '../schema/frame-splitter.js';
import { decodeMessage, encodeMessage, type MessageOf, Schema } from '../schema/messages.js';

type ConnectionRequest = MessageOf<'ConnectionRequest'>;

/** Which of the two ports. */
export type Port = 'rpc' | 'stream';

export const Status = { ok: 0, malformedMessage: 1, timeout: 2, wrongType: 3 } as const;
const TYPES: readonly Port[] = ['rpc', 'stream'];

/** A request holds a name and 16 bytes. */
const MOST_BYTES = 4096;
const PATIENCE_SECONDS = 3;

export const IDENTIFIER_BYTES = 16;

/** A client that has asked to be connected. */
export interface ConnectRequest {
  readonly name: string;
  readonly identifier: Uint8Array;
  /** Bytes behind the request. */
  readonly rest: Uint8Array;
  /** How many bytes the request took. */
  readonly bytes: number;
}

export interface Hearing {
  readonly clock: Clock;
  asked(asked: ConnectRequest): void;
  /** Called when another thing than a request, or nothing, has come. */
  refused(): void;
}

/** Waits for the request of a connection; refuses all others with kRPC's sentences, and closes. */
export function awaitRequest(connection: Connection, port: Port, { clock, asked, refused }: Hearing): void {
  const splitter = new FrameSplitter(MOST_BYTES);
  let stopTimer: (() => void) | undefined;
  let bytes = 0;
  const refuse = (status: number, message: string): void => {
    stopTimer?.();
    refused();
    connection.write(responseBytes({ status, message }), 'binary');
    connection.end();
  };
  connection.listen({
    data: (chunk) => {
      stopTimer ??= clock.after(1000 * PATIENCE_SECONDS, () =>
        refuse(Status.timeout, `Connection request message not received after waiting ${PATIENCE_SECONDS} seconds`),
      );
      splitter.push(chunk);
      bytes += chunk.length;
      const request = requestIn(splitter);
      if (!request) return;
      const refusal = request === 'malformed' ? MALFORMED : refusalOf(request, port);
      if (refusal) return refuse(...refusal);
      stopTimer?.();
      const { clientName, clientIdentifier } = request as ConnectionRequest;
      asked({ name: clientName, identifier: clientIdentifier, rest: splitter.rest(), bytes });
    },
    close: () => stopTimer?.(),
  });
}

type Told = readonly [status: number, message: string];
const MALFORMED: Told = [Status.malformedMessage, 'the bytes are no connection request'];

function requestIn(splitter: FrameSplitter): ConnectionRequest | 'malformed' | undefined {
  try {
    const message = splitter.next();
    return message && decodeMessage(Schema.ConnectionRequest, message);
  } catch {
    return 'malformed';
  }
}

function refusalOf({ type, clientIdentifier }: ConnectionRequest, port: Port): Told | undefined {
  const wanted = TYPES[type];
  if (wanted === undefined) return MALFORMED;
  if (wanted !== port) {
    const sentence = `Connection request was for the ${wanted} server, but this is the ${port} server. Did you connect to the wrong port number?`;
    return [Status.wrongType, sentence];
  }
  if (port === 'stream' && clientIdentifier.length !== IDENTIFIER_BYTES) {
    return [Status.malformedMessage, `Client identifier must be ${IDENTIFIER_BYTES} bytes.`];
  }
  return undefined;
}

export const responseBytes = (response: {
  readonly status: number;
  readonly message?: string;
  readonly clientIdentifier?: Uint8Array;
}): Uint8Array => framed(encodeMessage(Schema.ConnectionResponse, response));
