// The packed values of a subscription as WebSocket messages: the subscription's id, the frame, then the values.
import type { Frame } from '../../model/frame/reader.js';
import type { Account } from '../../serving/scheduling/account.js';
import { Held } from '../../serving/scheduling/held.js';
import type { Delivery } from '../../serving/session/delivery.js';
import { countedUntilSent, LONG_BYTES } from '../../serving/session/outbound.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Subscription } from '../../serving/session/subscription.js';
import { type BinaryLayout, binaryLayout, PREFIX_BYTES, readOneByOne, takeRows } from '../json-rpc/binary-layout.js';

/**
 * Every message starts with: version (uint8, 1), a zero byte, jumps (uint16, modulo 65536), dropped (uint32), frame
 * number (float64), sim_time in seconds (float64), length of the id (uint32) and the subscription's id in 20 bytes of
 * ASCII; all little-endian.
 */
const OFFSETS = { version: 0, jumps: 2, dropped: 4, frame: 8, seconds: 16, idLength: 24, id: 28 } as const;
const MAX_ID_BYTES = PREFIX_BYTES - OFFSETS.id;
const VERSION = 1;
/** Jumps of time are counted modulo this. */
const MOST_JUMPS = 2 ** 16;

/** Reading so many values one by one takes about a millisecond. */
const MOST_ONE_BY_ONE = 5000;
/** Copying a message of so many bytes takes a third of a millisecond. */
const MOST_AT_ONCE_BYTES = 512 * 1024;

/** How many times numbers of a row are written between two turns. */
const WRITES_AT_ONCE = 8;

/**
 * Makes the messages of one subscription. Throws an RpcError for a variable without a fixed number of numbers.
 * @param reader the account of the client that reads.
 */
export function binaryDelivery(registry: SessionRegistry, subscription: Subscription, reader: Account): Delivery {
  return new BinaryMessages(registry, subscription, reader);
}

/** Short messages are made at once, those of many values in turns; these are counted from when they are begun. */
class BinaryMessages implements Delivery {
  readonly kind = 'binary';
  readonly isLong: boolean;
  private readonly layout: BinaryLayout;
  private readonly idBytes: Buffer;
  private readonly held: Held;
  private isReleased = false;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly subscription: Subscription,
    reader: Account,
  ) {
    const { id, references } = subscription;
    this.layout = binaryLayout(references);
    this.idBytes = Buffer.from(id.slice(0, MAX_ID_BYTES));
    this.held = new Held(reader);
    this.isLong = this.bytes > MOST_AT_ONCE_BYTES || readOneByOne(this.layout, references) > MOST_ONE_BY_ONE;
  }

  get bytes(): number {
    return this.layout.sizeBytes;
  }

  message(frame: Frame): Uint8Array | Promise<Uint8Array | undefined> {
    if (this.isLong) return this.madeInTurns(frame);
    const message = this.begun(frame);
    for (const write of this.taken(frame, message)) write();
    return message;
  }

  private async madeInTurns(frame: Frame): Promise<Uint8Array | undefined> {
    // Without room the message is left out.
    if (!this.held.trySet('unreadBytes', this.bytes)) return undefined;
    const message = this.begun(frame);
    const { turns } = this.registry;
    for (const [index, write] of this.taken(frame, message).entries()) {
      if (index % WRITES_AT_ONCE === 0) await turns.turn(this.subscription.account);
      // The client has gone.
      if (this.isReleased) return undefined;
      write();
    }
    if (message.length > LONG_BYTES) return countedUntilSent(message, () => this.held.release());
    this.held.release();
    return message;
  }

  /** Copies the values; the functions write those that are not in place yet. */
  private taken(frame: Frame, message: Uint8Array<ArrayBuffer>): readonly (() => void)[] {
    return takeRows(this.layout, this.subscription.references, frame, new DataView(message.buffer));
  }

  /** A message that has no values yet. */
  private begun({ header }: Frame): Uint8Array<ArrayBuffer> {
    const message = new Uint8Array(this.layout.sizeBytes);
    const view = new DataView(message.buffer);
    view.setUint8(OFFSETS.version, VERSION);
    view.setUint16(OFFSETS.jumps, header.jumps % MOST_JUMPS, true);
    view.setFloat64(OFFSETS.frame, header.number, true);
    view.setFloat64(OFFSETS.seconds, header.clockSeconds, true);
    view.setUint32(OFFSETS.idLength, this.idBytes.length, true);
    message.set(this.idBytes, OFFSETS.id);
    return message;
  }

  withDropped(message: Uint8Array, dropped: number): Uint8Array {
    new DataView(message.buffer, message.byteOffset).setUint32(OFFSETS.dropped, dropped, true);
    return message;
  }

  release(): void {
    this.isReleased = true;
    this.held.release();
  }
}
