// Pings of a WebSocket, by a clock that the test moves.
import { once } from 'node:events';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { collect, dial, record, signal } from '../../testing/aids/transport-peer.js';
import type { Listener, WebSocketPeer } from './connection.js';
import { HeldBack } from './held-back.js';
import { createHttp, type HttpService, listenHttp } from './http.js';
import { acceptWebSockets } from './websocket.js';

/** How a ping with four bytes begins. */
const PING = Buffer.from([0x89, 4]);

describe('pings of a WebSocket', () => {
  let http: HttpService;
  let listener: Listener;
  let heldBack: HeldBack;
  let accepted: ReturnType<typeof signal<WebSocketPeer>>;
  let ticks: Set<() => void>;
  let periods: number[];
  let nowMillis: number;

  beforeEach(async () => {
    [accepted, ticks, periods, nowMillis] = [signal(), new Set(), [], 0];
    heldBack = new HeldBack();
    http = createHttp({}, (exchange) => void exchange.respond(200, {}));
    const every = (seconds: number, call: () => void) => {
      periods.push(seconds);
      ticks.add(call);
      return () => ticks.delete(call);
    };
    const options = { accept: () => true as const, every, heldBack, nowMillis: () => nowMillis };
    acceptWebSockets(http, options, (connection) => accepted.give(connection));
    listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, http);
  });
  afterEach(async () => {
    await listener.close();
    http.close();
  });

  const tick = () => {
    for (const call of ticks) call();
  };

  it('go out every 25 s, and nobody who answers is ended', async () => {
    const client = new WebSocket(`ws://127.0.0.1:${listener.port}/ws`);
    await once(client, 'open');
    const connection = await accepted.promise;
    const { log } = record(connection);
    expect(periods).to.deep.equal([25]);
    for (let count = 0; count < 5; count++) {
      const pinged = once(client, 'ping');
      tick();
      await pinged;
      // The answer has been sent; the server's next message comes after the server has read it.
      const heard = once(client, 'pong');
      client.ping();
      await heard;
    }
    expect(log).to.deep.equal([]);
    expect(connection.write('still here')).to.equal(true);
    client.terminate();
  });

  it('of a client are answered, the latest of many that come at once', async () => {
    const { socket, heard, connection } = await mute();
    const { log } = record(connection);
    const ping = (number: number): Buffer => Buffer.from([0x89, 0x82, 0, 0, 0, 0, number >> 8, number & 255]);
    socket.write(Buffer.concat(Array.from({ length: 1000 }, (_, number) => ping(number))));
    // The last has the number 999.
    const bytes = (): Buffer => Buffer.concat(heard.chunks);
    await heard.until(() => bytes().includes(Buffer.from([0x8a, 2, 999 >> 8, 999 & 255])));
    expect(bytes().length).to.be.below(1000);
    expect(log).to.deep.equal([]);
    expect(connection.write('still here')).to.equal(true);
    socket.destroy();
  });

  it('stop with the connection', async () => {
    const client = new WebSocket(`ws://127.0.0.1:${listener.port}/ws`);
    await once(client, 'open');
    const { closed } = record(await accepted.promise);
    client.terminate();
    await closed;
    expect(ticks.size).to.equal(0);
  });

  /** A peer that opens a WebSocket and never answers a ping. */
  async function mute() {
    const socket = await dial(listener.port);
    const heard = collect(socket);
    socket.write(
      'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await heard.until((text) => text.includes('101'));
    return { socket, heard, connection: await accepted.promise };
  }

  it('end a peer that answers none and takes nothing', async () => {
    const { socket, connection, heard } = await mute();
    const { closed } = record(connection);
    for (let count = 0; count < 3; count++) {
      tick();
      await new Promise(setImmediate);
    }
    expect(await closed).to.equal('the WebSocket failed: the peer answered no ping');
    expect(heldBack.count('silent_peers')).to.equal(1);
    expect(heard.chunks.length).to.be.at.least(1);
    socket.destroy();
  });

  it('let a peer live that takes what it is sent, or that is not read from', async () => {
    const { socket, heard, connection } = await mute();
    const { log } = record(connection);
    for (let count = 0; count < 5; count++) {
      connection.write(`message ${count}`);
      await heard.until((text) => text.includes(`message ${count}`));
      tick();
    }
    connection.pauseReading();
    for (let count = 0; count < 5; count++) {
      tick();
      await new Promise(setImmediate);
    }
    expect(log.filter((event) => event === 'close')).to.deep.equal([]);
    socket.destroy();
  });

  /** Numbers of the pings that have come, in their order. */
  const pingsIn = (bytes: Buffer): number[] => {
    const numbers: number[] = [];
    for (let at = bytes.indexOf(PING); at >= 0; at = bytes.indexOf(PING, at + 1))
      numbers.push(bytes.readUInt32BE(at + 2));
    return numbers;
  };

  const pongOf = (number: number): Buffer => {
    const pong = Buffer.from([0x8a, 0x84, 0, 0, 0, 0, 0, 0, 0, 0]);
    pong.writeUInt32BE(number, 6);
    return pong;
  };

  /** A peer that answers pings when the test says so. */
  async function follower() {
    const { socket, heard, connection } = await mute();
    const arrived = async (count: number): Promise<number[]> => {
      await heard.until(() => pingsIn(Buffer.concat(heard.chunks)).length >= count);
      return pingsIn(Buffer.concat(heard.chunks));
    };
    return { socket, heard, connection, arrived, answer: (number: number) => void socket.write(pongOf(number)) };
  }

  /** One that has answered the first marker, and is behind with the second. */
  async function behind() {
    const peer = await follower();
    const { connection, arrived, answer } = peer;
    const recorded = record(connection);
    connection.followTaking?.();
    await arrived(1);
    connection.write('x'.repeat(300_000));
    await peer.heard.until((text) => text.endsWith('x'.repeat(300_000)));
    answer(1);
    await arrived(2);
    expect(connection.isBehind).to.equal(true);
    return { ...peer, ...recorded };
  }

  it('show what a stream has on its way: behind until the answer comes, and then told', async () => {
    const { socket, heard, connection, arrived, answer } = await follower();
    const { log, drained } = record(connection);
    connection.followTaking?.();
    connection.followTaking?.();
    expect(await arrived(1)).to.deep.equal([1]);
    connection.write('x'.repeat(300_000));
    await heard.until((text) => text.endsWith('x'.repeat(300_000)));
    // A client that has answered none is not waited for.
    expect([connection.isBehind, connection.pendingBytes]).to.deep.equal([false, 0]);
    answer(1);
    expect(await arrived(2)).to.deep.equal([1, 2]);
    expect([connection.isBehind, log]).to.deep.equal([true, []]);
    connection.write('an answer');
    await heard.until((text) => text.endsWith('an answer'));
    answer(2);
    await drained;
    expect(connection.isBehind).to.equal(false);
    nowMillis = 2000;
    connection.write('late');
    expect(await arrived(3)).to.deep.equal([1, 2, 3]);
    nowMillis += 2001;
    expect(connection.isBehind).to.equal(true);
    connection.pauseReading();
    expect(connection.isBehind).to.equal(false);
    socket.destroy();
  });

  it('tell that a client is no longer behind when it has asked before it answers, and reading has stopped', async () => {
    const { socket, connection } = await behind();
    const drained = signal<void>();
    connection.listen({
      data: () => connection.pauseReading(),
      drain: () => drained.give(),
      close: () => undefined,
    });
    socket.write(Buffer.concat([Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x3f]), pongOf(2)]));
    await drained.promise;
    socket.destroy();
  });

  it('are not waited for while a message of the client is on its way, inside which it can answer none', async () => {
    const { socket, connection } = await behind();
    const received = signal<void>();
    const drained = signal<void>();
    connection.listen({ data: () => received.give(), drain: () => drained.give(), close: () => undefined });
    const message = Buffer.concat([Buffer.from([0x81, 0x83, 0, 0, 0, 0]), Buffer.from('abc')]);
    socket.write(message.subarray(0, 7));
    while (connection.isBehind) await new Promise(setImmediate);
    nowMillis += 60_000;
    expect(connection.isBehind).to.equal(false);
    socket.write(message.subarray(7));
    await received.promise;
    expect(connection.isBehind).to.equal(true);
    socket.write(pongOf(2));
    await drained.promise;
    expect(connection.isBehind).to.equal(false);
    socket.destroy();
  });

  it('go again to a client that leaves an answer out, which does not count as taken by one that has gone', async () => {
    const { socket, connection, arrived, closed, log } = await behind();
    for (let count = 3; count < 15; count += 2) {
      nowMillis += 2001;
      connection.followTaking?.();
      connection.followTaking?.();
      expect((await arrived(count)).length).to.equal(count);
      tick();
      await arrived(count + 1);
    }
    // Six pings went unanswered: it may have been stopped in a debugger.
    expect(log).to.deep.equal([]);
    nowMillis += 2001;
    connection.followTaking?.();
    tick();
    expect(await closed).to.equal('the WebSocket failed: the peer answered no ping');
    socket.destroy();
  });

  it('are answered by one that has gone since, without a stream: it is ended as soon as any other', async () => {
    const { socket, heard, connection, arrived, answer } = await follower();
    const { closed, log } = record(connection);
    tick();
    answer((await arrived(1))[0] as number);
    // The server has read the answer when it answers what came behind it.
    socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
    await heard.until(() => Buffer.concat(heard.chunks).includes(Buffer.from([0x8a, 0])));
    for (let count = 2; count < 4; count++) {
      nowMillis += 25_000;
      tick();
      await arrived(count);
    }
    expect(log).to.deep.equal([]);
    nowMillis += 25_000;
    tick();
    expect(await closed).to.equal('the WebSocket failed: the peer answered no ping');
    socket.destroy();
  });

  it('do not follow what goes to a client without streams', async () => {
    const { socket, heard, connection } = await mute();
    record(connection);
    connection.write('x'.repeat(300_000));
    connection.write('the end');
    await heard.until((text) => text.endsWith('the end'));
    expect(pingsIn(Buffer.concat(heard.chunks))).to.deep.equal([]);
    socket.destroy();
  });
});
