// What every method answers and refuses, for any release: its parameters, the exact answer, and what it has done.
import { randomOf } from '../../lib/testing/aids/fuzz-seed.js';
import type { Json } from './inspector.js';
import { BEACON, DESCRIPTION, POSITION, RUDDER, type Scene } from './scene.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Answer = any;

export interface Answered {
  readonly params?: Json;
  /** The exact answer; with `shown`, what that makes of it. */
  readonly answer: unknown;
  readonly shown?: (answer: Answer) => unknown;
  /** What the call has done. */
  readonly effect?: Effect;
}

/** What another call shows afterwards. */
export interface Effect {
  readonly look: () => Promise<unknown>;
  readonly shows: unknown;
}

export interface Refused {
  readonly params?: Json;
  readonly code: number;
  readonly message: string | RegExp;
}

/** A watch: what it tells after something has been done. */
export interface Watched {
  readonly params: Json;
  readonly act: () => Promise<unknown>;
  /** Whether the event is the one that is meant; others may come before it. */
  readonly isMeant: (result: Answer) => boolean;
  readonly event: Json;
  /** What is compared of a result; all of it by default. */
  readonly shown?: (result: Answer) => Json;
}

export interface MethodCase {
  readonly names: readonly string[];
  readonly answers?: (scene: Scene) => readonly Answered[];
  readonly watches?: (scene: Scene) => Watched;
  /** Empty for a method that takes any params. */
  readonly refuses: (scene: Scene) => readonly Refused[];
}

export const NO_PARAMS = { code: -32602, message: 'Params not provided' };
const VALUE = { x: 1, y: 2, z: 3 };
const OTHER = { x: -1, y: 0.5, z: 8 };
const unknownType = (path: string) => ({ code: -23402, message: `Unknown component type: \`${path}\`` });
const notFound = ({ missing }: Scene) => ({ code: -23401, message: `Entity ${missing.text} not found` });
const position = (value: Json) => ({ components: { [POSITION]: value } });

const READING: readonly MethodCase[] = [
  {
    names: ['bevy/get', 'world.get_components'],
    answers: ({ entity, paths, parent, text }) => [
      {
        params: { entity, components: [POSITION, paths.name, paths.parent, paths.children, BEACON, 'a::B'] },
        answer: {
          components: { [POSITION]: VALUE, [paths.name]: 'thing', [paths.parent]: parent, [BEACON]: {} },
          errors: {
            [paths.children]: {
              code: -23403,
              message: `Component \`${paths.children}\` not present in Entity ${text}`,
            },
            'a::B': unknownType('a::B'),
          },
        },
      },
      { params: { entity, components: [], strict: false }, answer: { components: {}, errors: {} } },
      { params: { entity, components: [POSITION], strict: true }, answer: { [POSITION]: VALUE } },
    ],
    refuses: (scene) => [
      NO_PARAMS,
      { params: { entity: scene.entity }, code: -32602, message: 'missing field `components`' },
      { params: { entity: scene.missing.entity, components: [POSITION] }, ...notFound(scene) },
      { params: { entity: scene.entity, components: ['a::B'], strict: true }, ...unknownType('a::B') },
      {
        params: { entity: scene.entity, components: [RUDDER], strict: true },
        code: -23403,
        message: `Component \`${RUDDER}\` not present in Entity ${scene.text}`,
      },
    ],
  },
  {
    names: ['world.get'],
    answers: ({ entity, text }) =>
      [entity, text].map((given) => ({
        params: { entity: given, components: [POSITION, BEACON] },
        answer: { [POSITION]: VALUE, [BEACON]: {} },
      })),
    refuses: (scene) => [
      NO_PARAMS,
      { params: { entity: scene.missing.text, components: [] }, ...notFound(scene) },
      { params: { entity: scene.entity, components: ['a::B'] }, ...unknownType('a::B') },
    ],
  },
  {
    names: ['bevy/query', 'world.query'],
    answers: (scene) => queries(scene),
    refuses: ({ shapes }) => [
      ...(shapes.isOld ? [NO_PARAMS] : []),
      { params: {}, code: -32602, message: 'missing field `data`' },
      {
        params: { data: { components: ['a::B'] }, strict: true },
        code: -23402,
        message: "Component `a::B` isn't registered or used in the world",
      },
      ...(shapes.generation === '0.15'
        ? [{ components: ['a::B'] }, { option: ['a::B'] }, { has: ['a::B'] }].map((data) => ({
            params: { data },
            code: -23402,
            message: "Component `a::B` isn't registered or used in the world",
          }))
        : []),
    ],
  },
  {
    names: ['bevy/list', 'world.list_components', 'world.list'],
    answers: ({ entity, paths }) => [
      ...[undefined, null, {}, { entity: null }].map((params) => ({
        ...(params !== undefined && { params }),
        shown: (all: readonly string[]) => [own(paths).filter((path) => all.includes(path)), isSorted(all)],
        answer: [own(paths), true],
      })),
      { params: { entity }, answer: [BEACON, POSITION, paths.name, paths.parent].sort() },
    ],
    refuses: (scene) => [
      { params: { entity: scene.missing.entity }, ...notFound(scene) },
      { params: { entity: 0 }, code: -32602, message: /expected an entity/ },
    ],
  },
];

