// A second protocol whose messages come to the same paths; it tells its own messages from those of JSON-RPC.

import type { Admission } from '../../serving/transport/front-end.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import type { Conversation, Talk } from '../json-rpc/talk.js';

export interface Neighbour {
  /** Answers a request of its own; undefined or false for a request of another protocol. */
  answer(exchange: HttpExchange, admission: Admission, body: Uint8Array): Promise<boolean> | undefined;
  /** Called for each WebSocket. */
  converse(talk: Talk): Conversation;
}
