// The envelope of the proposal before Bevy's protocol, over real HTTP: every request, its answer, and one refusal.
import { expect } from 'chai';
import { endAfterFailure, ServerHere } from '../launch.js';

const FLEET = new URL('./fleet.js', import.meta.url);
const POSITION = 'server::Position';
const BEACON = 'fleet::Beacon';
const NAME = 'bevy_ecs::name::Name';
const PARENT = 'bevy_ecs::hierarchy::ChildOf';
const VALUE = { x: 1, y: 2, z: 3 };
const DONE = { status: 'OK' };
const NOBODY = '999999v0';

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Answer = any;

const json = (value: unknown) => ({ JSON: JSON.stringify(value) });
const values = (value: unknown) => ({ [POSITION]: json(value) });
const shown = (value: unknown) => ({ components: values(value) });

for (const [where, portOf] of [
  ['its own port', (server: ServerHere) => server.brpPort],
  ['the main port', (server: ServerHere) => server.port],
] as const) {
  describe(`the proposal before Bevy's protocol, at ${where}`, () => {
    let server: ServerHere;
    let entity: string;
    const launch = async () => {
      server = await ServerHere.start(FLEET, { options: ['--no-discovery', '--brp', '0'] });
    };
    const ask = async (request: string, params?: object): Promise<Answer> => {
      const body = JSON.stringify({ id: 7, request, params });
      const response = await fetch(`http://127.0.0.1:${portOf(server)}/`, { method: 'POST', body });
      const { id, ...rest } = (await response.json()) as Answer;
      expect([response.status, id, Object.keys(rest)]).to.deep.equal([200, 7, ['response']]);
      return rest.response;
    };
    const row = async (with_: string) => {
      const { entities } = await ask('QUERY', { data: { components: [POSITION] }, filter: { with: [with_] } });
      return entities;
    };
    before(launch);
    after(() => server?.stop());
    beforeEach(async () => {
      const components = { [NAME]: json('thing'), [POSITION]: json(VALUE), [BEACON]: json({}) };
      entity = (await ask('SPAWN', { components })).entity;
    });
    afterEach(async function () {
      await ask('DESTROY', { entity });
      if (await endAfterFailure(this, server)) await launch();
    });

    it('PING', async () => expect(await ask('PING')).to.deep.equal(DONE));

    it('GET', async () => {
      expect(await ask('GET', { entity, components: [POSITION] })).to.deep.equal(shown(VALUE));
    });

    it('QUERY, with `optional` or `option`', async () => {
      expect(await row(BEACON)).to.deep.equal([{ id: entity, ...values(VALUE) }]);
      for (const name of ['optional', 'option']) {
        const data = { [name]: [POSITION], has: [BEACON, PARENT] };
        expect(await ask('QUERY', { data, filter: { with: [BEACON] } })).to.deep.equal({
          entities: [{ id: entity, ...values(VALUE), has: { [BEACON]: true, [PARENT]: false } }],
        });
      }
    });

    it('SPAWN and DESTROY', async () => {
      const made = await ask('SPAWN', { components: { [POSITION]: json({ ...VALUE, x: 9 }) } });
      expect(made).to.have.all.keys('entity');
      expect(made.entity).to.match(/^\d+v0$/);
      expect(await ask('GET', { ...made, components: [POSITION] })).to.deep.equal(shown({ ...VALUE, x: 9 }));
      expect(await ask('DESTROY', made)).to.deep.equal(DONE);
      expect((await ask('GET', { ...made, components: [] })).error.name).to.equal('EntityNotFound');
    });

    it('INSERT and REMOVE', async () => {
      expect(await ask('INSERT', { entity, ...shown({ ...VALUE, y: -2 }) })).to.deep.equal(DONE);
      expect(await row(BEACON)).to.deep.equal([{ id: entity, ...values({ ...VALUE, y: -2 }) }]);
      expect(await ask('REMOVE', { entity, components: [BEACON] })).to.deep.equal(DONE);
      expect(await row(BEACON)).to.deep.equal([]);
    });

    it('REPARENT moves one entity', async () => {
      const { entity: parent } = await ask('SPAWN', { components: {} });
      expect(await ask('REPARENT', { entity, parent })).to.deep.equal(DONE);
      const family = async () => (await row(PARENT)).map((one: Answer) => one.id);
      expect(await family()).to.include(entity);
      expect(await ask('REPARENT', { entity })).to.deep.equal(DONE);
      expect(await family()).to.not.include(entity);
      await ask('DESTROY', { entity: parent });
    });

    it('POLL answers at once without a watermark, and later when the query shows something else', async () => {
      const asked = { data: { components: [POSITION] }, filter: { with: [BEACON] } };
      const first = await ask('POLL', { ...asked, watermark: null });
      expect(first.entities).to.deep.equal([{ id: entity, ...values(VALUE) }]);
      const later = ask('POLL', { ...asked, watermark: first.watermark });
      await ask('INSERT', { entity, ...shown({ ...VALUE, z: 0.5 }) });
      const second = await later;
      expect(second.entities).to.deep.equal([{ id: entity, ...values({ ...VALUE, z: 0.5 }) }]);
      expect(second.watermark).to.be.a('string').and.not.equal(first.watermark);
    });

    for (const [request, params, name] of [
      ['GET', { entity: NOBODY, components: [] }, 'EntityNotFound'],
      ['GET', { entity: 'me', components: [] }, 'InvalidEntity'],
      ['QUERY', { data: { components: 5 } }, 'InvalidQuery'],
      ['SPAWN', { components: { 'a::B': json(1) } }, 'ComponentNotFound'],
      ['SPAWN', { components: { [POSITION]: json('x') } }, 'ComponentTypeMismatch'],
      ['DESTROY', { entity: NOBODY }, 'EntityNotFound'],
      ['INSERT', { entity: NOBODY, components: {} }, 'EntityNotFound'],
      ['REMOVE', { entity: NOBODY, components: ['a::B'] }, 'ComponentNotFound'],
      ['REPARENT', { entity: NOBODY }, 'EntityNotFound'],
      ['POLL', { data: {}, watermark: 'mine' }, 'InvalidWatermark'],
      ['LOOK', {}, 'InvalidRequest'],
    ] as const) {
      it(`${request} ${JSON.stringify(params)} is refused as ${name}`, async () => {
        const { error } = await ask(request, params);
        expect(error).to.have.all.keys('name', 'message');
        expect(error.name, error.message).to.equal(name);
      });
    }
  });
}
