// Stores rows of a recording where the variables of a feed lie: what lies side by side in both is copied in one piece.
import type { Catalog } from '../../model/state/catalog.js';
import { type Memory, readLeaf } from '../../model/state/memory.js';
import { type LeafType, sizeOf, type Type } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import type { Column } from '../../simulation/recording/row.js';
import type { Recording } from './recording.js';

interface Held {
  readonly catalog: Catalog;
  readonly memory: Memory;
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

export class RowsInMemory {
  private readonly copied: Copied[] = [];
  private readonly stored: Stored[] = [];

  /** @param paths of the columns, in the order of the rows. */
  constructor(
    private readonly recording: Recording,
    paths: ReadonlyMap<string, Column>,
    private readonly held: () => Held,
  ) {
    const { catalog } = held();
    for (const [path, { type, offsetBytes: from }] of paths) {
      const found = catalog.find(path);
      if (!found) throw new Error(`there is no ${path}`);
      const { type: as, offsetBytes: to } = found;
      if (isSame(type, as)) this.copy(from, to, sizeOf(type));
      else this.stored.push({ type, from, as, to });
    }
  }

  /** Throws an Error for a row that cannot be read. */
  store(row: number): void {
    const { recording } = this;
    const { from: first, memory } = recording.block(row);
    const start = (row - first) * recording.rowBytes;
    const target = this.held().memory;
    for (const { from, to, bytes } of this.copied)
      memory.bytes.copy(target.bytes, to, start + from, start + from + bytes);
    for (const { type, from, as, to } of this.stored) storeValue(target, as, to, readLeaf(type, memory, start + from));
  }

  private copy(from: number, to: number, bytes: number): void {
    const last = this.copied.at(-1);
    if (last && last.from + last.bytes === from && last.to + last.bytes === to) last.bytes += bytes;
    else this.copied.push({ from, to, bytes });
  }
}

/** Any byte but 0 is true in a file. */
const isSame = (type: LeafType, as: Type): boolean =>
  type.kind === 'number' && as.kind === 'number' && type.name === as.name && type.name !== 'bool';
