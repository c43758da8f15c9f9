// The frames on their way from the simulation's thread to its readers: sequence-checked slots in shared memory.
// By hand: two threads share the memory without locks.
import type { Memory } from '../state/memory.js';
import { encodeHeader, type FrameHeader, Mode } from './header.js';
import { type FrameParts, framePartsAt, layoutFrame } from './layout.js';
import { PageMap, pageBytesOf, pagesOf, WHOLE_BYTES } from './page-map.js';

/** Indices of the words at the start of the ring, each on a cache line of its own. */
export const ControlWord = { latest: 0, poked: 16 } as const;
export const CONTROL_BYTES = 128;
/** A slot starts with its sequence word and padding to a cache line. */
const SLOT_PREFIX_BYTES = 64;

export interface RingDescription {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly arenaBytes: number;
  /** 0 for frames that carry the whole state. */
  readonly pageBytes: number;
}

/** The parts of a frame, and the sequence word that tells whether they are whole. */
export interface Slot extends FrameParts {
  /** Twice the number of the frame in the slot, plus one while it is being written. Wraps at 32 bits. */
  readonly sequence: Int32Array;
}

const roundUp64 = (bytes: number): number => Math.ceil(bytes / 64) * 64;

/** No ring keeps more frames. */
export const MOST_SLOTS = 256;

/** Number of slots: as many as fit in 16 MB, but at least 4 and at most 256. */
export function slotsFor(arenaBytes: number): number {
  const { frameBytes } = layoutFrame(arenaBytes, pageBytesOf(arenaBytes));
  return Math.max(4, Math.min(MOST_SLOTS, Math.floor((16 * 2 ** 20) / frameBytes)));
}

export function createRing(
  arenaBytes: number,
  slots = slotsFor(arenaBytes),
  pageBytes = pageBytesOf(arenaBytes),
): RingDescription {
  const { slotsStart, slotBytes } = layoutOf({ arenaBytes, pageBytes });
  return { buffer: new SharedArrayBuffer(slotsStart + slots * slotBytes), slots, arenaBytes, pageBytes };
}

/** Sizes and offsets in bytes: the control words and the map of wanted pages, then slot after slot. */
function layoutOf({ arenaBytes, pageBytes }: Pick<RingDescription, 'arenaBytes' | 'pageBytes'>) {
  const { mapBytes, frameBytes } = layoutFrame(arenaBytes, pageBytes);
  const slotBytes = roundUp64(SLOT_PREFIX_BYTES + frameBytes);
  return { mapBytes, slotBytes, slotsStart: CONTROL_BYTES + roundUp64(mapBytes) };
}

export function slotsOf(ring: RingDescription): Slot[] {
  const { buffer, slots, arenaBytes, pageBytes } = ring;
  const { slotBytes, slotsStart } = layoutOf(ring);
  return Array.from({ length: slots }, (_, index) => {
    const start = slotsStart + index * slotBytes;
    return {
      sequence: new Int32Array(buffer, start, 1),
      ...framePartsAt(buffer, start + SLOT_PREFIX_BYTES, arenaBytes, pageBytes),
    };
  });
}

/** The map of pages that readers ask for; undefined when frames carry all pages. */
export function wantedPages(ring: RingDescription): PageMap | undefined {
  const { mapBytes } = layoutOf(ring);
  return mapBytes > 0 ? new PageMap(new Uint8Array(ring.buffer, CONTROL_BYTES, mapBytes), ring.pageBytes) : undefined;
}

/**
 * Bytes of a slot that a frame carries for the first time, at most. The system gives the simulation's thread their
 * memory, which takes up to 3 ms a megabyte. Whoever misses a page asks again.
 */
const MOST_NEW_BYTES = 3 * 2 ** 20;

/**
 * Bytes that each frame of 10 ms or more may carry, which takes each thread two milliseconds. When readers ask for
 * more, some frames carry all of it. The others leave out the last pages of the state: what clients have declared is there.
 */
const MOST_EACH_FRAME = 8 * 2 ** 20;
/** A frame carries all pages when its turn has been passed over so often. */
const MOST_WAITED = 2;
/** However short the frames are, each may carry as much as a state that is carried whole. */
const LEAST_EACH_FRAME = WHOLE_BYTES;

/**
 * Whether a frame is one of the given share of all frames. They are spread without a rhythm, because a reader may look at
 * each second or third frame only.
 */
function isChosen(number: number, share: number): boolean {
  const mixed = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) / 2 ** 32 < share;
}

