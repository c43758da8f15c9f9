// Delivers frames from the ring to listeners, in order, and never before the catalog that they use.

import { EMPTY_HEADER, Reason } from '../model/frame/header.js';
import { PageLeases } from '../model/frame/page-leases.js';
import { WHOLE_BYTES } from '../model/frame/page-map.js';
import { Frame, FrameReader } from '../model/frame/reader.js';
import { Catalog, emptyCatalog } from '../model/state/catalog.js';
import type { Layout } from '../simulation/executive/publisher.js';
import type { FrameListener, Unsubscribe } from './source.js';

/** How long frames are delivered, one after another, before the event loop runs again. */
const TURN_MILLIS = 5;
/** How long a frame of a large state is copied in one turn: memory that is touched for the first time takes 3 ms a megabyte. */
const COPY_MILLIS = 2;
/** Clients whose turns come late ask for several past frames in turn. Of a large state one copy is kept. */
const MOST_PAST = 8;
/** After a longer delay, delivery continues with the latest frame, because old values are of no use. */
const LONGEST_BEHIND_MILLIS = 250;

export class FrameDelivery {
  private latest = new Frame(0, EMPTY_HEADER);
  /** The frame to read into next; swapped with `latest` when it becomes the latest. */
  private spare = new Frame(0, EMPTY_HEADER);
  /** Copies of past frames, the one that was used last at the end. */
  private pastFrames: Frame[] = [];
  private reader: FrameReader | undefined;
  readonly leases = new PageLeases();
  private ringNumber = 0;
  private currentCatalog = emptyCatalog();
  /** Catalogs, or changes of them, that later frames are laid out by. */
  private coming: Layout['catalog'][] = [];
  private isSpareWaiting = false;
  private lappedBefore = 0;
  private skippedCount = 0;
  /** Since when frames wait for lack of time; undefined while none wait. */
  private behindSinceMillis: number | undefined;
  private isGoingOn = false;
  /** Whether some listener is not done with the latest frame. */
  private isHeld = false;
  private readonly listeners = new Set<FrameListener>();
  /** Calls that wait until a frame has been delivered, in the order of the frames. */
  private readonly awaiting: { readonly number: number; readonly call: () => void }[] = [];

  /** Whether this callback of the event loop has looked at the ring; it sees one frame throughout. */
  private hasLooked = false;

  /**
   * @param failed called with an error of a listener; the other listeners are called all the same.
   * @param isOnDemand while nobody listens, leaves frames in the ring and does not acknowledge its writer's poke: then
   * a frame costs this thread nothing until somebody reads it.
   */
  constructor(
    private readonly failed: (error: unknown) => void,
    private readonly isOnDemand = false,
    private readonly nowMillis: () => number = () => performance.now(),
    private readonly later: (call: () => void) => void = setImmediate,
  ) {}

  get frame(): Frame {
    this.look();
    return this.latest;
  }
  get catalog(): Catalog {
    this.look();
    return this.currentCatalog;
  }
  get lapped(): number {
    return this.lappedBefore + (this.reader?.lapped ?? 0);
  }

  /** Number of frames that were skipped because delivering earlier ones took too long. */
  get skipped(): number {
    return this.skippedCount;
  }

