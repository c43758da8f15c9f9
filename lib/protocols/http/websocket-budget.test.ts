// Limits of one WebSocket: a busy one is not read, and one that takes no answers is closed.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer, turn, webSocketOf } from '../../testing/aids/http-exchange.js';
import { MemoryWebSocket } from '../../testing/aids/memory-connection.js';
import type { Neighbour } from './neighbour.js';

const call = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

/**
 * A peer that reads nothing from its socket and sends all its messages in one write: they arrive while the server
 * reads.
 */
class StalledPeer extends MemoryWebSocket {
  override isStuck = true;
  private readonly unread: object[] = [];

  override resumeReading(): void {
    super.resumeReading();
    this.deliver();
  }

  writeAll(messages: readonly object[]): void {
    this.unread.push(...messages);
    this.deliver();
  }

  get unreadCount(): number {
    return this.unread.length;
  }

  private deliver(): void {
    while (this.isReading && this.unread.length > 0) this.send(JSON.stringify(this.unread.shift()));
  }
}

const stalledPeer = (): StalledPeer => new StalledPeer(webSocketOf().request);

const turns = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done++) await turn();
};

function largeServer(): TestServer {
  return new TestServer(new TestBall((state) => state.addObject('table').component('row', double(10_000))));
}

describe('a WebSocket that asks for much and reads nothing', () => {
  const ask = (count: number) =>
    Array.from({ length: count }, (_, id) => call(id, 'var/get', { aliases: ['table.row'] }));

  it('is read no further while its answers wait, and read on when it has taken them', async () => {
    const server = largeServer();
    const peer = server.open(stalledPeer()) as StalledPeer;
    peer.writeAll(ask(1000));
    expect(peer.unreadCount).to.be.above(900);
    await turns(200);
    const answered = peer.texts.length;
    expect(answered).to.be.within(50, 200);
    expect(peer.unreadCount).to.be.above(800);
    expect(server.registry.ledger.held('unreadBytes')).to.be.within(1024 * 1024, 4 * 1024 * 1024);
    peer.read();
    peer.isStuck = true;
    expect(server.registry.ledger.held('unreadBytes')).to.equal(0);
    await turns(200);
    expect(peer.texts.length).to.be.above(answered + 40);
    expect(peer.texts.every(({ result }) => result.values['table.row'].length === 10_000)).to.equal(true);
  });

  it('is read no further while messages of another protocol of its path wait', async () => {
    const neighbour: Neighbour = {
      answer: () => undefined,
      converse: ({ caller }) => ({ take: () => caller.turn().then(() => true), close: () => undefined }),
    };
    const server = new TestServer(new TestBall(), { neighbour });
    const peer = server.open(stalledPeer()) as StalledPeer;
    await turn();
    peer.writeAll(Array.from({ length: 500 }, (_, id) => call(id, 'other')));
    expect(peer.unreadCount).to.be.above(450);
    await turns(200);
    expect(peer.unreadCount).to.equal(0);
  });

  it('is read no further while the work of its long messages waits', async () => {
    const server = new TestServer();
    const peer = server.open(stalledPeer()) as StalledPeer;
    await turn();
    const long = 'x'.repeat(20_000);
    peer.writeAll(Array.from({ length: 100 }, (_, id) => call(id, 'var/get', { aliases: ['ball.position'], long })));
    expect(peer.unreadCount).to.equal(96);
    await turns(1000);
    expect(peer.unreadCount).to.equal(0);
    expect(peer.texts).to.have.length(100);
  });

  it('is let go, with a line in the log, when that lasts', async () => {
    const server = largeServer();
    const peer = server.open(stalledPeer()) as StalledPeer;
    peer.writeAll(ask(200));
    await turns(100);
    server.clock.advance(10_000);
    expect(peer.isClosed).to.equal(false);
    server.clock.advance(60_000);
    expect(peer.isClosed).to.equal(true);
    expect(server.log.join()).to.match(/^127.0.0.1:40000 was let go: its answers were not taken: \d+ bytes wait/);
    expect(server.registry.ledger.held('unreadBytes')).to.equal(0);
  });

  it('stays while it takes some of them', async () => {
    const server = largeServer();
    const peer = server.open(stalledPeer()) as StalledPeer;
    peer.writeAll(ask(200));
    await turns(100);
    for (let count = 0; count < 60; count++) {
      peer.pendingBytes -= 1000;
      server.clock.advance(10_000);
    }
    expect(peer.isClosed).to.equal(false);
  });

  it('ends what it has asked for when it goes', async () => {
    const server = largeServer();
    const peer = server.open(stalledPeer()) as StalledPeer;
    peer.writeAll(ask(30));
    peer.leave();
    await turns(50);
    expect(peer.texts).to.deep.equal([]);
    expect(server.registry.ledger.held('keptBytes')).to.equal(0);
  });
});

