// Turns the values of a subscription into messages of one protocol; each front-end has its own.
import type { Frame } from '../../model/frame/reader.js';
import type { MessageKind } from './outbound.js';

export interface Delivery {
  readonly kind: MessageKind;
  /** The length of each message, where all have one length. */
  readonly bytes?: number;
  /** What makes the values of the messages, for all equal ones together. */
  readonly feed?: object;
  /**
   * Whether messages may be too large to be made at once. A client may have room for hundreds of them at once, of frames that
   * must be read anew, so each begins in a turn.
   */
  readonly isLong?: boolean;
  /**
   * The message for a frame, whose values are read at once. Of a long one the promise resolves after turns of the client: with
   * undefined when the client has gone meanwhile or has no room for it. The bytes never change afterwards, so they may be shared.
   */
  message(frame: Frame): Uint8Array | Promise<Uint8Array | undefined>;
  /** The same message, which also says how many messages before it were left out. */
  withDropped(message: Uint8Array, dropped: number): Uint8Array;
  /** Releases what is shared; called once, after all other calls. */
  release(): void;
}
