// Schemas of parameters and results in rpc.discover, which Bevy's clients decode as they decode those of types.
import { COMMON_SHAPES, listOf, reference, STRING, type TypeSchema, typeSchema } from './type-schema.js';

/** What stands in the JSON Schemas of the methods' parameters. */
interface JsonSchema {
  readonly title?: string;
  readonly typePath?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
}

const PATHS: Readonly<Record<string, string>> = { boolean: 'bool', number: 'f64', integer: 'i64', string: STRING };

/** Any JSON: what is not one of Bevy's types. */
const ANY = typeSchema('serde_json::Value', { kind: 'Value', type: 'object' });

/** A JSON Schema with titles in Bevy's form. */
export function bevySchema(schema: JsonSchema): TypeSchema {
  const { title = '', type = '', typePath = PATHS[type], properties, required = [], items } = schema;
  const { additionalProperties: values } = schema;
  if (typePath !== undefined) return typeSchema(typePath, COMMON_SHAPES.get(typePath) ?? {});
  if (type === 'null') return typeSchema('()', { kind: 'Value', type });
  if (type === 'array' && items) {
    const inner = bevySchema(items);
    return typeSchema(listOf(String(inner.typePath)), { kind: 'List', type, items: inner });
  }
  if (properties) {
    const own = Object.entries(properties).map(([name, property]) => [name, bevySchema(property)]);
    const shape = {
      kind: 'Struct',
      type,
      properties: Object.fromEntries(own),
      required,
      additionalProperties: !!values,
    };
    return typeSchema(`varwire::${title}`, shape);
  }
  const [choice, ...others] = (schema.anyOf ?? []).filter((one) => one.type !== 'null');
  if (choice && others.length === 0) return bevySchema(choice);
  if (typeof values !== 'object') return ANY;
  const value = bevySchema(values);
  const path = `std::collections::HashMap<${STRING}, ${value.typePath}>`;
  return typeSchema(path, { kind: 'Map', type, keyType: reference(STRING), valueType: value });
}
