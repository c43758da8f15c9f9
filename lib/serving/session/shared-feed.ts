// Encoded frames shared by equal subscriptions: the same variables, units and format are encoded once per frame. A long
// message is shared as long as somebody has it, who counts it: a feed itself keeps short ones only.
import type { Frame } from '../../model/frame/reader.js';
import { LONG_BYTES } from './outbound.js';

/** A message, or a text that is a part of messages. */
type Encoded = Uint8Array | string;

export type Encode<Made extends Encoded = Uint8Array> = (frame: Frame) => Made;

/** How the messages of a feed are made, and what to do once when nobody holds it any longer. */
export interface Making<Made extends Encoded = Uint8Array> {
  readonly encode: Encode<Made>;
  readonly ended?: () => void;
}

/** A message as it is kept: a long one only as long as somebody has it. Undefined also for a long text. */
type Kept<Made> = Made | Promise<Uint8Array | undefined> | WeakRef<Uint8Array> | undefined;

export class SharedFeed<Made extends Encoded = Uint8Array> {
  private number = -1;
  private kept: Kept<Made>;
  /** The version of the catalog in which each frame shows the values, so that one look was enough for all who share them. */
  private plainIn: number | undefined;
  /** How many subscriptions hold this feed; only FeedTable sets it. */
  holders = 0;

  constructor(
    readonly key: string,
    private readonly encode: Encode<Made>,
    readonly ended?: () => void,
  ) {}

  /** The message for a frame. The bytes never change afterwards: every socket may get the same ones. */
  message(frame: Frame): Made {
    const known = this.keptOf(frame);
    if (known !== undefined) return known as Made;
    const made = this.encode(frame);
    this.keep(frame, made.length > LONG_BYTES ? weakly(made) : made);
    return made;
  }

  /** As `message`, of a frame that was looked at. @param isPlain whether each frame of its catalog shows the values. */
  messageOf(frame: Frame, isPlain: boolean): Made {
    this.plainIn = undefined;
    const message = this.message(frame);
    if (isPlain) this.plainIn = frame.header.catalogVersion;
    return message;
  }

  /** Itself when nobody needs to look at frames, so that messages cost those who share them little. */
  get ofAll(): this | undefined {
    return this.plainIn === undefined ? undefined : this;
  }

  /** The message for a frame that need not be looked at; undefined for others. */
  plainMessage(frame: Frame): Made | undefined {
    return this.plainIn === frame.header.catalogVersion ? this.message(frame) : undefined;
  }

  /** Whether the message for a frame is being made, or was and is still there. */
  isBegun(frame: Frame): boolean {
    return this.keptOf(frame) !== undefined;
  }

  /** The message for a frame that `make` makes in turns; it is made once for all who ask. */
  async begun(frame: Frame, make: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const known = this.keptOf(frame);
    if (known !== undefined) return known as Uint8Array | Promise<Uint8Array | undefined>;
    const making = make();
    this.keep(frame, making);
    let made: Uint8Array | undefined;
    try {
      made = await making;
    } finally {
      if (this.kept === making) this.kept = made && new WeakRef(made);
    }
    return made;
  }

  private keptOf({ header }: Frame): Encoded | Promise<Uint8Array | undefined> | undefined {
    if (this.number !== header.number) return undefined;
    const { kept } = this;
    return kept instanceof WeakRef ? kept.deref() : kept;
  }

  private keep({ header }: Frame, kept: Kept<Made>): void {
    this.number = header.number;
    this.kept = kept;
  }
}

const weakly = (made: Encoded): WeakRef<Uint8Array> | undefined =>
  typeof made === 'string' ? undefined : new WeakRef(made);

export class FeedTable {
  private readonly feeds = new Map<string, SharedFeed<Encoded>>();

  get size(): number {
    return this.feeds.size;
  }

  /**
   * The feed of a key; `create` makes it for the first holder. The key must contain everything that shapes the bytes, and
   * whether they are a text.
   */
  hold<Made extends Encoded = Uint8Array>(key: string, create: () => Making<Made>): SharedFeed<Made> {
    let feed = this.feeds.get(key) as SharedFeed<Made> | undefined;
    if (!feed) {
      const { encode, ended } = create();
      feed = new SharedFeed(key, encode, ended);
      this.feeds.set(key, feed as SharedFeed<Encoded>);
    }
    feed.holders++;
    return feed;
  }

  /** Releases one hold; a feed without holders is forgotten. */
  release(feed: Pick<SharedFeed<Encoded>, 'key' | 'holders' | 'ended'>): void {
    feed.holders--;
    if (feed.holders !== 0) return;
    this.feeds.delete(feed.key);
    feed.ended?.();
  }
}
