// Types as Bevy's registry shows them, whose schemas are not quite JSON Schema, and as JSON Schema.
import {
  isCharacters,
  isNullableText,
  type Member,
  NUMBER_FACTS,
  type NumberType,
  type StructType,
  type Type,
} from '../../model/state/type.js';
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
type NameOf = (name: string) => string;

export const ENTITY = 'bevy_ecs::entity::Entity';
export const STRING = 'alloc::string::String';
export const listOf = (element: string): string => `alloc::vec::Vec<${element}>`;

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

/** What is known of a type. */
interface Description {
  readonly path: string;
  /** Those directly inside it; what a pointer points at is a list. */
  readonly inner: readonly Type[];
  /** Bevy's schema, without names. */
  readonly shape: () => object;
  readonly jsonSchema: () => object;
}

export function describe(type: Type, nameOf: NameOf): Description {
  if (isCharacters(type)) return TEXT;
  switch (type.kind) {
    case 'number':
      return describeNumber(type);
    case 'bits':
      return single(type.isSigned ? 'i32' : 'u32', 'integer');
    case 'text':
      return isNullableText(type) ? { ...TEXT, ...optional(STRING) } : TEXT;
    case 'enumeration': {
      const labels = Object.keys(type.labels);
      const shape = () => ({ kind: 'Enum', type: 'string', oneOf: labels });
      return { path: nameOf(type.name), inner: [], shape, jsonSchema: () => ({ enum: labels }) };
    }
    case 'struct':
      return isTuple(type) ? describeTuple(type, nameOf) : describeStruct(type, nameOf);
    case 'pointer': {
      const { path, jsonSchema } = describe(type.target, nameOf);
      const inner: Type[] = [{ kind: 'sequence', container: 'vector', element: type.target, capacity: 0 }];
      return {
        ...optional(listOf(path)),
        inner,
        jsonSchema: () => ({ type: ['array', 'null'], items: jsonSchema() }),
      };
    }
    case 'array':
    case 'sequence': {
      const element = describe(type.element, nameOf);
      const [kind, path, bounds] =
        type.kind === 'array'
          ? (['Array', `[${element.path}; ${type.length}]`, { minItems: type.length, maxItems: type.length }] as const)
          : (['List', listOf(element.path), { maxItems: type.capacity }] as const);
      return {
        path,
        inner: [type.element],
        shape: () => listShape(kind, element.path),
        jsonSchema: () => ({ type: 'array', items: element.jsonSchema(), ...bounds }),
      };
    }
  }
}

const single = (path: string, type: string): Description => ({
  path,
  inner: [],
  shape: () => COMMON_SHAPES.get(path) as object,
  jsonSchema: () => ({ type }),
});

const TEXT = single(STRING, 'string');

const BITS_OF_FLOAT: Readonly<Record<string, string>> = { float: 'f32', double: 'f64' };

function describeNumber({ name }: NumberType): Description {
  const { family, sizeBytes, isSigned } = NUMBER_FACTS[name];
  if (family === 'floating') return single(BITS_OF_FLOAT[name] as string, 'number');
  return family === 'bool' ? single('bool', 'boolean') : single(`${isSigned ? 'i' : 'u'}${8 * sizeBytes}`, 'integer');
}

/** A text or pointer that may be null. */
function optional(inner: string): Pick<Description, 'path' | 'shape'> {
  const path = `core::option::Option<${inner}>`;
  const choices = [
    { typePath: `${path}::None`, shortPath: 'None' },
    { typePath: `${path}::Some`, shortPath: 'Some', ...tupleShape('Tuple', [inner]) },
  ];
  return { path, shape: () => ({ kind: 'Enum', type: 'object', oneOf: choices }) };
}

function describeTuple({ name, members, isPair }: StructType, nameOf: NameOf): Description {
  const items = members.map(({ type }) => describe(type, nameOf));
  const paths = items.map(({ path }) => path);
  return {
    path: isPair ? `(${paths.join(', ')})` : nameOf(name),
    inner: members.map(({ type }) => type),
    shape: () => tupleShape(isPair ? 'Tuple' : 'TupleStruct', paths),
    jsonSchema: () => {
      const prefixItems = items.map(({ jsonSchema }) => jsonSchema());
      if (items.length === 1) return prefixItems[0] as object;
      return { type: 'array', prefixItems, minItems: items.length, maxItems: items.length };
    },
  };
}

const describeStruct = ({ name, members }: StructType, nameOf: NameOf): Description => ({
  path: nameOf(name),
  inner: members.map(({ type }) => type),
  shape: () => ({
    kind: 'Struct',
    type: 'object',
    properties: Object.fromEntries(members.map((one) => [one.name, reference(describe(one.type, nameOf).path)])),
    required: members.filter(({ access }) => access !== 'read-only').map((one) => one.name),
    additionalProperties: false,
  }),
  jsonSchema: () => objectSchema(members),
});

type Described = Pick<Member, 'name' | 'type' | 'units' | 'about'>;

/** JSON Schema of an object with these members, all of them required. */
export const objectSchema = (members: readonly Described[]): object => ({
  type: 'object',
  properties: Object.fromEntries(members.map((member) => [member.name, describedSchema(member)])),
  required: members.map(({ name }) => name),
  additionalProperties: false,
});

/** JSON Schema of a value, which needs no names of types. */
export const describedSchema = (one: Omit<Described, 'name'>): object => ({
  ...describe(one.type, (name) => name).jsonSchema(),
  ...describedBy(one),
});

/** What a parameter or result is, with its units. */
export function describedBy({ units, about }: Pick<Described, 'units' | 'about'>): { readonly description?: string } {
  const unit = units === '--' || units === '1' ? '' : `in ${units}`;
  const description = [about, unit].filter((text) => text !== '').join(', ');
  return description === '' ? {} : { description };
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
