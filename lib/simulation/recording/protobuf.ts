// As much of protobuf's encoding as recordings need: fields of a message, one after another.
// Protobuf: programming-guides/encoding, descriptor.proto

/** How a value is encoded; groups are not. */
export const WIRE = { varint: 0, eight: 1, counted: 2, four: 5 } as const;

export interface Field {
  readonly number: number;
  readonly wire: number;
  /** Of a varint its value; of others 0. */
  readonly value: bigint;
  /** The bytes of the value. */
  readonly bytes: Uint8Array;
}

/**
 * The fields of a message. Throws an Error for bytes that are none.
 * @param isWanted the number of a field; others are passed over.
 */
export function* fieldsOf(message: Uint8Array, isWanted = (_number: number): boolean => true): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new Error('a number in it does not end');
  };
  while (at < message.length) {
    // Most are of one byte or two.
    const [low, high = 0x80] = [message[at] as number, message[at + 1]];
    const isLong = low >= 0x80 && high >= 0x80;
    const tag = low < 0x80 ? low : isLong ? Number(varint()) : (low & 0x7f) + 128 * high;
    if (!isLong) at += low < 0x80 ? 1 : 2;
    const wire = tag % 8;
    const start = at;
    let value = 0n;
    let length = 0;
    if (wire === WIRE.varint) value = varint();
    else if (wire === WIRE.eight) length = 8;
    else if (wire === WIRE.four) length = 4;
    else if (wire === WIRE.counted) length = Number(varint());
    else throw new Error(`a field in it has the form ${wire}`);
    const from = wire === WIRE.varint ? start : at;
    at += length;
    if (at > message.length) throw new Error('a field in it is cut');
    const number = Math.floor(tag / 8);
    if (isWanted(number)) yield { number, wire, value, bytes: message.subarray(from, at) };
  }
}

/** The beginning of a field. */
export const tag = (number: number, wire: number): Buffer => varint(number * 8 + wire);

/** A field of a number, a text or a message. */
export function field(number: number, value: number | string | Uint8Array): Buffer {
  if (typeof value === 'number') return Buffer.concat([tag(number, WIRE.varint), varint(value)]);
  const bytes = Buffer.from(value as Uint8Array);
  return Buffer.concat([tag(number, WIRE.counted), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
