// Sends the frames of a source over a line: key frames, and what has changed since; its catalog before the first frame of it.

import type { PageLeases } from '../../model/frame/page-leases.js';
import { PageMap } from '../../model/frame/page-map.js';
import type { Frame } from '../../model/frame/reader.js';
import type { Catalog } from '../../model/state/catalog.js';
import { describeCatalog, describeChanges } from '../../model/state/catalog-description.js';
import {
  Down,
  EDGE_VERSION,
  type Hello,
  jsonMessage,
  type Need,
  type Note,
  type SourceLine,
} from '../../source/edge/carrier.js';
import { packChanges, packWhole } from '../../source/edge/catalog-codec.js';
import { FrameEncoder } from '../../source/edge/frame-codec.js';
import type { Source, Unsubscribe } from '../../source/source.js';

/** How often a source says that it is there. */
export const GREET_SECONDS = 2;
/** A frame that is behind two others would be old when it comes: the newest goes when there is room. */
const MOST_IN_FLIGHT = 2;
/** Of short frames, several go at once: then none is left out when this thread is late. */
const SHORT_IN_FLIGHT_BYTES = 64 * 1024;
const KEY_EVERY_MILLIS = 1000;
/** An edge says every 2 seconds what it needs. */
const FORGOTTEN_MILLIS = 10_000;
/** Not more often is everything sent anew, whoever asks: an edge asks again. */
const ANEW_MILLIS = 400;
/** Of one source; further ones get what the others need. */
const MOST_EDGES = 1000;

/** What an edge needs of a large state. */
interface Edge {
  heardMillis: number;
  leases: PageLeases | undefined;
  pages: Uint32Array;
}

export interface SenderFacts {
  readonly epoch: number;
  readonly nowMillis: () => number;
}

export class Sender {
  private readonly encoder = new FrameEncoder();
  private readonly edges = new Map<string, Edge>();
  private readonly leave: Unsubscribe[];
  private unfollow: Unsubscribe | undefined;
  private inFlight = 0;
  private inFlightBytes = 0;
  private isPacking = false;
  private isClosed = false;
  /** The number of the last frame that was sent, and the catalog that was sent before it. */
  private sentNumber = 0;
  private sentCatalog: Catalog | undefined;
  private wantsKey = false;
  private keyMillis = 0;
  private anewMillis = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly source: Source,
    private readonly line: SourceLine,
    private readonly facts: SenderFacts,
  ) {
    const { epoch } = facts;
    this.leave = [
      source.onMessage(({ stack, ...message }) => this.note({ epoch, message })),
      source.onEnd((ended) => this.note({ epoch, ended })),
    ];
  }

  /** Called every 2 seconds. */
  greet(): void {
    const { source } = this;
    const { runDirectory, folder, ...info } = source.info;
    const { abilities, playback, fault } = source;
    const { timeSeconds, header } = source.frame;
    const here = { version: EDGE_VERSION, epoch: this.facts.epoch, mode: header.mode, timeSeconds };
    const hello: Hello = { ...here, info, abilities, playback, fault };
    this.line.send(jsonMessage(Down.hello, hello));
    this.forget();
  }

  /** An edge says what it needs, and that it is there. */
  need({ edge: name, anew, pages }: Need): void {
    const edge = this.edges.get(name) ?? this.added(name);
    if (!edge) return;
    edge.heardMillis = this.facts.nowMillis();
    this.unfollow ??= this.source.onFrame(() => this.offer());
    this.hold(edge, pages);
    const now = this.facts.nowMillis();
    if (!anew || now - this.anewMillis < ANEW_MILLIS) return;
    this.anewMillis = now;
    this.greet();
    this.sentCatalog = undefined;
    this.wantsKey = true;
    this.offer();
  }

  /** Says that no frames come any more. */
  end(ended: string): void {
    this.note({ epoch: this.facts.epoch, ended });
    this.close();
  }

  close(): void {
    this.isClosed = true;
    for (const leave of this.leave) leave();
    this.unfollow?.();
    for (const edge of this.edges.values()) release(edge);
    this.edges.clear();
  }

  private added(name: string): Edge | undefined {
    if (this.edges.size >= MOST_EDGES) return undefined;
    const edge: Edge = { heardMillis: 0, leases: undefined, pages: new Uint32Array(0) };
    this.edges.set(name, edge);
    return edge;
  }

  private hold(edge: Edge, bits: string | undefined): void {
    const pages = this.source.frame.pages;
    if (!pages || bits === undefined) return;
    const { length, pageBytes } = pages.carried;
    const wanted = new PageMap(new Uint8Array(length), pageBytes);
    wanted.takeBits(Buffer.from(bits, 'base64'));
    const before = { ...edge };
    edge.leases = pages.leases;
    edge.pages = wanted.marked();
    edge.leases.hold(edge.pages);
    release(before);
  }

  /** Edges of which nothing is heard any more. */
  private forget(): void {
    const now = this.facts.nowMillis();
    for (const [name, edge] of this.edges)
      if (now - edge.heardMillis > FORGOTTEN_MILLIS) {
        release(edge);
        this.edges.delete(name);
      }
    if (this.edges.size > 0) return;
    this.unfollow?.();
    this.unfollow = undefined;
  }

  private note(note: Note): void {
    if (this.edges.size > 0) this.line.send(jsonMessage(Down.note, note));
  }

  /** Sends the latest frame, unless it has been sent or others are on their way. */
  private offer(): void {
    if (this.isClosed || this.isPacking || this.edges.size === 0 || this.isFull) return;
    const { frame, catalog } = this.source;
    if (frame.header.number <= this.sentNumber && !this.wantsKey) return;
    if (catalog !== this.sentCatalog && !this.sendChanges(catalog)) void this.sendWhole(catalog);
    else this.sendFrame(frame);
  }

  /** Returns false when only a whole catalog tells what has changed. */
  private sendChanges(catalog: Catalog): boolean {
    const changes = this.sentCatalog && describeChanges(this.sentCatalog, catalog);
    if (!changes) return false;
    this.line.send(packChanges({ epoch: this.facts.epoch, catalog: changes }));
    this.sentCatalog = catalog;
    return true;
  }

  private get isFull(): boolean {
    return this.inFlight >= MOST_IN_FLIGHT && this.inFlightBytes > SHORT_IN_FLIGHT_BYTES;
  }

  private async sendWhole(catalog: Catalog): Promise<void> {
    this.isPacking = true;
    const message = await packWhole({ epoch: this.facts.epoch, catalog: describeCatalog(catalog) });
    this.isPacking = false;
    if (this.isClosed) return;
    this.line.send(message);
    this.sentCatalog = catalog;
    this.wantsKey = true;
    this.offer();
  }

  private sendFrame(frame: Frame): void {
    const now = this.facts.nowMillis();
    const asksKey = this.wantsKey || now - this.keyMillis >= KEY_EVERY_MILLIS;
    const { message, isKey } = this.encoder.encode(frame, this.facts.epoch, asksKey);
    if (isKey) this.keyMillis = now;
    this.wantsKey = false;
    this.sentNumber = frame.header.number;
    this.inFlight++;
    this.inFlightBytes += message.length;
    this.line.send(message);
    const taken = (): void => {
      this.inFlight--;
      this.inFlightBytes -= message.length;
      this.offer();
    };
    // A line that is lost has another sender when it comes back.
    this.line.taken().then(taken, () => undefined);
  }
}

const release = ({ leases, pages }: Pick<Edge, 'leases' | 'pages'>): void => leases?.release(pages);
