// Publishes snapshots in the ring, and a changed catalog before the first frame that uses it.
import type { FrameHeader } from '../../model/frame/header.js';
import { PAGE_BYTES, type PageMap } from '../../model/frame/page-map.js';
import { createRing, FrameWriter, type RingDescription } from '../../model/frame/ring.js';
import type { CatalogChanges, CatalogDescription } from '../../model/state/catalog.js';
import type { Figures } from '../../model/state/fair-share.js';
import type { State } from '../../model/state/state.js';

/** A catalog and the ring that carries its frames, from one frame on. */
export interface Layout {
  /** The whole catalog, or what has changed since the layout before. */
  readonly catalog: CatalogDescription | CatalogChanges;
  readonly ring: RingDescription;
  /** Identifies the ring: shared memory is a different object on every thread and in every message. */
  readonly ringNumber: number;
  readonly firstFrame: number;
}

/** The parts of a frame's header that only the publisher knows. */
export type NextFrame = Pick<FrameHeader, 'number' | 'catalogVersion'>;

export interface PublisherEvents {
  /** Called when the catalog has changed, before the first frame that uses it. */
  readonly layout: (layout: Layout) => void;
  /** Wakes the readers. */
  readonly poke: () => void;
}

/** Spare room, so that not every new component needs a new ring; a small state has less, because all of it is copied. */
const MOST_HEADROOM_BYTES = 32 * 1024;
const LEAST_HEADROOM_BYTES = 2 * 1024;
const RING_GROWTH = 1.125;
/** The engine looks for unused memory outside its heap when there seems to be this much more of it. */
const NOTICED_BYTES = 64 * 1024 * 1024;

export class Publisher {
  private writer: FrameWriter | undefined;
  private ringNumber = 0;
  /** Whether a ring was replaced since the last frame. */
  private hasOldRing = false;
  private published = 0;
  private catalogVersion = 0;

  /**
   * @param pages pages of a large state that the latest frame carries; those that readers asked for and no frame carried.
   * @param keptFrames how many frames the ring keeps. Default: as many as it holds.
   * @param pageBytes frames carry pages of this size that readers need, also of a small state. Default: by its size.
   */
  constructor(
    private readonly state: State,
    private readonly events: PublisherEvents,
    private readonly pages: Figures = { held: 0, refusals: 0 },
    private readonly keptFrames?: number,
    private readonly pageBytes?: number,
  ) {}

  /** The pages that readers ask for; undefined when frames carry all, and before the first. */
  get wanted(): PageMap | undefined {
    return this.writer?.wanted;
  }

  /** Number of the latest frame. */
  get frameNumber(): number {
    return this.published;
  }

  /** Begins a frame; announces a changed catalog first. */
  next(): NextFrame {
    const number = ++this.published;
    this.writer = this.writerFor(number);
    return { number, catalogVersion: this.catalogVersion };
  }

  /**
   * Publishes the state as the frame that was begun; returns how many bytes it carries.
   * @param missing pages of which the state has no values now.
   */
  publish(header: FrameHeader, missing?: PageMap): number {
    const bytes = this.writer?.publish(header, this.state.arena.memory, missing) ?? 0;
    if (this.writer?.carriesPages) this.count(bytes, this.writer.leftOutPages);
    if (this.hasOldRing) tidySoon();
    this.hasOldRing = false;
    return bytes;
  }

  private count(carriedBytes: number, leftOutPages: number): void {
    this.pages.held = Math.ceil(carriedBytes / PAGE_BYTES);
    this.pages.refusals += leftOutPages;
  }

  private writerFor(firstFrame: number): FrameWriter {
    if (this.writer && this.catalogVersion === this.state.version) return this.writer;
    const catalog = (this.writer && this.state.changesSince(this.catalogVersion)) ?? this.state.describe();
    const writer =
      this.writer && catalog.arenaBytes <= this.writer.ring.arenaBytes ? this.writer : this.createWriter(catalog);
    this.catalogVersion = catalog.version;
    this.events.layout({ catalog, ring: writer.ring, ringNumber: this.ringNumber, firstFrame });
    return writer;
  }

  private createWriter({ arenaBytes }: Layout['catalog']): FrameWriter {
    const headroom = Math.min(MOST_HEADROOM_BYTES, LEAST_HEADROOM_BYTES + arenaBytes);
    const room = Math.ceil((arenaBytes * RING_GROWTH + headroom) / 64) * 64;
    this.ringNumber++;
    this.hasOldRing = this.writer !== undefined;
    return new FrameWriter(createRing(room, this.keptFrames, this.pageBytes), this.events.poke, this.writer);
  }
}

/**
 * Old rings would stay for many minutes. Memory that nobody touches takes no room, but the engine counts it.
 * compat-tests/bench/optimizations.md has what it saves.
 */
function tidySoon(): void {
  try {
    void new ArrayBuffer(NOTICED_BYTES);
  } catch {
    // A process that may not have so much has little to give back.
  }
}
