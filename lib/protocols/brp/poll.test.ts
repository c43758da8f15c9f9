// brp.poll: what it answers, when, and what it remembers; and the proposal's own way to ask.
import { expect } from 'chai';
import { array, double, pointer, struct } from '../../model/state/declare.js';
import { DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import type { Sim } from '../../simulation/executive/simulation.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';
import { TestExchange } from '../../testing/aids/http-exchange.js';
import { Cells } from './cells.js';

const POSITION = 'server::Position';
const SHIP = 4294967294;
const BOAT = 4294967293;
const data = { components: [POSITION] };

describe('brp.poll', () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
    await brp.ticks(2);
  });
  afterEach(() => brp.close());

  const first = () => brp.call('brp.poll', { data, watermark: null });
  /** A poll that waits; its answer is read from the exchange. */
  const begin = async (params: object, method = 'brp.poll'): Promise<TestExchange> => {
    const exchange = new TestExchange({
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    void brp.router.handle(exchange);
    await settled();
    return exchange;
  };

  for (const method of ['brp.poll', 'bevy/poll', 'world.poll']) {
    it(`${method} answers everything at once without a watermark`, async () => {
      const { entities, watermark, sim_time, ...rest } = await brp.call(method, { data, filter: { with: ['Body'] } });
      const entity = method === 'bevy/poll' ? 2 ** 32 + 1 : SHIP;
      expect(entities).to.deep.equal([{ entity, components: { [POSITION]: { x: 1, y: 2, z: 3 } } }]);
      expect(watermark).to.be.a('string');
      expect(sim_time).to.deep.equal({ sec_si: 0.02, label: 'sim_elapsed' });
      expect(rest).to.deep.equal({});
    });
  }

  it('waits until something differs, and then answers all rows and a new watermark', async () => {
    const { watermark } = await first();
    const exchange = await begin({ data, watermark });
    await brp.ticks(3);
    expect(exchange.isAnswered).to.equal(false);
    await brp.ticks(1, true);
    const { entities, watermark: next } = exchange.json.result;
    expect(entities.map(({ entity }: { entity: number }) => entity)).to.deep.equal([SHIP, BOAT]);
    expect(entities[0].components[POSITION].x).to.equal(2);
    expect(next).not.to.equal(watermark);
    expect(brp.registry.ledger.held('parked')).to.equal(0);
  });

  it('answers at once what has differed since the watermark', async () => {
    const { watermark } = await first();
    await brp.ticks(2, true);
    const answer = await brp.call('brp.poll', { data, filter: { changed: [POSITION] }, watermark });
    expect(answer.entities.map(({ entity }: { entity: number }) => entity)).to.deep.equal([SHIP]);
    expect(answer).to.not.have.property('resync');
  });

  it('with changed, answers only the rows that differ', async () => {
    const { watermark } = await brp.call('brp.poll', { data, filter: { changed: [POSITION] } });
    const exchange = await begin({ data, filter: { changed: [POSITION] }, watermark });
    await brp.call('world.mutate_components', { entity: BOAT, component: POSITION, path: 'x', value: 5 });
    await settled();
    expect(exchange.json.result.entities).to.deep.equal([
      { entity: BOAT, components: { [POSITION]: { x: 5, y: 0, z: 0 } } },
    ]);
  });

  it('answers when entities come and go, but not when others do', async () => {
    const { watermark } = await first();
    const exchange = await begin({ data, watermark });
    await brp.call('world.spawn_entity', { components: { Health: 1 } });
    await settled();
    expect(exchange.isAnswered).to.equal(false);
    const components = { [POSITION]: { x: 0, y: 0, z: 0 } };
    const { entity } = await brp.call('world.spawn_entity', { components });
    await settled();
    const { entities, watermark: next } = exchange.json.result;
    expect(entities).to.have.length(3).and.deep.include({ entity, components });
    const after = await begin({ data, watermark: next });
    await brp.call('world.despawn_entity', { entity });
    await settled();
    expect(after.json.result.removed).to.deep.equal([entity]);
    expect(after.json.result.entities).to.have.length(2);
  });

  it('answers the same watermark and no entities when time runs out, however often', async () => {
    let { watermark } = await first();
    for (let round = 0; round < 3; round++) {
      const exchange = await begin({ data, watermark, timeout_ms: 500 });
      await brp.ticks(200);
      brp.clock.advance(501);
      await settled();
      const { result } = exchange.json;
      expect(result).to.deep.include({ entities: [], watermark });
      watermark = result.watermark;
    }
    expect(brp.registry.ledger.held('keptBytes')).to.equal(0);
  });

  it('says so when it no longer knows what has changed', async () => {
    const { watermark } = await first();
    await brp.ticks(300, true);
    const { entities, resync } = await brp.call('brp.poll', { data, filter: { changed: [POSITION] }, watermark });
    expect([entities.length, resync]).to.deep.equal([2, true]);
    const other = await brp.call('brp.poll', { data, watermark: `abcdefgh${watermark.slice(8)}` });
    expect(other.resync).to.equal(true);
  });

  for (const watermark of ['', 'x', '1.2.3', 'abcdefgh.1.x', `abcdefgh.${'9'.repeat(16)}.x`]) {
    it(`refuses the watermark ${JSON.stringify(watermark)}`, async () => {
      expect(await brp.call('brp.poll', { data, watermark })).to.deep.include({ code: -32602 });
    });
  }

  it('stops when its client leaves or the server ends', async () => {
    const { watermark } = await first();
    const exchange = await begin({ data, watermark });
    expect(brp.registry.ledger.held('parked')).to.equal(1);
    exchange.cut();
    await settled();
    expect(brp.registry.ledger.held('parked')).to.equal(0);
    expect(brp.registry.ledger.held('keptBytes')).to.equal(0);
    const second = await begin({ data, watermark });
    brp.close();
    await settled();
    expect(second.json.error.message).to.equal('the poll has ended: the server ends');
  });

  it('leaves nothing behind when it cannot look at a frame that has come meanwhile', async () => {
    const Many = struct('Many', { all: array(pointer(double()), 6000) });
    let isFar = false;
    const build = (sim: Sim): void => {
      const ship = sim.object('ship');
      const far = ['far', 'near'].map((name) => ship.component(name, pointer(Many)));
      const many = ship.component('many', Many);
      sim.job(0.01, () => {
        // Each alone is not too much.
        if (isFar) for (const one of far) one.pointTo(many);
      });
    };
    const server = await TestBrp.start({ build });
    await server.ticks(2);
    const asked = { data: { components: ['server::ship::far', 'server::ship::near'] } };
    const { watermark } = await server.call('brp.poll', asked);
    const socket = await server.open();
    const { release } = Cells.prototype;
    // The evaluation of the poll is over then.
    Cells.prototype.release = function () {
      release.call(this);
      isFar = true;
      void server.ticks(1);
    };
    try {
      const { pending } = server.clock;
      const params = { ...asked, watermark };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'brp.poll', params }));
      await settled();
      const { code, message } = socket.texts[0].error;
      expect([code, server.clock.pending]).to.deep.equal([-23418, pending]);
      expect(message).to.include('a read follows at most 4000 pointers');
      expect(server.registry.ledger.held('parked')).to.equal(0);
    } finally {
      Cells.prototype.release = release;
      server.close();
    }
  });

  it('is bounded', async () => {
    const small = await TestBrp.start({ bounds: { ...DEFAULT_BOUNDS, parked: { each: 0, all: 0 } } });
    const { watermark } = await small.call('brp.poll', { data });
    expect(await small.call('brp.poll', { data, watermark })).to.deep.include({ code: -23418 });
    small.close();
  });
});

