// Frames as messages: a key frame has all that the frame carries, others what has changed since the key frame.
import { decodeHeader, encodeHeader, type FrameHeader, HEADER_BYTES } from '../../model/frame/header.js';
import { PageMap, pagesOf } from '../../model/frame/page-map.js';
import type { Frame } from '../../model/frame/reader.js';
import { untouchedMemory } from '../../model/frame/untouched-memory.js';
import { Memory } from '../../model/state/memory.js';
import { Down } from './carrier.js';

/** Kind and padding, epoch, number of the key frame (0 in one), bytes of the arena, of a page, of the map of pages. */
const HEAD_BYTES = 8 + 8 + 8 + 8 + 4 + 4;
const MAP_START = HEAD_BYTES + HEADER_BYTES;
/** No state is larger. */
const MOST_ARENA_BYTES = 2 ** 31;
/** A run of changed words has a head of two; so many equal words are not worth another one. */
const RUN_HEAD_WORDS = 2;

/** What both ends know of the state since the last key frame: pages that it did not carry are zero. */
class Base {
  words: Uint32Array<ArrayBufferLike> = new Uint32Array(0);
  memory = new Memory(new ArrayBuffer(0));
  private carried: PageMap | undefined;
  private pageBytes = 0;

  constructor(
    public arenaBytes = 0,
    public keyNumber = 0,
  ) {}

  fits(arenaBytes: number, pageBytes: number): boolean {
    return this.arenaBytes === arenaBytes && this.pageBytes === pageBytes;
  }

  /** Becomes what a key frame carries. */
  take(number: number, bytes: Uint8Array, carried: PageMap | undefined): void {
    const pageBytes = carried?.pageBytes ?? 0;
    if (!this.fits(bytes.length, pageBytes)) {
      this.arenaBytes = bytes.length;
      this.pageBytes = pageBytes;
      this.memory = untouchedMemory(bytes.length);
      this.words = wordsOf(this.memory);
    } else if (this.carried)
      for (const [start, end] of this.carried.ranges(bytes.length)) this.memory.bytes.fill(0, start, end);
    if (carried) carried.copy(bytes, this.memory.bytes);
    else this.memory.bytes.set(bytes);
    this.carried = carried?.copyOfMarks();
    this.keyNumber = number;
  }
}

const wordsOf = ({ buffer, bytes }: Memory): Uint32Array<ArrayBufferLike> =>
  new Uint32Array(buffer, bytes.byteOffset, Math.floor(bytes.length / 4));

const rangesOf = (carried: PageMap | undefined, arenaBytes: number): Iterable<readonly [number, number]> =>
  carried ? carried.ranges(arenaBytes) : [[0, arenaBytes]];

export class FrameEncoder {
  private readonly base = new Base();
  private runs = new Uint32Array(0);

  /** Whether the next frame has to be a key frame, because this one is laid out in another way. */
  needsKey({ memory, pages }: Frame): boolean {
    return this.base.keyNumber === 0 || !this.base.fits(memory.bytes.length, pages?.carried.pageBytes ?? 0);
  }

  /** Also a key frame when nearly all has changed. */
  encode(frame: Frame, epoch: number, isKey: boolean): { readonly message: Uint8Array; readonly isKey: boolean } {
    if (!isKey && !this.needsKey(frame)) {
      const runs = this.changed(frame);
      if (runs) return { message: message(frame, epoch, this.base.keyNumber, runs), isKey: false };
    }
    const { bytes } = frame.memory;
    const carried = frame.pages?.carried;
    this.base.take(frame.header.number, bytes, carried);
    const pieces = [...rangesOf(carried, bytes.length)].map(([start, end]) => bytes.subarray(start, end));
    return { message: message(frame, epoch, 0, Buffer.concat(pieces)), isKey: true };
  }

  /** Runs of changed words: how many are equal before it, how many have changed, and those. Undefined for nearly all. */
  private changed({ memory, pages }: Frame): Uint8Array | undefined {
    const words = wordsOf(memory);
    const base = this.base.words;
    const most = Math.ceil(0.9 * words.length);
    if (this.runs.length < most + RUN_HEAD_WORDS) this.runs = new Uint32Array(most + RUN_HEAD_WORDS);
    const { runs } = this;
    let [used, behind] = [0, 0];
    for (const [start, end] of rangesOf(pages?.carried, memory.bytes.length)) {
      const last = end >> 2;
      for (let word = start >> 2; word < last; word++) {
        if (words[word] === base[word]) continue;
        const first = word;
        let after = word + 1;
        for (let equal = 0; word + 1 < last && equal <= RUN_HEAD_WORDS; ) {
          word++;
          if (words[word] === base[word]) equal++;
          else {
            equal = 0;
            after = word + 1;
          }
        }
        if (used + RUN_HEAD_WORDS + after - first > most) return undefined;
        runs[used++] = first - behind;
        runs[used++] = after - first;
        runs.set(words.subarray(first, after), used);
        used += after - first;
        behind = after;
      }
    }
    return new Uint8Array(runs.buffer, 0, 4 * used);
  }
}

