// What this front-end knows of a protocol whose messages come to the same paths: that it tells its own from others.
import type { Caller } from '../json-rpc/caller.js';
import type { Session } from '../session/session.js';
import type { Admission } from '../transport/front-end.js';
import type { HttpExchange } from '../transport/http-exchange.js';

export interface Neighbour {
  /** Answers a request if it is one of its own; undefined or false when it is not. */
  answer(exchange: HttpExchange, admission: Admission, body: Uint8Array): Promise<boolean> | undefined;
  /** Called for each WebSocket. */
  converse(talk: Talk): Conversation;
}

/** One WebSocket, as a protocol that shares it sees it. */
export interface Talk {
  readonly session: Session;
  readonly caller: Caller;
  readonly mayChange: boolean;
  send(text: string | Uint8Array): void;
  /** Counts bytes of an answer that was sent, until the client has taken them. */
  hold(bytes: number): void;
}

export interface Conversation {
  /** Takes a message if it is one of its own; undefined or false when it is not. */
  take(message: Uint8Array): Promise<boolean> | undefined;
  /** The WebSocket has closed. */
  close(): void;
}
