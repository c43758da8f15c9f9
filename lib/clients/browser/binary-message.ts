// Packed messages of a subscription: version, jumps, dropped, frame, seconds, the subscription's id, then the values.
import type { NumberArray, WatchedValue } from './values.js';

/** Where a variable's values lie in a message, as var/subscribe answers it. */
export interface LayoutRow {
  readonly alias: string;
  readonly format: keyof typeof ARRAYS;
  /** Values side by side. */
  readonly count: number;
  /** Bytes from the start of the message. */
  readonly offset: number;
}

const ARRAYS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

const VERSION = 1;
/** Offsets of the parts that every message starts with. */
const AT = { jumps: 2, dropped: 4, frame: 8, seconds: 16, idLength: 24, id: 28, values: 48 } as const;

export interface BinaryMessage {
  readonly id: string;
  readonly jumps: number;
  readonly dropped: number;
  readonly frame: number;
  readonly seconds: number;
  readonly view: DataView<ArrayBuffer>;
}

/** Undefined for bytes that are no such message. */
export function binaryMessage(bytes: ArrayBuffer): BinaryMessage | undefined {
  const view = new DataView(bytes);
  if (bytes.byteLength < AT.values || view.getUint8(0) !== VERSION) return undefined;
  const length = Math.min(view.getUint32(AT.idLength, true), AT.values - AT.id);
  return {
    id: String.fromCharCode(...new Uint8Array(bytes, AT.id, length)),
    jumps: view.getUint16(AT.jumps, true),
    dropped: view.getUint32(AT.dropped, true),
    frame: view.getFloat64(AT.frame, true),
    seconds: view.getFloat64(AT.seconds, true),
    view,
  };
}

/** Reads single numbers without making an array for each of them, which would cost more than reading. */
const NUMBERS: Readonly<Record<LayoutRow['format'], (view: DataView, offset: number) => number | bigint>> = {
  int8: (view, offset) => view.getInt8(offset),
  uint8: (view, offset) => view.getUint8(offset),
  int16: (view, offset) => view.getInt16(offset, true),
  uint16: (view, offset) => view.getUint16(offset, true),
  int32: (view, offset) => view.getInt32(offset, true),
  uint32: (view, offset) => view.getUint32(offset, true),
  int64: (view, offset) => plain(view.getBigInt64(offset, true)),
  uint64: (view, offset) => plain(view.getBigUint64(offset, true)),
  float32: (view, offset) => view.getFloat32(offset, true),
  float64: (view, offset) => view.getFloat64(offset, true),
};

export type ValueReader = (view: DataView<ArrayBuffer>) => WatchedValue;

/** Reads one number, or a view of the message's bytes. @param isOne for a variable that is no array. */
export function valueReader({ format, count, offset }: LayoutRow, isOne: boolean): ValueReader {
  const read = NUMBERS[format];
  if (isOne) return (view) => read(view, offset);
  return ({ buffer }): NumberArray => new ARRAYS[format](buffer, offset, count);
}

/** A number when that loses nothing. */
function plain(number: bigint): number | bigint {
  return BigInt.asIntN(54, number) === number ? Number(number) : number;
}
