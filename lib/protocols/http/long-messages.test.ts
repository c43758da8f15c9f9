// Long messages of streams: counted while nobody takes them, left out where the client may hold no more.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import type { Session } from '../../serving/session/session.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn } from '../../testing/aids/http-exchange.js';

/** A message of about a megabyte as binary, and as text of zeros of 260 KB. */
const COUNT = 130_000;
const MIB = 1024 * 1024;
const BOUND = 32 * MIB;

const FORMS = [{ format: 'binary' }, { format: 'json' }] as const;

async function subscribed(params: object) {
  const ball = new TestBall((state) => {
    state.addObject('field').component('values', double(COUNT));
  });
  const server = new TestServer(ball);
  const peer = server.open();
  const session = [...server.registry.sessions].find(({ facts }) => facts.transport === 'websocket') as Session;
  const { account } = session;
  const subscribe = async (): Promise<void> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'var/subscribe', params: { cycle_ms: 10, ...params } };
    await peer.say({ ...message, params: { aliases: ['field.values'], ...message.params } });
    await settled();
    peer.written.splice(0, 1);
  };
  const sent = (): readonly Uint8Array[] => [...peer.written, ...peer.binaries];
  return { ball, server, peer, account, subscribe, sent };
}

/** Long text is made in turns. */
async function settled(): Promise<void> {
  for (let k = 0; k < 300; k++) await turn();
}

/** How many messages a message says were left out before it. */
function droppedOf(message: Uint8Array): number {
  const bytes = Buffer.from(message);
  if (bytes[0] === 1) return bytes.readUInt32LE(4);
  return JSON.parse(bytes.toString()).params.dropped ?? 0;
}

describe('a long message of a stream', () => {
  for (const { format } of FORMS) {
    it(`as ${format} counts until it has been taken`, async () => {
      const { ball, peer, account, subscribe, sent } = await subscribed({ format });
      peer.isStuck = true;
      await subscribe();
      const [{ length = 0 } = {}] = sent();
      expect(length).to.be.above(200_000);
      expect(account.amountOf('unreadBytes')).to.be.within(length, length + 1000);
      peer.read();
      expect(account.amountOf('unreadBytes')).to.equal(0);
      ball.ticks(1);
      await settled();
      expect(account.amountOf('unreadBytes')).to.equal(0);
      expect(sent().map(droppedOf)).to.deep.equal([0, 0]);
    });

    it(`as ${format} is left out while the client may not hold it, and the next one says so`, async () => {
      const { ball, account, subscribe, sent } = await subscribed({ format });
      account.take('unreadBytes', BOUND - 1000);
      await subscribe();
      ball.ticks(1);
      await settled();
      ball.ticks(1);
      await settled();
      expect(sent()).to.deep.equal([]);
      account.give('unreadBytes', BOUND - 1000);
      ball.ticks(1);
      await settled();
      ball.ticks(1);
      await settled();
      expect(sent().map(droppedOf)).to.deep.equal([3, 0]);
      expect(account.amountOf('unreadBytes')).to.equal(0);
    });

    it(`as ${format} counts no more when its subscription or its client has gone`, async () => {
      for (const isClient of [true, false]) {
        const { ball, server, peer, account, subscribe } = await subscribed({ format });
        await subscribe();
        ball.ticks(1);
        if (isClient) peer.leave();
        else await server.call('var/unsubscribe', { subscription_id: 'subscription-1' });
        await settled();
        expect(server.registry.ledger.held('unreadBytes')).to.equal(0);
        expect(account.amountOf('unreadBytes')).to.equal(0);
        expect(server.registry.feeds.size).to.equal(0);
      }
    });
  }

  it('ends the connection of a client that takes nothing for long', async () => {
    const { server, peer, subscribe } = await subscribed({ format: 'binary' });
    peer.isStuck = true;
    await subscribe();
    server.clock.advance(10_000);
    expect(peer.isClosed).to.equal(false);
    server.clock.advance(20_000);
    expect(peer.isClosed).to.equal(true);
    expect(server.log.join()).to.include('its answers were not taken');
  });

  it('is never made for more than an answer may have', async () => {
    const aliases = Array.from({ length: 33 }, (_, k) => `field.values${' '.repeat(k)}`);
    const { peer } = await subscribed({});
    const params = { aliases, format: 'binary' };
    await peer.say({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params });
    await settled();
    const [{ error }] = peer.texts;
    expect(error.code).to.equal(-23418);
    expect(error.message).to.match(/^each message would have \d+ bytes, and may have 33554432/);
  });
});
