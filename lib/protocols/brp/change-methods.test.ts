// Changes by Bevy's protocol: spawn, despawn, insert, remove, reparent and mutate, in both generations.
import { expect } from 'chai';
import {
  BOAT,
  BODY,
  type BrpCall,
  CHILD_OF,
  CHILDREN,
  casesOf,
  NAME,
  OLD_SHIP,
  POSITION,
  SHIP,
} from '../../testing/aids/brp-cases.js';
import { TestBrp } from '../../testing/aids/brp-server.js';

describe("the methods of Bevy's protocol that change things", () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
  });
  afterEach(() => brp.close());

  const { answers, refuses } = casesOf(() => brp);

  describe('changes:', () => {
    for (const [spawn, despawn] of [
      ['bevy/spawn', 'bevy/destroy'],
      ['world.spawn_entity', 'world.despawn_entity'],
    ] as const) {
      it(`${spawn} and ${despawn} are seen by all at once`, async () => {
        const components = {
          [POSITION]: { x: 1, y: 0, z: -2 },
          [NAME]: 'cube',
          [CHILD_OF]: SHIP,
          'server::Marker': {},
        };
        const { entity } = await brp.call(spawn, { components });
        expect(entity)
          .to.be.a('number')
          .below(2 ** 53);
        const { catalog, frame } = brp.registry.source;
        expect(catalog.find('cube.position.z')).to.have.property('units', '--');
        expect(frame.header.catalogVersion).to.equal(catalog.version);
        expect(await brp.call('world.get', { entity, components: [POSITION, NAME, CHILD_OF, 'Marker'] })).to.deep.equal(
          {
            [POSITION]: { x: 1, y: 0, z: -2 },
            [NAME]: 'cube',
            [CHILD_OF]: SHIP,
            Marker: {},
          },
        );
        expect(await brp.call(despawn, { entity })).to.equal(null);
        expect(brp.registry.source.catalog.find('cube')).to.equal(undefined);
        expect(await brp.call(despawn, { entity })).to.include({ code: -23401 });
      });
    }
    it('an entity without a name gets one, and keeps its number for ever', async () => {
      const first = await brp.call('world.spawn_entity', { components: {} });
      await brp.call('world.despawn_entity', first);
      const second = await brp.call('world.spawn_entity', { components: { 'server::Health': 3, Pair: [1, 2] } });
      expect(second).not.to.deep.equal(first);
      expect(await brp.call('world.get', { ...second, components: ['Health', 'Pair'] })).to.deep.equal({
        Health: 3,
        Pair: [1, 2],
      });
    });
    refuses(
      'an unknown type',
      ['world.spawn_entity', { components: { 'x::Y': {} } }],
      -23402,
      'Unknown component type: `x::Y`',
    );
    for (const [name, value, why] of [
      ['a text', 'x', /is a structure/],
      ['a missing member', { x: 1, y: 2 }, /missing field `z`/],
      ['one too many', { x: 1, y: 2, z: 3, w: 4 }, /unknown field `w`/],
      ['a member of another kind', { x: 'a', y: 2, z: 3 }, /the text "a" does not fit/],
      ['null', null, /is a structure/],
    ] as const) {
      refuses(
        name,
        ['bevy/spawn', { components: { [POSITION]: value } }],
        -23402,
        new RegExp(`^${POSITION} is invalid: .*${why.source}`),
      );
    }
    refuses(
      'a type that only the simulation makes',
      ['world.spawn_entity', { components: { Sealed: { x: 1 } } }],
      -23402,
      /only the simulation/,
    );
    refuses(
      'a label that does not exist',
      ['world.spawn_entity', { components: { Mode: 'LOST' } }],
      -23402,
      /no label "LOST"/,
    );
    for (const [text, objectName] of [
      ['Child Node 1', 'Child_Node_1'],
      ['ship', 'ship_2'],
      ['1 größer', '_1_gr_er'],
      ['', '_'],
    ] as const) {
      it(`a name may be any text: ${JSON.stringify(text)}`, async () => {
        const { entity } = await brp.call('world.spawn_entity', { components: { Name: text } });
        expect(brp.registry.source.catalog.objects.at(-1)?.name).to.equal(objectName);
        const named = { entity, components: [NAME] };
        expect((await brp.call('world.get_components', named)).components).to.deep.equal({ [NAME]: text });
        expect(await brp.call('world.insert_components', { entity, components: { Name: 'other name' } })).to.equal(
          null,
        );
        expect((await brp.call('bevy/get', named)).components).to.deep.equal({ [NAME]: 'other name' });
        const rows = await brp.call('world.query', { data: { components: [NAME] } });
        expect(rows.at(-1).components).to.deep.equal({ [NAME]: 'other name' });
        await brp.call('world.insert_components', { entity, components: { Name: objectName } });
        expect((await brp.call('world.get', named))[NAME]).to.equal(objectName);
      });
    }
    it('a name that a variable has gets a number, as a name that an object has', async () => {
      const spawned = async (components: object): Promise<string | undefined> => {
        await brp.call('world.spawn_entity', { components });
        return brp.registry.source.catalog.objects.at(-1)?.name;
      };
      const latest = Number((await spawned({}))?.slice('entity_'.length));
      for (const name of ['pod', '_', `entity_${latest + 1}`, `entity_${latest + 2}`]) {
        const declared = brp.registry.source.submit({ kind: 'declare', declaration: `double ${name}` });
        await Promise.all([declared, brp.ticks(2)]);
      }
      expect(await spawned({ Name: 'pod' })).to.equal('pod_2');
      expect(await spawned({ Name: '' })).to.equal('_2');
      expect(await spawned({})).to.equal(`entity_${latest + 3}`);
    });
    it('a name may be given many times at once', async () => {
      const spawn = () => brp.call('world.spawn_entity', { components: { Name: 'twin' } });
      const all = await Promise.all([spawn(), spawn(), spawn()]);
      expect(new Set(all.map(({ entity }) => entity)).size).to.equal(3);
      const names = brp.registry.source.catalog.objects.map(({ name }) => name);
      expect(names.slice(-3)).to.deep.equal(['twin', 'twin_2', 'twin_3']);
    });
    for (const [why, value, message] of [
      ['a name that is no text', 5, /expected a string/],
      ['a long name', 'x'.repeat(257), /at most 256 characters/],
    ] as const) {
      refuses(why, ['world.spawn_entity', { components: { Name: value } }], -23402, message);
      refuses(why, ['world.insert_components', { entity: 1, components: { Name: value } }], -23401, /not found/);
      refuses(why, ['world.insert_components', { entity: 4294967294, components: { Name: value } }], -23402, message);
    }
    refuses(
      'a parent that is not there',
      ['world.spawn_entity', { components: { ChildOf: 99 } }],
      -23402,
      /no entity 99/,
    );
    refuses('components as text', ['world.spawn_entity', { components: 'x' }], -32602, /invalid type: string "x"/);
    refuses('__proto__', ['world.spawn_entity', JSON.parse('{"components":{"__proto__":{}}}')], -32602, /__proto__/);

    for (const [insert, remove] of [
      ['bevy/insert', 'bevy/remove'],
      ['world.insert_components', 'world.remove_components'],
    ] as const) {
      it(`${insert} adds and replaces, ${remove} takes away and ignores what is absent`, async () => {
        const value = { x: 7, y: 8, z: 9 };
        const components = { [POSITION]: value, 'server::Health': 5 };
        expect(await brp.call(insert, { entity: SHIP, components })).to.equal(null);
        const asked = { entity: SHIP, components: [POSITION, 'Health'], strict: true };
        expect(await brp.call('world.get_components', asked)).to.deep.equal({ [POSITION]: value, Health: 5 });
        expect(brp.registry.source.catalog.find('ship.health')).not.to.equal(undefined);
        expect(await brp.call(remove, { entity: SHIP, components: ['Health', 'Marker'] })).to.equal(null);
        expect(await brp.call('world.list', { entity: SHIP })).to.not.include('server::Health');
      });
      refuses(
        'an unknown type before a missing entity',
        [insert, { entity: 5, components: { x: 1 } }],
        -23402,
        'Unknown component type: `x`',
      );
      refuses('a missing entity', [insert, { entity: 5, components: {} }], -23401, /not found$/);
      refuses('an unknown type', [remove, { entity: SHIP, components: ['x'] }], -23402, 'Unknown component type: `x`');
    }
    it('ChildOf is inserted and removed as a relation', async () => {
      await brp.call('world.remove_components', { entity: BOAT, components: [CHILD_OF] });
      expect(await brp.call('world.list', { entity: SHIP })).to.not.include(CHILDREN);
      await brp.call('world.insert_components', { entity: BOAT, components: { [CHILD_OF]: '1v0' } });
      expect(await brp.call('world.get', { entity: SHIP, components: [CHILDREN] })).to.deep.equal({
        [CHILDREN]: [BOAT],
      });
    });

    for (const method of ['bevy/reparent', 'world.reparent_entities']) {
      it(`${method} moves entities, and to the top without a parent`, async () => {
        const { entity } = await brp.call('world.spawn_entity', { components: {} });
        expect(await brp.call(method, { entities: [entity], parent: SHIP })).to.equal(null);
        expect(await brp.call('world.get', { entity: SHIP, components: [CHILDREN] })).to.deep.equal({
          [CHILDREN]: [BOAT, entity],
        });
        expect(await brp.call(method, { entities: [entity, BOAT] })).to.equal(null);
        expect(await brp.call('world.list', { entity: SHIP })).to.not.include(CHILDREN);
      });
      const itself = `Cannot reparent Entity 1v${method.startsWith('bevy') ? 1 : 0} to itself`;
      const ship = method.startsWith('bevy') ? OLD_SHIP : SHIP;
      refuses('an entity as its own parent', [method, { entities: [ship], parent: ship }], -23404, itself);
      refuses('a circle', [method, { entities: [ship], parent: BOAT }], -23415, /is below it/);
      it(`${method} has applied what stands before the one refused`, async () => {
        await brp.call(method, { entities: [BOAT] });
        await brp.call(method, { entities: [BOAT, SHIP], parent: SHIP });
        expect(await brp.call('world.list', { entity: BOAT })).to.include(CHILD_OF);
      });
    }

    for (const method of ['bevy/mutate_component', 'world.mutate_components']) {
      const set = (component: string, path: string, value: unknown): BrpCall => [
        method,
        { entity: SHIP, component, path, value },
      ];
      for (const [component, path, value, shown] of [
        [POSITION, '.x', 5, 5],
        [POSITION, 'y', 6, 6],
        [POSITION, '#2', 7, 7],
        [BODY, '.translation[1]', 8, 8],
        [BODY, 'translation.z', 9, 9],
        [BODY, 'mode', 'SAFE', 0],
        [BODY, '.counts[0]', 3, 3],
      ] as const) {
        it(`${method} sets ${component}${path}`, async () => {
          expect(await brp.call(...set(component, path, value))).to.equal(null);
          const whole = await brp.call('world.get', { entity: SHIP, components: [component] });
          expect(JSON.stringify(whole)).to.include(path === 'mode' ? 'SAFE' : String(shown));
        });
      }
      it(`${method} sets a component without members also as Bevy's tuple of one`, async () => {
        const list = { entity: BOAT, component: 'list' };
        const set = (path: string, value: unknown) => brp.call(method, { ...list, path, value });
        expect([await set('.0', [5, 6]), await set('.0[1]', 7), await set('[0]', 8)]).to.deep.equal([null, null, null]);
        expect(await brp.call('world.get', { entity: BOAT, components: ['list'] })).to.deep.equal({ list: [8, 7] });
      });
      answers('the whole value with an empty path', set(POSITION, '', { x: 0, y: 0, z: 1 }), null);
      refuses(
        'an entity that is not there',
        [method, { entity: 77, component: POSITION, path: 'x', value: 1 }],
        -23401,
        /^Entity \d+v0 not found$/,
      );
      refuses(
        'a component that is not there',
        [method, { entity: SHIP, component: 'Health', path: '', value: 1 }],
        -23403,
        /not present in Entity/,
      );
      refuses('an unknown type', set('x', '', 1), -23402, 'Unknown component type: `x`');
      refuses(
        'a member that is not there',
        set(POSITION, '.w', 1),
        -23402,
        "The struct accessed doesn't have a `w` field",
      );
      refuses(
        'a path that does not parse',
        set(POSITION, '.x[', 1),
        -23402,
        /^Encountered an error at offset 3 while parsing `.x\[`: /,
      );
      refuses(
        'a value that does not fit',
        set(POSITION, '.x', 'far'),
        -23402,
        /is invalid: .*the text "far" does not fit/,
      );
      refuses('an element beyond the end', set(BODY, '.translation[3]', 1), -23402, /index `3`/);
      refuses('a name', set(NAME, '', 'x'), -23402, /insert names it/);
    }
  });
});
