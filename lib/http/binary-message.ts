// The packed values of a subscription as WebSocket messages: the subscription's id, the frame, then the values.
import type { Frame } from '../frame/reader.js';
import {
  type BinaryLayout,
  binaryLayout,
  PREFIX_BYTES,
  readOneByOne,
  takeRows,
  writeRows,
} from '../json-rpc/binary-layout.js';
import type { Account } from '../scheduling/account.js';
import { Held } from '../scheduling/held.js';
import type { Sliced } from '../scheduling/slice.js';
import type { Delivery } from '../session/delivery.js';
import { countedUntilSent, LONG_BYTES } from '../session/outbound.js';
import type { Reference } from '../session/reference.js';
import type { SessionRegistry } from '../session/registry.js';
import type { Subscription } from '../session/subscription.js';

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

/**
 * Makes the messages of one subscription. Throws an RpcError for a variable without a fixed number of numbers.
 * @param reader the account of the client that reads.
 */
export function binaryDelivery(registry: SessionRegistry, subscription: Subscription, reader: Account): Delivery {
  const form = new BinaryForm(subscription);
  const isLong =
    form.bytes > MOST_AT_ONCE_BYTES || readOneByOne(form.layout, subscription.references) > MOST_ONE_BY_ONE;
  return isLong ? new LongBinaryMessages(registry, subscription.account, reader, form) : form;
}

/** Messages that are made at once. */
class BinaryForm implements Delivery {
  readonly kind = 'binary';
  readonly layout: BinaryLayout;
  readonly references: readonly Reference[];
  private readonly idBytes: Buffer;

  constructor({ id, references }: Subscription) {
    this.layout = binaryLayout(references);
    this.references = references;
    this.idBytes = Buffer.from(id.slice(0, MAX_ID_BYTES));
  }

  get bytes(): number {
    return this.layout.sizeBytes;
  }

  message(frame: Frame): Uint8Array {
    const message = this.begun(frame);
    writeRows(this.layout, this.references, frame, new DataView(message.buffer));
    return message;
  }

  /** A message that has no values yet. */
  begun({ header }: Frame): Uint8Array<ArrayBuffer> {
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

  release(): void {
    // Nothing is shared.
  }

  withDropped(message: Uint8Array, dropped: number): Uint8Array {
    new DataView(message.buffer, message.byteOffset).setUint32(OFFSETS.dropped, dropped, true);
    return message;
  }
}

/** Messages of many values: begun and converted in turns, and counted from when they are begun. */
class LongBinaryMessages implements Delivery {
  readonly kind = 'binary';
  private readonly held: Held;
  private isReleased = false;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly account: Account,
    reader: Account,
    private readonly form: BinaryForm,
  ) {
    this.held = new Held(reader);
  }

  get bytes(): number {
    return this.form.bytes;
  }

  message(frame: Frame): Uint8Array {
    return this.form.message(frame);
  }

  readonly inTurns = async (frame: Frame): Promise<Uint8Array | undefined> => {
    // Without room the message is left out.
    if (!this.held.trySet('unreadBytes', this.bytes)) return undefined;
    const { layout, references } = this.form;
    const message = this.form.begun(frame);
    const write = takeRows(layout, references, frame, new DataView(message.buffer));
    await this.registry.turns.run(this.account, (slice) => this.whileWanted(write(slice)));
    // The client has gone.
    if (this.isReleased) return undefined;
    if (message.length > LONG_BYTES) return countedUntilSent(message, () => this.held.release());
    this.held.release();
    return message;
  };

  readonly later = (begin: () => void): void => {
    this.registry.turns.begin(this.account, begin);
  };

  withDropped(message: Uint8Array, dropped: number): Uint8Array {
    return this.form.withDropped(message, dropped);
  }

  release(): void {
    this.isReleased = true;
    this.held.release();
  }

  private *whileWanted(work: Sliced<void>): Sliced<void> {
    while (!this.isReleased && !work.next().done) yield;
  }
}
