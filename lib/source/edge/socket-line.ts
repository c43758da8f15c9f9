// An edge's line to one server: a WebSocket at /edge.
import type { WebSocket } from 'ws';
import type { Connect, EdgeEvents, EdgeLine, Up } from './carrier.js';
import { MOST_MESSAGE_BYTES } from './parts.js';

const CONNECT_MILLIS = 5000;
/** The server takes no longer message of a WebSocket. */
const MOST_TOLD_BYTES = 1_000_000;

/**
 * @param url of the server: http or https.
 * @param token for a server that asks for one.
 */
export function connectBySocket(url: URL, token?: string): Connect {
  const target = new URL('/edge', url);
  target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return async (events) => {
    const { WebSocket } = await import('ws');
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const socket = new WebSocket(target, {
      headers,
      handshakeTimeout: CONNECT_MILLIS,
      maxPayload: MOST_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    return opened(socket, url, events);
  };
}

function opened(socket: WebSocket, url: URL, events: EdgeEvents): Promise<EdgeLine> {
  return new Promise((resolve, reject) => {
    const refused = (reason: string): void => reject(new Error(`${url.host} cannot be reached: ${reason}`));
    let failure: string | undefined;
    socket.on('error', ({ message }) => {
      failure = message;
      refused(message);
    });
    socket.on('unexpected-response', (request, { statusCode }) => {
      request.destroy();
      refused(statusCode === 401 ? 'it asks for a token' : `it answers with status ${statusCode}`);
    });
    socket.on('message', (message: Buffer) => events.message(message));
    socket.on('close', () => {
      refused('the connection was closed');
      events.lost(failure ?? 'the connection was closed');
    });
    socket.on('open', () =>
      resolve({
        mostBytes: MOST_TOLD_BYTES,
        tell: (kind: Up, text) => socket.send(Buffer.concat([Uint8Array.of(kind), Buffer.from(text)]), () => undefined),
        close: () => socket.terminate(),
      }),
    );
  });
}
