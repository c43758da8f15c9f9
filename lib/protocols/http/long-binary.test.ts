// Binary messages of many values that are read one by one: made in turns, and the same bytes as of few.
import { expect } from 'chai';
import { double, float, int } from '../../model/state/declare.js';
import type { Delivery } from '../../serving/session/delivery.js';
import { lateFrames } from '../../serving/session/message-reader.js';
import { Reference } from '../../serving/session/reference.js';
import type { Subscription } from '../../serving/session/subscription.js';
import { SubscriptionTable } from '../../serving/session/subscription-table.js';
import { ComputingClock, countPieces } from '../../testing/aids/computing.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn } from '../../testing/aids/http-exchange.js';
import { binaryDelivery } from './binary-message.js';

const COUNT = 6000;
const START = 48;

describe('a long binary message', () => {
  async function subscribed(server: TestServer, given: object) {
    const peer = server.open();
    const params = { cycle_ms: 10, format: 'binary', ...given };
    await peer.say({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params });
    return peer;
  }

  function setUp() {
    const ball = new TestBall((state) => {
      const field = state.addObject('field');
      const numbers = Array.from({ length: COUNT }, (_, k) => k - 5);
      field.component('doubles', double(COUNT, { units: 'm' }), numbers);
      field.component('floats', float(COUNT, { units: 'm' }), numbers);
      field.component('many', double(2 ** 16));
      field.component('counts', int(COUNT, { units: 'm' }), numbers);
    });
    const clock = new ComputingClock();
    const server = new TestServer(ball, {}, ball, clock);
    ball.ticks(1);
    return { server, clock };
  }

  for (const alias of ['field.doubles', 'field.floats', 'field.counts']) {
    it(`of ${alias} in other units is made in pieces, of the values of its frame`, async () => {
      const { server, clock } = setUp();
      const pieces = countPieces(server.registry.turns);
      clock.millisPerLook = 2;
      const peer = await subscribed(server, { aliases: [alias, 'ball.position[1]'], units: { [alias]: 'mm' } });
      server.ball.store(alias, Array<number>(COUNT).fill(7));
      for (let k = 0; k < 400 && peer.binaries.length === 0; k++) await turn();
      expect(pieces()).to.be.greaterThan(5);
      const message = Buffer.from(peer.binaries[0] as Uint8Array);
      expect(message.length).to.equal(START + 8 * COUNT + 8);
      for (const k of [0, 1, 2, COUNT / 2, COUNT - 1]) {
        expect(message.readDoubleLE(START + 8 * k)).to.be.closeTo(1000 * (k - 5), 1e-6);
      }
      expect(message.readDoubleLE(START + 8 * COUNT)).to.equal(9.1);
    });
  }

  it('of very many values as they are is begun in a turn of its client, which it counts on', async () => {
    const { server, clock } = setUp();
    const { registry, ball } = server;
    const account = registry.ledger.open('client');
    const table = new SubscriptionTable(registry);
    const of = (alias: string): [Subscription, Delivery] => {
      const references = [new Reference(ball, alias)];
      const subscription = table.create({ account, references, cycleMillis: 10 });
      return [subscription, binaryDelivery(registry, subscription, account)];
    };
    expect(of('field.doubles')[1].isLong).to.equal(false);
    ball.store('field.many[65535]', 7);
    ball.ticks(1);
    const [subscription, delivery] = of('field.many');
    expect(delivery.isLong).to.equal(true);
    const before = registry.turns.computedMillis;
    lateFrames(subscription, registry).begin(() => clock.advance(4));
    expect(registry.turns.computedMillis - before).to.be.closeTo(4, 0.1);
    const making = delivery.message(ball.frame);
    expect(account.amountOf('unreadBytes')).to.equal(START + 8 * 2 ** 16);
    const message = Buffer.from((await making) as Uint8Array);
    expect([message.length, message.readDoubleLE(START + 8 * 65_535)]).to.deep.equal([START + 8 * 2 ** 16, 7]);
    table.close();
  });

  it('is not counted any longer when its client goes while it is made', async () => {
    const { server, clock } = setUp();
    clock.millisPerLook = 2;
    const peer = await subscribed(server, { aliases: ['field.doubles'], units: { 'field.doubles': 'mm' } });
    for (let k = 0; k < 400 && server.registry.ledger.held('unreadBytes') === 0; k++) await turn();
    expect(server.registry.ledger.held('unreadBytes')).to.equal(START + 8 * COUNT);
    peer.leave();
    for (let k = 0; k < 400; k++) await turn();
    expect(server.registry.ledger.held('unreadBytes')).to.equal(0);
    expect(peer.binaries).to.have.length(0);
  });
});
