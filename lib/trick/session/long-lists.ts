// Messages of long lists: made in turns from a copy of a frame, so that no other client waits for them.
import { PageCount, pagesOf } from '../../frame/page-map.js';
import type { Frame } from '../../frame/reader.js';
import { Held } from '../../scheduling/held.js';
import { Slice } from '../../scheduling/slice.js';
import { countedBytesOf } from '../../session/frame-copies.js';
import { LargeRead } from '../../session/large-read.js';
import type { SessionRegistry } from '../../session/registry.js';
import type { Session } from '../../session/session.js';
import type { SharedFeed } from '../../session/shared-feed.js';
import { joinedListInPieces, listInPieces } from '../wire/list-encoder.js';
import type { ListFormat } from '../wire/list-format.js';
import type { ListIndicator } from '../wire/messages.js';
import type { TrickReference } from '../wire/reference.js';
import type { AskedNames } from './asked-names.js';
import { eachPiece, NAMES_AT_ONCE, STEPS_OF_PIECE, slicewise } from './pieces.js';

/** Making the message of so many variables takes about half a millisecond. */
const LONG_LIST = 1000;
/** So does making one that may be so long. */
const LONG_LIST_BYTES = 256 * 1024;

/** @param bytes that its message may have. */
export const isLong = ({ length }: { readonly length: number }, bytes = 0): boolean =>
  length > LONG_LIST || bytes > LONG_LIST_BYTES;

/** Work for a block, in pieces: yields when it is others' turn, and until what the session has asked for is settled. */
export type Pieces<Result> = Generator<'turn' | 'settled', Result>;

export class LongLists {
  /** What a block reads. */
  readonly read: LargeRead;

  constructor(
    private readonly client: Session,
    private readonly registry: SessionRegistry,
    private readonly isDatagram: boolean,
  ) {
    this.read = new LargeRead(registry, client.account, client.asker === 'operator');
  }

  /**
   * The messages of a list in a frame, one of them on a stream; undefined when the frame does not carry the list, when the
   * catalog changes meanwhile, because then the frame cannot be read to its end, and when the client may not hold a copy
   * of the frame.
   */
  make(...list: Parameters<typeof listInPieces>): Promise<readonly Uint8Array[] | undefined> {
    const [, , , frame] = list;
    return this.withRoom(frame, () => this.made(...list));
  }

  /**
   * As `make`, once for all who hold the feed. The room is taken before the feed is asked: a client that has none leaves
   * the making to the next one.
   */
  makeShared(feed: SharedFeed, ...list: Parameters<typeof listInPieces>): Promise<Uint8Array | undefined> {
    const [, , , frame] = list;
    const joined = (): Promise<Uint8Array | undefined> =>
      feed.inTurns(frame, () => this.made(...list).then((messages) => messages?.[0]));
    return feed.isBegun(frame) ? joined() : this.withRoom(frame, joined);
  }

  /** Counts a copy of a frame while something is made of it; undefined when the client may not hold one. */
  private async withRoom<Made>(frame: Frame, begin: () => Promise<Made>): Promise<Made | undefined> {
    const held = new Held(this.client.account);
    if (!held.trySet('unreadBytes', countedBytesOf(frame))) return undefined;
    try {
      return await begin();
    } finally {
      held.release();
    }
  }

  private async made(
    indicator: ListIndicator,
    references: readonly TrickReference[],
    format: ListFormat,
    frame: Frame,
  ): Promise<readonly Uint8Array[] | undefined> {
    const { copies, turns } = this.registry;
    if (!copies.isCheap(frame)) {
      // The message is left out, and the next one has memory that is ready.
      await turns.run(this.client.account, (slice) => copies.prepare(frame, slice));
      return undefined;
    }
    const copy = copies.take(frame);
    try {
      const messages = await turns.run(this.client.account, (slice) =>
        slicewise(this.carriedPieces(indicator, references, format, copy), slice, undefined),
      );
      return this.isCurrent(copy) ? messages : undefined;
    } finally {
      copies.giveBack(copy);
    }
  }

  /**
   * The messages of a list in the latest frame that shows all of it, in pieces for a block. Throws the RequestError that
   * says why no such frame can come.
   */
  *messages(
    indicator: ListIndicator,
    references: readonly TrickReference[],
    format: ListFormat,
  ): Pieces<readonly Uint8Array[]> {
    for (;;) {
      yield* this.untilShown(references);
      const copy = this.registry.copies.take(this.client.source.frame);
      try {
        const pieces = this.pieces(indicator, references, format, copy);
        const messages = yield* slicewise(pieces, this.slice(), 'turn' as const);
        if (this.isCurrent(copy)) return messages;
      } finally {
        this.registry.copies.giveBack(copy);
      }
    }
  }

  /** Adds each name; yields when it is others' turn. False when the client may not hold so many. */
  *addAll(asked: AskedNames, names: Iterable<string>): Pieces<boolean> {
    const slice = this.slice();
    let count = 0;
    for (const name of names) {
      asked.add(name);
      count++;
      if (count % NAMES_AT_ONCE !== 0) continue;
      if (!asked.count()) return false;
      if (!slice.isOver(STEPS_OF_PIECE)) continue;
      yield 'turn';
      slice.restart();
    }
    return asked.count();
  }

  /** Waits until the latest frame shows all, which it asks for, in its turn when that is much. */
  *untilShown(references: readonly TrickReference[]): Pieces<void> {
    if (!this.client.source.frame.pages) return;
    try {
      while (!(yield* this.areShown(references))) yield 'settled';
    } finally {
      this.read.end();
    }
  }

  /** Whether the latest frame shows all; if not, this asks for one that does, unless the read must wait. */
  private *areShown(references: readonly TrickReference[]): Pieces<boolean> {
    const { read } = this;
    const { source } = this.client;
    const counted = new PageCount(pagesOf(source.frame.memory.bytes.length));
    let isShown = true;
    yield* this.some(references, (some) => {
      if (!source.frame.showsAll(some, read.mayAsk, counted)) isShown = false;
    });
    if (!isShown && !read.mustWait) this.client.look();
    return isShown;
  }

  /** Calls with some references after others; yields when it is others' turn. */
  *some(references: readonly TrickReference[], call: (some: readonly TrickReference[]) => void): Pieces<void> {
    yield* slicewise(eachPiece(references, call), this.slice(), 'turn' as const);
  }

  /** As `pieces`; undefined when the frame does not carry the list. */
  private *carriedPieces(...list: Parameters<typeof listInPieces>): Generator<void, readonly Uint8Array[] | undefined> {
    const [, references, , frame] = list;
    let isCarried = true;
    if (frame.pages)
      yield* eachPiece(references, (some) => {
        isCarried = isCarried && this.isCurrent(frame) && frame.showsAll(some);
      });
    return isCarried ? yield* this.pieces(...list) : undefined;
  }

  private *pieces(...list: Parameters<typeof listInPieces>): Generator<void, readonly Uint8Array[]> {
    return this.isDatagram ? yield* listInPieces(...list) : [yield* joinedListInPieces(...list)];
  }

  private isCurrent({ header }: Frame): boolean {
    return header.catalogVersion === this.client.source.catalog.version;
  }

  private slice(): Slice {
    return new Slice(() => this.registry.clock.nowMillis());
  }
}
