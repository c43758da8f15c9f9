// The objects of a simulation elsewhere as declarations, by its description, and the names by which their values are asked.
import {
  type AnyDeclared,
  array,
  charPointer,
  chars,
  declare,
  describe,
  enumeration,
  pointer,
  struct,
  text,
  wideChars,
  widePointer,
  wideText,
} from '../../model/state/declare.js';
import { deque, stdArray, vector } from '../../model/state/declare-containers.js';
import {
  type Access,
  isCharacters,
  isLeaf,
  NUMBER_FACTS,
  type NumberName,
  type PointerType,
  type SequenceType,
  sizeOf,
  strideOf,
  type Type,
} from '../../model/state/type.js';
import type { Described, DescribedMember } from './trick-end.js';

/** The bytes that are kept of a text, whose length no description tells. */
const TEXT_BYTES = 1000;
/** A value that does not fit in a message of 8192 bytes is left out of it. */
const MOST_BYTES = 8000;
/** So many members are looked at, and structures in structures so deep: those of a description may multiply without end. */
const MOST_MEMBERS = 150_000;
const MOST_DEPTH = 64;
/** C++ keeps those that begin with `__` for itself. */
const NAME = /^(?!__)[A-Za-z_]\w*$/;

/** A component of an object elsewhere. */
export interface BridgedComponent {
  readonly object: string;
  /** The class of the object. */
  readonly typeName: string;
  readonly alias: string;
  readonly declared: AnyDeclared;
}

/** One value that is asked for, or what has a length that is asked for, and where it lies in its component. */
export interface Part {
  readonly path: string;
  readonly type: Type;
  readonly offsetBytes: number;
}

/** A pointer or a container: the description does not tell how many values it leads to. */
export interface MeasuredPart extends Part {
  readonly type: PointerType | SequenceType;
}

export const isMeasured = (part: Part): part is MeasuredPart =>
  part.type.kind === 'pointer' || part.type.kind === 'sequence';

/** Of a container before it is known how many elements it has. */
const UNKNOWN_CAPACITY = 1;

/** A name without its indices: `veh.sensors.id`. */
export const withoutIndices = (path: string): string => path.replace(/\[\d+\]/g, '');

/**
 * The components of all objects but Trick's own. Left out are pointers and containers behind others, containers whose
 * elements Trick does not tell, texts that fit in no message, and types that the description does not have.
 * @param isLeftOut whether a name, without indices, is not to be shown.
 * @param capacityOf how many elements a container holds at most, by its name without indices.
 */
export function componentsOf(
  described: Described,
  isLeftOut: (path: string) => boolean,
  capacityOf: (path: string) => number = () => UNKNOWN_CAPACITY,
): BridgedComponent[] {
  const maker = new Maker(described, isLeftOut, capacityOf);
  return described.topLevel
    .filter(({ name, dimensions }) => NAME.test(name) && !name.startsWith('trick_') && dimensions.length === 0)
    .flatMap(({ name, type }) =>
      (described.classes.get(type) ?? []).flatMap((member) => {
        const declared = attempt(() => maker.declaredOf(member, name, { classes: new Set([type]), isMeasured: false }));
        return declared ? [{ object: name, typeName: type, alias: member.name, declared }] : [];
      }),
    );
}

/** Undefined for names and labels that no declaration takes. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** What a member lies in. */
interface Inside {
  /** A class that holds itself has no end. */
  readonly classes: ReadonlySet<string>;
  /** Whether it is behind a pointer or in a container. */
  readonly isMeasured: boolean;
}

class Maker {
  /** One structure for all members of a class that have the same members, by their names. */
  private readonly known = new Map<string, AnyDeclared>();
  private looked = 0;

  constructor(
    private readonly described: Described,
    private readonly isLeftOut: (path: string) => boolean,
    private readonly capacityOf: (path: string) => number,
  ) {}

  declaredOf(member: DescribedMember, above: string, inside: Inside): AnyDeclared | undefined {
    const path = `${above}.${member.name}`;
    const access = ACCESS[member.io & 3];
    if (access === undefined || !NAME.test(member.name) || this.isLeftOut(path)) return undefined;
    if (++this.looked > MOST_MEMBERS || inside.classes.size > MOST_DEPTH)
      throw new RangeError('there is too much of it');
    const one = this.unmeasured(member, path, inside);
    return one && describe(one, { units: member.units, about: member.about, access });
  }

  private unmeasured({ type, dimensions }: DescribedMember, path: string, inside: Inside): AnyDeclared | undefined {
    const extents = [...dimensions];
    let one = characters(type, extents);
    if (one && sizeOf(one.type) > MOST_BYTES) return undefined;
    const isPointer = extents.at(-1) === 0;
    if (isPointer) extents.pop();
    if ((isPointer && inside.isMeasured) || extents.some((extent) => extent < 1)) return undefined;
    one ??= this.single(type, path, isPointer ? { ...inside, isMeasured: true } : inside);
    // Trick takes the first index of an array of containers for one of an element.
    if (!one || (isContainer(one.type) && extents.length > 0)) return undefined;
    const own = isPointer ? pointer(one) : one;
    return extents.reduceRight<AnyDeclared>((element, length) => array(element, length), own);
  }

