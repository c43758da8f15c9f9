// The procedures of a class: properties for members, and ways to find the objects of the class.
import { fitValue } from '../../../model/state/fit-value.js';
import type { Member } from '../../../model/state/type.js';
import { findVariable } from '../../../serving/session/reference.js';
import { requireFewBytes } from '../../../serving/session/written-bytes.js';
import { type Caller, type Procedure, procedure } from '../service/procedure.js';
import { type KrpcType, type KrpcValue, listOf, type RemoteObject, STRING } from '../values/type.js';
import { fromRemote, holdsStructures, isSettable, mayBeNull, readRemote } from './remote-values.js';
import { VariableValue } from './variable-value.js';

/** Most objects that one call gives. */
const MOST_OBJECTS = 10_000;

interface MemberFacts {
  readonly member: Member;
  readonly owner: KrpcType;
  readonly type: KrpcType;
  readonly about: string;
}

const pathOf = (given: readonly KrpcValue[]): string => (given[0] as RemoteObject).key;

/** A getter, and a setter where clients may set the member as a whole. */
export function memberProcedures(className: string, name: string, facts: MemberFacts): readonly Procedure[] {
  const { access, type } = facts.member;
  const getters = access === 'write-only' ? [] : [getter(`${className}_get_${name}`, facts)];
  const isWritable = access !== 'read-only' && isSettable(type);
  return isWritable ? [...getters, setter(`${className}_set_${name}`, facts)] : getters;
}

function getter(name: string, { member, owner, type, about }: MemberFacts): Procedure {
  const gives = { returns: type, returnsNull: mayBeNull(member.type) };
  const below = (given: readonly KrpcValue[]): string => `${pathOf(given)}.${member.name}`;
  // Structures in fixed places need no frame: their paths are known.
  const does = isFixed(member)
    ? { ...gives, call: ({ session }: Caller, given: readonly KrpcValue[]) => objectsAt(session, below(given)) }
    : {
        ...gives,
        watch: ({ session }: Caller, given: readonly KrpcValue[]) => new VariableValue(session.source, below(given)),
      };
  return procedure(name, about, { this: owner }, does);
}

/** Whether the value is objects whose number never changes. */
function isFixed({ type }: Member): boolean {
  let own = type;
  while (own.kind === 'array') own = own.element;
  return holdsStructures(type) && own.kind === 'struct';
}

function objectsAt({ source }: Caller['session'], path: string): KrpcValue {
  const variable = findVariable(source, path);
  return readRemote(variable.type, source.frame.memory, 0, variable.path);
}

function setter(name: string, { member, owner, type, about }: MemberFacts): Procedure {
  const value = { type, ...(mayBeNull(member.type) ? { isNullable: true } : {}) };
  return procedure(
    name,
    about,
    { this: owner, value },
    {
      isChange: true,
      call: async ({ session }, given) => {
        const path = `${pathOf(given)}.${member.name}`;
        const { type: own, path: place } = findVariable(session.source, path);
        const fitted = fitValue(own, fromRemote(own, given[1] as KrpcValue), place);
        const writes = [session.prepareWrite(path, fitted)];
        requireFewBytes(session.source.catalog, writes);
        await session.submit({ kind: 'write', writes });
        return undefined;
      },
    },
  );
}

/** The property of the service that gives an object. */
export const objectProperty = (name: string, object: string, returns: KrpcType): Procedure =>
  procedure(
    `get_${name}`,
    `The object ${object}.`,
    {},
    { returns, call: ({ session }) => ({ key: findVariable(session.source, object).path }) },
  );

export const pathProperty = (className: string, owner: KrpcType): Procedure =>
  procedure(
    `${className}_get_VariablePath`,
    'Its path, as the service VarServer and other protocols name it.',
    { this: owner },
    { returns: STRING, call: (_, given) => pathOf(given) },
  );

export const allOf = (className: string, owner: KrpcType, objects: readonly string[]): Procedure =>
  procedure(
    `${className}_static_All`,
    `The objects of this class, at most ${MOST_OBJECTS}.`,
    {},
    { returns: listOf(owner), call: () => objects.slice(0, MOST_OBJECTS).map((key) => ({ key })) },
  );

export function findOf(className: string, owner: KrpcType, objects: readonly string[]): Procedure {
  let names: ReadonlySet<string> | undefined;
  const find = (name: string): RemoteObject | null => {
    names ??= new Set(objects);
    return names.has(name) ? { key: name } : null;
  };
  return procedure(
    `${className}_static_Find`,
    'The object of this class with a name, or null.',
    { name: STRING },
    { returns: owner, returnsNull: true, call: (_, [name]) => find(name as string) },
  );
}
