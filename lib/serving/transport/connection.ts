// What every front-end gets for a client: it sends whole messages and receives bytes, over any kind of socket.

import type { HttpRequest } from './http-request.js';

/** How a WebSocket sends a message. */
export type WebSocketMessageKind = 'text' | 'binary';

/** Where messages are written. */
export interface Output {
  /**
   * Hands one whole message to the socket; never splits it over two writes. Text is sent as UTF-8. The bytes must not
   * change afterwards. A WebSocket sends text when the kind is left out; other connections ignore the kind. Returns
   * false, and sends nothing, once this side has ended or the connection is closed.
   */
  write(message: Uint8Array | string, kind?: WebSocketMessageKind): boolean;
  /** Bytes accepted but not yet taken by the peer. A write counts in full until its last byte is taken. */
  readonly pendingBytes: number;
  /** In how many writes they wait, where that is known. */
  readonly pendingWrites?: number;
  /**
   * Whether the peer has yet to take what it was sent seconds ago, or more than it takes in 2 s, although the operating
   * system has accepted it. WebSockets know it of peers that answer pings; of other connections it is undefined.
   */
  readonly isBehind?: boolean;
  /** Finds `isBehind` out from now on. */
  followTaking?(): void;
  /** Sends what is queued, then closes. */
  end(): void;
  /** Closes now; what is queued is lost. */
  destroy(): void;
}

export interface OutputEvents {
  /**
   * The peer has taken everything after a backlog, or is no longer behind. A backlog of less than 16 KB may end without
   * this call.
   */
  drain?(): void;
  /** The last call, exactly once, with a sentence for the log. */
  close(reason: string): void;
}

/** The longest payload of an IPv4 UDP datagram. */
export const MAX_DATAGRAM_BYTES = 65_507;

/** What a connection tells the front-end that listens to it. */
export interface ConnectionEvents extends OutputEvents {
  /** Bytes as they came (tcp), or one whole message (udp, multicast, websocket). */
  data(chunk: Buffer): void;
  /**
   * The peer has sent its last byte but may still read (`printf ... | nc`). With this handler the connection stays
   * open for replies until `end()` or `destroy()`; without it the connection is closed.
   */
  ended?(): void;
}

/** One peer. Nothing is read before `listen`. */
export interface Connection extends Output {
  readonly kind: 'tcp' | 'udp' | 'multicast' | 'websocket';
  /** `127.0.0.1:53412`, IPv6 in brackets. The peer of a UDP connection is the address that sent last. */
  readonly peer: string;
  readonly local: string;
  pauseReading(): void;
  resumeReading(): void;
  /** Starts reading. A second call replaces the first one's events. */
  listen(events: ConnectionEvents): void;
}

/** A WebSocket: each `write` is one message. */
export interface WebSocketPeer extends Connection {
  readonly kind: 'websocket';
  /** The client's request: path, query and headers. */
  readonly request: HttpRequest;
  /** The subprotocol that both sides use, or empty. */
  readonly subprotocol: string;
  /** Ends a peer that sends a message of the other kind, with code 1003. */
  takeOnly(kind: WebSocketMessageKind): void;
  /** @param code the closing code; 1000 when left out. */
  end(code?: number): void;
}

/** An open port. */
export interface Listener {
  readonly address: string;
  readonly port: number;
  /** Whether a connection is open, or a datagram has come since the last call; undefined where nobody asks. */
  wasUsed?(): boolean;
  /** Accepts no more peers, closes the open connections, and resolves when all are closed. */
  close(): Promise<void>;
}
