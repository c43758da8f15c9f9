// Subscriptions to many values: the same text as for few, made in turns; what is due meanwhile is counted.
import { expect } from 'chai';
import { array, double, int, pointer } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, type TestStream, turn } from '../../testing/aids/http-exchange.js';
import { pointAt } from '../../testing/aids/point-at.js';

const COUNT = 6000;

function setUp() {
  const ball = new TestBall((state) => {
    const field = state.addObject('field');
    field.component('values', double(COUNT, { units: 'm' }));
    field.component('counts', int([2, 3]));
    field.component('many', double(COUNT));
  });
  const server = new TestServer(ball);
  ball.store(
    'field.values',
    Array.from({ length: COUNT }, (_, k) => k / 7),
  );
  ball.store(
    'field.many',
    Array.from({ length: COUNT }, (_, k) => -k),
  );
  ball.ticks(1);
  return { ball, server };
}

async function subscribed(server: TestServer, params: object): Promise<TestStream> {
  const { subscription_id } = await server.call('var/subscribe', params);
  return server.stream(subscription_id);
}

/** What /metrics counts as left out. */
const droppedIn = ({ registry }: TestServer): number =>
  [...registry.traffic.values()].reduce((sum, { droppedMessages }) => sum + droppedMessages, 0);

async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await turn();
}

describe('a subscription to many values', () => {
  it('sends them as one to few values does', async () => {
    const { ball, server } = setUp();
    ball.store('field.values', [0.1, ...Array<number>(COUNT - 2).fill(1e300), Number.NaN]);
    ball.ticks(1);
    const few = await subscribed(server, { aliases: ['field.counts', 'ball.position[1]'] });
    const aliases = ['field.values', 'field.counts', 'ball.position[1]', 'ball.position [1]', 'field.values[3]'];
    const stream = await subscribed(server, { aliases, units: { 'field.values[3]': 'km' } });
    await until(() => stream.messages.length > 0);
    const [message = ''] = stream.messages;
    const [, id] = /^id: (\d+)\nevent: var\ndata: \{.*\}\n\n$/.exec(message) ?? [];
    expect(Number(id)).to.equal(ball.frame.header.number);
    const [{ values, ...rest }] = stream.data;
    const [small] = few.data;
    expect(rest).to.deep.equal({ sim_time: small.sim_time });
    expect(Object.keys(values)).to.deep.equal(aliases);
    expect(values['field.values'].slice(0, 2)).to.deep.equal([0.1, 1e300]);
    expect(values['field.values'][COUNT - 1]).to.equal('NaN');
    expect(values['field.values[3]']).to.equal(1e297);
    expect([values['ball.position[1]'], values['ball.position [1]']]).to.deep.equal([9.1, 9.1]);
    expect(values['field.counts']).to.deep.equal(small.values['field.counts']);
  });

  it('of single elements is one message of one frame', async () => {
    const { ball, server } = setUp();
    const aliases = Array.from({ length: COUNT }, (_, k) => `field.many[${k}]`);
    const stream = await subscribed(server, { aliases });
    ball.store('field.many', Array<number>(COUNT).fill(5));
    await until(() => stream.messages.length > 0);
    expect(stream.data[0].values).to.deep.equal(Object.fromEntries(aliases.map((alias, k) => [alias, 0 - k])));
  });

  it('leaves out what is due while a message is made, says how many, and sends the latest', async () => {
    const { ball, server } = setUp();
    const peer = server.open();
    const params = { aliases: ['field.values', 'field.many', 'ball.position[1]'], cycle_ms: 0 };
    await peer.say({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params });
    ball.ticks(8, (tick) => ball.store('ball.position[1]', tick));
    const position = ({ params: { values } }: (typeof peer.texts)[number]) => values['ball.position[1]'];
    const last = ball.frame.header.tick;
    await until(() => peer.texts.length > 1 && position(peer.texts.at(-1)) === last);
    const [, ...messages] = peer.texts;
    const dropped = messages.map((message) => message.params.dropped ?? 0).reduce((sum, count) => sum + count, 0);
    expect(messages.length + dropped).to.equal(9);
    expect(droppedIn(server)).to.equal(dropped);
  });

  it('waits for a client that does not read, and then sends the latest', async () => {
    const { ball, server } = setUp();
    const stream = await subscribed(server, { aliases: ['field.values'], cycle_ms: 0 });
    await until(() => stream.messages.length === 1);
    stream.isStalled = true;
    await turn();
    for (let tick = 0; tick < 3; tick++) {
      ball.store('field.values', Array<number>(COUNT).fill(tick));
      ball.ticks(1);
      for (let wait = 0; wait < 20; wait++) await turn();
    }
    expect(stream.messages).to.have.length(1);
    stream.isStalled = false;
    ball.ticks(1);
    await until(() => stream.messages.length === 2);
    expect(stream.data[1].values['field.values'][0]).to.equal(2);
    expect(stream.data[1].dropped).to.equal(3);
    expect(droppedIn(server)).to.equal(3);
  });

  it('sends nothing after it has ended', async () => {
    const { ball, server } = setUp();
    const { subscription_id } = await server.call('var/subscribe', { aliases: ['field.values'], cycle_ms: 0 });
    const stream = await server.stream(subscription_id);
    ball.ticks(1);
    stream.cut();
    const { length } = stream.messages;
    for (let wait = 0; wait < 20; wait++) await turn();
    expect(stream.messages).to.have.length(length);
  });
});

