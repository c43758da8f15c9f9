// The methods of Bevy's protocol under the names of both generations, with their shapes, errors and wordings.
import { expect } from 'chai';
import {
  BOAT,
  BODY,
  BODY_VALUE,
  CHILD_OF,
  CHILDREN,
  casesOf,
  NAME,
  OLD_BOAT,
  OLD_SHIP,
  POSITION,
  SHIP,
} from '../../testing/aids/brp-cases.js';
import { TestBrp } from '../../testing/aids/brp-server.js';

describe("the methods of Bevy's protocol", () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
  });
  afterEach(() => brp.close());

  const { answers, refuses } = casesOf(() => brp);

  for (const [method, ship] of [
    ['bevy/get', OLD_SHIP],
    ['world.get_components', SHIP],
  ] as const) {
    const isOld = method === 'bevy/get';
    const missing = `Component \`${CHILD_OF}\` not present in Entity 1v${isOld ? 1 : 0}`;
    const params = { entity: ship, components: [POSITION, 'Name', CHILD_OF, 'nope'] };
    answers('values and errors by the names asked for', [method, params], {
      components: { [POSITION]: { x: 1, y: 2, z: 3 }, Name: 'ship' },
      errors: {
        [CHILD_OF]: { code: -23403, message: missing },
        nope: { code: -23402, message: 'Unknown component type: `nope`' },
      },
    });
    answers('values alone when strict', [method, { entity: ship, components: [BODY], strict: true }], {
      [BODY]: BODY_VALUE,
    });
    refuses(
      'an absent component when strict',
      [method, { ...params, components: [CHILD_OF], strict: true }],
      -23403,
      missing,
    );
    refuses(
      'an unknown type when strict',
      [method, { ...params, components: ['x'], strict: true }],
      -23402,
      'Unknown component type: `x`',
    );
    refuses(
      'an entity that is not there',
      [method, { entity: 8589934595, components: [] }],
      -23401,
      /^Entity \d+v2 not found$/,
    );
    refuses('zero in the low bits', [method, { entity: 0, components: [] }], -32602, /expected an entity/);
    refuses('no params', [method], -32602, 'Params not provided');
    refuses('a missing parameter', [method, { entity: ship }], -32602, 'missing field `components`');
    refuses(
      'a parameter of another kind',
      [method, { entity: ship, components: 'x' }],
      -32602,
      /^invalid type: string "x", expected array/,
    );
  }
  refuses(
    'an entity by its number and generation',
    ['bevy/get', { entity: 4294967395, components: [] }],
    -23401,
    'Entity 99v1 not found',
  );

  for (const entity of ['4294967297v1', '4294967294v0', '1v0', '1v1']) {
    answers(
      `the shape of a document before a release, ${entity}`,
      ['world.get', { entity, components: ['Position'] }],
      {
        Position: { x: 1, y: 2, z: 3 },
      },
    );
  }
  answers(
    'what stands for a relation in each numbering',
    ['bevy/get', { entity: BOAT, components: [CHILD_OF], strict: true }],
    {
      [CHILD_OF]: OLD_SHIP,
    },
  );
  answers('children as a list', ['world.get', { entity: '1v0', components: [CHILDREN] }], { [CHILDREN]: [BOAT] });
  answers('null for a number that JSON lacks', ['world.get', { entity: BOAT, components: ['list', 'far'] }], {
    list: [1, null],
    far: [4, 5],
  });

  describe('queries:', () => {
    const data = { components: [POSITION] };
    answers(
      'rows with values',
      ['world.query', { data }],
      [
        { entity: SHIP, components: { [POSITION]: { x: 1, y: 2, z: 3 } } },
        { entity: BOAT, components: { [POSITION]: { x: 10, y: 0, z: 0 } } },
      ],
    );
    answers(
      'the numbering before 0.17',
      ['bevy/query', { data, filter: { with: [CHILD_OF] } }],
      [{ entity: OLD_BOAT, components: { [POSITION]: { x: 10, y: 0, z: 0 } } }],
    );
    answers(
      'has, option and without',
      [
        'world.query',
        {
          data: { option: [BODY, 'nope'], has: [CHILD_OF, 'nope'] },
          filter: { with: [POSITION], without: ['nope', CHILD_OF] },
        },
      ],
      [{ entity: SHIP, components: { [BODY]: BODY_VALUE }, has: { [CHILD_OF]: false, nope: false } }],
    );
    answers(
      'all components',
      ['world.query', { data: { option: 'all' }, filter: { with: [BODY] } }],
      [
        {
          entity: SHIP,
          components: { [POSITION]: { x: 1, y: 2, z: 3 }, [BODY]: BODY_VALUE, [NAME]: 'ship', [CHILDREN]: [BOAT] },
        },
      ],
    );
    answers('no rows for an unknown component', ['world.query', { data: { components: ['nope'] } }], []);
    answers('no rows for an unknown filter', ['world.query', { data: {}, filter: { with: ['nope'] } }], []);
    refuses(
      'an unknown component when strict',
      ['world.query', { data: { components: ['nope'] }, strict: true }],
      -23402,
      "Component `nope` isn't registered or used in the world",
    );
    refuses('params without data', ['world.query', {}], -32602, 'missing field `data`');
    refuses('no params before 0.17', ['bevy/query'], -32602, 'Params not provided');
    refuses(
      'other words for all',
      ['world.query', { data: { option: 'some' } }],
      -32602,
      /expected type paths, or "all"/,
    );
    it('all entities, without params', async () => {
      const rows = await brp.call('world.query');
      expect(rows).to.deep.include({ entity: SHIP, components: {} });
      expect(rows.length).to.be.above(2);
    });
    it('any unknown name is an error in 0.15', async () => {
      const old = await TestBrp.start({ preferred: '0.15' });
      const params = { data: { has: ['nope'] } };
      expect(await old.call('bevy/query', params)).to.deep.include({ code: -23402 });
      expect(await old.call('world.query', params)).to.be.an('array');
      old.close();
    });
  });

  describe('lists:', () => {
    for (const method of ['bevy/list', 'world.list_components', 'world.list']) {
      it(`${method} has all type paths, sorted`, async () => {
        const all: string[] = await brp.call(method);
        expect(all).to.include.members([
          POSITION,
          BODY,
          NAME,
          CHILD_OF,
          CHILDREN,
          'server::Marker',
          'server::boat::list',
        ]);
        expect(all).to.deep.equal([...all].sort());
      });
      answers(
        'those of an entity',
        [method, { entity: BOAT }],
        [CHILD_OF, NAME, POSITION, 'server::boat::far', 'server::boat::list', 'server::boat::spare'],
      );
    }
    it('has the type paths of 0.15 when they are preferred', async () => {
      const old = await TestBrp.start({ preferred: '0.15' });
      expect(await old.call('bevy/list', { entity: BOAT })).to.include.members([
        'bevy_core::name::Name',
        'bevy_hierarchy::components::parent::Parent',
      ]);
      old.close();
    });
    answers(
      'the names of 0.15 are known at any time',
      ['world.get', { entity: SHIP, components: ['bevy_core::name::Name'] }],
      {
        'bevy_core::name::Name': 'ship',
      },
    );
  });
});
