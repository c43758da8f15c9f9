// Clients that take a long answer of HTTP slowly, over real sockets, by a clock of their own.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { UnreadAnswers } from '../../serving/session/unread-answers.js';
import type { AnsweredConnection, WatchAnswers } from '../../serving/transport/answer-queue.js';
import { HeldBack } from '../../serving/transport/held-back.js';
import { createHttp, type HttpHandler, listenHttp } from '../../serving/transport/http.js';
import type { HttpStream } from '../../serving/transport/http-exchange.js';
import { MountedHttp } from '../../serving/transport/mounted-http.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { signal } from '../../testing/aids/transport-peer.js';

const MIB = 1024 * 1024;
const LONG = Buffer.alloc(32 * MIB, 'x');
/** What a client takes at a time, much slower than 64 KB a second; operating systems pass on a megabyte at once. */
const STEP_BYTES = 4 * MIB;
/** The time in which a client must take some of what waits. */
const patienceMillis = ({ pendingBytes }: AnsweredConnection): number => 10_000 + pendingBytes / 64;
/** A real second is enough for what comes over a socket of this machine. */
const COMING_MILLIS = 1000;

type Handle = (watchAnswers: WatchAnswers, handler: HttpHandler) => Promise<{ port: number; close(): unknown }>;

const ofPort: Handle = async (watchAnswers, handler) => {
  const service = createHttp({ watchAnswers }, handler);
  const listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, service);
  return { port: listener.port, close: () => listener.close().then(() => service.close()) };
};

function mountedOn(serverOf: (mounted: MountedHttp) => Server): Handle {
  return async (watchAnswers, handler) => {
    const settings = { path: '', onHandlerError: () => undefined, unfinishedBodyBytes: 1e6, heldBack: new HeldBack() };
    const server = serverOf(new MountedHttp({ ...settings, handler, watchAnswers })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, close: () => server.close() };
  };
}

const overHttp1 = (port: number, ...paths: string[]): Readable => {
  const socket = connect(port, '127.0.0.1');
  const asked = paths.length > 0 ? paths : ['/'];
  socket.write(asked.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  return socket;
};

const overHttp2 = (port: number): Readable => {
  const session = connectHttp2(`http://127.0.0.1:${port}`).on('error', () => undefined);
  return session.request({ ':path': '/' }).once('close', () => session.destroy());
};

/** Reads so much of it and no more; less when it has ended. */
async function take(from: Readable, bytes: number): Promise<number> {
  for (let taken = 0; ; ) {
    const chunk = from.read() as Buffer | null;
    taken += chunk?.length ?? 0;
    if (taken >= bytes || from.readableEnded || from.destroyed) return taken;
    if (chunk === null) await new Promise((turn) => setImmediate(turn));
  }
}

/** A clock, who watches by it, and what was said of clients that were cut. */
function watching() {
  const clock = new ManualClock();
  const said: string[] = [];
  const unread = new UnreadAnswers(clock, (sentence) => said.push(sentence));
  const watched = signal<AnsweredConnection>();
  const watchAnswers: WatchAnswers = (connection) => {
    watched.give(connection);
    return unread.watch(connection);
  };
  return { clock, said, watched: watched.promise, watchAnswers };
}

describe('a client that takes a long answer of HTTP slowly', () => {
  for (const [where, handle, ask] of [
    ['of a port', ofPort, overHttp1],
    ['below a path', mountedOn(({ handle }) => createServer(handle)), overHttp1],
    ['below a path, over HTTP/2', mountedOn(({ handle }) => createHttp2Server(handle as never)), overHttp2],
  ] as const) {
    it(`is not cut while it takes some of it, and is when it takes no more: ${where}`, async () => {
      const { clock, said, watched, watchAnswers } = watching();
      const answered = signal<void>();
      const { port, close } = await handle(watchAnswers, (exchange) => {
        exchange.respond(200, {}, LONG);
        answered.give();
      });
      const client = ask(port).on('error', () => undefined);
      const [connection] = await Promise.all([watched, answered.promise]);
      for (let k = 0; k < 3; k++) {
        const before = connection.pendingBytes;
        await take(client, STEP_BYTES);
        for (const from = Date.now(); connection.pendingBytes >= before && Date.now() - from < COMING_MILLIS; )
          await new Promise((turn) => setImmediate(turn));
        clock.advance(0.9 * patienceMillis(connection));
      }
      expect([said, connection.pendingBytes > MIB]).to.deep.equal([[], true]);
      clock.advance(patienceMillis(connection));
      expect(said).to.have.length(1);
      await close();
    });
  }

  it('is not cut for an answer behind a download that goes on, and is for one that it could take', async () => {
    const { clock, said, watched, watchAnswers } = watching();
    const answered = signal<void>();
    const opened = signal<HttpStream>();
    const { port, close } = await ofPort(watchAnswers, (exchange) => {
      if (exchange.path === '/file') opened.give(exchange.stream(200, { 'content-length': LONG.length }));
      else answered.give(void exchange.respond(200, {}, LONG));
    });
    const client = overHttp1(port, '/file', '/behind').on('error', () => undefined);
    const [connection, download] = await Promise.all([watched, opened.promise, answered.promise]);
    for (let sent = 0; sent < LONG.length; sent += STEP_BYTES) {
      download.write(LONG.subarray(sent, sent + STEP_BYTES));
      await take(client, STEP_BYTES);
      clock.advance(patienceMillis(connection));
    }
    expect(said).to.deep.equal([]);
    download.end();
    clock.advance(patienceMillis(connection));
    expect(said).to.have.length(1);
    await close();
  });
});
