// Subscriptions over a WebSocket to variables that are deleted, or declared anew as something else, at a bad moment.
import { expect } from 'chai';
import { type AnyDeclared, double, float, longLong, text } from '../../model/state/declare.js';
import { ComputingClock } from '../../testing/aids/computing.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn, webSocketOf } from '../../testing/aids/http-exchange.js';

const call = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const PREFIX_BYTES = 48;

/** A ball beside an object with one variable, late.v, that can be declared anew; what comes after it is not for the client. */
function setUp(first: AnyDeclared, value: unknown) {
  const ball = new TestBall((state) => {
    state.addObject('late').component('v', first, value as never);
    state.addObject('secret').component('v', double(4), [1000, 1001, 1002, 1003]);
  });
  const server = new TestServer(ball);
  const peer = server.open(webSocketOf());
  const redeclare = (type: AnyDeclared, anew: unknown): void => {
    ball.state.removeObject('late');
    ball.state.addObject('late').component('v', type, anew as never);
    ball.ticks(1);
  };
  const subscribe = () => peer.say(call(1, 'var/subscribe', { aliases: ['late.v'], cycle_ms: 10, format: 'binary' }));
  const last = (): Buffer => Buffer.from(peer.binaries.at(-1) as Uint8Array).subarray(PREFIX_BYTES);
  return { ball, server, peer, redeclare, subscribe, last };
}

describe('binary messages of a variable that is declared anew', () => {
  it('have NaN for values that it no longer has, and nothing of other variables', async () => {
    const { subscribe, redeclare, last } = setUp(double(4), [1, 2, 3, 4]);
    await subscribe();
    redeclare(double(1), [5]);
    expect(Array.from({ length: 4 }, (_, k) => last().readDoubleLE(8 * k))).to.deep.equal([5, NaN, NaN, NaN]);
  });

  it('have its values as the numbers that the layout says', async () => {
    const { subscribe, redeclare, last } = setUp(double(2), [1, 2]);
    await subscribe();
    redeclare(longLong(2), [7n, -8n]);
    expect([last().readDoubleLE(0), last().readDoubleLE(8)]).to.deep.equal([7, -8]);
  });

  it('have no fractions where the layout has whole numbers', async () => {
    const { subscribe, redeclare, last } = setUp(longLong(3), [1n, 2n, 3n]);
    await subscribe();
    redeclare(float(3), [1.5, -2.5, Number.POSITIVE_INFINITY]);
    expect([0, 8, 16].map((at) => last().readBigInt64LE(at))).to.deep.equal([1n, -2n, 0n]);
  });

  for (const [what, type] of [
    ['deleted', undefined],
    ['a text', text(8)],
  ] as const) {
    it(`do not begin when it is ${what} before the answer is there`, async () => {
      const { ball, server, peer } = setUp(double(2), [1, 2]);
      const subscribe = call(1, 'var/subscribe', { aliases: ['late.v'], cycle_ms: 10, format: 'binary' });
      await peer.say([subscribe, call(2, 'var/wait', { condition: 'ball.position[1] > 50' })]);
      ball.state.removeObject('late');
      if (type) ball.state.addObject('late').component('v', type, 'x');
      ball.store('ball.position[1]', 60);
      ball.ticks(1);
      for (let turns = 0; turns < 5; turns++) await turn();
      const [[made]] = peer.texts;
      const { subscription_id } = made.result;
      ball.ticks(3);
      expect(peer.binaries).to.deep.equal([]);
      const { error } = await server.respond('var/unsubscribe', { subscription_id });
      expect(error.message).to.include(subscription_id);
    });
  }
});

describe('a long message of a variable that is declared anew while it is made', () => {
  it('has the value of the frame that was copied', async () => {
    const COUNT = 6000;
    const ball = new TestBall((state) => {
      state.addObject('field').component('many', double(COUNT));
      state.addObject('late').component('v', double(), 42);
    });
    const clock = new ComputingClock();
    const server = new TestServer(ball, {}, ball, clock);
    const aliases = [...Array.from({ length: COUNT }, (_, k) => `field.many[${k}]`), 'late.v'];
    const { subscription_id } = await server.call('var/subscribe', { aliases, cycle_ms: 10 });
    clock.millisPerLook = 1;
    const stream = await server.stream(subscription_id);
    expect(stream.messages).to.deep.equal([]);
    ball.state.removeObject('late');
    // It takes the place of the variable, which must not be shown for it.
    ball.state.addObject('filler').component('v', double(), 7);
    ball.state.addObject('late').component('v', double(), 43);
    ball.ticks(1);
    for (let turns = 0; turns < 300 && stream.messages.length < 2; turns++) await turn();
    expect(stream.data.map(({ values }) => values['late.v'])).to.deep.equal([42, 43]);
  });
});
