// What every front-end is handed: a way to send whole messages and to hear bytes, whatever socket is below.

import type { HttpRequest } from './http-request.js';

/** What a WebSocket sends a message as. */
export type MessageKind = 'text' | 'binary';

/** Where messages go. */
export interface Output {
  /**
   * Hands one whole message to the socket; never splits it over two writes. Text is sent as UTF-8. The bytes must not
   * change afterwards. A WebSocket sends text when the kind is left out; to other connections the kind means nothing.
   * Returns false, and sends nothing, once this side has ended or the connection is closed.
   */
  write(message: Uint8Array | string, kind?: MessageKind): boolean;
  /** Bytes accepted but not yet taken by the peer. A write counts in full until its last byte is taken. */
  readonly pendingBytes: number;
  /** Sends what is queued, then closes. */
  end(): void;
  /** Closes now; what is queued is lost. */
  destroy(): void;
}

export interface OutputEvents {
  /** Everything pending has been taken, after a backlog; one of less than 16 KB may pass without. */
  drain?(): void;
  /** Comes once, last, with a sentence for the log. */
  close(reason: string): void;
}

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
  /** `127.0.0.1:53412`, IPv6 in brackets. A UDP connection's peer is whoever sent last. */
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
  /** What the client asked with: path, query, headers. */
  readonly request: HttpRequest;
  /** The subprotocol agreed on, or empty. */
  readonly subprotocol: string;
}

/** An open port. */
export interface Listener {
  readonly address: string;
  readonly port: number;
  /** Takes no more peers, closes the connections it has, and resolves when all are gone. */
  close(): Promise<void>;
}
