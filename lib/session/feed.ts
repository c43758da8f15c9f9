// Encoded frames shared by equal subscriptions: the same variables, units and format are encoded once a frame.
import type { Frame } from '../frame/reader.js';

export type Encode = (frame: Frame) => Uint8Array;

export class Feed {
  private encodedNumber = -1;
  private encoded: Uint8Array = new Uint8Array();
  /** Subscriptions that hold this feed; kept by FeedTable. */
  holders = 0;

  constructor(
    readonly key: string,
    private readonly encode: Encode,
  ) {}

  /** The message for a frame. Never written to afterwards: every socket may be handed the same bytes. */
  message(frame: Frame): Uint8Array {
    if (this.encodedNumber !== frame.header.number) {
      this.encoded = this.encode(frame);
      this.encodedNumber = frame.header.number;
    }
    return this.encoded;
  }
}

export class FeedTable {
  private readonly feeds = new Map<string, Feed>();

  get size(): number {
    return this.feeds.size;
  }

  /** The feed of a key, made by `create` for its first holder. The key must tell everything that shapes the bytes. */
  hold(key: string, create: () => Encode): Feed {
    let feed = this.feeds.get(key);
    if (!feed) {
      feed = new Feed(key, create());
      this.feeds.set(key, feed);
    }
    feed.holders++;
    return feed;
  }

  /** Lets go of one hold; a feed that nobody holds is forgotten. */
  release(feed: Feed): void {
    feed.holders--;
    if (feed.holders <= 0 && this.feeds.get(feed.key) === feed) this.feeds.delete(feed.key);
  }
}
