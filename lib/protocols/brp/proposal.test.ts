// The examples of the proposal before Bevy's protocol, as its text prints them.
import { expect } from 'chai';
import { double, struct } from '../../model/state/declare.js';
import type { Sim } from '../../simulation/executive/simulation.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';
import { TestExchange } from '../../testing/aids/http-exchange.js';

/** Three entities without a parent, of which the last has a Position, is a Player and has a child. */
function stage(sim: Sim): void {
  const Position = sim.type(struct('Position', { x: double(), y: double(), z: double() }));
  const Player = sim.type(struct('Player', {}));
  sim.object('Camera');
  sim.object('Light');
  const player = sim.object('Player');
  player.component('position', Position, { x: 9 });
  player.component('player', Player);
  sim.object('Sword', { parent: player });
}

const ROOTS = '"data": { "components": ["Name"] }, "filter": { "without": { "components": ["Parent"] } }';
const ENTITIES = [
  { id: '1v0', Name: { JSON: '"Camera"' } },
  { id: '2v0', Name: { JSON: '"Light"' } },
  { id: '3v0', Name: { JSON: '"Player"' } },
];
const POSITION = '{ \\"x\\": 1.0, \\"y\\": 2.0, \\"z\\": 3.0}';

describe("the proposal before Bevy's protocol", () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start({ build: stage });
  });
  afterEach(() => brp.close());

  const query = (params: object) => brp.post({ id: 1, request: 'QUERY', params }).then(({ response }) => response);
  /** A poll that may wait; its answer is read from the exchange. */
  const poll = async (params: object) => {
    const exchange = new TestExchange({ method: 'POST', body: JSON.stringify({ id: 4, request: 'POLL', params }) });
    void brp.router.handle(exchange);
    await settled();
    return { answer: () => exchange.json.response, exchange };
  };
  /** Without Trick's own objects, which come behind those of the simulation. */
  const own = (rows: readonly object[]) => rows.slice(0, ENTITIES.length);

  it('finds all root entities', async () => {
    const { id, response } = await brp.post(`{ "id": 1, "request": "QUERY", "params": { ${ROOTS} } }`);
    expect([id, Object.keys(response), own(response.entities)]).to.deep.equal([1, ['entities'], ENTITIES]);
  });

  it('updates and gets the position of an entity', async () => {
    const update = `"params": { "entity": "3v0", "components": { "Position": { "JSON": "${POSITION}" } } }`;
    expect(await brp.post(`{ "id": 2, "request": "INSERT", ${update} }`)).to.deep.equal({
      id: 2,
      response: { status: 'OK' },
    });
    const got = await brp.post(
      '{ "id": 3, "request": "GET", "params": { "entity": "3v0", "components": ["Position"] } }',
    );
    expect(got).to.deep.equal({ id: 3, response: { components: { Position: { JSON: '{"x":1,"y":2,"z":3}' } } } });
  });

  it('removes a component from an entity', async () => {
    const body = '{ "id": 3, "request": "REMOVE", "params": { "entity": "3v0", "components": ["Player"] } }';
    expect(await brp.post(body)).to.deep.equal({ id: 3, response: { status: 'OK' } });
    expect(await query({ data: { components: ['Player'] } })).to.deep.equal({ entities: [] });
  });

  it('polls for changes in the entity list', async () => {
    const { id, response } = await brp.post(
      `{ "id": 4, "request": "POLL", "params": { ${ROOTS}, "watermark": null } }`,
    );
    expect(id).to.equal(4);
    expect(response).to.have.all.keys('entities', 'watermark');
    expect([own(response.entities), typeof response.watermark]).to.deep.equal([ENTITIES, 'string']);
  });

  for (const filter of [{ without: ['Parent'] }, { without: { components: ['ChildOf'] } }]) {
    it(`takes the filter ${JSON.stringify(filter)}`, async () => {
      const { entities } = await query({ data: { components: ['Name'] }, filter });
      expect(own(entities)).to.deep.equal(ENTITIES);
      expect(JSON.stringify(entities)).to.not.include('Sword');
    });
  }

  it('takes `with` in both forms', async () => {
    for (const list of [['Parent'], { components: ['Parent'] }]) {
      const { entities } = await query({ data: { components: ['Name'] }, filter: { with: list } });
      expect(entities).to.deep.equal([{ id: '4v0', Name: { JSON: '"Sword"' } }]);
    }
  });

  it('writes entities as text in relations, and takes them so', async () => {
    const { entities } = await query({ data: { optional: ['Children', 'Parent'], has: ['Player'] } });
    expect(entities.slice(2, 4)).to.deep.equal([
      { id: '3v0', Children: { JSON: '["4v0"]' }, has: { Player: true } },
      { id: '4v0', Parent: { JSON: '"3v0"' }, has: { Player: false } },
    ]);
    const params = { entity: '4v0', components: { Parent: { JSON: '"1v0"' } } };
    expect((await brp.post({ id: 5, request: 'INSERT', params })).response).to.deep.equal({ status: 'OK' });
    const got = await brp.post({ id: 6, request: 'GET', params: { entity: '1v0', components: ['Children'] } });
    expect(got.response).to.deep.equal({ components: { Children: { JSON: '["4v0"]' } } });
  });

  it('refuses names that the world does not have, wherever they stand', async () => {
    for (const params of [
      { data: { components: ['Health'] } },
      { data: { optional: ['Health'] } },
      { data: { has: ['Health'] } },
      { data: {}, filter: { without: ['Health'] } },
    ]) {
      expect((await query(params)).error.name, JSON.stringify(params)).to.equal('ComponentNotFound');
      const { answer } = await poll({ ...params, watermark: null });
      expect(answer().error.name).to.equal('ComponentNotFound');
    }
    const { answer } = await poll({ data: {}, filter: { changed: ['Health'] }, watermark: null });
    expect(answer().error.name).to.equal('ComponentNotFound');
  });

  for (const params of [
    { data: 'Name' },
    { data: { Components: ['Name'] } },
    { data: {}, filter: 'Parent' },
    { data: {}, filter: ['Parent'] },
    { data: {}, filter: { wihtout: ['Parent'] } },
    { data: {}, filter: { changed: ['Name'] } },
    { data: {}, filter: { without: { names: ['Parent'] } } },
    { data: {}, filter: { without: 5 } },
  ]) {
    it(`refuses a query that it does not understand: ${JSON.stringify(params)}`, async () => {
      expect((await query(params)).error.name).to.equal('InvalidQuery');
    });
  }

  it('refuses a short name that means something else in a row', async () => {
    const own = await TestBrp.start({ build: (sim) => void sim.object('a').component('id', double(), 5) });
    const ask = (name: string) => own.post({ id: 1, request: 'QUERY', params: { data: { components: [name] } } });
    expect((await ask('id')).response.error.name).to.equal('InvalidQuery');
    expect((await ask('server::a::id')).response).to.deep.equal({
      entities: [{ id: '1v0', 'server::a::id': { JSON: '5' } }],
    });
    own.close();
  });

  it('POLL goes on until the query shows something else, and tells who has gone by text', async () => {
    const asked = { data: { components: ['Name'] }, filter: { with: { components: ['Parent'] } } };
    const { watermark } = (await poll({ ...asked, watermark: null })).answer();
    const { answer, exchange } = await poll({ ...asked, watermark });
    brp.clock.advance(100_000_000);
    await settled();
    expect(exchange.isAnswered).to.equal(false);
    await brp.post({ id: 7, request: 'DESTROY', params: { entity: '4v0' } });
    await settled();
    expect({ ...answer(), watermark: 0 }).to.deep.equal({ entities: [], watermark: 0, removed: ['4v0'] });
  });

  it('POLL ends where it is told to', async () => {
    const asked = { data: { components: ['Name'] } };
    const { watermark } = (await poll({ ...asked, watermark: null })).answer();
    const { answer } = await poll({ ...asked, watermark, timeout_ms: 50 });
    brp.clock.advance(60);
    await settled();
    expect(answer()).to.deep.equal({ entities: [], watermark });
  });
});
