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

export class SharedFeed<Made extends Encoded = Uint8Array> {
  private encodedNumber = -1;
  /** Undefined also for a long text, which is made for each who asks. */
  private encoded: Made | WeakRef<Uint8Array> | undefined;
  private makingNumber = -1;
  private making: Promise<Uint8Array | undefined> | undefined;
  /** What was made last, as long as somebody has it. */
  private made: WeakRef<Uint8Array> | undefined;
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
    const { number } = frame.header;
    const known = this.encodedNumber === number ? madeOf(this.encoded) : undefined;
    if (known !== undefined) return known;
    const encoded = this.encode(frame);
    this.encoded = encoded.length > LONG_BYTES ? weakly(encoded) : encoded;
    this.encodedNumber = number;
    return encoded;
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

const weakly = (made: Encoded): WeakRef<Uint8Array> | undefined =>
  typeof made === 'string' ? undefined : new WeakRef(made);

const madeOf = <Made extends Encoded>(kept: Made | WeakRef<Uint8Array> | undefined): Made | undefined =>
  kept instanceof WeakRef ? (kept.deref() as Made | undefined) : kept;

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
