// Stores rows of a recording where the variables of a feed lie: those that readers need; what lies side by side in both is copied in one piece.
import { PageMap, WHOLE_BYTES } from '../../model/frame/page-map.js';
import type { Catalog } from '../../model/state/catalog.js';
import { type Memory, readLeaf } from '../../model/state/memory.js';
import { type LeafType, sizeOf, type Type } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import type { Column } from '../../simulation/recording/row.js';
import type { FilledPages } from '../feed-host.js';
import type { Recording } from './recording.js';

interface Held {
  readonly catalog: Catalog;
  readonly memory: Memory;
}

/** A column, and where its variable lies in the memory. */
interface Place {
  readonly column: Column;
  readonly as: Type;
  readonly to: number;
}

/** Bytes from a place in a row to one in the memory. */
interface Copied {
  readonly from: number;
  readonly to: number;
  bytes: number;
}

/** A value that lies otherwise in the memory. */
interface Stored {
  readonly type: LeafType;
  readonly from: number;
  readonly as: Type;
  readonly to: number;
}

/** The variables that are read of each row. */
interface Reading {
  /** The pages that they lie in; undefined for all. */
  readonly pages: PageMap | undefined;
  readonly others: PageMap | undefined;
  readonly pageCount: number;
  readonly columns: readonly Column[];
  readonly copied: readonly Copied[];
  readonly stored: readonly Stored[];
}

/** Rows up to this size are read whole: frames carry all of them, so that nobody waits for a value. */
const WHOLE_ROW_BYTES = 8 * 1024;
/** Of longer rows what readers need is read in pages of so many bytes: eight doubles. */
const SMALL_PAGE_BYTES = 64;
/** A reading of more than so many pages, few of which are wanted still, gives way to a smaller one. */
const FEW_PAGES = 16;

/** The pages that readers ask for; undefined when frames carry all of a recording. */
export const pageBytesFor = ({ rowBytes }: Recording): number | undefined =>
  rowBytes > WHOLE_ROW_BYTES && rowBytes <= WHOLE_BYTES ? SMALL_PAGE_BYTES : undefined;

export class RowsInMemory implements FilledPages {
  private readonly places: readonly Place[];
  /** What the recording was asked for last. */
  private chosen: Reading | undefined;
  /** The row that is shown, and the variables that have its values. */
  private row: number | undefined;
  private reading: Reading | undefined;

  /** @param paths of the columns, in the order of the rows. */
  constructor(
    private readonly recording: Recording,
    paths: ReadonlyMap<string, Column>,
    private readonly held: () => Held,
  ) {
    const { catalog } = held();
    this.places = [...paths].map(([path, column]) => {
      const found = catalog.find(path);
      if (!found) throw new Error(`there is no ${path}`);
      return { column, as: found.type, to: found.offsetBytes };
    });
  }

  /** Goes to a row. Throws an Error for one that cannot be read, and stays where it was. */
  show(row: number, wanted: PageMap | undefined): void {
    this.store(row, this.readingOf(wanted));
    this.row = row;
  }

  fill(wanted: PageMap | undefined): void {
    const { row } = this;
    const reading = this.readingOf(wanted);
    if (row !== undefined && reading !== this.reading) this.store(row, reading);
  }

  missing(wanted: PageMap): PageMap {
    const missing = new PageMap(new Uint8Array(wanted.length), wanted.pageBytes);
    for (const { as, to } of this.places)
      if (this.reading?.pages?.hasSome(to, sizeOf(as)) === false) missing.markRange(to, sizeOf(as));
    return missing;
  }

  private store(row: number, reading: Reading): void {
    const { recording } = this;
    if (reading !== this.chosen) recording.choose(reading.columns);
    this.chosen = reading;
    const { from: first, memory } = recording.chosenBlock(row);
    const start = (row - first) * recording.rowBytes;
    const target = this.held().memory;
    for (const { from, to, bytes } of reading.copied)
      memory.bytes.copy(target.bytes, to, start + from, start + from + bytes);
    for (const { type, from, as, to } of reading.stored)
      storeValue(target, as, to, readLeaf(type, memory, start + from));
    this.reading = reading;
  }

  private readingOf(wanted: PageMap | undefined): Reading {
    const { reading } = this;
    if (reading && isEnough(reading, wanted)) return reading;
    const places = this.places.filter(({ as, to }) => wanted?.hasSome(to, sizeOf(as)) ?? true);
    const pages = wanted?.copyOfMarks();
    const [copied, stored]: [Copied[], Stored[]] = [[], []];
    for (const { column, as, to } of places) {
      const { type, offsetBytes: from } = column;
      if (isSame(type, as)) copy(copied, { from, to, bytes: sizeOf(type) });
      else stored.push({ type, from, as, to });
    }
    const columns = places.map(({ column }) => column);
    return { pages, others: pages?.inverse(), pageCount: countOf(pages), columns, copied, stored };
  }
}

const countOf = (pages: PageMap | undefined): number => pages?.marked().length ?? 0;

/** Whether it has all pages that are wanted, and not far too many. */
function isEnough({ pages, others, pageCount }: Reading, wanted: PageMap | undefined): boolean {
  if (!wanted || !pages) return wanted === pages;
  if (pages.equals(wanted)) return true;
  if (others?.meets(wanted) || pages.length !== wanted.length) return false;
  return pageCount <= FEW_PAGES || pageCount <= 2 * countOf(wanted);
}

function copy(copied: Copied[], next: Copied): void {
  const last = copied.at(-1);
  if (last && last.from + last.bytes === next.from && last.to + last.bytes === next.to) last.bytes += next.bytes;
  else copied.push(next);
}

/** Any byte but 0 is true in a file. */
const isSame = (type: LeafType, as: Type): boolean =>
  type.kind === 'number' && as.kind === 'number' && type.name === as.name && type.name !== 'bool';
