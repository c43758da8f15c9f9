// Schemas of types as registry.schema shows them: Bevy's shape, which is not quite JSON Schema.
import { isCharacters, isNullableText, NUMBER_FACTS, type StructType, type Type } from '../../model/state/type.js';
import { isTuple } from './value.js';

/** A schema of one type; the members are Bevy's. Bevy: schemas::json_schema::JsonSchemaBevyType */
export type TypeSchema = Readonly<Record<string, unknown>>;

/** What is known of a type besides its shape. */
export interface TypeFacts {
  readonly reflectTypes?: readonly string[];
  readonly units?: string;
  readonly componentInfo?: object;
}

/** Names a structure or enumeration. */
export type NameOf = (name: string) => string;

export const ENTITY = 'bevy_ecs::entity::Entity';
export const STRING = 'alloc::string::String';
export const listOf = (element: string): string => `alloc::vec::Vec<${element}>`;
const optionOf = (value: string): string => `core::option::Option<${value}>`;

const BITS_OF_FLOAT: Readonly<Record<string, string>> = { float: 'f32', double: 'f64' };

/** The type path of a type that has no name of its own in the world. */
export function rustPathOf(type: Type, nameOf: NameOf): string {
  switch (type.kind) {
    case 'number':
      return numberPath(type.name);
    case 'bits':
      return type.isSigned ? 'i32' : 'u32';
    case 'text':
      return isNullableText(type) ? optionOf(STRING) : STRING;
    case 'struct':
      if (type.isPair) return `(${type.members.map((member) => rustPathOf(member.type, nameOf)).join(', ')})`;
      return nameOf(type.name);
    case 'enumeration':
      return nameOf(type.name);
    case 'array':
      return isCharacters(type) ? STRING : `[${rustPathOf(type.element, nameOf)}; ${type.length}]`;
    case 'sequence':
      return listOf(rustPathOf(type.element, nameOf));
    case 'pointer':
      return optionOf(listOf(rustPathOf(type.target, nameOf)));
  }
}

function numberPath(name: keyof typeof NUMBER_FACTS): string {
  const { family, sizeBytes, isSigned } = NUMBER_FACTS[name];
  if (family === 'floating') return BITS_OF_FLOAT[name] as string;
  return family === 'bool' ? 'bool' : `${isSigned ? 'i' : 'u'}${8 * sizeBytes}`;
}

/** The types directly inside a type. What a pointer points at is a list. */
export function innerTypes(type: Type): Type[] {
  if (isCharacters(type)) return [];
  if (type.kind === 'struct') return type.members.map((member) => member.type);
  if (type.kind === 'array' || type.kind === 'sequence') return [type.element];
  if (type.kind !== 'pointer') return [];
  return [{ kind: 'sequence', container: 'vector', element: type.target, capacity: 0 }];
}

export const reference = (path: string): object => ({ type: { $ref: `#/$defs/${path}` } });

const listShape = (kind: 'Array' | 'List', path: string): object => ({ kind, type: 'array', items: reference(path) });

const tupleShape = (kind: 'Tuple' | 'TupleStruct', paths: readonly string[]): object => ({
  kind,
  type: 'array',
  prefixItems: paths.map(reference),
  items: false,
});

/** Bevy: schemas::json_schema::SchemaJsonType */
const PATHS_OF_VALUES: Readonly<Record<string, readonly string[]>> = {
  boolean: ['bool'],
  float: ['f32', 'f64'],
  int: ['i8', 'i16', 'i32', 'i64', 'i128', 'isize'],
  uint: ['u8', 'u16', 'u32', 'u64', 'u128', 'usize', ENTITY],
  string: ['char', STRING],
};

/** The shapes of types that every registry has: tools refer to them, whether or not a simulation does. */
export const COMMON_SHAPES: ReadonlyMap<string, object> = new Map<string, object>([
  ...Object.entries(PATHS_OF_VALUES).flatMap(([type, paths]) =>
    paths.map((path) => [path, { kind: 'Value', type }] as const),
  ),
  [listOf(ENTITY), listShape('List', ENTITY)],
]);

/** The shape of a component that is no structure, as Bevy's components are: a structure around one value. */
export const newtypeShape = (path: string): object => tupleShape('TupleStruct', [path]);

/** The shapes of ChildOf and Children. */
export const CHILD_OF_SHAPE = newtypeShape(ENTITY);
export const CHILDREN_SHAPE = newtypeShape(listOf(ENTITY));

/** The shape of a type by itself. */
export function shapeOf(type: Type, nameOf: NameOf): object {
  const path = rustPathOf(type, nameOf);
  const common = COMMON_SHAPES.get(path);
  if (common) return common;
  if (type.kind === 'struct') return structShape(type, nameOf);
  if (type.kind === 'enumeration') return { kind: 'Enum', type: 'string', oneOf: Object.keys(type.labels) };
  const [inner] = innerTypes(type).map((one) => rustPathOf(one, nameOf));
  if (inner === undefined || type.kind === 'pointer') return optionShape(path, inner ?? STRING);
  return listShape(type.kind === 'array' ? 'Array' : 'List', inner);
}

/** Of a text or pointer that may be null. */
const optionShape = (path: string, inner: string): object => ({
  kind: 'Enum',
  type: 'object',
  oneOf: [
    { typePath: `${path}::None`, shortPath: 'None' },
    { typePath: `${path}::Some`, shortPath: 'Some', ...tupleShape('Tuple', [inner]) },
  ],
});

function structShape(type: StructType, nameOf: NameOf): object {
  const { members } = type;
  const paths = members.map((member) => rustPathOf(member.type, nameOf));
  if (isTuple(type)) return tupleShape(type.isPair ? 'Tuple' : 'TupleStruct', paths);
  return {
    kind: 'Struct',
    type: 'object',
    properties: Object.fromEntries(members.map(({ name }, index) => [name, reference(paths[index] as string)])),
    required: members.filter(({ access }) => access !== 'read-only').map(({ name }) => name),
    additionalProperties: false,
  };
}

export const typeSchema = (
  path: string,
  shape: object,
  { reflectTypes, units, componentInfo }: TypeFacts = {},
): TypeSchema => ({
  shortPath: shortPathOf(path),
  typePath: path,
  ...modulesOf(path),
  ...(reflectTypes?.length && { reflectTypes }),
  ...shape,
  ...(units !== undefined && units !== '--' && units !== '1' && { units }),
  ...(componentInfo && { componentInfo }),
});

/** A type path with every path in it cut down to its last part: `Option<String>`. */
const shortPathOf = (path: string): string => path.replace(/(?:\w+::)+/g, '');

function modulesOf(path: string): object {
  if (!/^\w+::/.test(path)) return {};
  const own = path.replace(/<.*$/, '');
  return { modulePath: own.slice(0, own.lastIndexOf('::')), crateName: own.slice(0, own.indexOf('::')) };
}
