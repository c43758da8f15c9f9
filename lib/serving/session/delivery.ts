// Turns the values of a subscription into messages of one protocol; each front-end has its own.
import type { Frame } from '../../model/frame/reader.js';
import type { MessageKind } from './outbound.js';

export interface Delivery {
  readonly kind: MessageKind;
  /** The length of each message, where all have one length. */
  readonly bytes?: number;
  /** What makes the values of the messages, for all equal ones together. */
  readonly feed?: object;
  /** The message for a frame. The bytes never change afterwards, so they may be shared. */
  message(frame: Frame): Uint8Array;
  /**
   * Only for messages that are too large to be made at once: copies the values of a frame, and makes the message in
   * turns. Resolves with undefined when the client has gone meanwhile.
   */
  readonly inTurns?: (frame: Frame) => Promise<Uint8Array | undefined>;
  /** Calls in a turn of the client: what begins a large message takes milliseconds. Only with `inTurns`; default: at once. */
  readonly later?: (begin: () => void) => void;
  /** The same message, which also says how many messages before it were left out. */
  withDropped(message: Uint8Array, dropped: number): Uint8Array;
  /** Releases what is shared; called once, after all other calls. */
  release(): void;
}
