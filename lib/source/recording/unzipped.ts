// Chunks that are compressed with Zstandard, in memory that is bounded by what they say of themselves. RFC 8878
import { createRequire } from 'node:module';

const load = (): typeof import('fzstd') => createRequire(import.meta.url)('fzstd');

const MOST_BYTES = 256 * 1024 * 1024;

/** Throws an Error for bytes that say to be more than the chunk has, and for damaged ones. */
export function unzipped(bytes: Uint8Array, lengthBytes: bigint): Uint8Array {
  if (lengthBytes > MOST_BYTES) throw new Error(`a chunk would have ${lengthBytes} bytes, which is too many`);
  const announced = announcedBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (announced !== undefined && announced !== lengthBytes)
    throw new Error(`a chunk of ${lengthBytes} bytes is compressed from ${announced}`);
  try {
    return load().decompress(bytes, new Uint8Array(Number(lengthBytes)));
  } catch (error) {
    throw new Error(`a chunk cannot be decompressed: ${(error as Error).message}`);
  }
}

/** How long its one frame says to be; undefined when it does not say. */
function announcedBytes(bytes: Buffer): bigint | undefined {
  if (bytes.length < 18) return undefined;
  const descriptor = bytes[4] as number;
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number);
  switch (descriptor >> 6) {
    case 0:
      return isSingle ? BigInt(bytes[at] as number) : undefined;
    case 1:
      return BigInt(bytes.readUInt16LE(at) + 256);
    case 2:
      return BigInt(bytes.readUInt32LE(at));
    default:
      return bytes.length < at + 8 ? undefined : bytes.readBigUInt64LE(at);
  }
}
