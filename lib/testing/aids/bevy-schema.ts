// Reads schemas as Bevy's clients do: those of the registry by their references, those of rpc.discover by themselves.
import { expect } from 'chai';

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Json = any;

const KINDS = ['Struct', 'Enum', 'Map', 'Array', 'List', 'Tuple', 'TupleStruct', 'Set', 'Value'];
const TYPES = ['string', 'float', 'uint', 'int', 'object', 'array', 'boolean', 'set', 'null'];

/** Expects what Bevy's deserializer needs. Bevy: bevy_remote::schemas::json_schema::JsonSchemaBevyType */
export function expectBevySchema(schema: Json): void {
  const where = JSON.stringify(schema);
  expect(schema.shortPath, where).to.be.a('string').and.not.include('::').and.not.equal('');
  expect(schema.typePath, where).to.be.a('string').and.not.equal('');
  expect(KINDS, where).to.include(schema.kind);
  expect(TYPES, where).to.include(schema.type);
  for (const list of ['reflectTypes', 'required', 'oneOf', 'prefixItems']) {
    if (list in schema) expect(schema[list], where).to.be.an('array');
  }
  if ('additionalProperties' in schema) expect(schema.additionalProperties, where).to.be.a('boolean');
  if (schema.kind === 'Struct') expect(schema, where).to.include.keys('properties', 'required', 'additionalProperties');
  if (schema.kind === 'Array' || schema.kind === 'List') expect(schema.items, where).to.be.an('object');
  if (schema.kind === 'Map') expect(schema, where).to.include.keys('keyType', 'valueType');
  if (schema.kind.startsWith('Tuple'))
    expect([schema.items, schema.prefixItems?.length > 0]).to.deep.equal([false, true]);
  if (schema.kind === 'Enum') for (const variant of schema.oneOf) expectVariant(schema, variant);
}

function expectVariant(schema: Json, variant: Json): void {
  if (schema.type === 'string') expect(variant).to.be.a('string');
  else if ('prefixItems' in variant) expectBevySchema(variant);
  else expect(variant).to.have.all.keys('typePath', 'shortPath');
}

/** Expects a whole registry: each entry by itself, and that its references lead to others. */
export function expectBevyRegistry(registry: Json): void {
  for (const [path, schema] of Object.entries<Json>(registry)) {
    expect(schema.typePath).to.equal(path);
    expectBevySchema(schema);
    for (const { $ref } of referencesIn(schema)) {
      expect($ref).to.match(/^#\/\$defs\//);
      expect(registry, `${path} refers to it`).to.have.property($ref.slice('#/$defs/'.length));
    }
  }
}

function* referencesIn(schema: Json): Generator<{ readonly $ref: string }> {
  if (typeof schema !== 'object' || schema === null) return;
  if ('$ref' in schema) yield schema;
  for (const inner of Object.values(schema)) yield* referencesIn(inner);
}

/** The shape of the values of a type as the inspector in VS Code makes it, which fails for all types when one lacks something. */
export function shownShape(registry: Json, path: string): Json {
  const schema = registry[path];
  const follow = ({ type }: Json): Json => shownShape(registry, type.$ref.slice('#/$defs/'.length));
  if (path === 'bevy_ecs::entity::Entity') return shownShape(registry, 'u64');
  if (path.startsWith('core::option::Option')) {
    const [none, some] = schema.oneOf;
    expect([none.shortPath, some.kind]).to.deep.equal(['None', 'Tuple']);
    return { orNull: follow(some.prefixItems[0]) };
  }
  switch (schema.kind) {
    case 'Value':
      return schema.type;
    case 'Enum':
      return schema.oneOf;
    case 'Struct':
      return Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, follow(one)]));
    case 'TupleStruct':
      return follow(schema.prefixItems[0]);
    case 'Tuple':
      return schema.prefixItems.map(follow);
    default:
      return { each: follow(schema.items) };
  }
}
