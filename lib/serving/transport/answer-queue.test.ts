// Which answers of an HTTP connection are its client's to take.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { collect, dial, signal } from '../../testing/aids/transport-peer.js';
import type { AnsweredConnection, WatchAnswers } from './answer-queue.js';
import { HeldBack } from './held-back.js';
import { createHttp, type HttpHandler, listenHttp } from './http.js';
import type { HttpExchange, HttpStream } from './http-exchange.js';
import { MountedHttp } from './mounted-http.js';

/** More than the operating system keeps of a connection. */
const LONG = Buffer.alloc(16 * 1024 * 1024, 'x');
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('answers of an HTTP connection', () => {
  let open: { readonly port: number; close(): Promise<unknown> };
  let sockets: Socket[];
  let watched: AnsweredConnection[];
  let added: number[];
  let settled: number;
  let isEmpty: ReturnType<typeof signal<void>>;

  const watchAnswers: WatchAnswers = (connection) => {
    watched.push(connection);
    return {
      add: (bytes) => void added.push(bytes),
      settle: () => {
        settled++;
        if (connection.pendingBytes === 0) isEmpty.give();
      },
    };
  };
  beforeEach(() => {
    [sockets, watched, added, settled, isEmpty] = [[], [], [], 0, signal<void>()];
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await open.close();
  });

  async function serve(handler: HttpHandler): Promise<void> {
    const service = createHttp({ watchAnswers }, handler);
    const listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, service);
    open = { port: listener.port, close: () => listener.close().then(() => service.close()) };
  }

  /** Below a path of another program's server. */
  async function mount(handler: HttpHandler): Promise<void> {
    const settings = { path: '', onHandlerError: () => undefined, unfinishedBodyBytes: 1e6, heldBack: new HeldBack() };
    const mounted = new MountedHttp({ ...settings, handler, watchAnswers });
    const server = createServer(mounted.handle).on('connection', mounted.connection).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = () => once(server.close(), 'close');
    open = { port: (server.address() as AddressInfo).port, close };
  }

  /** Writes requests on a connection that is not read yet. */
  async function send(text: string): Promise<Socket> {
    const socket = await dial(open.port);
    sockets.push(socket.on('error', () => undefined));
    socket.write(text);
    return socket;
  }

  for (const [where, begin] of [
    ['of a port', serve],
    ['below a path of another program', mount],
  ] as const) {
    it(`${where} wait until the client takes them`, async () => {
      const answered = signal<HttpExchange>();
      await begin((exchange) => {
        exchange.respond(200, {}, LONG);
        expect([added, settled]).to.deep.equal([[watched[0]?.pendingBytes], 0]);
        answered.give(exchange);
      });
      const socket = await send(get('/'));
      const { peer } = await answered.promise;
      const [connection] = watched as [AnsweredConnection];
      expect(connection.peer).to.equal(peer);
      expect(added[0]).to.be.within(LONG.length, LONG.length + 1000);
      expect(connection.pendingBytes).to.be.within(LONG.length / 4, LONG.length + 1000);
      socket.resume();
      await isEmpty.promise;
      expect([connection.pendingBytes, added.length]).to.deep.equal([0, 1]);
      // Each part that was taken has been told.
      expect(settled).to.be.greaterThan(LONG.length / 4 / 65_536);
    });

    it(`${where} end with their connection when it is cut`, async () => {
      const answered = signal<HttpExchange>();
      const closed = signal<void>();
      await begin((exchange) => {
        exchange.onClose(() => closed.give());
        exchange.respond(200, {}, LONG);
        answered.give(exchange);
      });
      const socket = await send(get('/'));
      await answered.promise;
      const gone = once(socket.resume(), 'close');
      watched[0]?.destroy();
      await Promise.all([closed.promise, isEmpty.promise, gone]);
      expect(watched[0]?.pendingBytes).to.equal(0);
    });
  }

  it('that the operating system has taken do not wait', async () => {
    await serve((exchange) => void exchange.respond(200, {}, 'short'));
    const socket = await send(get('/'));
    await collect(socket).until((text) => text.endsWith('short'));
    expect([added, settled, watched[0]?.pendingBytes]).to.deep.equal([[], 0, 0]);
  });

  it('do not wait for the client behind one that the server owes', async () => {
    const asked: HttpExchange[] = [];
    const all = signal<void>();
    await serve((exchange) => {
      if (exchange.path === '/slow') asked.push(exchange);
      else exchange.respond(200, {}, LONG);
      if (exchange.path === '/third') all.give();
    });
    await send(get('/first') + get('/slow') + get('/second') + get('/third'));
    await all.promise;
    const [connection] = watched as [AnsweredConnection];
    expect(added).to.have.length(1);
    expect(connection.pendingBytes).to.be.within(LONG.length / 2, LONG.length + 1000);
    asked[0]?.respond(200, {}, LONG);
    expect(added).to.have.length(4);
    expect(connection.pendingBytes).to.be.within(3.5 * LONG.length, 4 * LONG.length + 4000);
  });

  it('wait for the client behind a stream, whose own bytes do not count', async () => {
    const all = signal<void>();
    await serve((exchange) => {
      if (exchange.path === '/stream') exchange.stream(200, {}).write(LONG);
      else all.give(void exchange.respond(200, {}, LONG));
    });
    await send(get('/stream') + get('/behind'));
    await all.promise;
    expect(added).to.deep.equal([watched[0]?.pendingBytes]);
    expect(added[0]).to.be.within(LONG.length, LONG.length + 1000);
    expect(watched[0]?.isDownloading).to.equal(false);
  });

  it('wait behind a download, and then for the client, who has it when it has ended', async () => {
    const all = signal<void>();
    const opened = signal<HttpStream>();
    await serve((exchange) => {
      if (exchange.path === '/file') opened.give(exchange.stream(200, { 'content-length': LONG.length }));
      else all.give(void exchange.respond(200, {}, LONG));
    });
    await send(get('/file') + get('/behind'));
    await all.promise;
    const [connection] = watched as [AnsweredConnection];
    expect([connection.isDownloading, added, settled]).to.deep.equal([true, [connection.pendingBytes], 0]);
    const stream = await opened.promise;
    stream.write(LONG);
    expect([connection.isDownloading, settled]).to.deep.equal([true, 0]);
    stream.end();
    expect([connection.isDownloading, settled]).to.deep.equal([false, 1]);
    sockets[0]?.resume();
    await isEmpty.promise;
    expect(connection.pendingBytes).to.equal(0);
  });
});
