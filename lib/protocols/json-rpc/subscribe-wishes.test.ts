// What integrators ask of reads and subscriptions: leniency, frames that were seen, changes alone, a paused beginning.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer } from '../../testing/aids/http-exchange.js';

const HEIGHT = 'ball.position[1]';
const call = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });

describe('var/get', () => {
  it('answers what exists and names what does not, when asked leniently', async () => {
    const server = new TestServer();
    const params = {
      aliases: [HEIGHT, 'ball.hight', 'nothing'],
      lenient: true,
      units: { [HEIGHT]: 'cm', nothing: 'm' },
    };
    const { values, missing } = await server.call('var/get', params);
    expect(values).to.deep.equal({ [HEIGHT]: 910 });
    expect(Object.keys(missing)).to.deep.equal(['ball.hight', 'nothing']);
    expect(missing.nothing).to.match(/^there is no object nothing/);
    expect(await server.call('var/get', { aliases: ['x'], lenient: true })).to.deep.include({ values: {} });
    expect((await server.respond('var/get', { aliases: [HEIGHT, 'x'] })).error.code).to.equal(-23402);
  });

  it('explains twenty of ten thousand that are missing, in bounded time', async () => {
    const declare = (state: TestBall['state']): void => {
      for (let index = 0; index < 3000; index++) state.addObject(`device${index}`).component('v', double());
    };
    const server = new TestServer(new TestBall(declare));
    const aliases = Array.from({ length: 10_000 }, (_, index) => `devise${index}`);
    const { missing } = await server.call('var/get', { aliases, lenient: true });
    const explained = Object.values<string>(missing).filter((sentence) => sentence.includes('did you mean'));
    expect(Object.keys(missing)).to.have.length(10_000);
    expect(explained).to.have.length(20);
  });

  it('says that nothing is new since a frame', async () => {
    const server = new TestServer();
    const { frame } = await server.call('var/get', { aliases: [HEIGHT] });
    expect(await server.call('var/get', { aliases: [HEIGHT], since: frame })).to.deep.equal({
      frame,
      sim_time: { sec_si: 1.23, label: 'sim_elapsed' },
      values: {},
      unchanged: true,
    });
    server.ball.ticks(1);
    const later = await server.call('var/get', { aliases: [HEIGHT], since: frame });
    expect(later).to.deep.include({ frame: frame + 1, values: { [HEIGHT]: 9.1 } });
    expect(later).to.not.have.property('unchanged');
  });
});