  onFrame(listener: FrameListener): Unsubscribe {
    if (this.isUnheard) {
      // Frames from now on are delivered; earlier ones are not for this listener.
      this.reader?.acknowledge();
      this.drain();
    }
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Takes a new catalog, and a new ring if there is one. */
  enter(layout: Layout): void {
    this.coming.push(layout.catalog);
    this.drain();
    if (layout.ringNumber === this.ringNumber) return;
    // There was no time for the frames that wait in the old ring.
    this.skippedCount += this.reader?.waiting ?? 0;
    this.lappedBefore = this.lapped;
    this.ringNumber = layout.ringNumber;
    this.isSpareWaiting = false;
    this.reader = new FrameReader(layout.ring, layout.firstFrame - 1, this.leases);
    this.spare = this.reader.createFrame(EMPTY_HEADER);
    this.pastFrames = [];
    this.drain();
  }

  /** Called when the writer has published frames. */
  framesCame(): void {
    if (!this.isUnheard) this.drain();
  }

  /** Calls once all frames up to a number have been delivered, at once if they already have been. */
  whenDelivered(number: number, call: () => void): void {
    if (this.frame.header.number >= number || !this.isBehind) call();
    else this.awaiting.push({ number, call });
  }

  /**
   * Reads and delivers frames from the ring until the turn's time is over, and continues in later turns. On demand and
   * without listeners, reads only the latest frame.
   */
  drain(): void {
    if (!this.isGoingOn) this.deliverFor(TURN_MILLIS, COPY_MILLIS);
  }

  /** Delivers what waits in the ring without giving way, so that the last frame comes before the news of the end. */
  finish(): void {
    this.skipIfFarBehind();
    this.deliverFor(Number.POSITIVE_INFINITY);
  }

  private deliverFor(turnMillis: number, copyMillis = turnMillis): void {
    const { reader } = this;
    if (!reader || this.isHeld) return;
    if (this.isUnheard) reader.skipToLatest();
    else reader.acknowledge();
    const startMillis = this.nowMillis();
    const hasUsed = (millis: number): boolean => this.nowMillis() - startMillis >= millis;
    for (;;) {
      const read = this.isSpareWaiting || reader.next(this.spare, () => hasUsed(copyMillis));
      if (!read) break;
      if (read !== 'begun') {
        this.isSpareWaiting = !this.selectCatalog(this.spare.header.catalogVersion);
        if (this.isSpareWaiting) return;
        this.deliver();
        if (!this.isHeld && (reader.waiting === 0 || !hasUsed(turnMillis))) continue;
      }
      this.behindSinceMillis ??= this.nowMillis();
      if (!this.isHeld) this.goOnLater();
      return;
    }
    this.caughtUp();
  }

  private get isBehind(): boolean {
    return this.isHeld || this.isGoingOn;
  }

  private goOnLater(): void {
    this.isGoingOn = true;
    this.later(() => {
      this.isGoingOn = false;
      this.goOn();
    });
  }

  private goOn(): void {
    this.skipIfFarBehind();
    this.drain();
  }

  /** Continues with the latest frame when delivery is too far behind. */
  private skipIfFarBehind(): void {
    const behindMillis = this.nowMillis() - (this.behindSinceMillis ?? this.nowMillis());
    if (behindMillis > LONGEST_BEHIND_MILLIS || this.reader?.isHalfFull) this.skip();
  }

  private caughtUp(): void {
    this.behindSinceMillis = undefined;
    for (const { call } of this.awaiting.splice(0)) call();
  }

  private skip(): void {
    this.skippedCount += this.reader?.skipToLatest() ?? 0;
    this.behindSinceMillis = undefined;
  }

  /** A past frame by number, while the ring has it. */
  past(number: number, object?: string): Frame | undefined {
    if (!this.reader || number < this.reader.oldest) return undefined;
    const frame = this.takePast(this.reader, number);
    // Many streams may ask for the same frame, one after another.
    const isThere = frame.header.number === number || this.reader.read(number, frame);
    // A reading that was overwritten half-way leaves neither frame.
    if (!isThere) frame.header = EMPTY_HEADER;
    return isThere && this.isLaidOutAs(frame, object) ? frame : undefined;
  }

  /** The copy of a frame, or the one that nobody has used for longest. */
  private takePast(reader: FrameReader, number: number): Frame {
    const { pastFrames } = this;
    const most = this.spare.memory.bytes.length > WHOLE_BYTES ? 1 : MOST_PAST;
    const at = pastFrames.findIndex(({ header }) => header.number === number);
    const [known] = at < 0 && pastFrames.length < most ? [] : pastFrames.splice(Math.max(0, at), 1);
    const frame = known ?? reader.createFrame(EMPTY_HEADER);
    pastFrames.push(frame);
    return frame;
  }

  /** Whether a frame has the current catalog, or one in which an object was the same. */
  private isLaidOutAs({ header }: Frame, object: string | undefined): boolean {
    if (header.catalogVersion === this.currentCatalog.version) return true;
    if (object === undefined) return false;
    return this.currentCatalog.changedSince(header.catalogVersion)?.has(object) === false;
  }

  private get isUnheard(): boolean {
    return this.isOnDemand && this.listeners.size === 0;
  }

  private look(): void {
    if (!this.hasLooked && this.isUnheard) this.lookAnew();
  }

  /** Apart from `look`, which is called for each value: a function with a closure takes memory at each call. */
  private lookAnew(): void {
    this.hasLooked = true;
    process.nextTick(() => {
      this.hasLooked = false;
    });
    this.drain();
  }

  private selectCatalog(version: number): boolean {
    if (this.currentCatalog.version === version) return true;
    const at = this.coming.findIndex((catalog) => catalog.version === version);
    if (at < 0) return false;
    for (const next of this.coming.splice(0, at + 1)) this.currentCatalog = new Catalog(next, this.currentCatalog);
    return true;
  }

  private deliver(): void {
    const arrived = this.spare;
    this.leases.passed(arrived.header.wallMillis);
    // Frame and catalog belong together: the first frame of a new catalog becomes the latest, even a scheduled one.
    const isNewCatalog = this.latest.header.catalogVersion !== arrived.header.catalogVersion;
    if (isNewCatalog || arrived.header.reason !== Reason.scheduled) {
      const reader = this.reader as FrameReader;
      this.spare = reader.canReadInto(this.latest) ? this.latest : reader.createFrame(EMPTY_HEADER);
      this.latest = arrived;
    }
    const unfinished: Promise<unknown>[] = [];
    for (const listener of this.listeners) {
      try {
        const finished = listener(arrived);
        if (finished instanceof Promise) unfinished.push(finished);
      } catch (error) {
        this.failed(error);
      }
    }
    if (unfinished.length > 0) this.holdFor(unfinished);
    const { number } = arrived.header;
    while (this.awaiting[0] && this.awaiting[0].number <= number) this.awaiting.shift()?.call();
  }

  /** Waits with the next frame until all listeners are done with this one. */
  private holdFor(unfinished: readonly Promise<unknown>[]): void {
    this.isHeld = true;
    void Promise.allSettled(unfinished).then((outcomes) => {
      for (const outcome of outcomes) if (outcome.status === 'rejected') this.failed(outcome.reason);
      this.isHeld = false;
      this.goOn();
    });
  }
}