describe('a change over a WebSocket', () => {
  it('that is refused after it was answered is told by a notification', async () => {
    const ball = new TestBall();
    ball.isSlow = true;
    const peer = new TestServer(ball).open();
    await peer.say(call(1, 'var/set', { alias: 'ball.position[0]', value: 666 }));
    ball.release();
    await turn();
    expect(peer.texts).to.deep.equal([
      { jsonrpc: '2.0', id: 1, result: { sequence: 1 } },
      {
        jsonrpc: '2.0',
        method: 'var/refused',
        params: { sequence: 1, reason: 'the simulation does not take 666' },
      },
    ]);
  });

  it('comes in the order in which it was asked for, whatever takes longer', async () => {
    const server = largeServer();
    const peer = server.open(stalledPeer()) as StalledPeer;
    const values = Object.fromEntries(Array.from({ length: 5000 }, (_, k) => [`table.row[${k}]`, 1]));
    peer.writeAll([
      call(1, 'var/set', { values }),
      call(2, 'sim/control', { action: 'freeze' }),
      call(3, 'var/set', { alias: 'ball.position[0]', value: 1 }),
    ]);
    await turns(50);
    expect(server.ball.requests.map(({ kind }) => kind)).to.deep.equal(['write', 'control', 'write']);
  });
});

describe('messages of a WebSocket that wait', () => {
  it('are counted while they do, and refused when they are too many bytes', async () => {
    const server = new TestServer(new TestBall());
    const peer = server.open(new MemoryWebSocket(webSocketOf().request));
    const held = (): number | undefined => server.registry.ledger.held('keptBytes');
    const condition = { condition: 'ball.position[0] > 1e9', timeout_ms: 600_000 };
    const batch = JSON.stringify([call(1, 'var/wait', condition), call(2, 'var/get', { pad: 'x'.repeat(1e6) })]);
    for (let sent = 0; sent < 40; sent++) {
      peer.send(batch);
      await turns(20);
    }
    const refusals = peer.texts.filter(({ error }) => error?.message.startsWith('messages of this client that wait'));
    expect(refusals).to.have.length(24);
    expect(refusals[0].error.code).to.equal(-23418);
    expect(held()).to.equal(16 * batch.length);
    peer.end();
    await turns(20);
    expect(held()).to.equal(0);
  });
});

describe('changes that are refused', () => {
  it('make one line a second in the log', async () => {
    const server = new TestServer();
    const peer = server.open();
    const set = () => peer.say(call(1, 'var/set', { alias: 'ball.position[0]', value: 666 }));
    for (let count = 0; count < 5; count++) await set();
    server.clock.advance(1000);
    await set();
    expect(server.log).to.deep.equal([
      'the change 1 of 127.0.0.1:40000 was refused: the simulation does not take 666',
      'the change 6 of 127.0.0.1:40000 was refused: the simulation does not take 666 (4 more like this since the last line)',
    ]);
  });
});

describe('WebSockets of one address with long messages', () => {
  const long = (id: number) =>
    Array.from({ length: 200 }, (_, k) => call(1000 * id + k, 'var/get', { aliases: ['ball.position'] }));

  it('are worked on eight at a time, are not read meanwhile, and are all answered', async () => {
    const server = new TestServer(new TestBall());
    const waits = call(0, 'var/wait', { condition: 'ball.position[0] > 1e9', timeout_ms: 1000 });
    const peers = Array.from({ length: 11 }, () => server.open(webSocketOf()));
    await turn();
    for (const [k, peer] of peers.entries()) peer.send(JSON.stringify(k < 8 ? [waits, ...long(k)] : long(k)));
    await turns(100);
    expect(peers.map((peer) => peer.texts.length)).to.deep.equal(Array(11).fill(0));
    expect(peers.map((peer) => peer.isReading)).to.deep.equal([...Array(8).fill(true), ...Array(3).fill(false)]);
    const [, , , , , , , gone] = peers;
    peers[8]?.leave();
    server.clock.advance(200);
    await turns(100);
    expect(
      peers
        .slice(9)
        .map((peer) => peer.texts.length)
        .sort(),
    ).to.deep.equal([0, 1]);
    gone?.leave();
    server.clock.advance(200);
    await turns(100);
    expect(peers.slice(9).map((peer) => peer.texts[0].length)).to.deep.equal([200, 200]);
    expect(peers.slice(9).map((peer) => peer.isReading)).to.deep.equal([true, true]);
    server.clock.advance(600);
    await turns(100);
    expect(peers.slice(0, 7).map((peer) => peer.texts[0].length)).to.deep.equal(Array(7).fill(201));
  });

  it('get a long answer whole, which is put together in slices', async () => {
    const server = largeServer();
    const peer = server.open(webSocketOf());
    await turn();
    peer.send(JSON.stringify(Array.from({ length: 200 }, (_, id) => call(id, 'var/get', { aliases: ['table.row'] }))));
    await turns(400);
    const [answers] = peer.texts;
    expect(answers).to.have.length(200);
    for (const { result } of answers) expect(result.values['table.row']).to.have.length(10_000);
  });
});
