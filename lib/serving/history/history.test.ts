// The past of what is plotted, kept by a server in memory: when it begins and ends, freezes, time that goes back.
import { expect } from 'chai';
import { Mode, Reason } from '../../model/frame/header.js';
import { double, text } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer } from '../../testing/aids/http-exchange.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Reference } from '../session/reference.js';
import { SessionRegistry } from '../session/registry.js';
import { History, openHistory } from './history.js';

const HEIGHT = 'ball.position[1]';

/** The server gets its turns between some of them. */
async function manyTicks(ball: TestBall, count: number, change?: (tick: number) => void): Promise<void> {
  for (let done = 0; done < count; done += 10) {
    ball.ticks(10, change);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the past of what is plotted', () => {
  const past = async (server: TestServer, params: object = {}) =>
    (await server.call('var/history', { aliases: [HEIGHT], ...params })).series[HEIGHT];

  it('begins when a client subscribes with history, and another client sees it', async () => {
    const server = new TestServer();
    await server.call('var/subscribe', { aliases: [HEIGHT], cycle_ms: 10, history: true });
    server.ball.ticks(3, (tick) => server.ball.store(HEIGHT, tick));
    const { times, values, since } = await past(server);
    expect(times).to.have.length(4);
    expect(times[0]).to.equal(1.23);
    expect(since).to.equal(1.23);
    expect(values[0]).to.equal(9.1);
    expect(new Set(values).size).to.equal(4);
  });

  it('names what is no number, and answers the others, when it is asked to be lenient', async () => {
    const server = new TestServer();
    const asked = { aliases: ['ball.position', HEIGHT], lenient: true };
    const { series, missing } = await server.call('var/history', asked);
    expect(Object.keys(series)).to.deep.equal([HEIGHT]);
    expect(missing).to.deep.equal({
      'ball.position': 'ball.position is not one number or text: ask for an element or a member of it',
    });
  });

  it('has texts as they were, cut to a hundred characters', async () => {
    const server = new TestServer(
      new TestBall((state) => state.addObject('tank').component('phase', text(200), 'fill')),
    );
    const past = async () => (await server.call('var/history', { aliases: ['tank.phase'] })).series['tank.phase'];
    await past();
    const phases = ['burn', 'burn', 'fill', 'x'.repeat(150)];
    for (const phase of phases) {
      server.ball.store('tank.phase', phase);
      server.ball.ticks(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await past()).values).to.deep.equal(['fill', 'burn', 'burn', 'fill', 'x'.repeat(100)]);
    const stretch = { aliases: ['tank.phase'], from: 0, to: 1e6 };
    expect((await server.respond('var/statistics', stretch)).error.message).to.include('tank.phase is a text');
  });

  it('has a gap for a text beyond the 256 that are told apart', async () => {
    const server = new TestServer(
      new TestBall((state) => state.addObject('tank').component('phase', text(200), 'fill')),
    );
    const past = async () => (await server.call('var/history', { aliases: ['tank.phase'] })).series['tank.phase'];
    await past();
    await manyTicks(server.ball, 300, (tick) => server.ball.store('tank.phase', `phase ${tick}`));
    const { values } = await past();
    expect(values[255]).to.match(/^phase \d+$/);
    expect(values[256]).to.equal(null);
  });

  it('is not off while variables are named whose past is kept', () => {
    const registry = new SessionRegistry(new TestBall());
    expect(() => openHistory(registry, { historySeconds: 0, keep: [HEIGHT] })).to.throw(
      'the past of ball.position[1] cannot be kept: the history is off',
    );
    expect(openHistory(registry, { historySeconds: 0, keep: [] })).to.equal(undefined);
  });

  it('begins when it is asked for, and ends, if nobody has plotted it, five minutes after nobody has', async () => {
    const server = new TestServer();
    expect(await past(server)).to.deep.equal({
      times: [1.23],
      values: [9.1],
      since: 1.23,
      whole_since: 1.23,
      stretch_sec: 0,
    });
    server.ball.ticks(10);
    expect((await past(server)).times).to.have.length(11);
    server.clock.advance(420_000);
    expect((await past(server)).times).to.have.length(1);
  });

  it('stays while a subscription wants it, however long', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params: { aliases: [HEIGHT], history: true } });
    server.clock.advance(1_000_000);
    server.ball.ticks(20);
    expect((await past(server)).times.length).to.be.greaterThan(2);
    expect(server.registry.ledger.held('historySeries')).to.equal(1);
    peer.leave();
    expect(server.registry.ledger.held('historySeries')).to.equal(0);
  });

  it('stays, from the first plotting on, for who comes after the last client has gone', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params: { aliases: [HEIGHT], history: true } });
    server.ball.ticks(20);
    peer.leave();
    server.clock.advance(10_000_000);
    server.ball.ticks(20);
    const { times, since } = await past(server);
    expect([since, times[0]]).to.deep.equal([1.23, 1.23]);
    expect(times.at(-1)).to.be.closeTo(1.63, 0.1);
  });

  it('is kept from the start, at every tick, of what the server is told to keep: of an array, its numbers', async () => {
    const ball = new TestBall();
    // It runs before its server listens.
    ball.ticks(10);
    const server = new TestServer(ball, { keep: ['ball.position'] });
    ball.ticks(50);
    const { series } = await server.call('var/history', { aliases: ['ball.position[0]', HEIGHT] });
    for (const name of ['ball.position[0]', HEIGHT]) expect(series[name].times).to.have.length(61);
    server.clock.advance(10_000_000);
    expect((await past(server)).times).to.have.length(61);
    expect((await past(server)).since).to.equal(1.23);
  });

  it('cannot be kept from the start of what does not exist or is no number', () => {
    const serving = (keep: string) => () =>
      new TestServer(new TestBall((state) => state.addObject('crew').component('name', text(), 'Ann')), {
        keep: [keep],
      });
    expect(serving('ball.positon')).to.throw(/did you mean ball.position/);
    expect(serving('crew.name')).to.throw('crew.name has no number whose past could be kept');
  });

  it('is thinned when it is older than is kept whole, and says so', async () => {
    const server = new TestServer(new TestBall(), { historySeconds: 5 });
    await past(server);
    await manyTicks(server.ball, 2000, (tick) => server.ball.store(HEIGHT, tick === 300 ? 99 : 0));
    const { since, values, whole_since, stretch_sec } = await past(server, { points: 10_000 });
    expect(since).to.equal(1.23);
    expect(values).to.include(99);
    expect(whole_since).to.be.within(13, 16.24);
    expect(stretch_sec).to.be.within(0.03, 0.05);
    expect((await past(server, { from: whole_since, points: 10_000 })).stretch_sec).to.equal(0);
  });

  it('takes no more memory than it may, and is thinned for it where it is longest', async () => {
    const declare = (state: TestBall['state']) => state.addObject('many').component('v', double(50), Array(50).fill(0));
    const ball = new TestBall(declare);
    const registry = new SessionRegistry(ball, new ManualClock());
    const history = new History(registry, { historyBytes: 8e6 });
    const peer = registry.ledger.open('reader');
    const names = Array.from({ length: 50 }, (_, index) => `many.v[${index}]`);
    const references = names.map((name) => new Reference(ball, name));
    history.keep(peer, references.slice(1), 10);
    history.keep(peer, references.slice(0, 1), 1000);
    await manyTicks(ball, 6000);
    expect(history.bytes).to.be.within(6e6, 8e6);
    const whole = (name: string) => history.extent(name)?.wholeFrom as number;
    expect(whole(names[1] as string)).to.be.above(30);
    expect(whole(names[0] as string)).to.equal(1.23);
    for (const name of names) expect(history.extent(name)?.from).to.equal(1.23);
    expect(() => history.keep(peer, [new Reference(ball, HEIGHT)], 10)).to.throw(
      'the past of 50 variables is kept already',
    );
    history.close();
  });

  it('samples by the shortest cycle that is wanted', async () => {
    const server = new TestServer();
    await server.call('var/subscribe', { aliases: [HEIGHT], cycle_ms: 50, history: true });
    server.ball.ticks(20);
    expect((await past(server)).times.length).to.be.within(5, 6);
  });

  it('answers in units, in a span, and thinned to so many points', async () => {
    const server = new TestServer();
    await past(server);
    server.ball.ticks(100, (tick) => server.ball.store(HEIGHT, tick));
    expect((await past(server, { units: 'cm', to: 1.23 })).values).to.deep.equal([910]);
    const { times } = await past(server, { from: 1.5, to: 2, points: 10 });
    expect(times.length).to.be.within(5, 10);
    expect(Math.min(...times)).to.be.at.least(1.5);
    expect(Math.max(...times)).to.be.at.most(2);
  });

  it('ends at the same time for all variables, however many ticks come while it is written', async () => {
    class HurriedClock extends ManualClock {
      override nowMillis(): number {
        this.advance(1);
        return super.nowMillis();
      }
    }
    const declare = (state: TestBall['state']) =>
      state.addObject('many').component('v', double(8), [0, 0, 0, 0, 0, 0, 0, 0]);
    const ball = new TestBall(declare);
    const server = new TestServer(ball, {}, ball, new HurriedClock());
    const aliases = Array.from({ length: 8 }, (_, index) => `many.v[${index}]`);
    await server.call('var/history', { aliases });
    ball.ticks(30);
    let isAnswered = false;
    const answer = server.call('var/history', { aliases }).finally(() => {
      isAnswered = true;
    });
    const before = ball.frame.header.number;
    while (!isAnswered) {
      ball.ticks(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(ball.frame.header.number).to.be.above(before + 3);
    const { series } = (await answer) as { series: Record<string, { times: number[] }> };
    expect(new Set(Object.values(series).map(({ times }) => times.at(-1)))).to.have.property('size', 1);
  });

  it('forgets what lay after a time to which a checkpoint goes back', async () => {
    const server = new TestServer();
    await past(server);
    server.ball.ticks(50);
    server.ball.publish({ tick: 140, timeTics: 1_400_000, clockSeconds: 1.4 });
    server.ball.ticks(2);
    expect((await past(server)).times.at(-1)).to.be.closeTo(1.42, 1e-9);
    expect((await past(server)).times).to.deep.equal([...(await past(server)).times].sort((a, b) => a - b));
  });

  it('goes back with a checkpoint that is loaded in a freeze, where no tick is counted', async () => {
    const server = new TestServer();
    await past(server);
    server.ball.ticks(50);
    server.ball.store(HEIGHT, 3);
    server.ball.publish({ clockSeconds: 1.4, mode: Mode.freeze, reason: Reason.request });
    const { times, values } = await past(server);
    expect(times.at(-1)).to.equal(1.4);
    expect(values.at(-1)).to.equal(3);
  });

  it('has a gap where time was set to a later one, also in a freeze, and answers how often it was', async () => {
    const server = new TestServer();
    await past(server);
    server.ball.ticks(1);
    server.ball.publish({ clockSeconds: 60, jumps: 1, mode: Mode.freeze, reason: Reason.request });
    server.ball.publish({ clockSeconds: 60, jumps: 1, mode: Mode.freeze, reason: Reason.freeze });
    const { times, values } = await past(server);
    expect(values.map((value: unknown) => value === null)).to.deep.equal([false, false, true, false]);
    expect(times[2]).to.be.closeTo(1.25, 1e-9);
    expect(times[3]).to.equal(60);
    expect((await server.call('sim/status', {})).sim_time).to.include({ sec_si: 60, jumps: 1 });
  });

  it('has a gap while a variable is gone', async () => {
    const server = new TestServer(new TestBall((state) => state.addObject('drone').component('z', double(), 1)));
    const at = async () => (await server.call('var/history', { aliases: ['drone.z'] })).series['drone.z'];
    await at();
    server.ball.ticks(1);
    server.ball.state.removeObject('drone');
    server.ball.ticks(2);
    server.ball.state.addObject('drone').component('z', double(), 7);
    server.ball.ticks(1);
    const { values } = await at();
    expect(values.slice(0, 2)).to.deep.equal([1, 1]);
    expect(values.filter((value: unknown) => value === null)).to.have.length(1);
    expect(values.at(-1)).to.equal(7);
  });

  it('refuses what is no single number or text, and names what does not exist when asked leniently', async () => {
    const server = new TestServer(new TestBall((state) => state.addObject('crew').component('name', text(), 'Ann')));
    const asked = (aliases: readonly string[], more = {}) => server.respond('var/history', { aliases, ...more });
    expect((await asked(['ball.position'])).error.message).to.equal(
      'ball.position is not one number or text: ask for an element or a member of it',
    );
    expect((await asked(['crew'])).error.message).to.match(/^crew is not one number/);
    expect((await asked(['ball.positon'])).error.code).to.equal(-23402);
    const { series, missing } = (await asked([HEIGHT, 'ball.positon'], { lenient: true })).result;
    expect(Object.keys(series)).to.deep.equal([HEIGHT]);
    expect(missing['ball.positon']).to.match(/did you mean ball.position/);
  });

  it('keeps 800 variables: asked ones give way, plotted ones do not', async () => {
    const declare = (name: string, count: number) => (state: TestBall['state']) =>
      state.addObject(name).component('v', double(count), Array(count).fill(0));
    const server = new TestServer(new TestBall(declare('many', 1000)));
    const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `many.v[${from + i}]`);
    for (let from = 0; from < 1000; from += 200)
      await server.call('var/history', { aliases: names(from, from + 200), points: 2 });
    const first = server.open();
    const say = (aliases: readonly string[], history = true) =>
      first.say({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params: { aliases, history, paused: true } });
    await say(names(0, 400));
    await say(names(400, 401));
    expect(first.texts.at(-1).error.message).to.equal('a client may have 400 variables whose past is kept');
    expect(server.registry.ledger.held('historySeries')).to.equal(400);
  });

  it('is refused with a sentence where it is off', async () => {
    const server = new TestServer(new TestBall(), { historySeconds: 0 });
    const sentence = 'this server keeps no history';
    expect((await server.respond('var/history', { aliases: [HEIGHT] })).error.message).to.equal(sentence);
    const subscribed = await server.respond('var/subscribe', { aliases: [HEIGHT], history: true });
    expect(subscribed.error.message).to.equal(`var/subscribe: ${sentence}`);
    expect((await server.call('session/me')).history_sec).to.equal(0);
  });
});
