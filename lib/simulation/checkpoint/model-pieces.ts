// The types, objects and memory of a state, on their way to another thread. What is known there is not sent again; the rest goes
// in pieces, so that no step takes long, however many objects clients have made.
import type { Allocation } from '../../model/state/allocations.js';
import { Catalog, type SimObject } from '../../model/state/catalog.js';
import type { TypeDescription } from '../../model/state/type-registry.js';
import type { StateModel } from './plan.js';
import { type PackedMember, type PackedType, TypeReceiver, TypeSender } from './type-table.js';

/** Objects and components of a piece; it takes about half a millisecond. */
const MOST_IN_PIECE = 256;
/** When more types than these have come since all was sent, all is sent anew: clients make and forget types. */
const MOST_NEW_TYPES = 10_000;

type PackedObject = Omit<SimObject, 'type'> & {
  readonly type: Omit<SimObject['type'], 'members'> & { readonly members: readonly PackedMember[] };
};

/** A part of what a catalog has and the one that is known has not. */
export interface CatalogPiece {
  /** Whether nothing is known any more. */
  readonly isFirst: boolean;
  readonly types: readonly PackedType[];
  /** Objects that are new or have changed. */
  readonly objects: readonly PackedObject[];
  /** Names of objects that are gone; some are made again. */
  readonly removed: readonly string[];
}

type PackedDescription = Omit<TypeDescription, 'type'> & { readonly type: number };

/** A model whose catalog was sent in pieces. */
export type PackedModel<M extends StateModel> = Omit<M, 'catalog' | 'allocated'> & PackedParts;

interface PackedParts {
  readonly version: number;
  readonly types: readonly PackedType[];
  /** Types known by name; left out when they are the same as before. */
  readonly registered: readonly PackedDescription[] | undefined;
  readonly allocated: PackedAllocations;
}

interface PackedAllocations {
  /** Of each in turn: its type's number, its offset in bytes, its count, and 1 for a single value. */
  readonly numbers: Float64Array;
  readonly names: readonly (string | undefined)[];
}

const NUMBERS = 4;

/** The side that has the state. */
export class ModelSender {
  private known: Catalog | undefined;
  /** Numbers what comes back; another table from when all was sent anew. */
  types = new TypeSender();
  private mostTypes = Number.POSITIVE_INFINITY;

  /** What the other side does not know of a catalog; send each piece before the next one is taken. */
  *pieces(catalog: Catalog): Generator<CatalogPiece> {
    const names = this.types.count > this.mostTypes ? undefined : this.changedIn(catalog);
    if (!names) {
      this.known = undefined;
      this.types = new TypeSender();
      this.mostTypes = Number.POSITIVE_INFINITY;
      yield { isFirst: true, types: [], objects: [], removed: [] };
      yield* this.inPieces(catalog.eachObject());
      this.mostTypes = 2 * this.types.count + MOST_NEW_TYPES;
    } else yield* this.inPieces(this.changes(names, catalog));
  }

  /** The rest, after all pieces of its catalog. */
  end<M extends StateModel>({ catalog, allocated, ...rest }: M): PackedModel<M> {
    const registered = this.known?.types === catalog.types ? undefined : catalog.types;
    this.known = catalog;
    const packed = {
      ...rest,
      version: catalog.version,
      registered: registered?.map((one) => ({ ...one, type: this.types.numberOf(one.type) })),
      allocated: this.allocations(allocated),
    };
    return { ...packed, types: this.types.takeUnsent() };
  }

  /** Names of objects that may have changed since what is known; undefined when that is nothing, or too long ago. */
  private changedIn(catalog: Catalog): ReadonlySet<string> | undefined {
    return this.known && catalog.changedSince(this.known.version);
  }

  /** Names of what is gone, and what is new or has changed. */
  private *changes(names: Iterable<string>, catalog: Catalog): Generator<string | SimObject> {
    for (const name of names) {
      const [known, object] = [this.known?.object(name), catalog.object(name)];
      // Another object may have the name now.
      if (known && known.number !== object?.number) yield name;
      if (object) yield object;
    }
  }

  private *inPieces(changes: Iterable<string | SimObject>): Generator<CatalogPiece> {
    let [objects, removed, count]: [PackedObject[], string[], number] = [[], [], 0];
    const piece = () => ({ isFirst: false, types: this.types.takeUnsent(), objects, removed });
    for (const change of changes) {
      if (typeof change === 'string') removed.push(change);
      else objects.push(this.packed(change));
      count += typeof change === 'string' ? 1 : 1 + change.type.members.length;
      if (count < MOST_IN_PIECE) continue;
      yield piece();
      [objects, removed, count] = [[], [], 0];
    }
    if (count > 0) yield piece();
  }

  private packed(object: SimObject): PackedObject {
    const members = object.type.members.map((member) => this.types.packMember(member));
    return { ...object, type: { ...object.type, members } };
  }

  private allocations(allocated: readonly Allocation[]): PackedAllocations {
    const numbers = new Float64Array(NUMBERS * allocated.length);
    for (const [index, { type, offsetBytes, count, isSingle = false }] of allocated.entries())
      numbers.set([this.types.numberOf(type), offsetBytes, count, isSingle ? 1 : 0], NUMBERS * index);
    return { numbers, names: allocated.map(({ name }) => name) };
  }
}

/** The other side. */
export class ModelReceiver {
  types = new TypeReceiver();
  private known: Catalog | undefined;
  private registered: readonly TypeDescription[] = [];
  private objects: SimObject[] = [];
  private removed: string[] = [];

  take({ isFirst, types, objects, removed }: CatalogPiece): void {
    if (isFirst) {
      this.types = new TypeReceiver();
      this.known = undefined;
      [this.objects, this.removed] = [[], []];
    }
    this.types.take(types);
    for (const object of objects) {
      const members = object.type.members.map((member) => this.types.member(member));
      this.objects.push({ ...object, type: { ...object.type, members } });
    }
    this.removed.push(...removed);
  }

  /** The model after the pieces of its catalog. */
  model<M extends StateModel>({ version, types, registered, allocated, ...rest }: PackedModel<M>): M {
    this.types.take(types);
    if (registered) this.registered = registered.map((one) => ({ ...one, type: this.types.at(one.type) }));
    const { objects, removed, known } = this;
    [this.objects, this.removed] = [[], []];
    objects.sort((one, other) => one.number - other.number);
    const next = { version, arenaBytes: rest.usedBytes, objects, functions: [], types: this.registered };
    const changes = known && { ...next, from: known.version, removed, variables: [] };
    this.known = changes ? new Catalog(changes, known) : new Catalog(next);
    return { ...rest, catalog: this.known, allocated: this.allocations(allocated) } as unknown as M;
  }

  private allocations({ numbers, names }: PackedAllocations): Allocation[] {
    return names.map((name, index) => {
      const [type = 0, offsetBytes = 0, count = 0, single] = numbers.subarray(NUMBERS * index, NUMBERS * (index + 1));
      const isSingle = single === 1 && { isSingle: true };
      return { type: this.types.at(type), offsetBytes, count, ...isSingle, ...(name !== undefined && { name }) };
    });
  }
}
