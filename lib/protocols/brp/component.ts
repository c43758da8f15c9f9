// The components of an object with their type paths.
import type { SimObject } from '../../model/state/catalog.js';
import type { Member, Type } from '../../model/state/type.js';
import type { TypeDescription } from '../../model/state/type-registry.js';
import type { Variable } from '../../model/state/variable.js';

/** A component of one object. */
export interface Component {
  readonly object: SimObject;
  readonly member: Member;
  /** Its type path, which no other component of the object has. */
  readonly path: string;
}

/** What is known of a type path. */
export interface KnownType {
  readonly path: string;
  readonly type: Type;
  /** UDUNITS text; `--` or `1` for none. */
  readonly units: string;
  readonly about: string;
  /** The registered type that clients may make components of. */
  readonly registered: TypeDescription | undefined;
}

/** A name as it may stand in a type path. */
export const segment = (name: string): string => name.replace(/\W+/g, '_');

/** The type path of a type by its name in a simulation. */
export const pathOfType = (name: string, simulation: string): string =>
  name.includes('::') ? name : `${simulation}::${segment(name)}`;

function ownNameOf({ type, typeName }: Member): string | undefined {
  return typeName ?? (type.kind === 'struct' || type.kind === 'enumeration' ? type.name : undefined);
}

const known = new WeakMap<SimObject, ReadonlyMap<string, Component>>();
const NONE: ReadonlyMap<string, Component> = new Map();

/**
 * The first component of a type has the type's path. Every other one has its own, `simulation::object::alias`: Bevy
 * allows one component of a type.
 */
export function componentsOf(object: SimObject, simulation: string): ReadonlyMap<string, Component> {
  if (object.type.members.length === 0) return NONE;
  const before = known.get(object);
  if (before) return before;
  const parts = new Map<string, Component>();
  for (const member of object.type.members) {
    const name = ownNameOf(member);
    const shared = name === undefined ? undefined : pathOfType(name, segment(simulation));
    const isTaken = shared === undefined || parts.has(shared);
    const path = isTaken ? `${segment(simulation)}::${object.name}::${member.name}` : shared;
    parts.set(path, { object, member, path });
  }
  known.set(object, parts);
  return parts;
}

/** A component as a variable, found without its path. */
export function variableOf({ object, member }: Component): Variable {
  const { type, units, about, access, offsetBytes } = member;
  return { path: `${object.name}.${member.name}`, type, units, about, access, offsetBytes, hops: [] };
}
