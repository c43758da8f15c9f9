// The procedures of a class: properties for members, and ways to find the objects of the class.
import { fitValue } from '../../../model/state/fit-value.js';
import { describeType, type Member } from '../../../model/state/type.js';
import { locate, type Variable } from '../../../model/state/variable.js';
import { findVariable, Reference } from '../../../serving/session/reference.js';
import { valuesIn } from '../../../serving/session/value-count.js';
import { requireFewBytes } from '../../../serving/session/written-bytes.js';
import { type Caller, type FrameValue, invalidOperation, type Procedure, procedure } from '../service/procedure.js';
import { type KrpcType, type KrpcValue, listOf, type RemoteObject, STRING } from '../values/type.js';
import type { Remote } from './remote.js';

/** Most objects that one call gives. */
const MOST_OBJECTS = 10_000;

interface MemberFacts {
  readonly member: Member;
  readonly owner: KrpcType;
  readonly remote: Remote;
  readonly about: string;
}

const pathOf = (given: readonly KrpcValue[]): string => (given[0] as RemoteObject).key;

/** A getter, and a setter where clients may set the member as a whole. */
export function memberProcedures(className: string, name: string, facts: MemberFacts): readonly Procedure[] {
  const { access } = facts.member;
  const getters = access === 'write-only' ? [] : [getter(`${className}_get_${name}`, facts)];
  const isWritable = access !== 'read-only' && facts.remote.isSettable;
  return isWritable ? [...getters, setter(`${className}_set_${name}`, facts)] : getters;
}

function getter(name: string, { member, owner, remote, about }: MemberFacts): Procedure {
  const gives = { returns: remote.type, returnsNull: remote.isNullable };
  const below = (given: readonly KrpcValue[]): string => `${pathOf(given)}.${member.name}`;
  // Structures in fixed places need no frame: their paths are known.
  const call = ({ session: { source } }: Caller, given: readonly KrpcValue[]): KrpcValue =>
    remote.read(source.frame.memory, 0, findVariable(source, below(given)).path);
  const watch = ({ session: { source } }: Caller, given: readonly KrpcValue[]): FrameValue =>
    valueInFrames(new Reference(source, below(given)), remote);
  return procedure(name, about, { this: owner }, isFixed(member, remote) ? { ...gives, call } : { ...gives, watch });
}

/** Whether the value is objects whose number never changes. */
function isFixed({ type }: Member, { hasObjects }: Remote): boolean {
  let own = type;
  while (own.kind === 'array') own = own.element;
  return hasObjects && own.kind === 'struct';
}

/** The value of a variable in each frame, for as long as the variable is there and has the same type. */
function valueInFrames(reference: Reference, remote: Remote): FrameValue {
  const { alias } = reference;
  const { type } = reference.current as Variable;
  const typeText = describeType(type);
  let latest: Variable | undefined;
  const current = (): Variable => {
    const variable = reference.current;
    if (!variable) throw invalidOperation(`${alias} is not there any longer`);
    if (variable !== latest && describeType(variable.type) !== typeText)
      throw invalidOperation(`${alias} has another type now`);
    latest = variable;
    return variable;
  };
  return {
    valueCount: remote.hasObjects ? 1 : valuesIn(type),
    // For a list of objects only the length is read.
    shown: remote.hasObjects ? [{ isCarriedBy: (frame) => frame.carries(current(), 'head') }] : [reference],
    read: ({ memory }) => {
      const variable = current();
      const offset = locate(variable, memory);
      if (offset >= 0) return remote.read(memory, offset, variable.path);
      throw invalidOperation(`${variable.path} is not there: a pointer on the way is null or an index too large`);
    },
  };
}

function setter(name: string, { member, owner, remote, about }: MemberFacts): Procedure {
  const { type, isNullable } = remote;
  const takes = { this: owner, value: { type, ...(isNullable && { isNullable }) } };
  return procedure(name, about, takes, {
    isChange: true,
    call: async ({ session }, given) => {
      const path = `${pathOf(given)}.${member.name}`;
      const { type: own, path: place } = findVariable(session.source, path);
      const value = fitValue(own, remote.take(given[1] as KrpcValue), place);
      const writes = [session.prepareWrite(path, value)];
      requireFewBytes(session.source.catalog, writes);
      await session.submit({ kind: 'write', writes });
      return undefined;
    },
  });
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
