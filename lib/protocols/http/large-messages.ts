// Long JSON messages of one reader: made in turns, never at once, and counted from when they are begun until they go out.
import type { Frame } from '../../model/frame/reader.js';
import type { Account } from '../../serving/scheduling/account.js';
import { Held } from '../../serving/scheduling/held.js';
import type { Delivery } from '../../serving/session/delivery.js';
import { countedUntilSent, LONG_BYTES } from '../../serving/session/outbound.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Subscription } from '../../serving/session/subscription.js';
import { holdLargeValues, type LargeValues } from './large-values.js';

/** Of a value that is copied from its frame. */
const BYTES_OF_VALUE = 8;

interface Form {
  wrapped(values: Uint8Array, frameNumber: number): Uint8Array;
  readonly withDropped: Delivery['withDropped'];
}

export class LargeMessages implements Delivery {
  readonly kind = 'text';
  private readonly values: LargeValues;
  private readonly held: Held;
  private isReleased = false;

  /** @param reader the account of the client that reads, which is not always the one that has subscribed. */
  constructor(
    private readonly registry: SessionRegistry,
    private readonly subscription: Subscription,
    reader: Account,
    private readonly form: Form,
  ) {
    const { account, references } = subscription;
    this.values = holdLargeValues(registry, account, references);
    this.held = new Held(reader);
  }

  message(): Uint8Array {
    return new Uint8Array();
  }

  readonly inTurns = async (frame: Frame): Promise<Uint8Array | undefined> => {
    const { number } = frame.header;
    if (!this.hold(this.values.isBegun(frame) ? 0 : BYTES_OF_VALUE * this.subscription.valueCount)) return undefined;
    const text = await this.values.make(frame);
    // The client has gone.
    if (!text || this.isReleased) {
      this.held.release();
      return undefined;
    }
    if (!this.hold(text.length)) {
      this.held.release();
      return undefined;
    }
    // Hundreds of readers may wait for one text, and a copy of it takes milliseconds.
    let message: Uint8Array | undefined;
    await this.registry.turns.due(this.subscription.account, () => {
      if (!this.isReleased) message = this.counted(this.form.wrapped(text, number));
    });
    return message;
  };

  readonly later = (begin: () => void): void => {
    this.registry.turns.begin(this.subscription.account, begin);
  };

  withDropped(message: Uint8Array, dropped: number): Uint8Array {
    return this.counted(this.form.withDropped(message, dropped));
  }

  release(): void {
    this.isReleased = true;
    this.held.release();
    this.values.release();
  }

  /** What is held is given back when the message goes out, which counts it anew. */
  private counted(message: Uint8Array): Uint8Array {
    if (message.length > LONG_BYTES) return countedUntilSent(message, () => this.held.release());
    this.held.release();
    return message;
  }

  /** Holds so many bytes for the message that is made; without room the message is left out. */
  private hold(bytes: number): boolean {
    return this.held.trySet('unreadBytes', bytes);
  }
}
