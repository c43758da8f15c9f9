// Watches over server-sent events and WebSockets, their first event, their end and their bounds.
import { expect } from 'chai';
import { double, pointer } from '../../model/state/declare.js';
import { DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import type { Sim } from '../../simulation/executive/simulation.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';
import { countPieces } from '../../testing/aids/computing.js';
import { TakenValues } from '../json-rpc/taken-values.js';

const POSITION = 'server::Position';
const SHIP = 4294967294;
const BOAT = 4294967293;
const WATCH = 'world.get_components+watch';
const asked = { entity: SHIP, components: [POSITION] };
const x = (value: number) => ({ x: value, y: 2, z: 3 });

describe('watches', () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
    await brp.ticks(2);
  });
  afterEach(() => brp.close());

  for (const method of ['bevy/get+watch', WATCH]) {
    it(`${method} tells what has changed, once a frame, and nothing on quiet frames`, async () => {
      const stream = await brp.watch(method, asked);
      await brp.ticks(3);
      expect(stream.messages).to.deep.equal([]);
      await brp.ticks(2, true);
      await brp.ticks(2);
      const event = (value: number) =>
        `data: {"jsonrpc":"2.0","id":"w","result":{"components":{"${POSITION}":${JSON.stringify(x(value))}},"removed":[],"errors":{}}}\n\n`;
      expect(stream.messages).to.deep.equal([event(2), event(3)]);
    });
  }

  it('tells what the client itself has changed just before', async () => {
    await brp.call('world.insert_components', { entity: SHIP, components: { Health: 1 } });
    const stream = await brp.watch(WATCH, { entity: SHIP, components: ['Health'] });
    expect(stream.data.map(({ result }) => result.components)).to.deep.equal([{ Health: 1 }]);
    await brp.call('world.mutate_components', { entity: SHIP, component: 'Health', path: '', value: 2 });
    await settled();
    expect(stream.data.at(-1).result.components).to.deep.equal({ Health: 2 });
  });

  it('tells what a client writes, also when the value stays the same, and once', async () => {
    const stream = await brp.watch(WATCH, asked);
    const other = await brp.watch(WATCH, { entity: BOAT, components: [POSITION] });
    const insert = (value: object) =>
      brp.call('world.insert_components', { entity: SHIP, components: { [POSITION]: value } });
    await insert(x(1));
    await insert(x(7));
    await brp.ticks(3);
    await brp.call('world.mutate_components', { entity: SHIP, component: POSITION, path: '.y', value: 2 });
    await brp.ticks(3);
    const told = stream.data.map(({ result }) => result.components[POSITION]);
    expect(told).to.deep.equal([x(1), x(7), x(7)]);
    expect(other.messages).to.deep.equal([]);
  });

  it('tells a name that a client has given', async () => {
    const stream = await brp.watch(WATCH, { entity: SHIP, components: ['Name'] });
    await brp.call('world.insert_components', { entity: SHIP, components: { Name: 'The Ship' } });
    await brp.ticks(3);
    expect(stream.data.map(({ result }) => result.components)).to.deep.equal([{ Name: 'The Ship' }]);
  });

  it('tells what is removed and what comes again, and answers strict without errors', async () => {
    const components = ['Body', 'Name', 'nope'];
    const stream = await brp.watch(WATCH, { entity: SHIP, components });
    const strict = await brp.watch(WATCH, { entity: SHIP, components: ['Body'], strict: true });
    await brp.call('world.remove_components', { entity: SHIP, components: ['Body'] });
    await settled();
    const errors = { nope: { code: -23402, message: 'Unknown component type: `nope`' } };
    expect(stream.data.map(({ result }) => result)).to.deep.equal([{ components: {}, removed: ['Body'], errors }]);
    expect(strict.data.map(({ result }) => result)).to.deep.equal([{ components: {}, removed: ['Body'] }]);
  });

  it('begins with everything when asked to', async () => {
    const stream = await brp.watch(WATCH, { ...asked, initial: true });
    expect(stream.data[0].result.components).to.deep.equal({ [POSITION]: x(1) });
    const list = await brp.watch('world.list_components+watch', { entity: BOAT, initial: true });
    expect(list.data[0].result.added).to.include(POSITION);
  });

  it('follows relations', async () => {
    const stream = await brp.watch(WATCH, { entity: SHIP, components: ['Children'] });
    await brp.call('world.reparent_entities', { entities: [BOAT] });
    await settled();
    expect(stream.data.map(({ result }) => result.removed)).to.deep.equal([['Children']]);
    await brp.call('world.reparent_entities', { entities: [BOAT], parent: SHIP });
    await settled();
    expect(stream.data.at(-1).result.components).to.deep.equal({ Children: [BOAT] });
  });

  it('world.observe+watch shows the messages of the simulation as lists', async () => {
    const stream = await brp.watch('world.observe+watch', { event: 'varwire::SimMessage' });
    await brp.call('server/shout', ['hello', 'there']);
    await settled();
    expect(stream.data.map(({ result }) => result)).to.deep.equal([
      [{ level: 'normal', text: 'hello there', time_seconds: 0.02 }],
    ]);
  });

  describe('end', () => {
    it('with one error when the entity has gone, and ask nothing of the simulation after', async () => {
      const stream = await brp.watch(WATCH, asked);
      await brp.call('world.despawn_entity', { entity: SHIP });
      await brp.ticks(3);
      expect(stream.data).to.deep.equal([
        { jsonrpc: '2.0', id: 'w', error: { code: -23401, message: 'Entity 1v0 not found' } },
      ]);
      expect(stream.isEnded).to.equal(true);
      expect(brp.registry.ledger.held('subscriptions')).to.equal(0);
    });

    it('when the client leaves', async () => {
      const stream = await brp.watch(WATCH, asked);
      expect(brp.registry.ledger.held('subscriptions')).to.equal(1);
      stream.cut();
      for (const holding of ['subscriptions', 'valuesPerSecond', 'keptBytes'] as const)
        expect(brp.registry.ledger.held(holding), holding).to.equal(0);
    });

    it('with a sentence when the server ends', async () => {
      const stream = await brp.watch(WATCH, asked);
      brp.close();
      expect(stream.data[0].error.message).to.equal('the watch has ended: the server ends');
    });

    for (const [name, method, params, code] of [
      ['an unknown method', 'world.nope+watch', {}, -32601],
      ['an unknown event', 'world.observe+watch', { event: 'E' }, -23501],
      ['no entity', WATCH, { components: [POSITION] }, -32602],
      ['an unknown entity', WATCH, { ...asked, entity: 5 }, -23401],
      ['an unknown type when strict', WATCH, { ...asked, components: ['x'], strict: true }, -23402],
    ] as const) {
      it(`at once, with one event, for ${name}`, async () => {
        const stream = await brp.watch(method, params);
        expect(stream.data.map(({ error }) => error.code)).to.deep.equal([code]);
        expect(stream.isEnded).to.equal(true);
      });
    }
  });

  it('give a slow client what has changed since it last read, as one event', async () => {
    const stream = await brp.watch(WATCH, { entity: SHIP, components: [POSITION, 'Body'] });
    stream.isStalled = true;
    const filler = { entity: SHIP, component: 'Body', path: 'label', value: 'changed' };
    Object.defineProperty(stream, 'pendingBytes', { get: () => (stream.isStalled ? 2 ** 20 : 0), configurable: true });
    await brp.ticks(3, true);
    await brp.call('world.mutate_components', filler);
    await brp.ticks(3, true);
    expect(stream.messages).to.deep.equal([]);
    stream.isStalled = false;
    await brp.ticks(1, true);
    const [event, ...more] = stream.data;
    expect(more).to.deep.equal([]);
    expect(event.result.components[POSITION]).to.deep.equal(x(8));
    expect(event.result.components.Body.label).to.equal('changed');
  });

  describe('of a large component', () => {
    const COUNT = 20_000;
    const large = (sim: Sim, count = COUNT): void => {
      const ship = sim.object('ship');
      const counts = ship.component('counts', double(count));
      ship.component('far', pointer(double())).pointTo(counts);
      let tick = 0;
      sim.job(0.01, () => {
        counts[1] = ++tick;
      });
    };

    it('are written in pieces, once for all who watch it, with the values of one frame', async () => {
      const server = await TestBrp.start({ build: large });
      await server.ticks(2);
      for (const component of ['server::ship::counts', 'server::ship::far']) {
        const wish = { entity: SHIP, components: [component] };
        const streams = [await server.watch(WATCH, wish), await server.watch(WATCH, wish, '10.0.0.9:1')];
        for (const { messages } of streams) messages.splice(0);
        const pieces = countPieces(server.registry.turns);
        server.clock.millisPerLook = 2;
        await server.ticks(1);
        while (streams.some(({ messages }) => messages.length === 0)) await settled();
        server.clock.millisPerLook = 0;
        // 256 values lie between two turns, and every other one comes at once by this clock.
        expect(pieces()).to.be.within(COUNT / 512 - 2, COUNT / 512 + 20);
        const values = streams.map(({ data }) => data[0].result.components[component]);
        expect(values[0]).to.have.length(COUNT);
        expect(values[1]).to.deep.equal(values[0]);
        for (const stream of streams) stream.cut();
      }
      server.close();
    });

    it('end with a sentence for a client that may not have so many bytes unread', async () => {
      const valuesPerSecond = { each: 100 * 15 * COUNT, all: 200 * 15 * COUNT };
      const bounds = { ...DEFAULT_BOUNDS, unreadBytes: { each: 100_000, all: 1_000_000 }, valuesPerSecond };
      const server = await TestBrp.start({ build: (sim) => large(sim, 15 * COUNT), bounds });
      await server.ticks(2);
      const stream = await server.watch(WATCH, { entity: SHIP, components: ['server::ship::counts'] });
      // The first frame that carries them is what the next one is compared with.
      await server.ticks(2);
      while (!stream.isEnded) await settled();
      expect(stream.data.map(({ error }) => error)).to.deep.equal([
        {
          code: -23418,
          message: 'the watch has ended: this client may not have as many bytes that it has not read',
        },
      ]);
      for (const holding of ['unreadBytes', 'keptBytes', 'subscriptions'] as const)
        expect(server.registry.ledger.held(holding)).to.equal(0);
      server.close();
    });
  });

  describe('of a component with a pointer', () => {
    const FAR = { entity: SHIP, components: ['server::ship::far'] };
    /** Two bytes a character of the name. */
    const NAME = 2 * 'server::ship::far'.length;
    const COUNTS = [10, 5000, 30_000];
    /** The pointer leads to as many values as are said last. */
    async function setUpPointing() {
      let wanted = 0;
      const server = await TestBrp.start({
        build: (sim) => {
          const ship = sim.object('ship');
          const far = ship.component('far', pointer(double()));
          const targets = COUNTS.map((count) => ship.component(`of${count}`, double(count)));
          sim.job(0.01, () => {
            for (const target of targets) if (target.length === wanted) far.pointTo(target);
          });
        },
        bounds: { ...DEFAULT_BOUNDS, valuesPerSecond: { each: 1_000_000, all: 2_000_000 } },
      });
      const point = async (count: number): Promise<void> => {
        wanted = count;
        await server.ticks(2);
      };
      const held = (): number[] =>
        (['valuesPerSecond', 'keptBytes'] as const).map((holding) => server.registry.ledger.held(holding));
      return { server, point, held };
    }

    it('count with what it leads to in each frame, and end with a sentence when that is too much', async () => {
      const { server, point, held } = await setUpPointing();
      await server.ticks(2);
      const stream = await server.watch(WATCH, FAR);
      expect(held()).to.deep.equal([100, 8 + NAME]);
      await point(10);
      expect(held()).to.deep.equal([1000, 4 + 80 + NAME]);
      await point(5000);
      while (stream.data.length < 2) await settled();
      expect(held()).to.deep.equal([500_000, 4 + 40_000 + NAME]);
      await point(30_000);
      expect(stream.data.at(-1).error.message).to.equal('a client may have 1000000 values a second');
      expect(held()).to.deep.equal([0, 0]);
      expect((await server.watch(WATCH, FAR)).data[0].error.code).to.equal(-23418);
      server.close();
    });

    it('copy nothing of a quiet frame', async () => {
      const { server, point } = await setUpPointing();
      await point(10);
      const stream = await server.watch(WATCH, FAR);
      const { take } = TakenValues.prototype;
      let copies = 0;
      TakenValues.prototype.take = function () {
        copies++;
        return take.call(this);
      };
      try {
        await server.ticks(5);
        expect([copies, stream.messages.length]).to.deep.equal([0, 0]);
        await point(5000);
        while (stream.messages.length === 0) await settled();
        expect(copies).to.be.above(0);
      } finally {
        TakenValues.prototype.take = take;
      }
      server.close();
    });

    it('count as polls too', async () => {
      const { server, point, held } = await setUpPointing();
      await point(5000);
      const data = { components: FAR.components };
      const { watermark } = await server.call('brp.poll', { data });
      const polling = server.call('brp.poll', { data, watermark });
      await settled();
      expect(held()).to.deep.equal([500_000, 4 + 40_000]);
      await point(10);
      expect((await polling).entities[0].components[FAR.components[0] as string]).to.have.length(10);
      server.close();
    });
  });

  it('are bounded: a client gets one sentence, others go on', async () => {
    const bounds = { ...DEFAULT_BOUNDS, subscriptions: { each: 2, all: 10 } };
    const small = await TestBrp.start({ bounds });
    const streams = [await small.watch(WATCH, asked), await small.watch(WATCH, asked)];
    const third = await small.watch(WATCH, asked);
    expect(third.data[0].error).to.deep.equal({ code: -23418, message: 'a client may have 2 subscriptions' });
    expect((await small.watch(WATCH, asked, '10.0.0.9:1')).messages).to.deep.equal([]);
    streams[0]?.cut();
    expect((await small.watch(WATCH, asked)).messages).to.deep.equal([]);
    small.close();
  });
});

