// A WebSocket session: calls, subscriptions and binary messages.
import { expect } from 'chai';
import { array, chars, double, int, longLong, text } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn, webSocketOf } from '../../testing/aids/http-exchange.js';

const call = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

describe('a WebSocket session', () => {
  it('answers requests, batches and errors, and nothing to notifications', async () => {
    const peer = new TestServer().open();
    await peer.say(call(1, 'var/get', { aliases: ['ball.position[1]'] }));
    await peer.say([call(2, 'var/exists', { alias: 'ball' }), call(3, 'var/exists', { alias: 'bull' })]);
    await peer.say({ jsonrpc: '2.0', method: 'var/exists', params: { alias: 'ball' } });
    await peer.say('{');
    const [get, batch, error, ...rest] = peer.texts;
    expect(get.result.values).to.deep.equal({ 'ball.position[1]': 9.1 });
    expect(batch.map(({ result }: { result: boolean }) => result)).to.deep.equal([true, false]);
    expect(error).to.have.nested.property('error.code', -32700);
    expect(rest).to.deep.equal([]);
  });

  it('answers what is ready while another request waits', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/wait', { condition: 'ball.position[1] < 2' }));
    await peer.say(call(2, 'var/exists', { alias: 'ball' }));
    server.ball.store('ball.position[1]', 1);
    server.ball.ticks(1);
    await turn();
    expect(peer.texts.map(({ id }) => id)).to.deep.equal([2, 1]);
  });

  it('sends the values of a subscription as notifications, after its answer', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: ['ball.position[1]'], cycle_ms: 20 }));
    server.ball.ticks(4);
    const [answer, first, ...later] = peer.texts;
    expect(answer.result).to.deep.equal({ subscription_id: 'subscription-1', effective_cycle_ms: 20 });
    expect(first).to.deep.equal({
      jsonrpc: '2.0',
      method: 'var',
      params: {
        subscription_id: 'subscription-1',
        frame: 124,
        sim_time: { sec_si: 1.23, label: 'sim_elapsed' },
        values: { 'ball.position[1]': 9.1 },
      },
    });
    expect(later.map(({ params }) => params.sim_time.sec_si)).to.deep.equal([1.24, 1.26]);
  });

  it('carries several subscriptions and ends each by its id', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: ['ball.position'], cycle_ms: 10 }));
    await peer.say(call(2, 'var/subscribe', { aliases: ['ball.velocity'], cycle_ms: 10 }));
    await peer.say(call(3, 'var/unsubscribe', { subscription_id: 'subscription-1' }));
    peer.taken();
    server.ball.ticks(2);
    expect(peer.texts.map(({ params }) => params.subscription_id)).to.deep.equal(['subscription-2', 'subscription-2']);
  });

  it('drops messages for a client that does not read, and counts them in the next one', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: ['ball.position[1]'], cycle_ms: 10 }));
    peer.pendingBytes = 2 * 1024 * 1024;
    server.ball.ticks(7);
    peer.pendingBytes = 0;
    server.ball.ticks(1);
    expect(peer.texts).to.have.length(3);
    expect(peer.texts[2].params).to.deep.include({ dropped: 7, sim_time: { sec_si: 1.31, label: 'sim_elapsed' } });
  });

  it('sends a client that is behind the latest values when it no longer is, and answers at once', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: ['ball.position[1]'], cycle_ms: 10 }));
    peer.taken();
    peer.isBehind = true;
    server.ball.ticks(7);
    expect(peer.written).to.have.length(0);
    await peer.say(call(2, 'var/exists', { alias: 'ball' }));
    server.ball.ticks(2);
    // What was due earlier would be read too late: it does not go with the answer.
    expect(peer.texts.map(({ id, params }) => id ?? params.dropped)).to.deep.equal([2]);
    peer.taken();
    peer.read();
    expect(peer.texts).to.have.length(1);
    expect(peer.texts[0].params).to.deep.include({ dropped: 8, sim_time: { sec_si: 1.32, label: 'sim_elapsed' } });
    expect(server.registry.traffic.get('http')?.droppedMessages).to.equal(8);
  });

  it('reads no further requests while its answers are not taken', async () => {
    const peer = new TestServer().open();
    peer.pendingBytes = 2 * 1024 * 1024;
    await peer.say(call(1, 'sim/status'));
    expect(peer.isReading).to.equal(false);
  });

  it('leaves nothing behind when it closes', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: ['ball.position'] }));
    peer.leave();
    expect(server.registry.size).to.equal(0);
    expect(server.registry.feeds.size).to.equal(0);
    const gone = await server.respond('var/unsubscribe', { subscription_id: 'subscription-1' });
    expect(gone.error.code).to.equal(-23414);
  });

  it('ends a subscription whose client left before the answer', async () => {
    const server = new TestServer();
    const peer = server.open();
    const sending = peer.say(call(1, 'var/subscribe', { aliases: ['ball.position'] }));
    peer.leave();
    await sending;
    expect((await server.ask({ path: '/metrics' })).body).to.include('varwire_subscriptions 0\n');
  });

  it('shows a client what it has set before', async () => {
    const server = new TestServer();
    const peer = server.open();
    server.ball.isSlow = true;
    await peer.say(call(1, 'var/set', { alias: 'ball.position[1]', value: 3 }));
    await peer.say(call(2, 'var/get', { aliases: ['ball.position[1]'] }));
    expect(peer.texts.map(({ id }) => id)).to.deep.equal([1]);
    server.ball.release();
    await turn();
    expect(peer.texts[1].result.values).to.deep.equal({ 'ball.position[1]': 3 });
  });
});

