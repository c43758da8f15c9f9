// One WebSocket that several protocols share, as one of them sees it.
import type { Session } from '../../serving/session/session.js';
import type { AnswerText } from './answer-text.js';
import type { Caller } from './caller.js';

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
