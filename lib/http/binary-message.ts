// The packed values of a subscription as WebSocket messages: the subscription's id, the frame, then the values.
import { binaryLayout, PREFIX_BYTES, writeRows } from '../json-rpc/binary-layout.js';
import type { Delivery } from '../session/delivery.js';
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

/** Makes the messages of one subscription. Throws an RpcError for a variable without a fixed number of numbers. */
export function binaryDelivery({ id, references }: Subscription): Delivery {
  const layout = binaryLayout(references);
  const idBytes = Buffer.from(id.slice(0, MAX_ID_BYTES));
  return {
    kind: 'binary',
    bytes: layout.sizeBytes,
    message: (frame) => {
      const message = new Uint8Array(layout.sizeBytes);
      const view = new DataView(message.buffer);
      view.setUint8(OFFSETS.version, VERSION);
      view.setUint16(OFFSETS.jumps, frame.header.jumps % MOST_JUMPS, true);
      view.setFloat64(OFFSETS.frame, frame.header.number, true);
      view.setFloat64(OFFSETS.seconds, frame.header.clockSeconds, true);
      view.setUint32(OFFSETS.idLength, idBytes.length, true);
      message.set(idBytes, OFFSETS.id);
      writeRows(layout, references, frame, view);
      return message;
    },
    release: () => {},
    withDropped: (message, dropped) => {
      new DataView(message.buffer, message.byteOffset).setUint32(OFFSETS.dropped, dropped, true);
      return message;
    },
  };
}
