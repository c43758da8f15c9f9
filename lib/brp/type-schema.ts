// Schemas of types as registry.schema shows them: Bevy's shape, which is not quite JSON Schema.
import { isCharacters, isNullableText, NUMBER_FACTS, type StructType, type Type } from '../model/type.js';
import { isTuple } from './value.js';

/** A schema of one type; the members are Bevy's. */
export type TypeSchema = Readonly<Record<string, unknown>>;

/** What is known of a type besides its shape. */
export interface TypeFacts {
  readonly reflectTypes?: readonly string[];
  readonly units?: string;
  readonly componentInfo?: object;
}

/** Names a structure or enumeration. */
export type NameOf = (name: string) => string;

const BITS_OF_FLOAT: Readonly<Record<string, string>> = { float: 'f32', double: 'f64' };

/** The type path of a type that has no name of its own in the world. */
export function rustPathOf(type: Type, nameOf: NameOf): string {
  switch (type.kind) {
    case 'number':
      return numberPath(type.name);
    case 'bits':
      return type.isSigned ? 'i32' : 'u32';
    case 'text':
      return isNullableText(type) ? 'core::option::Option<alloc::string::String>' : 'alloc::string::String';
    case 'struct':
      if (type.isPair) return `(${type.members.map((member) => rustPathOf(member.type, nameOf)).join(', ')})`;
      return nameOf(type.name);
    case 'enumeration':
      return nameOf(type.name);
    case 'array':
      return isCharacters(type) ? 'alloc::string::String' : `[${rustPathOf(type.element, nameOf)}; ${type.length}]`;
    case 'sequence':
      return `alloc::vec::Vec<${rustPathOf(type.element, nameOf)}>`;
    case 'pointer':
      return `core::option::Option<alloc::vec::Vec<${rustPathOf(type.target, nameOf)}>>`;
  }
}

function numberPath(name: keyof typeof NUMBER_FACTS): string {
  const { family, sizeBytes, isSigned } = NUMBER_FACTS[name];
  if (family === 'floating') return BITS_OF_FLOAT[name] as string;
  return family === 'bool' ? 'bool' : `${isSigned ? 'i' : 'u'}${8 * sizeBytes}`;
}

/** The types directly inside a type. */
export function innerTypes(type: Type): Type[] {
  if (isCharacters(type)) return [];
  if (type.kind === 'struct') return type.members.map((member) => member.type);
  if (type.kind === 'array' || type.kind === 'sequence') return [type.element];
  return type.kind === 'pointer' ? [type.target] : [];
}

const reference = (path: string): object => ({ type: { $ref: `#/$defs/${path}` } });

export function typeSchema(
  path: string,
  type: Type,
  { reflectTypes, units, componentInfo }: TypeFacts,
  nameOf: NameOf,
): TypeSchema {
  return {
    shortPath: shortPathOf(path),
    typePath: path,
    ...modulesOf(path),
    ...(reflectTypes?.length && { reflectTypes }),
    ...shapeOf(type, nameOf),
    ...(units !== undefined && units !== '--' && units !== '1' && { units }),
    ...(componentInfo && { componentInfo }),
  };
}

/** A type path with every path in it cut down to its last part: `Option<String>`. */
const shortPathOf = (path: string): string => path.replace(/(?:\w+::)+/g, '');

function modulesOf(path: string): object {
  if (!/^\w+::/.test(path)) return {};
  const own = path.replace(/<.*$/, '');
  return { modulePath: own.slice(0, own.lastIndexOf('::')), crateName: own.slice(0, own.indexOf('::')) };
}

function shapeOf(type: Type, nameOf: NameOf): object {
  const ref = (inner: Type): object => reference(rustPathOf(inner, nameOf));
  if (isCharacters(type)) return { kind: 'Value', type: 'string' };
  switch (type.kind) {
    case 'struct':
      return structShape(type, ref);
    case 'enumeration':
      return { kind: 'Enum', type: 'string', oneOf: Object.keys(type.labels) };
    case 'array':
      return { kind: 'Array', type: 'array', items: ref(type.element) };
    case 'sequence':
      return { kind: 'List', type: 'array', items: ref(type.element) };
    case 'pointer':
      return { kind: 'Enum', type: 'object', oneOf: ['None', { shortPath: 'Some', prefixItems: [ref(type.target)] }] };
    case 'text':
      return { kind: 'Value', type: 'string' };
    case 'bits':
      return { kind: 'Value', type: type.isSigned ? 'int' : 'uint' };
    case 'number': {
      const { family, isSigned } = NUMBER_FACTS[type.name];
      if (family === 'floating') return { kind: 'Value', type: 'float' };
      return { kind: 'Value', type: family === 'bool' ? 'boolean' : isSigned ? 'int' : 'uint' };
    }
  }
}

function structShape(type: StructType, ref: (inner: Type) => object): object {
  const { members } = type;
  if (isTuple(type)) {
    const prefixItems = members.map((member) => ref(member.type));
    return { kind: type.isPair ? 'Tuple' : 'TupleStruct', type: 'array', prefixItems, items: false };
  }
  return {
    kind: 'Struct',
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.name, ref(member.type)])),
    required: members.filter(({ access }) => access !== 'read-only').map(({ name }) => name),
    additionalProperties: false,
  };
}

/** JSON Schema of a value, for parameters and results of functions. */
export function jsonSchema(type: Type): object {
  if (isCharacters(type)) return { type: 'string' };
  switch (type.kind) {
    case 'struct':
      return structJsonSchema(type);
    case 'enumeration':
      return { enum: Object.keys(type.labels) };
    case 'array':
      return { type: 'array', items: jsonSchema(type.element), minItems: type.length, maxItems: type.length };
    case 'sequence':
      return { type: 'array', items: jsonSchema(type.element), maxItems: type.capacity };
    case 'pointer':
      return { type: ['array', 'null'], items: jsonSchema(type.target) };
    case 'text':
      return { type: 'string' };
    case 'bits':
      return { type: 'integer' };
    case 'number': {
      const { family } = NUMBER_FACTS[type.name];
      return { type: family === 'floating' ? 'number' : family === 'bool' ? 'boolean' : 'integer' };
    }
  }
}

function structJsonSchema(type: StructType): object {
  const { members } = type;
  if (!isTuple(type)) return objectSchema(members);
  const items = members.map((member) => jsonSchema(member.type));
  if (items.length === 1) return items[0] as object;
  return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length };
}

interface Described {
  readonly name: string;
  readonly type: Type;
  readonly units: string;
  readonly about: string;
}

/** JSON Schema of an object with these members, all of them required. */
export const objectSchema = (members: readonly Described[]): object => ({
  type: 'object',
  properties: Object.fromEntries(members.map((member) => [member.name, describedSchema(member)])),
  required: members.map(({ name }) => name),
  additionalProperties: false,
});

export function describedSchema({ type, units, about }: Omit<Described, 'name'>): object {
  const unit = units === '--' || units === '1' ? '' : `in ${units}`;
  const description = [about, unit].filter((text) => text !== '').join(', ');
  return { ...jsonSchema(type), ...(description !== '' && { description }) };
}
