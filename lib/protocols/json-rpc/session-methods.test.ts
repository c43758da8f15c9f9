// session/me, sim/clients and sim/messages: who asks, who else is there, what has been said.

import { expect } from 'chai';
import { ComputingClock, countPieces } from '../../testing/aids/computing.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn } from '../../testing/aids/http-exchange.js';

const call = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const said = (text: string) => ({ level: 'normal', text, timeSeconds: 1 }) as const;

describe('session/me', () => {
  it('tells a client with a read-only token what it may call', async () => {
    const tokens = new Map([
      ['reader', 'read-only'],
      ['writer', 'read-write'],
    ] as const);
    const server = new TestServer(new TestBall(), { tokens });
    const me = async (token: string) =>
      (await server.respond('session/me', {}, { authorization: `Bearer ${token}` })).result;
    const [reader, writer] = [await me('reader'), await me('writer')];
    expect(reader.may_change).to.equal(false);
    expect(writer.may_change).to.equal(true);
    const changing = writer.methods.filter((name: string) => !reader.methods.includes(name));
    expect(changing).to.have.members([
      ...['var/set', 'sim/control', 'sim/seek', 'sim/call', 'sim/checkpoint', 'sim/load-checkpoint'],
    ]);
  });
});

describe('sim/clients', () => {
  it('lists five hundred, and says that there are more', async () => {
    const server = new TestServer();
    for (let count = 0; count < 501; count++) server.open();
    const { clients, more } = await server.call('sim/clients');
    expect([clients.length, more]).to.deep.equal([500, true]);
  });

  it('lists who is connected and what each reads', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: ['ball.position', 'ball.velocity'] }));
    await peer.say(call(2, 'sim/clients'));
    const [mine, ...others] = peer.texts.at(-1).result.clients;
    expect(others).to.deep.equal([]);
    expect(mine).to.deep.include({ protocol: 'http', transport: 'websocket', is_me: true, subscriptions: 1 });
    expect(mine.reads).to.deep.equal(['ball.position', 'ball.velocity']);
    expect(mine.sent_messages).to.equal(2);
    const seen = (await server.call('sim/clients')).clients;
    expect(seen.map((each: { is_me: boolean }) => each.is_me)).to.deep.equal([false, true]);
    peer.leave();
    expect((await server.call('sim/clients')).clients).to.have.length(1);
  });

  it('names twenty paths of a client, and says how many there are', async () => {
    const server = new TestServer();
    const named = server.open();
    const aliases = [0, 1].flatMap((k) => [`ball.position[${k}]`, `ball.velocity[${k}]`]);
    const look = async () => {
      const [{ reads, reads_count }] = (await server.call('sim/clients')).clients;
      return [reads.length, reads_count];
    };
    for (let id = 1; id <= 5; id++) await named.say(call(id, 'var/subscribe', { aliases }));
    expect(await look()).to.deep.equal([20, 20]);
    await named.say(call(6, 'var/subscribe', { aliases: ['ball.position'] }));
    expect(await look()).to.deep.equal([20, 21]);
  });

  it('lists a client once, with the sessions that were opened for it', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'var/subscribe', { aliases: ['ball.position'] }));
    const [client] = [...server.registry.sessions];
    const facts = { frontEnd: 'trick', peer: '127.0.0.1:5', transport: 'json-rpc', openedBy: client! };
    const commands = server.registry.create(facts, { write: () => true, pendingBytes: 0 }, client!.account);
    commands.reading = () => ['ball.velocity'];
    commands.tag = 'panel';
    await peer.say(call(2, 'sim/clients'));
    const { clients } = peer.texts.at(-1).result;
    expect(clients).to.have.length(1);
    expect(clients[0]).to.deep.include({ protocol: 'http', is_me: true, tag: 'panel', reads_count: 2 });
    expect(clients[0].reads).to.deep.equal(['ball.position', 'ball.velocity']);
  });

  it('names twenty paths of a client and counts the rest', async () => {
    const server = new TestServer();
    const aliases = ['ball.position', ...Array.from({ length: 30 }, (_, i) => `${' '.repeat(i + 1)}ball.velocity`)];
    await server.call('var/subscribe', { aliases });
    const [{ reads, reads_count }] = (await server.call('sim/clients')).clients;
    expect(reads).to.have.length(20);
    expect(reads_count).to.equal(31);
  });
});