  private single(type: string, path: string, inside: Inside): AnyDeclared | undefined {
    const labels = this.described.enumerations.get(type);
    if (labels) return this.declaredOnce(`enum ${type}`, () => enumeration(type, Object.fromEntries(labels)));
    if (Object.hasOwn(NUMBER_FACTS, type)) return declare({ kind: 'number', name: type as NumberName });
    if (/^std(::|__)string$/.test(type)) return text(TEXT_BYTES);
    if (/^std(::|__)wstring$/.test(type)) return wideText(TEXT_BYTES);
    return this.container(type, path, inside) ?? this.structure(type, path, inside);
  }

  /** Of those that Trick finds elements of. Trick: ref_dim */
  private container(type: string, path: string, inside: Inside): AnyDeclared | undefined {
    const [, kind, elementType = '', length] = CONTAINER.exec(type) ?? [];
    if (kind === undefined || inside.isMeasured || UNREADABLE_ELEMENTS.has(elementType)) return undefined;
    const element = this.single(elementType, path, { ...inside, isMeasured: true });
    if (!element) return undefined;
    if (kind === 'array') return stdArray(element, Number(length));
    return (kind === 'vector' ? vector : deque)(element, this.capacityOf(path));
  }

  private structure(type: string, path: string, inside: Inside): AnyDeclared | undefined {
    const members = this.described.classes.get(type);
    if (!members || inside.classes.has(type)) return undefined;
    const within = { ...inside, classes: new Set([...inside.classes, type]) };
    const declared = members.flatMap((member) => {
      const one = this.declaredOf(member, path, within);
      return one ? [[member.name, one] as const] : [];
    });
    if (declared.length === 0) return undefined;
    const shape = declared.map(([name, one]) => `${name}:${shapeOf(one.type)}`).join();
    return this.declaredOnce(`${type}{${shape}}`, () => struct(type, Object.fromEntries(declared)));
  }

  private declaredOnce(key: string, make: () => AnyDeclared): AnyDeclared {
    const known = this.known.get(key) ?? make();
    this.known.set(key, known);
    return known;
  }
}

/** `std__vector<double>`, `std__array<short, 3>`. */
const CONTAINER = /^std(?:::|__)(vector|deque|array)<\s*([^<>,]+?)\s*(?:,\s*(\d+)\s*)?>$/;
const UNREADABLE_ELEMENTS: ReadonlySet<string> = new Set(['char', 'unsigned char', 'wchar_t', 'std__wstring']);
const isContainer = (type: Type): boolean => type.kind === 'sequence' || (type.kind === 'array' && type.isContainer);

const ACCESS: readonly (Access | undefined)[] = [undefined, 'read-only', 'write-only', 'read-write'];

/** Text of characters; takes the dimension that it needs. */
function characters(type: string, extents: number[]): AnyDeclared | undefined {
  if ((type !== 'char' && type !== 'wchar_t') || extents.length === 0) return undefined;
  const length = extents.pop() as number;
  if (length === 0) return type === 'char' ? charPointer(TEXT_BYTES) : widePointer(TEXT_BYTES);
  return type === 'char' ? chars(length) : wideChars(length);
}

/** The names of the members in it, which may be left out, and the room of containers. */
function shapeOf(type: Type): string {
  if (type.kind === 'array') return shapeOf(type.element);
  if (type.kind === 'pointer') return `*${shapeOf(type.target)}`;
  if (type.kind === 'sequence') return `[${type.capacity}]${shapeOf(type.element)}`;
  return type.kind === 'struct' ? `{${type.members.map(({ name, type: own }) => `${name}:${shapeOf(own)}`)}}` : '';
}

/**
 * What is asked for to fill a value: whole arrays of numbers where they fit in a message, everything else one by one.
 * Pointers and containers are parts by themselves, without what they lead to.
 */
export function* partsOf(path: string, type: Type, offsetBytes = 0): Generator<Part> {
  if (isWhole(type)) yield { path, type, offsetBytes };
  else if (type.kind === 'struct') {
    for (const { name, type: own, offsetBytes: within } of type.members)
      yield* partsOf(`${path}.${name}`, own, offsetBytes + within);
  } else if (type.kind === 'array') {
    for (let index = 0; index < type.length; index++)
      yield* partsOf(`${path}[${index}]`, type.element, offsetBytes + index * strideOf(type.element));
  }
}

/** How many parts there are, which may be more than fit in memory. */
export function partCount(type: Type): number {
  if (isWhole(type)) return 1;
  if (type.kind === 'array') return type.length * partCount(type.element);
  return type.kind === 'struct' ? type.members.reduce((sum, { type: own }) => sum + partCount(own), 0) : 0;
}

/** What fills so many values that lie side by side, from a place on. */
export function* elementsOf({ path, type }: MeasuredPart, count: number, offsetBytes: number): Generator<Part> {
  const element = type.kind === 'pointer' ? type.target : type.element;
  for (let index = 0; index < count; index++)
    yield* partsOf(`${path}[${index}]`, element, offsetBytes + index * strideOf(element));
}

function isWhole(type: Type): boolean {
  if (isLeaf(type) || isCharacters(type) || type.kind === 'pointer' || type.kind === 'sequence') return true;
  if (isContainer(type)) return false;
  return type.kind === 'array' && sizeOf(type) <= MOST_BYTES && leafOf(type).kind === 'number' && !holdsText(type);
}

/** Whether the elements of an array are text. */
export const holdsText = (type: Type): boolean =>
  isCharacters(type) || (type.kind === 'array' && holdsText(type.element));

/** The type of the elements of an array of any number of dimensions. */
export const leafOf = (type: Type): Type => (type.kind === 'array' ? leafOf(type.element) : type);
