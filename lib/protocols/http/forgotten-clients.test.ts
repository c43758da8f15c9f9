// Clients of plain HTTP that give way to a thousand others: what they hold ends with them.
import { expect } from 'chai';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';
import { TestExchange, TestServer, turn } from '../../testing/aids/http-exchange.js';

const PEER = '10.1.0.1:5000';
const SENTENCE = 'the server has forgotten this client, because many others have come since';
const OTHERS = Array.from({ length: 1000 }, (_, index) => `10.2.${index >> 8}.${index & 255}:5000`);
const SUBSCRIBE = { aliases: ['ball.position[1]'], cycle_ms: 10 };

const body = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('a forgotten client of plain HTTP', () => {
  let server: TestServer;
  beforeEach(() => {
    server = new TestServer();
  });

  const asked = (method: string, params: object, peer: string, headers = {}) => ({
    method: 'POST',
    path: '/jsonrpc',
    body: body(method, params),
    peer,
    headers,
  });
  const ask = (...call: Parameters<typeof asked>): Promise<TestExchange> => server.ask(asked(...call));
  /** A thousand other clients each begin a subscription. */
  const crowd = async (): Promise<void> => {
    for (const peer of OTHERS) await ask('var/subscribe', SUBSCRIBE, peer);
  };

  it('has no subscriptions or streams any more', async () => {
    const { subscription_id } = (await ask('var/subscribe', SUBSCRIBE, PEER)).json.result;
    const stream = await server.stream(subscription_id);
    const { opened } = await ask('var/subscribe', SUBSCRIBE, PEER, { accept: 'text/event-stream' });
    server.ball.ticks(1);
    expect([stream.messages.length, opened?.messages.length]).to.deep.equal([2, 2]);
    await crowd();
    expect([stream.isEnded, opened?.isEnded]).to.deep.equal([true, true]);
    server.ball.ticks(3);
    expect([stream.messages.length, opened?.messages.length]).to.deep.equal([2, 2]);
    expect((await server.ask({ path: `/sse?sub=${subscription_id}` })).status).to.equal(404);
    expect(server.registry.ledger.held('subscriptions')).to.equal(OTHERS.length);
  });

  it('has no waits any more, and is told so', async () => {
    const waiting = new TestExchange(asked('var/wait', { condition: 'ball.position[1] < 0' }, PEER));
    void server.router.handle(waiting);
    await turn();
    expect(server.registry.ledger.held('parked')).to.equal(1);
    await crowd();
    await turn();
    const { code, message } = waiting.json.error;
    expect([code, message]).to.deep.equal([-23417, `the condition could not be looked at: ${SENTENCE}`]);
    expect(server.registry.ledger.held('parked')).to.equal(0);
  });

  it('cannot subscribe or wait with a call that it began before', async () => {
    const calls = [
      asked('var/subscribe', SUBSCRIBE, PEER),
      asked('var/wait', { condition: 'ball.position[1] < 0' }, PEER),
    ].map((call) => new TestExchange(call));
    server.ball.isSlow = true;
    const written = ask('var/set', { values: { 'ball.position[0]': 5 } }, PEER);
    await turn();
    for (const call of calls) void server.router.handle(call);
    await turn();
    server.ball.isSlow = false;
    await crowd();
    server.ball.release();
    await written;
    while (!calls.every(({ isAnswered }) => isAnswered)) await turn();
    const [subscribed, waited] = calls.map(({ json }) => json.error);
    expect([subscribed.code, subscribed.message]).to.deep.equal([-23418, SENTENCE]);
    expect(waited.message).to.include(SENTENCE);
    expect(server.registry.ledger.held('subscriptions')).to.equal(OTHERS.length);
  });

  it('is one that holds nothing, as long as there is one', async () => {
    const waiting = new TestExchange(asked('var/wait', { condition: 'ball.position[1] < 0' }, PEER));
    void server.router.handle(waiting);
    for (const peer of OTHERS) await ask('var/get', { aliases: ['ball.position[1]'] }, peer);
    expect(waiting.isAnswered).to.equal(false);
    expect(server.registry.ledger.held('parked')).to.equal(1);
  });
});

describe("a forgotten client of Bevy's protocol", () => {
  const POSITION = 'server::Position';
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
    await brp.ticks(1);
  });
  afterEach(() => brp.close());

  const begin = async (method: string, params: object, peer: string): Promise<TestExchange> => {
    const exchange = new TestExchange({ method: 'POST', body: body(method, params), peer });
    void brp.router.handle(exchange);
    await settled();
    return exchange;
  };

  it('has no watches and polls any more, and is told so', async () => {
    const [entity] = await brp.call('world.query', { data: { components: [POSITION] } });
    const watch = { entity: entity.entity, components: [POSITION] };
    const components = await brp.watch('world.get_components+watch', watch, PEER);
    const list = await brp.watch('world.list_components+watch', { entity: entity.entity }, PEER);
    const messages = await brp.watch('world.observe+watch', { event: 'varwire::SimMessage' }, PEER);
    const query = { data: { components: [POSITION] } };
    const { watermark } = await brp.call('brp.poll', query);
    const poll = await begin('brp.poll', { ...query, watermark }, PEER);
    expect([brp.registry.ledger.held('subscriptions'), brp.registry.ledger.held('parked')]).to.deep.equal([3, 1]);
    const streams = [components, list, messages];
    for (const session of [...brp.registry.sessions]) {
      const { peer, frontEnd } = session.facts;
      if (frontEnd === 'http' && peer === '10.1.0.1') session.close();
    }
    await settled();
    expect(poll.json.error.message).to.equal(`the poll has ended: ${SENTENCE}`);
    for (const stream of streams) {
      expect(stream.isEnded).to.equal(true);
      expect(stream.messages.at(-1)).to.include(`the watch has ended: ${SENTENCE}`);
    }
  });
});
