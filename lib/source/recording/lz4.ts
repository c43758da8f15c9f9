// Chunks of MCAP files that other programs have compressed with LZ4. lz4: lz4_Frame_format.md, lz4_Block_format.md
// By hand: the libraries for it are native code, or load asynchronously, or write no bound.
const [MAGIC, VERSION] = [0x184d2204, 1];
/** Bits of the flags of a frame. */
const FLAG = { dictionary: 1, checksum: 4, length: 8, blockChecksum: 16 };
/** Before what the flags announce: the magic, the flags, and the size of blocks. */
const HEAD_BYTES = 6;
const CHECKSUM_BYTES = 4;
const LEAST_MATCH = 4;
/** A length of four bits goes on in bytes when they are all set. */
const [LONG, LONGER] = [15, 255];
/** What is shorter is copied sooner byte by byte. */
const SHORT = 24;

/** Throws an Error for bytes that are no frames, and for frames of another length. */
export function unlz4(bytes: Uint8Array, lengthBytes: number): Uint8Array {
  const into = new Uint8Array(lengthBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const uint32 = (at: number): number => {
    if (at + 4 > bytes.length) throw damaged();
    return view.getUint32(at, true);
  };
  let [at, end] = [0, 0];
  while (at < bytes.length) {
    const first = end;
    const flags = bytes[at + 4] as number;
    if (uint32(at) !== MAGIC || flags >> 6 !== VERSION || flags & FLAG.dictionary) throw damaged();
    at += HEAD_BYTES + (flags & FLAG.length ? 8 : 0) + 1;
    for (let size = uint32(at); size !== 0; size = uint32(at)) {
      const length = size & 0x7fffffff;
      const block = bytes.subarray(at + 4, at + 4 + length);
      if (block.length < length) throw damaged();
      end = size >>> 31 === 1 ? stored(block, into, end) : unlz4Block(block, into, end, first);
      at += 4 + length + (flags & FLAG.blockChecksum ? CHECKSUM_BYTES : 0);
    }
    // The chunk has a checksum of its own.
    at += 4 + (flags & FLAG.checksum ? CHECKSUM_BYTES : 0);
  }
  if (end !== lengthBytes) throw damaged();
  return into;
}

/** Takes a block that is as it is. */
function stored(block: Uint8Array, into: Uint8Array, start: number): number {
  if (start + block.length > into.length) throw damaged();
  into.set(block, start);
  return start + block.length;
}

/**
 * Decompresses a block to a place in memory that has room for what it says to be. Returns where it ends there.
 * @param first from where on there is something that it may repeat.
 */
export function unlz4Block(block: Uint8Array, into: Uint8Array, start: number, first: number): number {
  let [at, end] = [0, start];
  const longer = (length: number): number => {
    if (length < LONG) return length;
    let sum = length;
    for (let byte = LONGER; byte === LONGER; sum += byte) {
      byte = block[at++] as number;
      if (byte === undefined) throw damaged();
    }
    return sum;
  };
  while (at < block.length) {
    const token = block[at++] as number;
    const literals = longer(token >> 4);
    if (at + literals > block.length || end + literals > into.length) throw damaged();
    if (literals > SHORT) into.set(block.subarray(at, at + literals), end);
    else for (let index = 0; index < literals; index++) into[end + index] = block[at + index] as number;
    [at, end] = [at + literals, end + literals];
    // The last literals have no match behind them.
    if (at === block.length) break;
    const back = (block[at] as number) + 256 * (block[at + 1] ?? 0);
    at += 2;
    const match = longer(token & LONG) + LEAST_MATCH;
    if (at > block.length || back === 0 || back > end - first || end + match > into.length) throw damaged();
    if (match > SHORT && match <= back) into.copyWithin(end, end - back, end - back + match);
    else for (let index = 0; index < match; index++) into[end + index] = into[end + index - back] as number;
    end += match;
  }
  return end;
}

const damaged = (): Error => new Error('invalid lz4 data');
