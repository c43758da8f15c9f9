// The variables of a simulation, read from Trick's XML description of it. Trick: trick_source/sim_services/Sie
import { SaxesParser } from 'saxes';
import { ProtocolError } from './errors.js';
import { pairTypes } from './std-types.js';

/** A variable of the description. */
export interface SieVariable {
  readonly name: string;
  readonly type: string;
  /** Empty for a scalar; 0 stands for a pointer. */
  readonly dimensions: readonly number[];
  readonly units: string;
}

/** A member of a structure, or an object. */
export interface SieMember extends SieVariable {
  /** One line that describes it; empty for none. */
  readonly about: string;
  /** Trick: io_attributes, of which bit 0 lets clients read and bit 1 lets them write */
  readonly io: number;
}

interface Member extends SieMember {
  readonly dimensions: number[];
}

/** The types and objects of a simulation, as its description lists them. */
export interface SieResource {
  readonly classes: ReadonlyMap<string, readonly SieMember[]>;
  /** The numbers of enumerations by label. */
  readonly enumerations: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly topLevel: readonly SieMember[];
}

const READ_AND_WRITE = 3;
/** Reads a document as Trick's generator writes it. Throws a ProtocolError. */
export function parseSieResource(xml: string): SieResource {
  const reader = new SieReader();
  const parser = new SaxesParser();
  // Descriptions are texts of programmers: what is wrong in one is no reason to show nothing.
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name, attributes }) => reader.begin(name, attributes as Readonly<Record<string, string>>));
  parser.on('text', (text) => reader.text(text));
  parser.on('closetag', ({ name }) => reader.end(name));
  parser.write(xml).close();
  if (!reader.isWhole) throw new ProtocolError('expected an S_sie.resource document that ends in </sie>');
  return reader;
}

class SieReader implements SieResource {
  readonly classes = new Map<string, Member[]>();
  readonly enumerations = new Map<string, Map<string, number>>();
  readonly topLevel: Member[] = [];
  private members: Member[] = [];
  private labels = new Map<string, number>();
  isWhole = false;
  private tag = '';

  begin(tag: string, attributes: Readonly<Record<string, string>>): void {
    const { name = '', label = '', value } = attributes;
    this.tag = tag;
    if (tag === 'class') {
      this.members = [];
      this.classes.set(name, this.members);
    } else if (tag === 'enumeration') {
      this.labels = new Map();
      this.enumerations.set(name, this.labels);
    } else if (tag === 'pair') this.labels.set(label, Number(value));
    else if (tag === 'member') this.members.push(memberOf(attributes));
    else if (tag === 'top_level_object') this.topLevel.push(memberOf(attributes));
  }

  text(text: string): void {
    if (this.tag === 'dimension') this.members.at(-1)?.dimensions.push(Number(text));
  }

  end(tag: string): void {
    this.tag = '';
    this.isWhole = tag === 'sie';
  }
}

function memberOf(attributes: Readonly<Record<string, string>>): Member {
  const { name = '', type = '', units, description: about = '', io_attributes: io } = attributes;
  return { name, type, units: units || '--', dimensions: [], about, io: Number(io || READ_AND_WRITE) };
}

/** A description of more variables has no end that a client can wait for. */
const MOST_LISTED = 1_000_000;

/**
 * Every variable below the top-level objects whose name starts with `prefix`, in the order of the description; for a
 * pair, its two values. Throws a ProtocolError when there are more than a million.
 */
export function* listVariables(resource: SieResource, prefix = ''): Generator<SieVariable> {
  let listed = 0;
  for (const object of resource.topLevel)
    for (const variable of within(resource, object, object.name, prefix, [])) {
      if (++listed > MOST_LISTED) throw new ProtocolError(`the description has more than ${MOST_LISTED} variables`);
      yield variable;
    }
}

/** @param trail the classes above, so that a class that holds itself, as a linked list does, is not entered again. */
function* within(
  resource: SieResource,
  member: SieVariable,
  name: string,
  prefix: string,
  trail: readonly string[],
): Generator<SieVariable> {
  if (!name.startsWith(prefix) && !prefix.startsWith(name)) return;
  const { type, units, dimensions } = member;
  const members = resource.classes.get(type) ?? pairMembers(member);
  if (!members || trail.includes(type)) {
    if (name.startsWith(prefix)) yield { name, type, dimensions, units };
    return;
  }
  for (const element of elementNames(name, dimensions))
    for (const inner of members) yield* within(resource, inner, `${element}.${inner.name}`, prefix, [...trail, type]);
}

/** Descriptions have no class for a pair. */
function pairMembers({ type }: SieVariable): SieVariable[] | undefined {
  const [first, second] = pairTypes(type) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const member = (name: string, own: string): SieVariable => ({ name, type: own, dimensions: [], units: '--' });
  return [member('first', first), member('second', second)];
}

/**
 * `a`, or `a[0][0]`, `a[0][1]` ...; for a pointer, the first value that it points at. Trick finds no member without an
 * index.
 */
function* elementNames(name: string, [extent, ...inner]: readonly number[]): Generator<string> {
  if (extent === undefined) yield name;
  else if (extent === 0) yield* elementNames(`${name}[0]`, inner);
  else for (let index = 0; index < extent; index++) yield* elementNames(`${name}[${index}]`, inner);
}

/** Whether it is a container: its elements have values, but the container as a whole has none. */
export const isContainer = ({ type }: SieVariable): boolean => /^std(__|::)(?!w?string\b)/.test(type);