function message({ header, memory, pages }: Frame, epoch: number, key: number, body: Uint8Array): Uint8Array {
  const bits = pages?.carried.bits() ?? new Uint8Array();
  const all = Buffer.alloc(MAP_START + bits.length + body.length);
  const view = new DataView(all.buffer, all.byteOffset, all.length);
  all[0] = Down.frame;
  view.setFloat64(8, epoch, true);
  view.setFloat64(16, key, true);
  view.setFloat64(24, memory.bytes.length, true);
  view.setUint32(32, pages?.carried.pageBytes ?? 0, true);
  view.setUint32(36, bits.length, true);
  encodeHeader(header, new DataView(all.buffer, all.byteOffset + HEAD_BYTES, HEADER_BYTES));
  all.set(bits, MAP_START);
  all.set(body, MAP_START + bits.length);
  return all;
}

export interface DecodedFrame {
  readonly header: FrameHeader;
  readonly pageBytes: number;
  /** All of the state but for missing pages. Borrowed: the next frame replaces it. */
  readonly memory: Memory;
  /** Pages that the frame does not carry; undefined when it carries the whole state. */
  readonly missing: PageMap | undefined;
}

/** No run comes so far; what is counted here goes on behind it, exactly. */
const MOST_COUNTED = 2 ** 48;

function isHeader({ number, tick, catalogVersion, jumps, ...times }: FrameHeader): boolean {
  const areCounted = [number, tick, catalogVersion, jumps].every(
    (count) => Number.isInteger(count) && count >= 0 && count < MOST_COUNTED,
  );
  const { timeTics, clockSeconds, wallMillis, ticsPerSecond, softwareFrameTics } = times;
  const areTimes = [timeTics, clockSeconds, wallMillis].every(Number.isFinite);
  return areCounted && areTimes && ticsPerSecond > 0 && softwareFrameTics > 0;
}

/** The epoch of a frame's message. */
export const epochOf = (message: Uint8Array): number =>
  new DataView(message.buffer, message.byteOffset, message.byteLength).getFloat64(8, true);

export class FrameDecoder {
  private readonly base = new Base();
  private memory = new Memory(new ArrayBuffer(0));

  /** Undefined for a frame whose key frame is not known. Throws an Error for what no encoder makes. */
  decode(message: Uint8Array): DecodedFrame | undefined {
    const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
    const [key, arenaBytes] = [view.getFloat64(16, true), view.getFloat64(24, true)];
    const [pageBytes, mapBytes] = [view.getUint32(32, true), view.getUint32(36, true)];
    const header = decodeHeader(new DataView(message.buffer, message.byteOffset + HEAD_BYTES, HEADER_BYTES));
    if (!(arenaBytes > 0 && arenaBytes <= MOST_ARENA_BYTES && arenaBytes % 4 === 0))
      throw new Error('no size of a state');
    if (!isHeader(header)) throw new Error('no header of a frame');
    if (key !== 0 && (key !== this.base.keyNumber || !this.base.fits(arenaBytes, pageBytes))) return undefined;
    const carried = carriedBy(message.subarray(MAP_START, MAP_START + mapBytes), arenaBytes, pageBytes);
    const body = message.subarray(MAP_START + mapBytes);
    if (this.memory.bytes.length !== arenaBytes) this.memory = untouchedMemory(arenaBytes);
    if (key === 0) this.takeKey(header.number, body, carried);
    else this.takeChanges(body, carried);
    return { header, pageBytes, memory: this.memory, missing: carried?.inverse() };
  }

  private takeKey(number: number, body: Uint8Array, carried: PageMap | undefined): void {
    const { bytes } = this.memory;
    let at = 0;
    for (const [start, end] of rangesOf(carried, bytes.length)) {
      if (at + end - start > body.length) throw new Error('a key frame is cut off');
      bytes.set(body.subarray(at, at + end - start), start);
      at += end - start;
    }
    this.base.take(number, bytes, carried);
  }

  private takeChanges(body: Uint8Array, carried: PageMap | undefined): void {
    const { bytes } = this.memory;
    if (carried) carried.copy(this.base.memory.bytes, bytes);
    else bytes.set(this.base.memory.bytes);
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    let place = 0;
    for (let at = 0; at < body.length; ) {
      const start = place + 4 * view.getUint32(at, true);
      const length = 4 * view.getUint32(at + 4, true);
      at += 8;
      if (start + length > bytes.length || at + length > body.length) throw new Error('changes lie outside the state');
      bytes.set(body.subarray(at, at + length), start);
      at += length;
      place = start + length;
    }
  }
}

function carriedBy(bits: Uint8Array, arenaBytes: number, pageBytes: number): PageMap | undefined {
  if (pageBytes === 0) return undefined;
  const map = new PageMap(new Uint8Array(pagesOf(arenaBytes, pageBytes)), pageBytes);
  map.takeBits(bits);
  return map;
}
