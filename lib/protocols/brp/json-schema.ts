// JSON Schemas of functions' parameters and results.
import { isCharacters, NUMBER_FACTS, type StructType, type Type } from '../../model/state/type.js';
import { isTuple } from './value.js';

/** JSON Schema of a value, for parameters and results of functions. */
function jsonSchema(type: Type): object {
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

export const describedSchema = ({ type, ...rest }: Omit<Described, 'name'>): object => ({
  ...jsonSchema(type),
  ...describedBy(rest),
});

/** What a parameter or result is, with its units. */
export function describedBy({ units, about }: Pick<Described, 'units' | 'about'>): { readonly description?: string } {
  const unit = units === '--' || units === '1' ? '' : `in ${units}`;
  const description = [about, unit].filter((text) => text !== '').join(', ');
  return description === '' ? {} : { description };
}
