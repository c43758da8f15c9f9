// Puts the snapshots in the ring, a new catalog ahead of the frames laid out by it.
import type { FrameHeader } from '../frame/header.js';
import { createRing, FrameWriter, type RingDescription } from '../frame/ring.js';
import type { CatalogDescription } from '../model/catalog.js';
import type { State } from '../model/state.js';

/** A catalog and the ring that carries its frames, from one frame on. */
export interface Layout {
  readonly catalog: CatalogDescription;
  readonly ring: RingDescription;
  /** Tells rings apart: shared memory is another object on every thread and in every message. */
  readonly ringNumber: number;
  readonly firstFrame: number;
}

/** What the publisher alone knows of a frame's header. */
export type NextFrame = Pick<FrameHeader, 'number' | 'catalogVersion'>;

export interface PublisherEvents {
  /** The catalog has changed; called before the first frame laid out by it. */
  readonly layout: (layout: Layout) => void;
  /** Wakes the readers. */
  readonly poke: () => void;
}

/** Room to grow, so that a new component does not mean a new ring each time. */
const RING_HEADROOM_BYTES = 2048;
const RING_GROWTH = 1.125;

export class Publisher {
  private writer: FrameWriter | undefined;
  private ringNumber = 0;
  private published = 0;
  private catalogVersion = 0;

  constructor(
    private readonly state: State,
    private readonly events: PublisherEvents,
  ) {}

  /** Number of the latest frame. */
  get frameNumber(): number {
    return this.published;
  }

  /** Begins a frame; a catalog that has changed goes ahead of it. */
  next(): NextFrame {
    const number = ++this.published;
    this.writer = this.writerFor(number);
    return { number, catalogVersion: this.catalogVersion };
  }

  /** Publishes the state as the frame that was begun. */
  publish(header: FrameHeader): void {
    this.writer?.publish(header, this.state.arena.memory);
  }

  private writerFor(firstFrame: number): FrameWriter {
    if (this.writer && this.catalogVersion === this.state.version) return this.writer;
    const catalog = this.state.describe();
    const writer =
      this.writer && catalog.arenaBytes <= this.writer.ring.arenaBytes ? this.writer : this.createWriter(catalog);
    this.catalogVersion = catalog.version;
    this.events.layout({ catalog, ring: writer.ring, ringNumber: this.ringNumber, firstFrame });
    return writer;
  }

  private createWriter({ arenaBytes }: CatalogDescription): FrameWriter {
    const room = Math.ceil((arenaBytes * RING_GROWTH) / 64) * 64 + RING_HEADROOM_BYTES;
    this.ringNumber++;
    return new FrameWriter(createRing(room), this.events.poke, this.writer);
  }
}
