// Messages of WebSockets that do not come whole: their time, and their room, by a clock that the test moves.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { collect, dial, record, signal } from '../../testing/aids/transport-peer.js';
import type { Listener, WebSocketPeer } from './connection.js';
import { HeldBack } from './held-back.js';
import { createHttp, type HttpService, listenHttp } from './http.js';
import { acceptWebSockets } from './websocket.js';

const PING = 0x89;
const TEXT = 0x01;
const LAST = 0x80;
/** The frame that closes with code 1008. */
const CLOSED_1008 = Buffer.from([0x88, 2, 0x03, 0xf0]);

/** A masked frame whose mask is 0; `declared` is its length when less of it is sent. */
function frame(first: number, bytes: number, declared = bytes): Buffer {
  const length =
    declared < 126
      ? [0x80 | declared]
      : declared < 65_536
        ? [0xfe, declared >> 8, declared & 255]
        : [0xff, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (declared >> shift) & 255)];
  return Buffer.concat([Buffer.from([first, ...length, 0, 0, 0, 0]), Buffer.alloc(bytes, 'a')]);
}

describe('a message of a WebSocket that does not come whole', () => {
  let http: HttpService;
  let listener: Listener;
  let heldBack: HeldBack;
  let accepted: ReturnType<typeof signal<WebSocketPeer>>;
  let timers: Set<() => void>;
  let started: ReturnType<typeof signal<void>>;
  let sockets: Duplex[];

  beforeEach(async () => {
    [accepted, started, timers, sockets] = [signal(), signal(), new Set(), []];
    heldBack = new HeldBack();
    http = createHttp({}, (exchange) => void exchange.respond(200, {}));
    const every = (seconds: number, call: () => void) => {
      if (seconds !== 60) return () => undefined;
      timers.add(call);
      started.give();
      return () => timers.delete(call);
    };
    const options = { accept: () => true as const, every, heldBack, unfinishedBytes: 150_000 };
    acceptWebSockets(http, options, (connection) => accepted.give(connection));
    listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, http);
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await listener.close();
    http.close();
  });

  async function open() {
    accepted = signal();
    started = signal();
    const socket = await dial(listener.port);
    sockets.push(socket);
    const heard = collect(socket);
    socket.write(
      'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await heard.until((text) => text.includes('101'));
    const connection = await accepted.promise;
    return { socket, heard, connection, ...record(connection) };
  }
  const afterMinute = () => {
    for (const call of timers) call();
  };

  for (const [what, half] of [
    ['whose last frame never comes', frame(TEXT, 10_000)],
    ['whose frame never ends', frame(TEXT | LAST, 10_000, 10_001)],
  ] as const) {
    it(`${what} ends its connection after a minute`, async () => {
      const { socket, heard, closed } = await open();
      socket.write(half);
      await started.promise;
      afterMinute();
      expect(await closed).to.equal('the WebSocket failed: a message had not come whole after 60 s');
      expect([heldBack.count('unfinished_messages'), timers.size]).to.deep.equal([1, 0]);
      if (!socket.closed) await once(socket, 'close');
      expect(Buffer.concat(heard.chunks).subarray(-4)).to.deep.equal(CLOSED_1008);
    });
  }

  it('is not begun by pings, and goes on around them', async () => {
    const { socket, received, closed } = await open();
    let isStarted = false;
    void started.promise.then(() => {
      isStarted = true;
    });
    socket.write(Buffer.concat(Array.from({ length: 500 }, () => frame(PING, 100))));
    socket.write(frame(TEXT | LAST, 3));
    await received.until((text) => text === 'aaa');
    expect(isStarted).to.equal(false);
    socket.write(Buffer.concat([frame(TEXT, 5000), frame(PING, 100)]));
    await started.promise;
    afterMinute();
    expect(await closed).to.include('a message had not come whole');
  });

  it('may come as late as the server reads', async () => {
    const { socket, connection, received, log } = await open();
    socket.write(frame(TEXT, 10_000));
    await started.promise;
    connection.pauseReading();
    afterMinute();
    connection.resumeReading();
    socket.write(frame(LAST, 10_000));
    await received.until((text) => text.length === 20_000);
    afterMinute();
    expect([log, timers.size]).to.deep.equal([['data'], 0]);
  });

  it('ends with its connection when such messages take too much, the one begun first', async () => {
    const first = await open();
    first.socket.write(frame(TEXT, 60_000));
    await started.promise;
    const second = await open();
    second.socket.write(frame(TEXT, 60_000));
    await started.promise;
    const third = await open();
    third.socket.write(frame(TEXT, 60_000));
    expect(await first.closed).to.match(/unfinished messages took too much/);
    for (const { socket, received } of [second, third]) {
      socket.write(frame(LAST, 0));
      await received.until((text) => text.length === 60_000);
    }
    expect([heldBack.count('unfinished_messages'), timers.size]).to.deep.equal([1, 0]);
  });
});
