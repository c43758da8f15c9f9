// The structures and enumerations of components: counted, so that a change of a catalog looks only at what has changed.
import type { EnumerationType, StructType, Type } from './type.js';
import { answeredOnce, typesIn } from './walk.js';

type NamedType = StructType | EnumerationType;
type Counts = Map<NamedType, number>;

/** The structures and enumerations that components have, in the order in which they came. It never changes. */
export class TypesInUse {
  private knownLabels: ReadonlyMap<string, number> | undefined;

  private constructor(private readonly counts: ReadonlyMap<NamedType, number>) {}

  /** @param objects the types of all objects. */
  static of(objects: Iterable<StructType>): TypesInUse {
    const counts: Counts = new Map();
    for (const object of objects) count(object, 1, counts);
    return new TypesInUse(counts);
  }

  /** These without those of objects of types that have gone, and with those of objects that have come. */
  with(gone: readonly StructType[], come: readonly StructType[]): TypesInUse {
    const changes: Counts = new Map();
    for (const object of come) count(object, 1, changes);
    for (const object of gone) count(object, -1, changes);
    if (changes.size === 0) return this;
    const counts: Counts = new Map(this.counts);
    let isSame = true;
    for (const [type, change] of changes) {
      const before = counts.get(type) ?? 0;
      if (before + change > 0) counts.set(type, before + change);
      else counts.delete(type);
      isSame &&= before > 0 && before + change > 0;
    }
    const next = new TypesInUse(counts);
    if (isSame) next.knownLabels = this.knownLabels;
    return next;
  }

  /** Every enumeration label and its value; a label of two enumerations has the value of the first. */
  get labels(): ReadonlyMap<string, number> {
    if (this.knownLabels) return this.knownLabels;
    const known = new Map<string, number>();
    for (const { labels } of this.enumerations()) {
      for (const [label, value] of Object.entries(labels)) if (!known.has(label)) known.set(label, value);
    }
    this.knownLabels = known;
    return known;
  }

  /** Once each by name. */
  enumerations(): EnumerationType[] {
    const byName = new Map<string, EnumerationType>();
    for (const type of this.counts.keys())
      if (type.kind === 'enumeration' && !byName.has(type.name)) byName.set(type.name, type);
    return [...byName.values()];
  }

  named(name: string): NamedType | undefined {
    for (const type of this.counts.keys()) if (type.name === name && !isPair(type)) return type;
    return undefined;
  }
}

/** Structures that have not been met before, once each by name and without pairs. */
export class NewStructures {
  private readonly met = new Set<Type>();
  private readonly names = new Set<string>();

  /** Those of a type; a structure comes after those that it contains. */
  *in(type: Type): Generator<StructType> {
    if (this.met.has(type)) return;
    for (const below of typesIn(type)) yield* this.in(below);
    this.met.add(type);
    if (type.kind !== 'struct' || isPair(type) || this.names.has(type.name)) return;
    this.names.add(type.name);
    yield type;
  }
}

const isPair = (type: NamedType): boolean => type.kind === 'struct' && type.isPair === true;

/** The structures and enumerations that a type is and contains. */
const namedIn: (type: Type) => ReadonlySet<NamedType> = answeredOnce((type) => {
  const named = new Set(typesIn(type).flatMap((below) => [...namedIn(below)]));
  if (type.kind === 'struct' || type.kind === 'enumeration') named.add(type);
  return named;
});

/** Adds so much for each structure and enumeration of each of an object's components. */
function count(object: StructType, change: 1 | -1, counts: Counts): void {
  for (const member of object.members)
    for (const type of namedIn(member.type)) counts.set(type, (counts.get(type) ?? 0) + change);
}
