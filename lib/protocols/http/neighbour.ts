// A second protocol whose messages come to the same paths; it tells its own messages from those of JSON-RPC.

import type { Session } from '../../serving/session/session.js';
import type { Admission } from '../../serving/transport/front-end.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
import type { Caller } from '../json-rpc/caller.js';

export interface Neighbour {
  /** Answers a request of its own; undefined or false for a request of another protocol. */
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
  /** Sends a whole answer; so many bytes of it count until the client has taken them. */
  sendAnswer(text: AnswerText | undefined, heldBytes: number): Promise<void>;
}

export interface Conversation {
  /** Takes a message of its own; undefined or false for a message of another protocol. */
  take(message: Uint8Array): Promise<boolean> | undefined;
  /** The WebSocket has closed. */
  close(): void;
}
