// Resources, the simulation's functions, discovery and the registry of Bevy's protocol.
import { expect } from 'chai';
import { expectBevySchema } from '../../testing/aids/bevy-schema.js';
import { BODY, BODY_VALUE, casesOf, NAME, POSITION } from '../../testing/aids/brp-cases.js';
import { TestBrp } from '../../testing/aids/brp-server.js';
import { type Generation, VERSIONS } from './generation.js';

describe("further methods of Bevy's protocol", () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
  });
  afterEach(() => brp.close());

  const { answers, refuses } = casesOf(() => brp);

  describe('resources:', () => {
    for (const [get, insert, remove, mutate, list] of [
      [
        'bevy/get_resource',
        'bevy/insert_resource',
        'bevy/remove_resource',
        'bevy/mutate_resource',
        'bevy/list_resources',
      ],
      [
        'world.get_resources',
        'world.insert_resources',
        'world.remove_resources',
        'world.mutate_resources',
        'world.list_resources',
      ],
    ] as const) {
      it(`${list}, ${get}, ${mutate}, ${remove} and ${insert} work on what is there once`, async () => {
        expect(await brp.call(list))
          .to.include(BODY)
          .and.not.include(POSITION);
        expect(await brp.call(get, { resource: BODY })).to.deep.equal({ value: BODY_VALUE });
        expect(await brp.call(mutate, { resource: BODY, path: '.label', value: 'b' })).to.equal(null);
        expect((await brp.call(get, { resource: BODY })).value.label).to.equal('b');
        expect(await brp.call(remove, { resource: BODY })).to.equal(null);
        expect(await brp.call(get, { resource: BODY })).to.deep.equal({
          code: -23502,
          message: `Resource \`${BODY}\` not present in the world`,
        });
        // JSON has lost the last digits of the number.
        expect((await brp.call(insert, { resource: BODY, value: BODY_VALUE })).message).to.match(/serial.*lost digits/);
        const exact = { ...BODY_VALUE, serial: '1152921504606846977' };
        expect(await brp.call(insert, { resource: BODY, value: exact })).to.equal(null);
        expect((await brp.call(get, { resource: BODY })).value).to.deep.include({ label: 'a' });
      });
      refuses('an unknown type', [get, { resource: 'x' }], -23501, 'Unknown resource type: `x`');
      refuses('what two entities have', [get, { resource: POSITION }], -23501, /2 entities have it/);
      refuses(
        'a path that is not there',
        [mutate, { resource: BODY, path: 'x', value: 1 }],
        -23501,
        /doesn't have a `x` field/,
      );
      refuses('a value that does not fit', [insert, { resource: BODY, value: 1 }], -23501, /is invalid/);
    }
  });

  describe('schedules:', () => {
    const none = ['environment', 'sensor', 'effector', 'integration', 'post_integration'];
    const moments = ['end_of_frame', 'freeze_init', 'freeze', 'unfreeze', 'shutdown'];
    const classes = ['initialization', ...none.slice(0, 2), 'scheduled', ...none.slice(2), ...moments];
    const system = (name: string) => ({
      name,
      apply_deferred: false,
      exclusive: true,
      deferred: false,
      combined_access: {
        read_and_writes: [],
        writes: [],
        read_and_writes_inverted: false,
        writes_inverted: false,
        archetypal: [],
      },
      filtered_accesses: [],
    });
    const graph = (name: string, systems: string[], dependency: object[] = []) => ({
      schedule_data: {
        name,
        systems: systems.map(system),
        system_sets: [],
        hierarchy: [],
        dependency,
        components: [],
        conflicts: [],
      },
    });

    answers('a class without jobs', ['schedule.graph', { schedule_label: 'sensor' }], graph('sensor', []));
    it('are the classes of jobs, with the jobs as they run', async () => {
      const busy = await TestBrp.start({
        build: (sim) => {
          const nothing = () => undefined;
          sim.job(1, nothing, { name: 'steer', class: 'effector' });
          sim.job('shutdown', nothing, { name: 'park' });
          sim.job(1, nothing, { name: 'late' });
          sim.job(0.5, nothing, { name: 'early', order: 1 });
          sim.job(1, nothing, { name: 'gone' }).remove();
          sim.job(2, nothing, { name: 'last' });
        },
      });
      try {
        const list = await busy.call('schedule.list', { ignored: 1 });
        expect(list.schedule_labels).to.deep.equal(['scheduled', 'effector', 'shutdown']);
        expect([...list.schedule_labels, ...list.empty_schedule_labels]).to.have.members(classes);
        const chain = [
          [{ System: 0 }, { System: 1 }],
          [{ System: 1 }, { System: 2 }],
        ];
        expect(await busy.call('schedule.graph', { schedule_label: 'scheduled' })).to.deep.equal(
          graph('scheduled', ['early', 'late', 'last'], chain),
        );
        expect(await busy.call('schedule.graph', { schedule_label: 'shutdown' })).to.deep.equal(
          graph('shutdown', ['park']),
        );
      } finally {
        busy.close();
      }
    });
    refuses('an unknown label', ['schedule.graph', { schedule_label: 'Update' }], -32602, 'Unknown schedule: `Update`');
    refuses('no label', ['schedule.graph', {}], -32602, 'missing field `schedule_label`');
    refuses('no params', ['schedule.graph'], -32602, 'Params not provided');
  });

  describe('the simulation’s functions:', () => {
    answers('by name', ['server/push', { by: 2, mode: 'SAFE' }], 3);
    answers('by position', ['server/push', [0.5, 'POINTING']], 1.5);
    answers('an event', ['world.trigger_event', { event: 'server::push', value: { by: 1, mode: 0 } }], null);
    answers('a message', ['world.write_message', { message: 'server::shout', value: ['hello'] }], null);
    refuses('a missing argument', ['server/push', { by: 2 }], -32602, 'missing field `mode`');
    refuses('one that does not fit', ['server/push', { by: 'x', mode: 0 }], -32602, /the text "x" does not fit/);
    refuses('an unknown name', ['server/pull'], -32601, 'Method `server/pull` not found');
    refuses('an unknown event', ['world.trigger_event', { event: 'E' }], -23501, 'Unknown event type: `E`');
    refuses('an unknown message', ['world.write_message', { message: 'M' }], -23501, 'Unknown message type: `M`');

    it('stand with their schemas in rpc.discover and in brp_extras/agent_tools', async () => {
      const document = await brp.call('rpc.discover');
      expect(document).to.deep.include({
        openrpc: '1.3.2',
        info: { title: 'Bevy Remote Protocol of varwire 1.2.3', version: '0.19.1' },
      });
      const names = document.methods.map(({ name }: { name: string }) => name);
      expect(names).to.include.members([
        'bevy/get',
        'world.query',
        'world.get_components+watch',
        'rpc.discover',
        'brp.poll',
      ]);
      expect(new Set(names).size).to.equal(names.length);
      const push = document.methods.find(({ name }: { name: string }) => name === 'server/push');
      expect(push.params).to.deep.equal([
        {
          name: 'by',
          description: 'how far, in m',
          required: true,
          schema: { shortPath: 'f64', typePath: 'f64', kind: 'Value', type: 'float' },
        },
        {
          name: 'mode',
          required: true,
          schema: {
            shortPath: 'Mode',
            typePath: 'server::Mode',
            modulePath: 'server',
            crateName: 'server',
            kind: 'Enum',
            type: 'string',
            oneOf: ['SAFE', 'POINTING'],
          },
        },
      ]);
      const { version, tools } = await brp.call('brp_extras/agent_tools');
      expect(version).to.equal(1);
      expect(tools[0]).to.deep.include({
        name: 'server_push',
        method: 'server/push',
        result_schema: { type: 'number' },
      });
      expect(tools[0].params_schema.required).to.deep.equal(['by', 'mode']);
      expect(tools[1]).to.deep.equal({ name: 'server_shout', method: 'server/shout', description: 'says it' });
    });
  });

  for (const [preferred, release] of Object.entries(VERSIONS)) {
    it(`rpc.discover of ${preferred} says ${release}, and its methods are as Bevy's clients decode them`, async () => {
      const other = await TestBrp.start({ preferred: preferred as Generation });
      try {
        const { info, methods } = await other.call('rpc.discover');
        expect(info.version).to.equal(release);
        for (const { name, params, result } of methods) {
          expect(name).to.be.a('string');
          for (const { name: parameter, required, schema } of params) {
            expect([typeof parameter, typeof required]).to.deep.equal(['string', 'boolean']);
            expectBevySchema(schema);
          }
          if (result) expectBevySchema(result.schema);
        }
      } finally {
        other.close();
      }
    });
  }

  describe('the registry:', () => {
    for (const method of ['bevy/registry/schema', 'registry.schema']) {
      it(`${method} describes types in Bevy's form`, async () => {
        const all = await brp.call(method);
        expect(all[POSITION]).to.deep.include({
          shortPath: 'Position',
          typePath: POSITION,
          modulePath: 'server',
          crateName: 'server',
          reflectTypes: ['Component', 'Default', 'Serialize', 'Deserialize'],
          kind: 'Struct',
          type: 'object',
          required: ['x', 'y', 'z'],
          additionalProperties: false,
        });
        expect(all[POSITION].properties.x).to.deep.equal({ type: { $ref: '#/$defs/f64' } });
        expect(all['server::Mode']).to.deep.include({ kind: 'Enum', type: 'string', oneOf: ['SAFE', 'POINTING'] });
        expect(all['[f64; 3]']).to.deep.include({
          kind: 'Array',
          type: 'array',
          items: { type: { $ref: '#/$defs/f64' } },
        });
        expect(all['server::Pair']).to.deep.include({ kind: 'TupleStruct' });
        expect(all.i64).to.deep.include({ kind: 'Value', type: 'int' });
        expect(all['server::boat::list']).to.deep.include({
          kind: 'TupleStruct',
          type: 'array',
          prefixItems: [{ type: { $ref: '#/$defs/[f64; 2]' } }],
          items: false,
        });
        const path = 'core::option::Option<alloc::vec::Vec<f64>>';
        expect(all[path].oneOf).to.deep.equal([
          { typePath: `${path}::None`, shortPath: 'None' },
          {
            typePath: `${path}::Some`,
            shortPath: 'Some',
            kind: 'Tuple',
            type: 'array',
            prefixItems: [{ type: { $ref: '#/$defs/alloc::vec::Vec<f64>' } }],
            items: false,
          },
        ]);
        expect('componentInfo' in all[POSITION]).to.equal(method === 'registry.schema');
        expect(all[NAME]).to.deep.include({ shortPath: 'Name', kind: 'Value', type: 'string' });
      });
    }
    it('filters by crate and by what types reflect', async () => {
      const own = await brp.call('registry.schema', { with_crates: ['server'] });
      expect(Object.keys(own)).to.include(POSITION).and.not.include(NAME);
      const rest = await brp.call('registry.schema', {
        without_crates: ['server'],
        type_limit: { with: ['Component'] },
      });
      expect(Object.keys(rest)).to.include(NAME).and.not.include(POSITION).and.not.include('f64');
      const resources = await brp.call('registry.schema', { type_limit: { with: ['Resource'], without: ['Default'] } });
      expect(Object.keys(resources)).to.not.include(BODY);
    });
  });
});
