// One port for HTTP and plain streams.
import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { askOnce, collect, dial, record } from '../../testing/aids/transport-peer.js';
import type { Connection, Listener } from './connection.js';
import { createHttp, type HttpService } from './http.js';
import { listenSharedPort } from './shared-port.js';

const REQUEST = 'POST /echo?a=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody';
const TEXT = 'GET = "trick.var_pause()"\nsecond line\n';

describe('a port shared by HTTP and streams', () => {
  let listener: Listener;
  let http: HttpService;
  let streams: Connection[];

  beforeEach(async () => {
    streams = [];
    http = createHttp({}, async (exchange) => {
      const body = await exchange.readBody(100);
      exchange.respond(200, {}, `${exchange.method} ${exchange.path} ${body}`);
    });
    const echo = (connection: Connection) => {
      streams.push(connection);
      connection.listen({ data: (chunk) => connection.write(chunk), close: () => {} });
    };
    listener = await listenSharedPort({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, { http, stream: echo });
  });
  afterEach(async () => {
    await listener.close();
    http.close();
  });

  async function answerTo(parts: string[], isEnough: (text: string) => boolean): Promise<string> {
    const socket = await dial(listener.port);
    const heard = collect(socket);
    for (const part of parts) await new Promise((sent) => socket.write(part, sent));
    const text = await heard.until(isEnough);
    socket.destroy();
    return text;
  }

  const cuts = (text: string) => Array.from({ length: text.length - 1 }, (_, index) => index + 1);
  const isAnswer = (text: string) => text.endsWith('POST /echo body');

  it('answers an HTTP request cut anywhere', async () => {
    for (const cut of cuts(REQUEST)) {
      const text = await answerTo([REQUEST.slice(0, cut), REQUEST.slice(cut)], isAnswer);
      expect(text, `cut at ${cut}`).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    }
    expect(streams).to.have.length(0);
  });

  it('hears each of many who were silent, and who leave', async () => {
    const silent = await Promise.all(Array.from({ length: 100 }, () => dial(listener.port)));
    await new Promise((resolve) => setTimeout(resolve, 60));
    const gone = silent.splice(0, 20);
    const closed = gone.map((socket) => once(socket.resume(), 'close'));
    for (const socket of gone) socket.end();
    const heard = silent.map((socket) => collect(socket));
    for (const [k, socket] of silent.entries()) socket.write(`line ${k}\n`);
    await Promise.all(heard.map((collected, k) => collected.until((text) => text === `line ${k}\n`)));
    await Promise.all(closed);
    for (const socket of silent) socket.destroy();
  });

  it('answers an HTTP request that comes byte by byte', async () => {
    expect(await answerTo([...REQUEST], isAnswer)).to.match(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('passes every byte of other text on, cut anywhere', async () => {
    for (const cut of cuts(TEXT)) {
      const text = await answerTo([TEXT.slice(0, cut), TEXT.slice(cut)], (heard) => heard.length >= TEXT.length);
      expect(text, `cut at ${cut}`).to.equal(TEXT);
    }
    expect(await answerTo([...TEXT], (heard) => heard.length >= TEXT.length)).to.equal(TEXT);
  });

  it('passes on the bytes and the ends of connections that wait for their turn', async () => {
    const texts: string[] = [];
    const busy = (connection: Connection) => {
      // More than a turn has for new connections.
      for (const start = performance.now(); performance.now() - start < 5; );
      const index = texts.push('') - 1;
      connection.listen({
        data: (chunk) => {
          texts[index] += chunk.toString();
        },
        ended: () => connection.end(),
        close: () => {},
      });
    };
    const other = await listenSharedPort({ host: '127.0.0.1', port: 0 }, { http, stream: busy });
    const sockets = await Promise.all(Array.from({ length: 5 }, () => dial(other.port)));
    const ended = sockets.map((socket) => once(socket.resume(), 'end'));
    // One connection is accepted in each turn of the event loop.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const socket of sockets) socket.end(TEXT);
    await Promise.all(ended);
    expect(texts).to.deep.equal(sockets.map(() => TEXT));
    await other.close();
  });

  it('answers pipelined requests in order', async () => {
    const requests = ['a', 'bb', 'ccc'].map(
      (body) => `POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const text = await answerTo([requests.join('')], (heard) => heard.includes('POST /p ccc'));
    expect(text.match(/POST \/p [abc]+/g)).to.deep.equal(['POST /p a', 'POST /p bb', 'POST /p ccc']);
  });

  it('keeps a silent connection open and treats it as a stream once it speaks', async () => {
    const silent = await dial(listener.port);
    const heard = collect(silent);
    // After another connection's round trip, the silent connection has been accepted.
    await answerTo(['x\n'], (text) => text === 'x\n');
    expect(streams).to.have.length(1);
    silent.write('trick\n');
    expect(await heard.until((text) => text.endsWith('\n'))).to.equal('trick\n');
    expect(streams).to.have.length(2);
  });

  it('closes a silent connection whose peer ends or resets', async () => {
    const ending = await dial(listener.port);
    ending.resume().end();
    await once(ending, 'close');
    const resetting = await dial(listener.port);
    resetting.resetAndDestroy();
    expect(await answerTo(['x\n'], (text) => text === 'x\n')).to.equal('x\n');
    expect(streams).to.have.length(1);
  });

  it('closes when the peer ends in the middle of a request line', async () => {
    const socket = await dial(listener.port);
    socket.resume().end('GE');
    await once(socket, 'close');
    expect(streams).to.have.length(0);
  });

  it('closes connections of all three sorts with the port', async () => {
    const sockets = await Promise.all([dial(listener.port), dial(listener.port), dial(listener.port)]);
    const [silent, stream, idleHttp] = sockets;
    const heard = sockets.map(collect);
    stream!.write('x\n');
    idleHttp!.write('GET /idle HTTP/1.1\r\nHost: x\r\n\r\n');
    await heard[1]!.until((text) => text === 'x\n');
    await heard[2]!.until((text) => text.includes('GET /idle'));
    const closed = Promise.all([silent!, stream!, idleHttp!].map((socket) => once(socket, 'close')));
    await listener.close();
    await closed;
  });

  it('tells the stream side that a peer is gone', async () => {
    const socket = await dial(listener.port);
    const heard = collect(socket);
    socket.write('x\n');
    await heard.until((text) => text === 'x\n');
    const { closed } = record(streams[0]!);
    socket.resetAndDestroy();
    expect(await closed).to.equal('the peer reset the connection');
  });

  describe('given what is not spoken there', () => {
    /** All bytes that a peer gets until the port closes the connection. */
    async function heardBy(bytes: Buffer | string): Promise<Buffer> {
      const socket = await dial(listener.port);
      const heard = collect(socket);
      const ended = once(socket, 'end');
      socket.write(bytes);
      await ended;
      return Buffer.concat(heard.chunks);
    }

    it('answers a TLS hello with an alert', async () => {
      const answer = await heardBy(Buffer.from('16030100c8010000c40303', 'hex'));
      expect(answer.toString('hex')).to.equal('15030100020228');
      const client = connectTls({ port: listener.port, host: '127.0.0.1', rejectUnauthorized: false });
      const [error] = await once(client, 'error');
      expect(error.message).to.match(/handshake failure/);
    });

    it('answers 505 to HTTP/2', async () => {
      const answer = await heardBy('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0');
      expect(String(answer)).to.match(/^HTTP\/1.1 505 .*\r\n\r\nHTTP\/2 is not spoken here, HTTP\/1.1 is\n$/s);
    });

    it('hands requests of every method to HTTP', async () => {
      for (const method of ['PROPFIND', 'M-SEARCH', 'CONNECT', 'UNSUBSCRIBE']) {
        const request = `${method} /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        expect(await answerTo([request], (text) => text.includes(`${method} /x`))).to.match(/^HTTP\/1.1 200 /);
      }
    });

    it('answers 408 when it does not become clear what is spoken', async () => {
      const other = await listenSharedPort(
        { host: '127.0.0.1', port: 0, undecidedMillis: 10 },
        { http, stream: (connection) => connection.destroy() },
      );
      const silent = await dial(other.port);
      expect(await askOnce(other.port, 'GE')).to.match(/^HTTP\/1.1 408 .*did not arrive in the time allowed\n$/s);
      // A connection that has sent nothing stays open.
      expect(silent.readyState).to.equal('open');
      const heard = collect(silent);
      silent.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
      await heard.until((text) => text.endsWith('GET /late '));
      silent.destroy();
      await other.close();
    });

    it('refuses what is not HTTP where no streams are taken', async () => {
      const other = await listenSharedPort({ host: '127.0.0.1', port: 0 }, { http });
      const text = /^HTTP\/1.1 400 .*\r\n\r\nHTTP alone is spoken here\n$/s;
      expect(await askOnce(other.port, 'trick.var_pause()\n')).to.match(text);
      expect(await askOnce(other.port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).to.match(/^HTTP\/1.1 505 /);
      expect(await askOnce(other.port, REQUEST)).to.match(/^HTTP\/1.1 200 /);
      await other.close();
    });
  });
});
