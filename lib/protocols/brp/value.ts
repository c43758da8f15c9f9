// Values as Bevy writes them, and back: enumerations are labels, tuples lists, numbers that JSON lacks null.

import { fitPlain, fitValue } from '../../model/state/fit-value.js';
import type { LeafValue } from '../../model/state/memory.js';
import { MisfitError } from '../../model/state/misfit.js';
import type { Value } from '../../model/state/read.js';
import { type EnumerationType, isCharacters, type StructType, type Type } from '../../model/state/type.js';
import { fromJson, type JsonValue } from '../json-rpc/json-value.js';
import type { ValueStyle } from '../json-rpc/taken-values.js';

const labelsOf = new WeakMap<EnumerationType, ReadonlyMap<number, string>>();

function labelOf(type: EnumerationType, value: number): string | undefined {
  let labels = labelsOf.get(type);
  if (!labels) {
    labels = new Map(Object.entries(type.labels).map(([label, number]) => [number, label]));
    labelsOf.set(type, labels);
  }
  return labels.get(value);
}

/** Whether it is a pair, or its members are numbered from 0: then it is a tuple. */
export const isTuple = ({ members, isPair }: StructType): boolean =>
  isPair === true || (members.length > 0 && members.every(({ name }, index) => name === String(index)));

/** Whether a component of the type is, in Bevy's world, a structure around its value. */
export const isNewtype = ({ kind }: Type): boolean => kind !== 'struct' && kind !== 'enumeration';

function single(type: Type | undefined, value: LeafValue): string {
  if (typeof value === 'number') {
    if (type?.kind === 'enumeration') return JSON.stringify(labelOf(type, value) ?? value);
    return Number.isFinite(value) ? JSON.stringify(value) : 'null';
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

export const BRP_STYLE: ValueStyle = {
  single,
  formOf: (type) => (!isTuple(type) ? 'object' : type.members.length === 1 ? 'bare' : 'list'),
  shows: ({ access }) => access !== 'write-only',
};

/** The text of a value that is not in a frame. @param type undefined when it is not known. */
export function valueText(type: Type | undefined, value: Value): string {
  if (value === null || typeof value !== 'object') return single(type, value);
  if (Array.isArray(value)) {
    const element = type && 'element' in type ? type.element : type?.kind === 'pointer' ? type.target : undefined;
    return `[${value.map((item: Value) => valueText(element, item)).join(',')}]`;
  }
  const struct = type?.kind === 'struct' ? type : undefined;
  const form = struct ? BRP_STYLE.formOf(struct) : 'object';
  const members = Object.entries(value).map(([name, item]) => {
    const member = struct?.members.find((one) => one.name === name);
    const text = member && !BRP_STYLE.shows(member) ? 'null' : valueText(member?.type, item as Value);
    return form === 'object' ? `${JSON.stringify(name)}:${text}` : text;
  });
  if (form === 'bare') return members[0] as string;
  return form === 'list' ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}

/**
 * The value for a variable from a client's JSON: it must fit completely, as Bevy's deserializer wants it. Read-only
 * members may be left out. Throws a MisfitError.
 */
export function fromBrp(type: Type, json: JsonValue, where: string): Value {
  if (isCharacters(type)) return fitValue(type, json, where);
  if (type.kind === 'struct') return structFrom(type, json, where);
  if ((type.kind === 'array' || type.kind === 'sequence') && Array.isArray(json)) {
    const items =
      fitPlain(type.element, json) ??
      json.map((item: JsonValue, index) => fromBrp(type.element, item, `${where}[${index}]`));
    if (type.kind === 'array' && items.length !== type.length) {
      throw new MisfitError(`invalid length ${items.length}, expected an array of ${type.length} elements`);
    }
    return items;
  }
  return fitValue(type, fromJson(type, json), where);
}

function structFrom(type: StructType, json: JsonValue, where: string): Value {
  const { members } = type;
  if (members.length === 0 && json === null) return {};
  const given = isTuple(type) ? tupleFrom(members, json, where) : json;
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw new MisfitError(`${where} is a structure: an object is expected`);
  }
  const named = given as Readonly<Record<string, JsonValue>>;
  const stray = Object.keys(named).find((name) => !members.some((member) => member.name === name));
  if (stray !== undefined) throw new MisfitError(`unknown field \`${stray.slice(0, 100)}\``);
  const isWanted = ({ name, access }: StructType['members'][number]): boolean =>
    access !== 'read-only' || Object.hasOwn(named, name);
  const entries = members.filter(isWanted).map(({ name, type: own }) => {
    if (!Object.hasOwn(named, name)) throw new MisfitError(`missing field \`${name}\``);
    return [name, fromBrp(own, named[name] as JsonValue, `${where}.${name}`)] as const;
  });
  return Object.fromEntries(entries);
}

function tupleFrom(members: StructType['members'], json: JsonValue, where: string): JsonValue {
  const count = members.length;
  if (count === 1) return { 0: json };
  if (!Array.isArray(json) || json.length !== count)
    throw new MisfitError(`${where} is a tuple: a list of ${count} is expected`);
  return Object.fromEntries(json.map((item: JsonValue, index) => [members[index]?.name as string, item]));
}