function mostBytesOf({ softwareFrameTics, ticsPerSecond }: FrameHeader): number {
  const length = (100 * softwareFrameTics) / ticsPerSecond;
  return Math.max(LEAST_EACH_FRAME, Math.min(1, length) * MOST_EACH_FRAME);
}

interface Published {
  readonly header: FrameHeader;
  readonly source: Uint8Array;
  readonly missing: PageMap | undefined;
}

/** The simulation's end of the ring: publishes frames, never waits, overwrites the oldest. */
export class FrameWriter {
  private readonly slots: Slot[];
  /** Of each slot, the pages that have been carried in it. */
  private readonly used: readonly Uint8Array[];
  private readonly control: Int32Array;
  /** The pages that readers ask for; undefined when frames carry all. */
  readonly wanted: PageMap | undefined;
  private readonly mostNewPages: number;
  /** How many frames have left out pages since one carried all that were asked for. */
  private partialFrames = 0;
  private leftOut = 0;
  private mapped: Uint8Array | undefined;
  private source: Uint8Array = new Uint8Array();

  /**
   * @param poke wakes the readers' thread; not called again until the readers have acknowledged.
   * @param before the previous writer of the same state; its readers keep the pages that they have asked for.
   */
  constructor(
    readonly ring: RingDescription,
    private readonly poke: () => void,
    before?: FrameWriter,
  ) {
    this.slots = slotsOf(ring);
    this.used = this.slots.map(() => new Uint8Array(pagesOf(ring.arenaBytes, ring.pageBytes)));
    this.control = new Int32Array(ring.buffer, 0, CONTROL_BYTES / 4);
    this.wanted = wantedPages(ring);
    this.mostNewPages = MOST_NEW_BYTES / ring.pageBytes;
    if (before?.wanted) this.wanted?.take(before.wanted);
    else if (before) this.wanted?.markAll();
  }

  /** Whether frames carry what readers ask for, because the state is large. */
  get carriesPages(): boolean {
    return this.wanted !== undefined;
  }

  /** How many of the pages that readers have asked for the latest frame does not carry. */
  get leftOutPages(): number {
    return this.leftOut;
  }

  /**
   * Returns how many bytes the frame carries.
   * @param missing pages of which the state has no values now: no frame carries them.
   */
  publish(header: FrameHeader, arena: Memory, missing?: PageMap): number {
    const slot = this.slots[header.number % this.slots.length] as Slot;
    const sequence = 2 * header.number;
    // An exchange keeps the writes below from moving above it on weakly ordered processors; a store would not.
    Atomics.exchange(slot.sequence, 0, (sequence + 1) | 0);
    encodeHeader(header, slot.header);
    const source = this.sourceIn(arena);
    const bytes = slot.carried ? this.copyPages(slot, slot.carried, { header, source, missing }) : source.length;
    if (!slot.carried) slot.arena.set(source);
    Atomics.store(slot.sequence, 0, sequence | 0);
    Atomics.store(this.control, ControlWord.latest, header.number | 0);
    if (Atomics.compareExchange(this.control, ControlWord.poked, 0, 1) === 0) this.poke();
    return bytes;
  }

  private copyPages({ arena }: Slot, carried: PageMap, { header, source, missing }: Published): number {
    const wanted = this.wanted as PageMap;
    // After the last frame there is no other, so it carries everything.
    this.leftOut = 0;
    if (header.mode === Mode.exit) carried.markAll();
    else {
      carried.take(wanted);
      if (missing) this.leftOut += carried.takeOff(missing);
      const used = this.used[header.number % this.slots.length] as Uint8Array;
      this.lighten(carried, header, used);
      this.leftOut += carried.admit(used, this.mostNewPages);
    }
    carried.copy(source, arena);
    return carried.bytesOf(arena.length);
  }

  /** One frame of several carries all pages: the more readers ask for, the fewer frames do. */
  private lighten(carried: PageMap, header: FrameHeader, used: Uint8Array): void {
    const most = mostBytesOf(header) / this.ring.pageBytes;
    const share = most / carried.countAdmitted(used, this.mostNewPages);
    const isFull = share >= 1 || isChosen(header.number, share) || this.partialFrames * share >= MOST_WAITED;
    this.partialFrames = isFull ? 0 : this.partialFrames + 1;
    if (!isFull) this.leftOut += carried.keepFirst(most);
  }

  /** The part of the arena that fits a slot; the same view until the arena has grown. */
  private sourceIn({ bytes }: Memory): Uint8Array {
    if (this.mapped !== bytes) this.source = bytes.subarray(0, this.ring.arenaBytes);
    this.mapped = bytes;
    return this.source;
  }
}