describe('sim/messages', () => {
  it('answers the latest, and those after a number', async () => {
    const server = new TestServer();
    for (let index = 1; index <= 1200; index++) server.messages.add(said(`message ${index}`));
    const numbers = async (params: object) =>
      (await server.call('sim/messages', params)).messages.map((each: { number: number }) => each.number);
    expect(await numbers({ last: 2 })).to.deep.equal([1199, 1200]);
    expect(await numbers({ after: 1198 })).to.deep.equal([1199, 1200]);
    expect(await numbers({ last: 1000 })).to.have.length(1000);
    expect(await numbers({ last: 0 })).to.deep.equal([]);
  });

  it('cuts a message of a million characters', async () => {
    const server = new TestServer();
    server.messages.add(said('x'.repeat(1_000_000)));
    expect((await server.call('sim/messages')).messages[0].text).to.have.length(4000);
  });

  it('answers a thousand long messages in turns', async () => {
    const ball = new TestBall();
    // Each look at the clock finds 3 ms gone, and a turn goes on for 5 at most.
    const clock = new ComputingClock();
    const server = new TestServer(ball, {}, ball, clock);
    for (let index = 0; index < 1000; index++) server.messages.add(said('"'.repeat(4000)));
    const peer = server.open();
    const pieces = countPieces(server.registry.turns);
    clock.millisPerLook = 3;
    await peer.say(call(1, 'sim/messages', { last: 1000 }));
    while (peer.texts.length === 0) await turn();
    expect(pieces()).to.be.above(60);
    const { messages, following } = peer.texts[0].result;
    expect([messages.length, messages[999].text.length, following]).to.deep.equal([1000, 4000, false]);
  });

  it('follows over a WebSocket until the client says so or goes', async () => {
    const server = new TestServer();
    const peer = server.open();
    const follow = (id: number, isOn: boolean) => peer.say(call(id, 'sim/messages', { follow: isOn, last: 0 }));
    await follow(1, true);
    await follow(2, true);
    server.messages.add(said('one'));
    await turn();
    expect(peer.texts.at(-1)).to.deep.equal({
      jsonrpc: '2.0',
      method: 'sim/message',
      params: { number: 1, level: 'normal', text: 'one', elapsed_sec: 1 },
    });
    expect(peer.texts).to.have.length(3);
    await follow(3, false);
    expect(peer.texts.at(-1).result.following).to.equal(false);
    server.messages.add(said('two'));
    await turn();
    expect(peer.texts).to.have.length(4);
    await follow(4, true);
    expect(server.registry.ledger.held('subscriptions')).to.equal(1);
    peer.leave();
    expect(server.registry.ledger.held('subscriptions')).to.equal(0);
    server.messages.add(said('three'));
  });

  it('leaves messages out for a client that does not read, and goes on afterwards', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'sim/messages', { follow: true }));
    peer.pendingBytes = 1e9;
    for (let index = 0; index < 300; index++) server.messages.add(said('much'));
    await turn();
    expect(peer.texts).to.have.length(1);
    peer.read();
    await turn();
    const numbers = peer.texts.slice(1).map(({ params }) => params.number);
    expect(numbers).to.deep.equal(Array.from({ length: 100 }, (_, k) => 201 + k));
    const { clients } = await server.call('sim/clients');
    expect(clients[0].dropped_messages).to.equal(200);
    server.messages.add(said('seen'));
    await turn();
    expect(peer.texts.at(-1).params).to.deep.include({ number: 301, text: 'seen' });
  });

  it('keeps few messages for a client that does not read', async () => {
    const server = new TestServer();
    const peer = server.open();
    await peer.say(call(1, 'sim/messages', { follow: true, last: 0 }));
    peer.isStuck = true;
    for (let index = 0; index < 1000; index++) {
      server.messages.add(said('x'.repeat(1000)));
      await turn();
    }
    expect(peer.pendingBytes).to.be.within(64 * 1024, 68 * 1024);
    peer.leave();
    server.messages.add(said('after'));
  });

  it('sends the latest hundred of a flood to each of many followers, a turn at a time', async () => {
    const server = new TestServer();
    const peers = Array.from({ length: 20 }, () => server.open());
    for (const peer of peers) await peer.say(call(1, 'sim/messages', { follow: true, last: 0 }));
    for (let index = 0; index < 5000; index++) server.messages.add(said('flood'));
    while (peers.some(({ texts }) => texts.at(-1)?.params?.number !== 5000)) await turn();
    for (const { texts } of peers) expect(texts.length).to.be.within(2, 300);
  });

  it('is refused over HTTP, which has nothing to send later', async () => {
    const { error } = await new TestServer().respond('sim/messages', { follow: true });
    expect(error.message).to.equal('sim/messages: follow is for a WebSocket at /ws');
  });
});
