// Zstandard: by Node itself from 22.15 on, else by packages. What is decompressed is bounded by what it says of itself. RFC 8878
import { createRequire } from 'node:module';
import zlib from 'node:zlib';

/** As little as is worth it: higher levels take several times as long for a few percent. */
const LEVEL = 3;

interface Native {
  zstdCompressSync?(bytes: Uint8Array): Buffer;
  zstdDecompressSync?(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Buffer;
}

interface Library {
  compress(bytes: Uint8Array, level: number): Uint8Array;
  decompress(bytes: Uint8Array, lengthBytes: number): Uint8Array;
}

const load = createRequire(import.meta.url);
const native = zlib as Native;
let library: Library | undefined;

/** Loads what decompresses several times as fast as what needs no time to load. */
export async function loadZstd(): Promise<void> {
  if (library || native.zstdCompressSync) return;
  const loaded: typeof import('@foxglove/wasm-zstd') = load('@foxglove/wasm-zstd');
  await loaded.isLoaded;
  library = loaded;
}

/** What compresses, once it is loaded. */
export async function zstd(): Promise<(bytes: Uint8Array) => Uint8Array> {
  await loadZstd();
  const { zstdCompressSync } = native;
  if (zstdCompressSync) return (bytes) => zstdCompressSync(bytes);
  const loaded = library as Library;
  return (bytes) => loaded.compress(bytes, LEVEL);
}

/** Throws an Error for bytes that say to be of another length, and for damaged ones. */
export function unzipped(bytes: Uint8Array, lengthBytes: number): Uint8Array {
  const announced = announcedBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (announced !== undefined && announced !== BigInt(lengthBytes))
    throw new Error(`${lengthBytes} bytes are compressed from ${announced}`);
  const found = decompressed(bytes, lengthBytes);
  if (found.length !== lengthBytes) throw new Error('invalid zstd data');
  return found;
}

function decompressed(bytes: Uint8Array, lengthBytes: number): Uint8Array {
  try {
    if (native.zstdDecompressSync)
      return native.zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, lengthBytes) });
    if (library) return library.decompress(bytes, lengthBytes);
    return loadSmall().decompress(bytes, new Uint8Array(lengthBytes));
  } catch {
    throw new Error('invalid zstd data');
  }
}

const loadSmall = (): typeof import('fzstd') => load('fzstd');

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