describe('a subscription to values behind a pointer', () => {
  function setUpPointing() {
    const ball = new TestBall((state) => {
      state.addObject('owner').component('p', pointer(double()));
      state.addObject('field').component('values', double(COUNT));
    });
    ball.ticks(1);
    return { ball, server: new TestServer(ball) };
  }

  it('has what is there in each frame, few or many, and copies no whole frame', async () => {
    const { ball, server } = setUpPointing();
    const stream = await subscribed(server, { aliases: ['owner.p', 'ball.position[1]'], cycle_ms: 0, on: 'change' });
    await until(() => stream.messages.length === 1);
    ball.frame.copy = () => {
      throw new Error('the whole frame is copied');
    };
    for (const [index, count] of [2, COUNT].entries()) {
      pointAt(ball, 'owner.p', 'field.values', count);
      ball.ticks(1);
      await until(() => stream.messages.length === index + 2);
    }
    const values = stream.data.map(({ values }) => values['owner.p']);
    expect(values[1]).to.deep.equal([0, 0]);
    expect([values[0], values[2].length, stream.data[2].values['ball.position[1]']]).to.deep.equal([null, COUNT, 9.1]);
  });

  it('is refused what is for few values', async () => {
    const { ball, server } = setUpPointing();
    pointAt(ball, 'owner.p', 'field.values', COUNT);
    ball.ticks(1);
    for (const wish of ['changes_only', 'dead_band']) {
      const params = { aliases: ['owner.p'], on: 'change', [wish]: wish === 'dead_band' ? 1 : true };
      const { error } = await server.respond('var/subscribe', params);
      expect(error.message).to.equal(`var/subscribe: ${wish} is for at most 5000 values`);
    }
  });
});

describe('more pointers than a read follows', () => {
  it('are refused with one sentence, in one variable or in several together', async () => {
    const ball = new TestBall((state) => {
      const owner = state.addObject('owner');
      for (const name of ['a', 'b']) owner.component(name, array(pointer(double()), 2400));
      owner.component('c', array(pointer(double()), 4001));
    });
    ball.ticks(1);
    const server = new TestServer(ball);
    const refusal = async (method: string, aliases: readonly string[]) =>
      (await server.respond(method, { aliases })).error;
    for (const method of ['var/get', 'var/subscribe']) {
      expect(await refusal(method, ['owner.a'])).to.equal(undefined);
      for (const aliases of [['owner.c'], ['owner'], ['owner.a', 'owner.b'], ['owner.a', 'owner . a']]) {
        const { code, message } = await refusal(method, aliases);
        expect([code, message]).to.deep.equal([
          -23418,
          `a read follows at most 4000 pointers, 16 KB behind one count as one more, and with ${aliases.at(-1)?.replaceAll(' ', '')} there are more; ask for parts of it`,
        ]);
      }
    }
  });
});

describe('spellings of one path', () => {
  it('each keep their name, also in one message', async () => {
    const { server } = setUp();
    const aliases = ['ball.velocity[1]', 'ball.velocity[ 1 ]', 'ball . velocity[1]'];
    for (const order of [aliases, [...aliases].reverse()]) {
      const [{ values }] = (await subscribed(server, { aliases: order })).data;
      expect(values).to.deep.equal(Object.fromEntries(order.map((alias) => [alias, -3.2])));
    }
  });

  it('are copied and written once in a message of many values, and each keep their name', async () => {
    const { ball, server } = setUp();
    const { copies } = server.registry;
    const copied: number[] = [];
    const takeMemory = copies.takeMemory.bind(copies);
    copies.takeMemory = (bytes) => {
      copied.push(bytes);
      return takeMemory(bytes);
    };
    const aliases = ['field.values', 'field . values', ' field.values', 'ball.position[1]', 'ball.position[ 1]'];
    const stream = await subscribed(server, { aliases, units: { ' field.values': 'km' }, cycle_ms: 0 });
    await until(() => stream.messages.length > 0);
    const inMetres = Array.from({ length: COUNT }, (_, k) => k / 7);
    // Those in other units are other values.
    expect(copied).to.deep.equal([8 * (COUNT + COUNT)]);
    const [{ values }] = stream.data;
    expect(Object.keys(values)).to.deep.equal(aliases);
    for (const alias of ['field.values', 'field . values']) expect(values[alias], alias).to.deep.equal(inMetres);
    expect(values[' field.values'].slice(0, 2)).to.deep.equal([0, 1 / 7 / 1000]);
    for (const alias of ['ball.position[1]', 'ball.position[ 1]']) expect(values[alias], alias).to.equal(9.1);
    expect(ball.frame.header.number).to.be.above(0);
  });
});