const own = ({ name, parent, children }: Scene['paths']) => [
  POSITION,
  BEACON,
  RUDDER,
  DESCRIPTION,
  name,
  parent,
  children,
];
export const isSorted = (list: readonly string[]): boolean => [...list].sort().join() === list.join();

function queries({ entity, paths, shapes, parent }: Scene): Answered[] {
  const lenient: Answered[] = [
    { params: { data: { components: ['a::B'] } }, answer: [] },
    { params: { data: {}, filter: { with: ['a::B'] } }, answer: [] },
    {
      params: { data: { option: ['a::B'], has: ['a::B'] }, filter: { with: [BEACON], without: ['a::B'] } },
      answer: [{ entity, components: {}, has: { 'a::B': false } }],
    },
  ];
  const newer: Answered[] = [
    { shown: (rows) => rows.filter((row: Answer) => row.entity === entity), answer: [{ entity, components: {} }] },
    {
      params: { data: { option: 'all' }, filter: { with: [BEACON] } },
      answer: [
        {
          entity,
          components: { [POSITION]: VALUE, [BEACON]: {}, [paths.name]: 'thing', [paths.parent]: parent },
        },
      ],
    },
  ];
  return [
    {
      params: { data: { components: [POSITION] }, filter: { with: [BEACON], without: [RUDDER] } },
      answer: [{ entity, ...position(VALUE) }],
    },
    {
      params: { data: { option: [RUDDER, paths.name], has: [POSITION, RUDDER] }, filter: { with: [BEACON] } },
      answer: [{ entity, components: { [paths.name]: 'thing' }, has: { [POSITION]: true, [RUDDER]: false } }],
    },
    ...(shapes.generation === '0.15' ? [] : lenient),
    ...(shapes.isOld ? [] : newer),
  ];
}

const CHILD_OF = 'bevy_ecs::hierarchy::ChildOf';
const NAME = 'bevy_ecs::name::Name';
const components = (scene: Scene) => () => scene.now('world.list', { entity: scene.entity });

