// What the methods beside those of entities answer and refuse: resources, the registry, events, schedules and polls.
import type { Json } from './inspector.js';
import type { Answered, Effect, MethodCase } from './method-cases.js';
import { isSorted, NO_PARAMS } from './method-cases.js';
import { BEACON, DESCRIPTION, POSITION, RUDDER, type Scene } from './scene.js';

const notPresent = { code: -23502, message: `Resource \`${DESCRIPTION}\` not present in the world` };
const unknownResource = { code: -23501, message: 'Unknown resource type: `a::B`' };
/** What a resource is afterwards. */
const becomes = (scene: Scene, resource: string, value: Json): Effect => ({
  look: () => scene.now('world.get_resources', { resource }),
  shows: { value },
});
/** The rudder's angle afterwards. */
const turned = (scene: Scene, angle: number): Effect => ({
  look: async () => (await scene.now('world.get_resources', { resource: RUDDER })).value.angle,
  shows: angle,
});
const steer = { angle: 0.75 };

const RESOURCES: readonly MethodCase[] = [
  {
    names: ['bevy/get_resource', 'world.get_resources'],
    answers: () => [{ params: { resource: BEACON }, answer: { value: {} } }],
    refuses: () => [
      NO_PARAMS,
      { params: { resource: DESCRIPTION }, ...notPresent },
      { params: { resource: 'a::B' }, ...unknownResource },
    ],
  },
  {
    names: ['bevy/insert_resource', 'world.insert_resources'],
    answers: (scene) => [
      {
        params: { resource: RUDDER, value: { angle: 0.5, side: 'STARBOARD' } },
        answer: null,
        effect: becomes(scene, RUDDER, { angle: 0.5, side: 'STARBOARD' }),
      },
      {
        params: { resource: DESCRIPTION, value: 'new' },
        answer: null,
        effect: {
          look: async () => [
            await scene.now('world.get_resources', { resource: DESCRIPTION }),
            await scene.now('world.remove_resources', { resource: DESCRIPTION }),
          ],
          shows: [{ value: 'new' }, null],
        },
      },
    ],
    refuses: () => [
      NO_PARAMS,
      { params: { resource: 'a::B', value: 1 }, ...unknownResource },
      { params: { resource: RUDDER, value: { angle: 0 } }, code: -23501, message: /^fleet::Rudder is invalid: / },
    ],
  },
  {
    names: ['bevy/remove_resource', 'world.remove_resources'],
    answers: (scene) => [
      {
        params: { resource: BEACON },
        answer: null,
        effect: {
          look: async () => (await scene.now('world.list_resources', {})).includes(BEACON),
          shows: false,
        },
      },
    ],
    refuses: () => [
      NO_PARAMS,
      { params: { resource: DESCRIPTION }, ...notPresent },
      { params: { resource: 'a::B' }, ...unknownResource },
    ],
  },
  {
    names: ['bevy/mutate_resource', 'world.mutate_resources'],
    answers: (scene) => [
      {
        params: { resource: RUDDER, path: '.angle', value: -0.25 },
        answer: null,
        effect: turned(scene, -0.25),
      },
    ],
    refuses: () => [
      NO_PARAMS,
      { params: { resource: DESCRIPTION, path: '', value: 'x' }, ...notPresent },
      { params: { resource: RUDDER, path: '.mast', value: 1 }, code: -23501, message: /doesn't have a `mast` field$/ },
      {
        params: { resource: RUDDER, path: '#', value: 1 },
        code: -23501,
        message: /^Encountered an error at offset 1 /,
      },
    ],
  },
  {
    names: ['bevy/list_resources', 'world.list_resources'],
    answers: () =>
      [undefined, null, 5, { x: 1 }].map((params) => ({
        ...(params !== undefined && { params }),
        shown: (all) => [[POSITION, RUDDER, DESCRIPTION, BEACON].filter((path) => all.includes(path)), isSorted(all)],
        answer: [[RUDDER, BEACON], true],
      })),
    refuses: () => [],
  },
];

type Schemas = Readonly<Record<string, object>>;

const describedPosition = (isLatest: boolean) => ({
  shortPath: 'Position',
  typePath: POSITION,
  modulePath: 'server',
  crateName: 'server',
  reflectTypes: ['Component', 'Default', 'Serialize', 'Deserialize'],
  kind: 'Struct',
  type: 'object',
  properties: Object.fromEntries(['x', 'y', 'z'].map((axis) => [axis, { type: { $ref: '#/$defs/f64' } }])),
  required: ['x', 'y', 'z'],
  additionalProperties: false,
  ...(isLatest && {
    componentInfo: { mutable: true, storageType: 'Table', isSendAndSync: true, requiredComponentTypes: [] },
  }),
});

const REGISTRY: readonly MethodCase[] = [
  {
    names: ['bevy/registry/schema', 'registry.schema'],
    answers: ({ shapes }) => {
      const isLatest = shapes.generation === '0.19';
      const some = [POSITION, 'bevy_ecs::name::Name', RUDDER];
      const ofServer = {
        shown: (all: Schemas) => [all[POSITION], some.filter((path) => path in all)],
        answer: [describedPosition(isLatest), [POSITION]],
      };
      return [
        {
          shown: (all) => [
            all[POSITION],
            all[RUDDER].properties.side,
            all['fleet::Side'].oneOf,
            all[BEACON].reflectTypes,
          ],
          answer: [
            describedPosition(isLatest),
            { type: { $ref: '#/$defs/fleet::Side' } },
            ['PORT', 'STARBOARD'],
            ['Component', 'Resource', 'Default'],
          ],
        },
        { params: { with_crates: ['server'] }, ...ofServer },
        { params: { without_crates: ['fleet', 'bevy_ecs'], type_limit: { with: ['Default'] } }, ...ofServer },
      ];
    },
    refuses: () => [{ params: { with_crates: 'server' }, code: -32602, message: /^invalid type: string "server"/ }],
  },
  {
    names: ['rpc.discover'],
    answers: ({ inspector, shapes }) =>
      [undefined, 5].map((params) => ({
        ...(params !== undefined && { params }),
        shown: ({ info, methods, ...rest }) => ({
          ...rest,
          title: info.title.slice(0, 31),
          generation: info.version.slice(0, 4),
          first: Object.keys(methods[0]),
        }),
        answer: {
          openrpc: '1.3.2',
          title: 'Bevy Remote Protocol of varwire',
          generation: shapes.generation,
          first: ['name', 'summary', 'description', 'paramStructure', 'params', 'result', 'examples'],
          servers: [{ name: 'Server', url: `127.0.0.1:${inspector.port}` }],
        },
      })),
    refuses: () => [],
  },
  {
    names: ['schedule.list'],
    answers: () => [
      {
        shown: ({ empty_schedule_labels: empty, ...rest }) => ({ ...rest, empty: empty.includes('integration') }),
        answer: { schedule_labels: ['scheduled'], unavailable_schedule_labels: [], empty: true },
      },
    ],
    refuses: () => [],
  },
  {
    names: ['schedule.graph'],
    answers: () => [
      {
        params: { schedule_label: 'scheduled' },
        shown: ({ schedule_data: { systems, ...data }, ...rest }) => [systems.length, systems[0].name, data, rest],
        answer: [
          1,
          'beat',
          { name: 'scheduled', system_sets: [], hierarchy: [], dependency: [], components: [], conflicts: [] },
          {},
        ],
      },
    ],
    refuses: () => [
      NO_PARAMS,
      { params: { schedule_label: 'Update' }, code: -32602, message: 'Unknown schedule: `Update`' },
    ],
  },
];

const steered = (params: Answered['params']) => (scene: Scene) => [
  {
    ...(params !== undefined && { params }),
    answer: null,
    effect: turned(scene, 0.75),
  },
];

const EVENTS: readonly MethodCase[] = [
  {
    names: ['world.trigger_event'],
    answers: steered({ event: 'fleet::steer', value: steer }),
    refuses: () => [
      NO_PARAMS,
      { params: { event: 'a::B' }, code: -23501, message: 'Unknown event type: `a::B`' },
      { params: { event: 'fleet::steer' }, code: -32602, message: 'missing field `angle`' },
    ],
  },
  {
    names: ['world.write_message'],
    answers: steered({ message: 'fleet::steer', value: steer }),
    refuses: () => [
      NO_PARAMS,
      { params: { message: 'a::B' }, code: -23501, message: 'Unknown message type: `a::B`' },
      { params: { message: 'fleet::steer', value: ['x'] }, code: -32602, message: /the text "x" does not fit/ },
    ],
  },
  {
    names: ['world.observe+watch'],
    watches: (scene) => ({
      params: { event: 'varwire::SimMessage' },
      act: () => scene.now('fleet/steer', { angle: 0.125 }),
      isMeant: ([{ text }]) => text === 'the rudder is at 0.125 rad',
      event: [{ level: 'normal', text: 'the rudder is at 0.125 rad' }],
      shown: (events) => events.map(({ time_seconds: _, ...rest }: { time_seconds: number }) => rest),
    }),
    refuses: () => [NO_PARAMS, { params: { event: 'a::B' }, code: -23501, message: 'Unknown event type: `a::B`' }],
  },
];

const OWN: readonly MethodCase[] = [
  {
    names: ['brp.poll', 'bevy/poll', 'world.poll'],
    answers: ({ entity }) => [
      {
        params: { data: { components: [POSITION] }, filter: { with: [BEACON] }, watermark: null },
        shown: ({ watermark, sim_time, ...rest }) => [typeof watermark, typeof sim_time.sec_si, rest],
        answer: ['string', 'number', { entities: [{ entity, components: { [POSITION]: { x: 1, y: 2, z: 3 } } }] }],
      },
    ],
    refuses: () => [
      NO_PARAMS,
      { params: { watermark: null }, code: -32602, message: 'missing field `data`' },
      { params: { data: {}, watermark: 'mine' }, code: -32602, message: /watermark/ },
    ],
  },
  {
    names: ['brp.ping'],
    answers: () => [{ answer: { status: 'OK' } }],
    refuses: () => [{ params: [1], code: -32602, message: /^invalid type: sequence/ }],
  },
  {
    names: ['brp.unwatch'],
    // Over a WebSocket it ends a watch: see brp.compat.test.ts.
    answers: () => [],
    refuses: () => [NO_PARAMS, { params: { watch: 1 }, code: -32602, message: /^over HTTP a watch ends when/ }],
  },
  {
    names: ['brp_extras/agent_tools'],
    answers: () => [
      {
        answer: {
          version: 1,
          tools: [
            {
              name: 'fleet_steer',
              method: 'fleet/steer',
              description: 'turns the rudder',
              params_schema: {
                type: 'object',
                properties: { angle: { type: 'number', description: 'in rad' } },
                required: ['angle'],
                additionalProperties: false,
              },
              result_schema: { type: 'number' },
            },
          ],
        },
      },
    ],
    refuses: () => [{ params: 'x', code: -32602, message: /^invalid type: string "x"/ }],
  },
  {
    names: ['fleet/steer'],
    answers: (scene) =>
      [steer, [0.75]].map((params) => ({
        params,
        answer: 0.75,
        effect: turned(scene, 0.75),
      })),
    refuses: () => [
      { code: -32602, message: 'missing field `angle`' },
      { params: { angle: 'x' }, code: -32602, message: /the text "x" does not fit/ },
    ],
  },
];

export const FURTHER_CASES: readonly MethodCase[] = [...RESOURCES, ...REGISTRY, ...EVENTS, ...OWN];
