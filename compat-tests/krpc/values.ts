// kRPC's values as bytes for tests, written from the protocol's description and not from the server's code.

const concat = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
}

export function readVarint(bytes: Uint8Array, at = 0): { value: bigint; end: number } {
  let value = 0n;
  for (let place = at; ; place++) {
    const byte = bytes[place] as number;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (place - at));
    if (byte < 0x80) return { value, end: place + 1 };
  }
}

export const zigzag = (value: number): Buffer => varint(value >= 0 ? 2 * value : -2 * value - 1);
export const unzigzag = (bytes: Uint8Array): number => {
  const { value } = readVarint(bytes);
  return Number(value & 1n ? -((value + 1n) / 2n) : value / 2n);
};

export function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
export function float(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
export const text = (value: string): Buffer => concat(varint(Buffer.byteLength(value)), Buffer.from(value));
export const blob = (value: Uint8Array): Buffer => concat(varint(value.length), value);
export const bool = (value: boolean): Buffer => varint(value ? 1 : 0);

export const readDouble = (bytes: Uint8Array): number => Buffer.from(bytes).readDoubleLE();
export const readFloat = (bytes: Uint8Array): number => Buffer.from(bytes).readFloatLE();
export const readText = (bytes: Uint8Array): string => readBlob(bytes).toString();
export function readBlob(bytes: Uint8Array): Buffer {
  const { value, end } = readVarint(bytes);
  if (bytes.length !== end + Number(value)) throw new Error('the length does not fit');
  return Buffer.from(bytes.subarray(end));
}
export const readBool = (bytes: Uint8Array): boolean => readVarint(bytes).value === 1n;

const field = (number: number, body: Uint8Array): Buffer => concat(varint(8 * number + 2), varint(body.length), body);

/** Tuple, List and Set. */
export const items = (...all: readonly Uint8Array[]): Buffer => concat(...all.map((item) => field(1, item)));
export const dictionary = (...entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Buffer =>
  concat(...entries.map(([key, value]) => field(1, concat(field(1, key), field(2, value)))));

/** The fields of a message with fields of bytes alone, in order. */
function fieldsOf(bytes: Uint8Array): { number: number; body: Buffer }[] {
  const fields: { number: number; body: Buffer }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    const length = readVarint(bytes, tag.end);
    const end = length.end + Number(length.value);
    fields.push({ number: Number(tag.value >> 3n), body: Buffer.from(bytes.subarray(length.end, end)) });
    at = end;
  }
  return fields;
}

export const readItems = (bytes: Uint8Array): Buffer[] => fieldsOf(bytes).map(({ body }) => body);
export const readDictionary = (bytes: Uint8Array): [key: Buffer, value: Buffer][] =>
  readItems(bytes).map((entry) => {
    const fields = fieldsOf(entry);
    const of = (number: number): Buffer => fields.find((one) => one.number === number)?.body ?? Buffer.alloc(0);
    return [of(1), of(2)];
  });