describe('binary messages', () => {
  const ball = () =>
    new TestBall((state) => {
      const more = state.addObject('more');
      more.component('count', int(), -2);
      more.component('big', longLong(), -3n);
      more.component('matrix', double([2, 2]), [
        [1, 2],
        [3, 4],
      ]);
      more.component('label', text(8), 'x');
      more.component('name', chars(8), 'x');
      more.component('list', array(double(), 2), [5, 6]);
    });

  async function binary(aliases: string[], units?: object) {
    const server = new TestServer(ball());
    const peer = server.open(webSocketOf());
    await peer.say(call(1, 'var/subscribe', { aliases, cycle_ms: 10, format: 'binary', units }));
    return { server, peer, answer: peer.texts[0] };
  }

  it('lie where the layout says, little-endian', async () => {
    const { peer, answer } = await binary(['more.count', 'more.matrix', 'more.big']);
    expect(answer.result.layout).to.deep.equal([
      { alias: 'more.count', format: 'int32', count: 1, offset: 48 },
      { alias: 'more.matrix', format: 'float64', count: 4, offset: 56 },
      { alias: 'more.big', format: 'int64', count: 1, offset: 88 },
    ]);
    const expected = Buffer.alloc(96);
    expected[0] = 1; // version
    expected.writeDoubleLE(124, 8); // frame
    expected.writeDoubleLE(1.23, 16); // sim_time
    expected.writeUInt32LE(14, 24); // length of the id
    expected.write('subscription-1', 28);
    expected.writeInt32LE(-2, 48);
    for (let i = 0; i < 4; i++) expected.writeDoubleLE(i + 1, 56 + 8 * i);
    expected.writeBigInt64LE(-3n, 88);
    expect(Buffer.from(peer.binaries[0] as Uint8Array).toString('hex')).to.equal(expected.toString('hex'));
  });

  it('say how many were dropped', async () => {
    const { server, peer } = await binary(['more.count']);
    peer.pendingBytes = 2 * 1024 * 1024;
    server.ball.ticks(3);
    peer.pendingBytes = 0;
    server.ball.ticks(1);
    expect(Buffer.from(peer.binaries[1] as Uint8Array).readUInt32LE(4)).to.equal(3);
  });

  it('say how often time was set to another, modulo 65536, as the text messages do', async () => {
    const { server, peer } = await binary(['more.count']);
    server.ball.publish({ clockSeconds: 5, jumps: 65_538 });
    expect(Buffer.from(peer.binaries.at(-1) as Uint8Array).readUInt16LE(2)).to.equal(2);
    await peer.say(call(2, 'var/subscribe', { aliases: ['more.count'], cycle_ms: 10 }));
    expect(peer.texts.at(-1).params.sim_time).to.include({ sec_si: 5, jumps: 65_538 });
  });

  it('carry converted values as doubles', async () => {
    const { answer } = await binary(['ball.position[1]'], { 'ball.position[1]': 'cm' });
    expect(answer.result.layout[0]).to.include({ format: 'float64', count: 1 });
  });

  for (const alias of ['more.label', 'more.name', 'more']) {
    it(`are refused for ${alias}, which has no fixed number of numbers`, async () => {
      const { answer } = await binary([alias]);
      expect(answer.error.code).to.equal(-32602);
    });
  }

  it('are refused over HTTP', async () => {
    const { error } = await new TestServer().respond('var/subscribe', { aliases: ['ball.position'], format: 'binary' });
    expect(error.message).to.equal('var/subscribe: format "binary" is for a WebSocket at /ws');
  });
});
