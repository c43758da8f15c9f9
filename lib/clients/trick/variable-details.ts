// What a server's description says of a variable or a structure.
import type { SieMember, SieResource, SieVariable } from './sie-resource.js';
import { elementType, pairTypes } from './std-types.js';

/** What is known of a variable or a structure from the server's description. */
export interface VariableDetails extends SieVariable {
  /** One line that describes it; empty for none. */
  readonly about: string;
  readonly access: 'read-write' | 'read-only' | 'write-only' | 'none';
  /** The numbers of an enumeration by label; NASA's Trick describes those of the simulation, not its own. */
  readonly labels?: ReadonlyMap<string, number>;
  /** The members of a structure, and the two values of a pair. */
  readonly members?: readonly VariableDetails[];
}

const PATH = /^\w+(?:\.\w+|\[\d+\])*$/;

/** Undefined for a path that the description does not have; indices are not checked. */
export function detailsOf(resource: SieResource, path: string): VariableDetails | undefined {
  if (!PATH.test(path.trim())) return undefined;
  const [object, ...steps] = path.trim().match(/\w+|\[\d+\]/g) ?? [];
  let at: SieMember | undefined = resource.topLevel.find(({ name }) => name === object);
  for (const step of steps) at = at && (step.startsWith('[') ? elementOf(at) : memberOf(resource, at, step));
  return at && detailed(resource, { ...at, name: path.trim() });
}

const memberOf = (resource: SieResource, { type, ...rest }: SieMember, name: string): SieMember | undefined =>
  membersOf(resource, { type, ...rest })?.find((member) => member.name === name);

function elementOf(at: SieMember): SieMember | undefined {
  const { type, dimensions } = at;
  if (dimensions.length > 0) return { ...at, dimensions: dimensions.slice(1) };
  const inner = elementType(type);
  return inner === undefined ? undefined : { ...at, type: inner };
}

function membersOf({ classes }: SieResource, at: SieMember): readonly SieMember[] | undefined {
  const members = classes.get(at.type);
  const [first, second] = pairTypes(at.type) ?? [];
  if (members || first === undefined || second === undefined) return members;
  const half = { ...at, dimensions: [], units: '--', about: '' };
  return [
    { ...half, name: 'first', type: first },
    { ...half, name: 'second', type: second },
  ];
}

const ACCESS = ['none', 'read-only', 'write-only', 'read-write'] as const;

/** A structure with its members, but without the members of those. */
function detailed(resource: SieResource, member: SieMember): VariableDetails {
  const members = membersOf(resource, member);
  return {
    ...flat(resource, member),
    ...(members && { members: members.map((one) => flat(resource, one)) }),
  };
}

function flat({ enumerations }: SieResource, { name, type, dimensions, units, about, io }: SieMember): VariableDetails {
  const labels = enumerations.get(type);
  return { name, type, dimensions, units, about, access: ACCESS[io & 3] ?? 'none', ...(labels && { labels }) };
}
