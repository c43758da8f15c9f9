// registry.schema: the shapes of all types, with what they are made of.
import { z } from 'zod';
import type { AnswerText } from '../json-rpc/answer-text.js';
import type { Type } from '../model/type.js';
import type { Slice, Sliced } from '../scheduling/turns.js';
import { BUILT_IN, CHILD_OF, NAME, spelled } from './built-in.js';
import { boundedText, readWorld } from './cells.js';
import type { KnownType } from './component.js';
import { type Generation, isBefore } from './generation.js';
import { operation } from './operation.js';
import { typePaths } from './schemas.js';
import { innerTypes, rustPathOf, type TypeFacts, type TypeSchema, typeSchema } from './type-schema.js';
import type { World } from './world.js';

/** Crates and traits have the bounds of types. */
const names = typePaths;
const schemaParams = z.object({
  with_crates: names.default([]).describe('Only types of these: the first part of the type path'),
  without_crates: names.default([]).describe('No types of these'),
  type_limit: z
    .object({
      with: names.default([]).describe('Names such as Component or Resource'),
      without: names.default([]).describe('Names such as Component or Resource'),
    })
    .nullish()
    .transform((limit) => limit ?? { with: [], without: [] })
    .describe('Only types that reflect one of `with` and none of `without`: Component, Resource'),
});

export const schema = operation({
  about: "The shapes of all types, in Bevy's form.",
  params: schemaParams,
  result: z.record(z.string(), z.unknown()),
  run: (call, params) =>
    readWorld(call, (world, slice) => schemaText(new Registry(world, call.generation), params, slice)),
});

function* schemaText(
  registry: Registry,
  { with_crates, without_crates, type_limit }: z.output<typeof schemaParams>,
  slice: Slice,
): Sliced<AnswerText> {
  const isWanted = ({ crateName, reflectTypes }: TypeSchema): boolean => {
    const [crate, reflected] = [String(crateName ?? ''), (reflectTypes ?? []) as readonly string[]];
    if (with_crates.length > 0 && !with_crates.includes(crate)) return false;
    if (without_crates.includes(crate)) return false;
    const { with: some, without: none } = type_limit;
    return (
      (some.length === 0 || some.some((name) => reflected.includes(name))) &&
      !none.some((name) => reflected.includes(name))
    );
  };
  const text = boundedText();
  text.add('{');
  let count = 0;
  for (const [path, described] of registry.schemas()) {
    if (slice.isOver(STEPS_PER_TYPE)) yield;
    if (isWanted(described)) text.add(`${count++ > 0 ? ',' : ''}${JSON.stringify(path)}:${JSON.stringify(described)}`);
  }
  text.add('}');
  return text;
}

/** Describing a type takes some microseconds. */
const STEPS_PER_TYPE = 8;

class Registry {
  private readonly seen = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly generation: Generation,
  ) {}

  *schemas(): Generator<[path: string, schema: TypeSchema]> {
    for (const path of BUILT_IN) yield [spelled(path, this.generation), this.builtIn(path)];
    for (const path of this.world.paths) {
      const known = this.world.type(path);
      if (known) yield* this.schemaOf(path, known.type, this.factsOf(known));
    }
  }

  private *schemaOf(path: string, type: Type, facts: TypeFacts): Generator<[string, TypeSchema]> {
    if (this.seen.has(path)) return;
    this.seen.add(path);
    yield [path, typeSchema(path, type, facts, this.nameOf)];
    for (const inner of innerTypes(type)) yield* this.schemaOf(rustPathOf(inner, this.nameOf), inner, INNER);
  }

  private factsOf({ path, type, units, registered }: KnownType): TypeFacts {
    const isResource = this.world.ownersOf(path)?.length === 1;
    // A structure without members is written {}, which a type that can be serialized would not be.
    const isMarker = type.kind === 'struct' && type.members.length === 0;
    const reflectTypes = [
      'Component',
      ...(isResource ? ['Resource'] : []),
      ...(registered ? ['Default'] : []),
      ...(isMarker ? [] : ['Serialize', 'Deserialize']),
    ];
    return { reflectTypes, units, ...this.info(true) };
  }

  private info(isMutable: boolean): TypeFacts {
    if (isBefore(this.generation, '0.19')) return {};
    const info = { mutable: isMutable, storageType: 'Table', isSendAndSync: true, requiredComponentTypes: [] };
    return { componentInfo: info };
  }

  private builtIn(path: string): TypeSchema {
    const entity = { type: { $ref: '#/$defs/bevy_ecs::entity::Entity' } };
    const facts = { reflectTypes: ['Component', 'Serialize', 'Deserialize'], ...this.info(false) };
    const { kind: _, type: __, ...rest } = typeSchema(spelled(path, this.generation), STRING, facts, this.nameOf);
    if (path === NAME) return { ...rest, kind: 'Value', type: 'string' };
    const prefixItems = path === CHILD_OF ? [entity] : [{ type: 'array', items: entity }];
    return { ...rest, kind: 'TupleStruct', type: 'array', prefixItems, items: false };
  }

  private readonly nameOf = (name: string): string => this.world.pathOf(name);
}

const STRING: Type = { kind: 'text', form: 'string', capacityBytes: 1 };
const INNER: TypeFacts = { reflectTypes: ['Serialize', 'Deserialize'] };
