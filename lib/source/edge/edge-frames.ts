// The frames of a source elsewhere, in a ring here: numbers, ticks and versions go on when another run takes its place.
import { type FrameHeader, Mode, Reason } from '../../model/frame/header.js';
import type { PageMap } from '../../model/frame/page-map.js';
import { createRing, FrameWriter, slotsFor } from '../../model/frame/ring.js';
import type { CatalogChanges, CatalogDescription } from '../../model/state/catalog.js';
import type { Memory } from '../../model/state/memory.js';
import type { FromSimulation } from '../protocol.js';
import type { DecodedFrame } from './frame-codec.js';
import { SharedIds } from './shared-ids.js';

type Description = CatalogDescription | CatalogChanges;

/** What is added to the counts of a run, so that those here never go back. */
const NO_SHIFT = { number: 0, tick: 0, jumps: 0, catalogVersion: 0 };

/** A source has two frames on their way at most. */
const MOST_LATE = 2;

export class EdgeFrames {
  private writer: FrameWriter | undefined;
  private ringNumber = 0;
  /** Catalogs whose first frame has not come. */
  private coming: Description[] = [];
  /** The versions, as the source counts them, of the catalog that is shown and of the latest one that has come. */
  private shownVersion: number | undefined;
  private knownVersion: number | undefined;
  private shift = NO_SHIFT;
  private last: { header: FrameHeader; memory: Memory; missing: PageMap | undefined } | undefined;
  /** The last number and tick of this run, as its source counts. */
  private lastNumber = 0;
  private lastTick: number | undefined;
  /** How many older frames have come since the last one that was shown. */
  private late = 0;
  private epoch = 0;
  /** Ticks whose frame has not come. */
  skipped = 0;
  readonly ids = new SharedIds();

  constructor(private readonly receive: (message: FromSimulation) => void) {}

  /** The pages that readers here ask for. */
  get wanted(): PageMap | undefined {
    return this.writer?.wanted;
  }

  get hasShown(): boolean {
    return this.last !== undefined;
  }

  /** Whether a frame of this run has been shown. */
  get hasShownRun(): boolean {
    return this.lastNumber > 0;
  }

  /** The number here of a frame of the source. */
  numberOf(number: number): number {
    return number + this.shift.number;
  }

  get latestNumber(): number {
    return this.last?.header.number ?? 0;
  }

  /** Frames of another run come from now on. */
  begin(epoch: number): void {
    this.epoch = epoch;
    this.coming = [];
    this.knownVersion = undefined;
    this.shownVersion = undefined;
    this.lastNumber = 0;
    this.lastTick = undefined;
    this.late = 0;
    if (!this.last) return;
    const { catalogVersion, jumps } = this.last.header;
    this.shift = { number: 0, tick: 0, jumps: jumps + 1, catalogVersion: catalogVersion + 1 };
  }

  /** Returns false for changes of a version that has not come. */
  catalog(catalog: Description): boolean {
    if (catalog.version === this.knownVersion) return true;
    if ('from' in catalog && catalog.from !== this.knownVersion) return false;
    this.knownVersion = catalog.version;
    this.coming.push(shifted(catalog, this.shift.catalogVersion));
    return true;
  }

  /** Shows a frame; returns false when its catalog has not come. Those that come late are left out. */
  show({ header, pageBytes, memory, missing }: DecodedFrame): boolean {
    if (this.isLate(header)) return true;
    if (header.catalogVersion !== this.shownVersion && header.catalogVersion !== this.knownVersion) return false;
    this.goOnFrom(header);
    const { shift } = this;
    // The end of a source is not that of its edge.
    const mode = header.mode === Mode.exit ? Mode.freeze : header.mode;
    const own: FrameHeader = {
      ...header,
      mode,
      number: header.number + shift.number,
      tick: header.tick + shift.tick,
      jumps: header.jumps + shift.jumps,
      catalogVersion: header.catalogVersion + shift.catalogVersion,
    };
    this.ids.note({ epoch: this.epoch, from: own.number, shift: shift.number });
    this.lastNumber = header.number;
    this.skipped += Math.max(0, header.tick - (this.lastTick ?? header.tick) - 1);
    this.lastTick = header.tick;
    this.layOut(own, memory.bytes.length, pageBytes);
    this.shownVersion = header.catalogVersion;
    this.publish(own, memory, missing);
    return true;
  }

  /** Shows that no frames come any more. */
  standStill(): void {
    if (!this.last) return;
    const { header, memory, missing } = this.last;
    this.publish({ ...header, number: header.number + 1, mode: Mode.freeze, reason: Reason.freeze }, memory, missing);
  }

  /** More in a row than there are on their way are not late: the last number was too high, and none of the source's. */
  private isLate({ number }: FrameHeader): boolean {
    const isOlder = number < this.lastNumber && ++this.late <= MOST_LATE;
    if (!isOlder && number !== this.lastNumber) this.late = 0;
    return isOlder || number === this.lastNumber;
  }

  private publish(header: FrameHeader, memory: Memory, missing: PageMap | undefined): void {
    this.writer?.publish(header, memory, missing);
    this.last = { header, memory, missing };
  }

  private goOnFrom({ number, tick }: FrameHeader): void {
    const last = this.last?.header;
    if (!last) return;
    const { shift } = this;
    const numberShift = number + shift.number > last.number ? shift.number : last.number + 1 - number;
    const tickShift = tick + shift.tick >= last.tick ? shift.tick : last.tick + 1 - tick;
    if (numberShift === shift.number && tickShift === shift.tick) return;
    this.shift = { ...shift, number: numberShift, tick: tickShift };
  }

  /** Announces new catalogs, in a ring that such frames fit in. */
  private layOut({ number }: FrameHeader, arenaBytes: number, pageBytes: number): void {
    const ring = this.writer?.ring;
    const fits = ring?.arenaBytes === arenaBytes && ring.pageBytes === pageBytes;
    if (!fits) {
      const poke = (): void => this.receive({ kind: 'poke' });
      this.writer = new FrameWriter(createRing(arenaBytes, slotsFor(arenaBytes), pageBytes), poke, this.writer);
      this.ringNumber++;
    }
    const { ringNumber, writer } = this;
    for (const catalog of this.coming.splice(0))
      this.receive({
        kind: 'layout',
        layout: { catalog, ring: (writer as FrameWriter).ring, ringNumber, firstFrame: number },
      });
  }
}

function shifted(catalog: Description, by: number): Description {
  const version = catalog.version + by;
  return 'from' in catalog ? { ...catalog, version, from: catalog.from + by } : { ...catalog, version };
}
