// JSON Schemas of channels and services, as Foxglove and Lichtblick understand them: no null, no lists of types, and nothing of
// lists within lists, whose values are sent all the same.
import type { CallableDescription, ResultDescription } from '../../model/state/callable.js';
import { isCharacters, NUMBER_FACTS, type StructType, type Type } from '../../model/state/type.js';

/** A channel, as `advertise` tells it. */
export interface Channel {
  readonly id: number;
  readonly topic: string;
  readonly encoding: 'json';
  readonly schemaName: string;
  readonly schema: string;
  readonly schemaEncoding: 'jsonschema';
}

type Schema = Readonly<Record<string, unknown>>;

const NO_UNITS = new Set(['', '1', '--']);

/** Undefined of what has no schema that is understood. */
function schemaOf(type: Type): Schema | undefined {
  if (isCharacters(type)) return { type: 'string' };
  switch (type.kind) {
    case 'number': {
      const { family } = NUMBER_FACTS[type.name];
      return { type: family === 'floating' ? 'number' : family === 'bool' ? 'boolean' : 'integer' };
    }
    case 'bits':
      return { type: 'integer' };
    case 'enumeration':
      return { type: 'integer', oneOf: Object.entries(type.labels).map(([title, value]) => ({ title, const: value })) };
    case 'text':
      return { type: 'string' };
    case 'struct':
      return structSchema(type.members);
    case 'array':
    case 'sequence':
      return listSchema(type.element);
    case 'pointer':
      return listSchema(type.target);
  }
}

function listSchema(element: Type): Schema | undefined {
  const items = schemaOf(element);
  return items && items.type !== 'array' ? { type: 'array', items } : undefined;
}

export const structSchema = (members: StructType['members']): Schema => ({
  type: 'object',
  properties: Object.fromEntries(members.flatMap((member) => described(member) ?? [])),
});

interface Described extends ResultDescription {
  readonly name: string;
}

function described({ name, type, units, about }: Described): [[string, Schema]] | undefined {
  const schema = schemaOf(type);
  if (!schema) return undefined;
  const hasUnits = !NO_UNITS.has(units);
  const description = [about, hasUnits ? `[${units}]` : ''].filter((text) => text !== '').join(' ');
  return [[name, { ...schema, ...(description !== '' && { description }), ...(hasUnits && { 'x-unit': units }) }]];
}

/** Of the arguments of a function, by name. */
export function requestSchema({ takes = [] }: CallableDescription): Schema {
  const properties = Object.fromEntries(takes.flatMap((parameter) => described(parameter) ?? []));
  return { type: 'object', properties, required: takes.map(({ name }) => name) };
}

/** Of what a function gives: its value. */
export function responseSchema({ gives }: CallableDescription): Schema {
  const value = gives && described({ ...gives, name: 'value' });
  return { type: 'object', properties: Object.fromEntries(value ?? []) };
}
