// WebSockets on a shared port.
import { once } from 'node:events';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { askOnce, dial, record, signal } from '../../testing/aids/transport-peer.js';
import type { Listener, WebSocketPeer } from './connection.js';
import { createHttp, type HttpService } from './http.js';
import type { HttpRequest } from './http-request.js';
import { listenSharedPort } from './shared-port.js';
import { acceptWebSockets } from './websocket.js';

describe('WebSockets on a shared port', () => {
  let http: HttpService;
  let listener: Listener;
  let accepted: ReturnType<typeof signal<WebSocketPeer>>;

  beforeEach(async () => {
    accepted = signal();
    http = createHttp({}, (exchange) => {
      exchange.respond(200, {}, 'plain');
    });
    const options = {
      maxPayloadBytes: 1000,
      subprotocols: () => ['rpc.2', 'rpc.1'],
      accept: ({ path, headers }: HttpRequest) => {
        if (path === '/broken') throw new Error('no decision');
        if (headers.origin === 'http://evil') return { status: 403, message: 'this origin is not allowed' };
        return path === '/ws' ? (true as const) : { status: 404, message: `there is no WebSocket at ${path}` };
      },
    };
    acceptWebSockets(http, options, (connection) => accepted.give(connection));
    const sides = { http, stream: () => {} };
    listener = await listenSharedPort({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, sides);
  });
  afterEach(async () => {
    await listener.close();
    http.close();
  });

  async function pair(protocols: string[] = []): Promise<{ client: WebSocket; connection: WebSocketPeer }> {
    const client = new WebSocket(`ws://127.0.0.1:${listener.port}/ws?name=Jeb`, protocols);
    client.on('error', () => {});
    await once(client, 'open');
    return { client, connection: await accepted.promise };
  }

  /** The next `count` messages; binary ones in angle brackets. */
  function messages(client: WebSocket, count: number): Promise<string[]> {
    const heard: string[] = [];
    return new Promise((resolve) => {
      client.on('message', (message, isBinary) => {
        heard.push(isBinary ? `<${message}>` : String(message));
        if (heard.length === count) resolve(heard);
      });
    });
  }

  async function refused(path: string, origin?: string): Promise<string> {
    const client = new WebSocket(`ws://127.0.0.1:${listener.port}${path}`, origin === undefined ? {} : { origin });
    client.on('error', () => {});
    const [request, response] = await once(client, 'unexpected-response');
    let body = '';
    for await (const chunk of response) body += chunk;
    request.destroy();
    return `${response.statusCode} ${body}`;
  }

  it('carry each write as one message, text or binary, in order', async () => {
    const { client, connection } = await pair();
    const heard = messages(client, 4);
    expect(connection.write('one ü')).to.equal(true);
    connection.write(Buffer.from('two'));
    connection.write(Buffer.from('three'), 'binary');
    connection.write('');
    expect(await heard).to.deep.equal(['one ü', 'two', '<three>', '']);
  });

  it('deliver each message whole, those sent before anyone listened included', async () => {
    const { client, connection } = await pair();
    client.send('first');
    client.send(Buffer.from('second'));
    const ponged = once(client, 'pong');
    const { received } = record(connection);
    client.send('third');
    client.ping();
    await ponged;
    expect(received.chunks.map(String)).to.deep.equal(['first', 'second', 'third']);
  });

  it('hold messages while reading is paused, even those read in one go', async () => {
    const { client, connection } = await pair();
    const heard: string[] = [];
    const third = signal<void>();
    const fourth = signal<void>();
    connection.listen({
      data(chunk) {
        heard.push(String(chunk));
        connection.pauseReading();
        setImmediate(() => {
          heard.push('resume');
          connection.resumeReading();
        });
        if (heard.includes('c')) third.give();
        if (heard.includes('d')) fourth.give();
      },
      close() {},
    });
    for (const text of ['a', 'b', 'c']) client.send(text);
    await third.promise;
    expect(heard).to.deep.equal(['a', 'resume', 'b', 'resume', 'c']);
    client.send('d');
    await fourth.promise;
    expect(heard.slice(-2)).to.deep.equal(['resume', 'd']);
  });

  it('are not read before anyone listens, nor while reading is paused', async () => {
    const { client, connection } = await pair();
    let pongs = 0;
    client.on('pong', () => {
      pongs += 1;
    });
    // The server answers a ping only while it reads; the plain request gives it the time to do so.
    const pingInVain = async () => {
      client.ping();
      await askOnce(listener.port, 'GET / HTTP/1.0\r\n\r\n');
      return pongs;
    };
    expect(await pingInVain()).to.equal(0);
    const answered = once(client, 'pong');
    connection.listen({ data: () => {}, close: () => {} });
    await answered;
    connection.pauseReading();
    expect(await pingInVain()).to.equal(1);
    const again = once(client, 'pong');
    connection.resumeReading();
    await again;
  });

  it('are not compressed, even when the client offers to', async () => {
    const { client } = await pair();
    expect(client.extensions).to.equal('');
  });

  it('know what the client asked with', async () => {
    const { connection } = await pair();
    expect(connection.kind).to.equal('websocket');
    expect(connection.request.query.get('name')).to.equal('Jeb');
    expect(connection.peer).to.match(/^127\.0\.0\.1:\d+$/);
    expect(connection.local).to.equal(`127.0.0.1:${listener.port}`);
    expect(connection.subprotocol).to.equal('');
  });

  it("echo the client's first subprotocol that is spoken here", async () => {
    const { client, connection } = await pair(['other', 'rpc.1', 'rpc.2']);
    expect([client.protocol, connection.subprotocol]).to.deep.equal(['rpc.1', 'rpc.1']);
  });

  it('are refused with the status and sentence of whoever decides', async () => {
    expect(await refused('/elsewhere')).to.equal('404 there is no WebSocket at /elsewhere\n');
    expect(await refused('/ws', 'http://evil')).to.equal('403 this origin is not allowed\n');
  });

  it('are refused when the decision fails', async () => {
    const warned = once(process, 'warning');
    expect(await refused('/broken')).to.equal('500 the server failed to decide on this WebSocket\n');
    expect((await warned)[0].message).to.contain('a WebSocket at /broken could not be decided: Error: no decision');
  });

  it('answer 400 to a handshake without a key', async () => {
    const request = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await askOnce(listener.port, request)).to.match(/^HTTP\/1.1 400 /);
  });

  it('leave plain requests to the handler', async () => {
    expect(await askOnce(listener.port, 'GET /ws HTTP/1.0\r\n\r\n')).to.match(/plain$/);
  });

  it('close when a message is too long', async () => {
    const { client, connection } = await pair();
    const { closed } = record(connection);
    const code = once(client, 'close');
    client.send('x'.repeat(1001));
    expect((await code).map(String)).to.deep.equal(['1009', 'a message may have 1000 bytes']);
    expect(await closed).to.equal('the WebSocket failed: Max payload size exceeded');
  });

  it('end with their client after a frame that is broken, and not as late as one that stays', async function () {
    // One that stays has five seconds.
    this.timeout(3000);
    const socket = await dial(listener.port);
    socket.write(
      'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const connection = await accepted.promise;
    const closed = signal<string>();
    connection.listen({ data: () => {}, close: closed.give });
    for (let chunk = 0; chunk < 20; chunk++) socket.write(Buffer.alloc(10_000, 0xff));
    socket.resume().end();
    await once(socket, 'close');
    expect(await closed.promise).to.match(/^the WebSocket failed: Invalid WebSocket frame/);
  });

  it('report a client that closes, and one that vanishes', async () => {
    const { client, connection } = await pair();
    const { closed, log } = record(connection);
    client.close(1000, 'done');
    expect(await closed).to.equal('the peer closed the connection (code 1000, done)');
    expect(log).to.deep.equal(['close']);
    expect(connection.write('x')).to.equal(false);
    expect(await record(connection).closed).to.contain('done');
    accepted = signal();
    const second = await pair();
    const vanished = record(second.connection);
    second.client.terminate();
    expect(await vanished.closed).to.equal('the peer closed the connection (code 1006)');
  });

  it('send what is queued before they end', async () => {
    const { client, connection } = await pair();
    const { closed } = record(connection);
    const heard = messages(client, 2);
    const code = once(client, 'close');
    connection.write('last');
    connection.write('words');
    connection.end();
    expect(connection.write('late')).to.equal(false);
    expect(await heard).to.deep.equal(['last', 'words']);
    expect((await code)[0]).to.equal(1000);
    expect(await closed).to.equal('closed by this side');
  });

  it('close at once when destroyed', async () => {
    const { client, connection } = await pair();
    const { closed } = record(connection);
    const code = once(client, 'close');
    connection.destroy();
    expect(await closed).to.equal('closed by this side');
    expect((await code)[0]).to.equal(1006);
  });

  it('are told that the server goes away when the port closes', async () => {
    const { client, connection } = await pair();
    const { closed } = record(connection);
    const code = once(client, 'close');
    await listener.close();
    expect((await code)[0]).to.equal(1001);
    expect(await closed).to.equal('closed by this side');
  });

  it('count what a slow client has not taken, and drain', async () => {
    const { client, connection } = await pair();
    client.pause();
    while (connection.pendingBytes < 2_000_000) {
      expect(connection.write('x'.repeat(500_000))).to.equal(true);
      await new Promise(setImmediate);
    }
    const { drained } = record(connection);
    client.resume();
    await drained;
    expect(connection.pendingBytes).to.equal(0);
  });
});
