// Encoded frames shared by equal subscriptions: the same variables, units and format are encoded once per frame. A long
// message is shared as long as somebody has it, who counts it: a feed itself keeps short ones only.
import type { Frame } from '../frame/reader.js';
import { LONG_BYTES } from './outbound.js';

export type Encode = (frame: Frame) => Uint8Array;

/** How the messages of a feed are made, and what to do once when nobody holds it any longer. */
export interface Making {
  readonly encode: Encode;
  readonly ended?: () => void;
}

export class SharedFeed {
  private encodedNumber = -1;
  private encoded: Uint8Array | WeakRef<Uint8Array> | undefined;
  private makingNumber = -1;
  private making: Promise<Uint8Array | undefined> | undefined;
  /** What was made last, as long as somebody has it. */
  private made: WeakRef<Uint8Array> | undefined;
  /** How many subscriptions hold this feed; only FeedTable sets it. */
  holders = 0;

  constructor(
    readonly key: string,
    private readonly encode: Encode,
    readonly ended?: () => void,
  ) {}

  /** The message for a frame. The bytes never change afterwards: every socket may get the same ones. */
  message(frame: Frame): Uint8Array {
    const { number } = frame.header;
    const known = this.encodedNumber === number ? bytesOf(this.encoded) : undefined;
    if (known) return known;
    const encoded = this.encode(frame);
    this.encoded = encoded.length > LONG_BYTES ? new WeakRef(encoded) : encoded;
    this.encodedNumber = number;
    return encoded;
  }

  /** Whether the message for a frame is made in turns, or was and is still there. */
  isBegun(frame: Frame): boolean {
    return this.begun(frame) !== undefined;
  }

  private begun({ header }: Frame): Promise<Uint8Array | undefined> | undefined {
    if (this.makingNumber !== header.number) return undefined;
    const made = this.made?.deref();
    return this.making ?? (made && Promise.resolve(made));
  }

  /** The message for a frame that `make` makes in turns; it is made once for all who ask. */
  inTurns(frame: Frame, make: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const begun = this.begun(frame);
    if (begun) return begun;
    const making = make();
    this.makingNumber = frame.header.number;
    this.making = making;
    this.made = undefined;
    const over = (made?: Uint8Array): void => {
      if (this.making !== making) return;
      this.making = undefined;
      this.made = made && new WeakRef(made);
    };
    making.then(over, () => over());
    return making;
  }
}

const bytesOf = (kept: Uint8Array | WeakRef<Uint8Array> | undefined): Uint8Array | undefined =>
  kept instanceof WeakRef ? kept.deref() : kept;

export class FeedTable {
  private readonly feeds = new Map<string, SharedFeed>();

  get size(): number {
    return this.feeds.size;
  }

  /**
   * The feed of a key; `create` makes it for the first holder. The key must contain everything that shapes the bytes.
   */
  hold(key: string, create: () => Making): SharedFeed {
    let feed = this.feeds.get(key);
    if (!feed) {
      const { encode, ended } = create();
      feed = new SharedFeed(key, encode, ended);
      this.feeds.set(key, feed);
    }
    feed.holders++;
    return feed;
  }

  /** Releases one hold; a feed without holders is forgotten. */
  release(feed: SharedFeed): void {
    feed.holders--;
    if (feed.holders !== 0) return;
    this.feeds.delete(feed.key);
    feed.ended?.();
  }
}
