// registry.schema: the shapes of all types, with what they are made of.
import { z } from 'zod';
import type { Type } from '../../model/state/type.js';
import { eachInTurns } from '../../serving/scheduling/ranges.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
import { BUILT_IN, CHILD_OF, CHILDREN, NAME, spelled } from './built-in.js';
import { boundedText, readWorld } from './cells.js';
import type { KnownType } from './component.js';
import { type Dialect, isBefore } from './generation.js';
import { operation } from './operation.js';
import { typePaths } from './schemas.js';
import {
  CHILD_OF_SHAPE,
  CHILDREN_SHAPE,
  COMMON_SHAPES,
  describe,
  newtypeShape,
  type TypeFacts,
  type TypeSchema,
  typeSchema,
} from './type-schema.js';
import { isNewtype } from './value.js';
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
    readWorld(call, (world) => schemaText(new Registry(world, call.generation), params, call.turn)),
});

async function schemaText(
  registry: Registry,
  { with_crates, without_crates, type_limit }: z.output<typeof schemaParams>,
  turn: () => Promise<void>,
): Promise<AnswerText> {
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
  await eachInTurns(turn, registry.schemas(), ([path, described]) => {
    if (isWanted(described)) text.add(`${count++ > 0 ? ',' : ''}${JSON.stringify(path)}:${JSON.stringify(described)}`);
  });
  text.add('}');
  return text;
}

class Registry {
  private readonly seen = new Set(COMMON_SHAPES.keys());

  constructor(
    private readonly world: World,
    private readonly generation: Dialect,
  ) {}

  *schemas(): Generator<[path: string, schema: TypeSchema]> {
    for (const [path, shape] of COMMON_SHAPES) yield [path, typeSchema(path, shape, INNER)];
    for (const path of BUILT_IN) yield this.builtIn(path);
    // First all components: one may be inside another.
    for (const known of this.known()) yield this.component(known);
    for (const { type } of this.known()) yield* isNewtype(type) ? this.inner(type) : this.allInside(type);
    for (const { takes = [], gives } of this.world.catalog.functions.values()) {
      for (const { type } of [...takes, ...(gives ? [gives] : [])]) yield* this.inner(type);
    }
  }

  private *known(): Generator<KnownType> {
    for (const path of this.world.paths) {
      const known = this.world.type(path);
      if (known) yield known;
    }
  }

  private component(known: KnownType): [path: string, schema: TypeSchema] {
    const { path, type } = known;
    this.seen.add(path);
    const described = describe(type, this.nameOf);
    const shape = isNewtype(type) ? newtypeShape(described.path) : described.shape();
    return [path, typeSchema(path, shape, this.factsOf(known))];
  }

  private *inner(type: Type): Generator<[string, TypeSchema]> {
    const { path, shape } = describe(type, this.nameOf);
    if (this.seen.has(path)) return;
    this.seen.add(path);
    yield [path, typeSchema(path, shape(), INNER)];
    yield* this.allInside(type);
  }

  private *allInside(type: Type): Generator<[string, TypeSchema]> {
    for (const inner of describe(type, this.nameOf).inner) yield* this.inner(inner);
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

  private builtIn(path: string): [path: string, schema: TypeSchema] {
    const own = spelled(path, this.generation);
    const facts = { reflectTypes: ['Component', 'Serialize', 'Deserialize'], ...this.info(false) };
    return [own, typeSchema(own, BUILT_IN_SHAPES[path] as object, facts)];
  }

  private readonly nameOf = (name: string): string => this.world.pathOf(name);
}

const BUILT_IN_SHAPES: Readonly<Record<string, object>> = {
  [NAME]: { kind: 'Value', type: 'string' },
  [CHILD_OF]: CHILD_OF_SHAPE,
  [CHILDREN]: CHILDREN_SHAPE,
};
const INNER: TypeFacts = { reflectTypes: ['Serialize', 'Deserialize'] };