describe('var/subscribe', () => {
  it('subscribes leniently to what exists', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: [HEIGHT, 'ball.hight'], lenient: true }));
    const [answer, first] = peer.texts;
    expect(answer.result.missing['ball.hight']).to.match(/has no member hight/);
    expect(first.params.values).to.deep.equal({ [HEIGHT]: 9.1 });
    await peer.say(call(2, 'var/subscribe', { aliases: ['ball.hight', 'x'], lenient: true }));
    expect(peer.texts.at(-1).error.code).to.equal(-23402);
  });

  it('begins paused until it is let go', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: [HEIGHT], cycle_ms: 10, paused: true }));
    server.ball.ticks(3);
    expect(peer.texts).to.have.length(1);
    await peer.say(call(2, 'var/pause', { subscription_id: 'subscription-1', paused: false }));
    server.ball.ticks(1);
    expect(peer.texts.at(-1).params).to.deep.include({ frame: 128, values: { [HEIGHT]: 9.1 } });
  });

  it("uses the server's own cycle when none is asked for", async () => {
    const asked = async (server: TestServer) =>
      (await server.call('var/subscribe', { aliases: [HEIGHT] })).effective_cycle_ms;
    expect(await asked(new TestServer())).to.equal(100);
    const quick = new TestServer(new TestBall(), { defaultCycleMillis: 20 });
    expect(await asked(quick)).to.equal(20);
    expect((await quick.call('session/me')).default_cycle_ms).to.equal(20);
  });

  describe('with changes_only', () => {
    const wish = { aliases: ['ball.position', 'ball.velocity'], cycle_ms: 10, on: 'change', changes_only: true };

    it('sends everything first, and then only what has changed', async () => {
      const server = new TestServer();
      const peer = server.open();
      await peer.say(call(1, 'var/subscribe', wish));
      server.ball.ticks(2);
      server.ball.ticks(1, () => server.ball.store(HEIGHT, 8));
      server.ball.ticks(1, () => server.ball.store('ball.velocity', [1, 2]));
      const values = peer.texts.slice(1).map(({ params }) => params.values);
      expect(values).to.deep.equal([
        { 'ball.position': [0, 9.1], 'ball.velocity': [0, -3.2] },
        { 'ball.position': [0, 8] },
        { 'ball.velocity': [1, 2] },
      ]);
    });

    it('does so over server-sent events, and begins anew for each stream', async () => {
      const server = new TestServer();
      const { subscription_id } = await server.call('var/subscribe', wish);
      const one = await server.stream(subscription_id);
      server.ball.ticks(1, () => server.ball.store(HEIGHT, 8));
      expect(one.data.map(({ values }) => Object.keys(values))).to.deep.equal([
        ['ball.position', 'ball.velocity'],
        ['ball.position'],
      ]);
      const other = await server.stream(subscription_id);
      expect(Object.keys(other.data[0].values)).to.have.length(2);
    });

    it('gives a slow reader every change since its last message, in one message', async () => {
      const server = new TestServer();
      const peer = server.open();
      await peer.say(call(1, 'var/subscribe', wish));
      peer.isStuck = true;
      peer.pendingBytes = 1e9;
      server.ball.ticks(1, () => server.ball.store(HEIGHT, 8));
      server.ball.ticks(1, () => server.ball.store('ball.velocity', [1, 2]));
      peer.read();
      const { values } = peer.texts.at(-1).params;
      expect(values).to.deep.equal({ 'ball.position': [0, 8], 'ball.velocity': [1, 2] });
    });

    it('is refused where it has no meaning', async () => {
      const server = new TestServer(new TestBall((state) => state.addObject('huge').component('v', double(6000))));
      const refused = async (params: object) => (await server.respond('var/subscribe', params)).error.message;
      expect(await refused({ ...wish, on: 'cycle' })).to.equal('var/subscribe: changes_only goes with "on":"change"');
      expect(await refused({ ...wish, format: 'binary' })).to.match(/changes_only is for format "json"/);
      expect(await refused({ ...wish, aliases: ['huge.v'] })).to.match(/changes_only is for at most 5000 values/);
    });
  });

  it('with a dead band is refused for many values', async () => {
    const server = new TestServer(new TestBall((state) => state.addObject('huge').component('v', double(6000))));
    const wish = { aliases: ['huge.v'], on: 'change' };
    for (const dead_band of [1, { 'huge.v': 0.5 }]) {
      const { error } = await server.respond('var/subscribe', { ...wish, dead_band });
      expect([error.code, error.message]).to.deep.equal([
        -32602,
        'var/subscribe: dead_band is for at most 5000 values',
      ]);
    }
    expect(await server.call('var/subscribe', { ...wish, dead_band: 0 })).to.have.property('subscription_id');
  });

  it('with a dead band of an alias that is not asked for is refused', async () => {
    const server = new TestServer();
    const wish = { aliases: [HEIGHT, 'nothing'], lenient: true, on: 'change' };
    const refused = async (dead_band: object) => (await server.respond('var/subscribe', { ...wish, dead_band })).error;
    expect(await refused({ [HEIGHT]: 1, other: 1 })).to.deep.include({
      code: -32602,
      message: 'var/subscribe: a dead band is given for "other", which is not asked for',
    });
    const dead_band = { [HEIGHT]: 1, nothing: 1 };
    expect(await server.call('var/subscribe', { ...wish, dead_band })).to.have.property('subscription_id');
  });
});