describe('over a WebSocket', () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
    await brp.ticks(2);
  });
  afterEach(() => brp.close());

  const request = (method: string, params: unknown, id?: unknown): string =>
    JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params });

  it('events come with the id of their request until unwatch', async () => {
    const socket = await brp.open();
    const say = async (text: string): Promise<object[]> => {
      socket.send(text);
      await settled();
      return texts();
    };
    const texts = (): object[] => socket.written.splice(0).map((bytes) => JSON.parse(bytes.toString()));
    expect(await say(request(WATCH, asked, { a: 1 }))).to.deep.equal([]);
    expect(await say(request(WATCH, asked, { a: 1 })))
      .to.have.nested.property('[0].error.message')
      .that.matches(/is running/);
    expect(await say(request(WATCH, asked)))
      .to.have.nested.property('[0].error.message')
      .that.matches(/needs an id/);
    await brp.ticks(1, true);
    expect(texts()).to.deep.equal([
      { jsonrpc: '2.0', id: { a: 1 }, result: { components: { [POSITION]: x(2) }, removed: [], errors: {} } },
    ]);
    expect(await say(request('brp.unwatch', { watch: { a: 1 } }, 2))).to.deep.equal([
      { jsonrpc: '2.0', id: 2, result: null },
    ]);
    expect(await say(request('brp.unwatch', { watch: { a: 1 } }, 3))).to.have.nested.property('[0].error.code', -32602);
    await brp.ticks(2, true);
    expect(texts()).to.deep.equal([]);
    expect(await say(request(WATCH, { ...asked, entity: 9 }, 4))).to.have.nested.property('[0].error.code', -23401);
    expect(await say(request('world.list', { entity: SHIP }, 5)))
      .to.have.nested.property('[0].result')
      .that.includes(POSITION);
    await brp.ticks(1);
    expect(await say(request(WATCH, asked, 6))).to.deep.equal([]);
    const tooLong = 'y'.repeat(255);
    for (let count = 0; count < 2; count++) {
      const [refused] = await say(request(WATCH, asked, tooLong));
      expect(refused).to.nested.include({ id: tooLong, 'error.code': -32600 });
      expect(refused)
        .to.have.nested.property('error.message')
        .that.matches(/at most 256 characters/);
    }
    socket.leave();
    expect(brp.registry.ledger.held('subscriptions')).to.equal(0);
  });

  it('a client that is behind gets one event with the latest values when it no longer is', async () => {
    const socket = await brp.open();
    socket.send(request(WATCH, asked, 1));
    await settled();
    socket.isBehind = true;
    await brp.ticks(3, true);
    expect(socket.taken()).to.equal('');
    socket.read();
    expect(JSON.parse(socket.taken()))
      .to.have.nested.property('result.components')
      .that.deep.equals({ [POSITION]: x(4) });
  });

  it('a watch over HTTP is ended by its stream, not by brp.unwatch', async () => {
    expect(await brp.call('brp.unwatch', { watch: 1 })).to.deep.include({ code: -32602 });
  });
});
