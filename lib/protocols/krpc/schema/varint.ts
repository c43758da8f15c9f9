// Varints, in which kRPC writes lengths and integers.

/** The most bytes of a varint of 32 bits, and of 64 bits. */
export const LONGEST_LENGTH_BYTES = 5;
const LONGEST_BYTES = 10;

/** How many bytes a whole number from 0 up to 2^53 takes. */
export function varintBytes(value: number): number {
  let count = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) count++;
  return count;
}

/** Writes a whole number from 0 up to 2^53; returns the place behind it. */
export function writeVarint(into: Uint8Array, at: number, value: number): number {
  let place = at;
  let rest = value;
  while (rest >= 0x80) {
    into[place++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  into[place++] = rest;
  return place;
}

export function varint(value: number): Uint8Array {
  const bytes = new Uint8Array(varintBytes(value));
  writeVarint(bytes, 0, value);
  return bytes;
}

/** A whole number of 64 bits, from 0 up. */
export function bigVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** The number at a place and the place behind it; undefined when it is cut off or longer than a varint of 64 bits. */
export function readBigVarint(bytes: Uint8Array, at = 0): { readonly value: bigint; readonly end: number } | undefined {
  let value = 0n;
  for (let count = 0; count < LONGEST_BYTES; count++) {
    const byte = bytes[at + count];
    if (byte === undefined) return undefined;
    value |= BigInt(byte & 0x7f) << BigInt(7 * count);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + count + 1 };
  }
  return undefined;
}

/** A length of at most 32 bits: as `readBigVarint`, and `'bad'` for one that is longer. */
export function readLength(
  bytes: Uint8Array,
  at = 0,
): { readonly value: number; readonly end: number } | 'bad' | undefined {
  let value = 0;
  for (let count = 0; count < LONGEST_LENGTH_BYTES; count++) {
    const byte = bytes[at + count];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * count);
    if (byte < 0x80) return value < 2 ** 32 ? { value, end: at + count + 1 } : 'bad';
  }
  return 'bad';
}

export const zigzag = (value: bigint): bigint => (value >= 0n ? value * 2n : -value * 2n - 1n);
export const unzigzag = (value: bigint): bigint => (value & 1n ? -((value + 1n) / 2n) : value / 2n);
