// Makes the messages of long lists in their client's turns, from a copy of a frame, so that no other client waits for them.
import { Look } from '../../../model/frame/lease.js';
import type { Frame } from '../../../model/frame/reader.js';
import { Held } from '../../../serving/scheduling/held.js';
import { inRanges } from '../../../serving/scheduling/ranges.js';
import { countedBytesOf } from '../../../serving/session/frame-copies.js';
import type { Messages } from '../../../serving/session/outbound.js';
import { Read } from '../../../serving/session/read.js';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import type { Session } from '../../../serving/session/session.js';
import type { SharedFeed } from '../../../serving/session/shared-feed.js';
import { awaited, type Run } from '../../python/index.js';
import { encodeListInTurns } from '../wire/list-encoder.js';
import type { ListFormat } from '../wire/list-format.js';
import type { ListIndicator } from '../wire/messages.js';
import type { TrickReference } from '../wire/reference.js';

/** Making the message of so many variables takes about half a millisecond. */
const LONG_LIST = 1000;
/** So does making one that may be so long. */
const LONG_LIST_BYTES = 256 * 1024;

/** @param bytes that its message may have. */
export const isLong = ({ length }: { readonly length: number }, bytes = 0): boolean =>
  length > LONG_LIST || bytes > LONG_LIST_BYTES;

type List = [indicator: ListIndicator, references: readonly TrickReference[], format: ListFormat];
/** The messages of a list, one of them on a stream. */
type Made = readonly Uint8Array[] | undefined;

export class ListMaker {
  /** What a block reads. */
  readonly read: Read;

  constructor(
    private readonly client: Session,
    private readonly registry: SessionRegistry,
    private readonly isDatagram: boolean,
  ) {
    this.read = new Read(client, registry);
  }

  readonly turn = (): Promise<void> => this.registry.turns.turn(this.client.account);

  /**
   * The messages of a list in a frame, once for all who hold the feed if there is one; undefined when the frame does not carry
   * the list, when the catalog changes meanwhile, because then the frame cannot be read to its end, and when the client may
   * not hold a copy of the frame.
   */
  async make(feed: SharedFeed | undefined, frame: Frame, ...list: List): Promise<Messages | undefined> {
    const held = new Held(this.client.account);
    // The room is taken before the feed is asked: a client that has none leaves the making to the next one.
    if (!feed?.isBegun(frame) && !held.trySet('unreadBytes', countedBytesOf(frame))) return undefined;
    try {
      const making = (): Promise<Made> => this.madeOfCheap(frame, list);
      return await (feed ? feed.begun(frame, () => making().then((messages) => messages?.[0])) : making());
    } finally {
      held.release();
    }
  }

  /**
   * The messages of a list in the latest frame that shows all of it, for a block. Throws the RequestError that says why no
   * such frame can come.
   */
  *messages(...list: List): Run<readonly Uint8Array[]> {
    try {
      for (;;) {
        const messages = yield* awaited(this.madeOfShown(list));
        if (messages) return messages;
        yield 'settled';
      }
    } finally {
      this.read.end();
    }
  }

  private async madeOfCheap(frame: Frame, list: List): Promise<Made> {
    const { copies } = this.registry;
    if (copies.isCheap(frame)) return this.made(frame, list);
    // The message is left out, and the next one has memory that is ready.
    await copies.prepareInTurns(frame, this.turn);
    return undefined;
  }

  /** Of the latest frame if that shows the list; if not, this asks for one that does, unless the read must wait. */
  private async madeOfShown(list: List): Promise<Made> {
    const { read, client } = this;
    const { source } = client;
    const look = await this.look(list[1], () => source.frame);
    return read.take(look, source.frame) ? this.made(source.frame, list) : undefined;
  }

  /** Of a copy of a frame that is the same from the beginning to the end. */
  private async made(frame: Frame, list: List): Promise<Made> {
    const { copies } = this.registry;
    const copy = copies.take(frame);
    try {
      if (!(await this.look(list[1], () => copy)).isShown) return undefined;
      const messages = await encodeListInTurns(this.isDatagram, this.turn, ...list, copy);
      return this.isCurrent(copy) ? messages : undefined;
    } finally {
      copies.giveBack(copy);
    }
  }

  /** Whether a frame carries the references, and is of the present catalog. */
  private async look(references: readonly TrickReference[], frame: () => Frame): Promise<Look> {
    const look = new Look();
    if (!frame().pages) return look;
    for (const some of inRanges(references)) {
      await this.turn();
      look.at(some, frame());
      look.isShown &&= this.isCurrent(frame());
    }
    return look;
  }

  private isCurrent({ header }: Frame): boolean {
    return header.catalogVersion === this.client.source.catalog.version;
  }
}
