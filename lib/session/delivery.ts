// How the values of a subscription become messages of one protocol; each front-end has its own.
import type { Frame } from '../frame/reader.js';
import type { MessageKind } from './outbound.js';

export interface Delivery {
  readonly kind: MessageKind;
  /** What a frame shows, in bytes that are not changed afterwards: they may be shared. */
  message(frame: Frame): Uint8Array;
  /** The same message, which also says how many before it were left out. */
  withDropped(message: Uint8Array, dropped: number): Uint8Array;
  /** Lets go of what is shared; called once, last. */
  release(): void;
}