describe('the proposal', () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
    await brp.ticks(1);
  });
  afterEach(() => brp.close());
  const ask = async (request: string, params: object) => (await brp.post({ id: 7, request, params })).response;
  const POSITION_TEXT = { JSON: '{"x":1,"y":2,"z":3}' };

  it('is answered in its own envelope', async () => {
    expect(await brp.post({ id: 3, request: 'PING' })).to.deep.equal({ id: 3, response: { status: 'OK' } });
  });

  it('reads, makes, changes and removes, with values as text and entities as 1v0', async () => {
    expect(await ask('GET', { entity: '1v0', components: [POSITION] })).to.deep.equal({
      components: { [POSITION]: POSITION_TEXT },
    });
    const rows = await ask('QUERY', {
      next: 1,
      data: { components: [POSITION], optional: ['Body'], has: ['Name'] },
      filter: { with: ['Body'] },
    });
    expect(rows.entities[0]).to.deep.include({ id: '1v0', has: { Name: true } });
    expect(rows.entities[0]).to.have.all.keys('id', POSITION, 'Body', 'has');
    const { entity } = await ask('SPAWN', { components: { Health: { JSON: '5' } } });
    expect(entity).to.match(/^\d+v0$/);
    expect(await ask('INSERT', { entity, components: { Health: { JSON: '6' } } })).to.deep.equal({ status: 'OK' });
    expect(await ask('REPARENT', { entity, parent: '1v0' })).to.deep.equal({ status: 'OK' });
    expect(await ask('GET', { entity, components: ['Health', 'ChildOf'] })).to.deep.equal({
      components: { Health: { JSON: '6' }, ChildOf: { JSON: '"1v0"' } },
    });
    expect(await ask('REMOVE', { entity, components: ['Health'] })).to.deep.equal({ status: 'OK' });
    expect(await ask('DESTROY', { entity })).to.deep.equal({ status: 'OK' });
    const { watermark, entities } = await ask('POLL', { data: { components: [POSITION] }, watermark: null });
    expect(entities).to.have.length(2);
    expect(watermark).to.be.a('string');
  });

  for (const [request, params, name] of [
    ['GET', { entity: '99v0', components: [] }, 'EntityNotFound'],
    ['GET', { entity: 'x', components: [] }, 'InvalidEntity'],
    ['GET', { entity: '1v0', components: ['x'] }, 'ComponentNotFound'],
    ['SPAWN', { components: { Health: { JSON: '"x"' } } }, 'ComponentTypeMismatch'],
    ['SPAWN', { components: { Health: { RON: '5' } } }, 'InvalidQuery'],
    ['POLL', { data: {}, watermark: 'x' }, 'InvalidWatermark'],
    ['NOPE', {}, 'InvalidRequest'],
  ] as const) {
    it(`answers ${request} with the error ${name}`, async () => {
      expect((await ask(request, params)).error.name).to.equal(name);
    });
  }
});