const CHANGING: readonly MethodCase[] = [
  {
    names: ['bevy/spawn', 'world.spawn_entity'],
    answers: (scene) => {
      let made = 0;
      return [
        {
          params: { components: { [scene.paths.name]: 'made', [POSITION]: OTHER, [scene.paths.parent]: scene.parent } },
          shown: ({ entity, ...rest }) => {
            made = entity;
            return [scene.isNumber(entity), rest];
          },
          answer: [true, {}],
          effect: {
            look: async () => [
              await scene.see([POSITION, 'Name'], made),
              await scene.now('world.despawn_entity', { entity: made }),
            ],
            shows: [{ [POSITION]: OTHER, Name: 'made' }, null],
          },
        },
      ];
    },
    refuses: () => [
      NO_PARAMS,
      { params: { components: { 'a::B': 1 } }, ...unknownType('a::B') },
      { params: position('x'), code: -23402, message: /^server::Position is invalid: / },
    ],
  },
  {
    names: ['bevy/destroy', 'world.despawn_entity'],
    answers: (scene) => [
      {
        params: { entity: scene.entity },
        answer: null,
        effect: {
          look: () => scene.see([POSITION]).catch((error) => error.message.split(':')[0]),
          shows: '-23401',
        },
      },
    ],
    refuses: (scene) => [NO_PARAMS, { params: { entity: scene.missing.entity }, ...notFound(scene) }],
  },
  {
    names: ['bevy/insert', 'world.insert_components'],
    answers: (scene) => [
      {
        params: { entity: scene.entity, components: { [POSITION]: OTHER, 'fleet::Fuel': 7, [BEACON]: null } },
        answer: null,
        effect: {
          look: () => scene.see([POSITION, 'fleet::Fuel']),
          shows: { [POSITION]: OTHER, 'fleet::Fuel': 7 },
        },
      },
    ],
    refuses: (scene) => [
      NO_PARAMS,
      { params: { entity: scene.missing.entity, components: { 'a::B': 1 } }, ...unknownType('a::B') },
      { params: { entity: scene.missing.entity, ...position(OTHER) }, ...notFound(scene) },
      {
        params: { entity: scene.entity, ...position({ x: 'far', y: 0, z: 0 }) },
        code: -23402,
        message: /^server::Position is invalid: /,
      },
    ],
  },
  {
    names: ['bevy/remove', 'world.remove_components'],
    answers: (scene) => [
      {
        params: { entity: scene.entity, components: [BEACON, RUDDER] },
        answer: null,
        effect: { look: components(scene), shows: [CHILD_OF, NAME, POSITION] },
      },
    ],
    refuses: (scene) => [
      NO_PARAMS,
      { params: { entity: scene.missing.entity, components: [BEACON] }, ...notFound(scene) },
      { params: { entity: scene.entity, components: ['a::B'] }, ...unknownType('a::B') },
    ],
  },
  {
    names: ['bevy/reparent', 'world.reparent_entities'],
    answers: (scene) => [
      {
        params: { entities: [scene.entity] },
        answer: null,
        effect: { look: components(scene), shows: [NAME, BEACON, POSITION] },
      },
      {
        params: { entities: [scene.entity], parent: scene.nina },
        answer: null,
        effect: { look: components(scene), shows: [CHILD_OF, NAME, BEACON, POSITION] },
      },
    ],
    refuses: (scene) => [
      NO_PARAMS,
      { params: { entities: [scene.missing.entity] }, ...notFound(scene) },
      { params: { entities: [scene.entity], parent: scene.missing.entity }, ...notFound(scene) },
      {
        params: { entities: [scene.entity], parent: scene.entity },
        code: -23404,
        message: `Cannot reparent Entity ${scene.text} to itself`,
      },
    ],
  },
  {
    names: ['bevy/mutate_component', 'world.mutate_components'],
    answers: (scene) =>
      [
        ['.y', 5, { x: 1, y: 5, z: 3 }],
        ['z', 6, { x: 1, y: 5, z: 6 }],
        ['#0', 4, { x: 4, y: 5, z: 6 }],
        ['', VALUE, VALUE],
      ].map(([path, value, whole]) => ({
        params: { entity: scene.entity, component: POSITION, path: path as string, value: value as Json },
        answer: null,
        effect: { look: () => scene.see([POSITION]), shows: { [POSITION]: whole } },
      })),
    refuses: (scene) => {
      const whole = { component: POSITION, path: '', value: VALUE };
      const { entity } = scene;
      return [
        NO_PARAMS,
        { params: { entity: scene.missing.entity, ...whole }, ...notFound(scene) },
        { params: { entity, ...whole, component: 'a::B' }, ...unknownType('a::B') },
        {
          params: { entity, ...whole, component: RUDDER },
          code: -23403,
          message: `Component \`${RUDDER}\` not present in Entity ${scene.text}`,
        },
        { params: { entity, ...whole, path: '.w' }, code: -23402, message: /accessed doesn't have a `w` field$/ },
        {
          params: { entity, ...whole, path: 'x.' },
          code: -23402,
          message: /^Encountered an error at offset 2 while parsing `x\.`: /,
        },
      ];
    },
  },
];

const WATCHING: readonly MethodCase[] = [
  {
    names: ['bevy/get+watch', 'world.get_components+watch'],
    watches: (scene) => {
      const x = randomOf('watching').uniform();
      return {
        params: { entity: scene.nina, components: [POSITION, 'a::B'] },
        act: () => scene.now('world.insert_components', { entity: scene.nina, ...position({ ...OTHER, x }) }),
        isMeant: ({ components }) => components[POSITION]?.x === x,
        event: { ...position({ ...OTHER, x }), removed: [], errors: { 'a::B': unknownType('a::B') } },
      };
    },
    refuses: (scene) => [
      NO_PARAMS,
      { params: { entity: scene.missing.entity, components: [POSITION] }, ...notFound(scene) },
      { params: { entity: scene.entity, components: ['a::B'], strict: true }, ...unknownType('a::B') },
    ],
  },
  {
    names: ['bevy/list+watch', 'world.list_components+watch'],
    watches: (scene) => ({
      params: { entity: scene.nina },
      act: async () => {
        for (const [method, components] of [
          ['world.insert_components', { 'fleet::Fuel': 1 }],
          ['world.remove_components', ['fleet::Fuel']],
        ] as const) {
          await scene.now(method, { entity: scene.nina, components });
        }
      },
      isMeant: ({ added }) => added.includes('fleet::Fuel'),
      event: { added: ['fleet::Fuel'], removed: [] },
    }),
    refuses: (scene) => [
      { params: { entity: 'me' }, code: -32602, message: 'invalid value: "me", expected an entity' },
      { params: { entity: scene.missing.entity }, ...notFound(scene) },
    ],
  },
];

export const WORLD_CASES: readonly MethodCase[] = [...READING, ...CHANGING, ...WATCHING];
