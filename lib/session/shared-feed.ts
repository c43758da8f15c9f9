// Encoded frames shared by equal subscriptions: the same variables, units and format are encoded once per frame.
import type { Frame } from '../frame/reader.js';

export type Encode = (frame: Frame) => Uint8Array;

export class SharedFeed {
  private encodedNumber = -1;
  private encoded: Uint8Array = new Uint8Array();
  private makingNumber = -1;
  private making: Promise<Uint8Array | undefined> | undefined;
  /** How many subscriptions hold this feed; only FeedTable sets it. */
  holders = 0;

  constructor(
    readonly key: string,
    private readonly encode: Encode,
  ) {}

  /** The message for a frame. The bytes never change afterwards: every socket may get the same ones. */
  message(frame: Frame): Uint8Array {
    if (this.encodedNumber !== frame.header.number) {
      this.encoded = this.encode(frame);
      this.encodedNumber = frame.header.number;
    }
    return this.encoded;
  }

  /** Whether the message for a frame is made in turns, or was. */
  isBegun({ header }: Frame): boolean {
    return this.makingNumber === header.number;
  }

  /** The message for a frame that `make` makes in turns; it is made once for all who ask. */
  inTurns({ header }: Frame, make: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    if (this.makingNumber === header.number && this.making) return this.making;
    this.makingNumber = header.number;
    this.making = make();
    return this.making;
  }
}

export class FeedTable {
  private readonly feeds = new Map<string, SharedFeed>();

  get size(): number {
    return this.feeds.size;
  }

  /**
   * The feed of a key; `create` makes it for the first holder. The key must contain everything that shapes the bytes.
   */
  hold(key: string, create: () => Encode): SharedFeed {
    let feed = this.feeds.get(key);
    if (!feed) {
      feed = new SharedFeed(key, create());
      this.feeds.set(key, feed);
    }
    feed.holders++;
    return feed;
  }

  /** Releases one hold; a feed without holders is forgotten. */
  release(feed: SharedFeed): void {
    feed.holders--;
    if (feed.holders <= 0 && this.feeds.get(feed.key) === feed) this.feeds.delete(feed.key);
  }
}
