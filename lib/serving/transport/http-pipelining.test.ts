// Several requests on one connection without waiting for answers.
import { once } from 'node:events';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { runs } from '../../testing/aids/run-counts.js';
import { askOnce, collect, dial, signal } from '../../testing/aids/transport-peer.js';
import type { Listener, WebSocketPeer } from './connection.js';
import { createHttp, type HttpHandler, type HttpOptions, type HttpService, listenHttp } from './http.js';
import type { HttpExchange, HttpStream } from './http-exchange.js';
import { acceptWebSockets } from './websocket.js';

const WISH = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (path: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
const LAST = 'Connection: close\r\n';

describe('requests of one connection, one behind the other', () => {
  let service: HttpService;
  let listener: Listener;
  let sockets: WebSocketPeer[];

  async function serve(handler: HttpHandler, options: HttpOptions = {}): Promise<number> {
    sockets = [];
    service = createHttp(options, handler);
    acceptWebSockets(service, { accept: () => true }, (peer) => {
      sockets.push(peer);
      peer.listen({ data: (message) => peer.write(`heard ${message}`), close: () => {} });
    });
    listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, service);
    return listener.port;
  }
  afterEach(async () => {
    await listener.close();
    service.close();
  });

  const echo: HttpHandler = async (exchange) => {
    const body = await exchange.readBody(1000);
    exchange.respond(200, {}, `<${exchange.method} ${exchange.path} ${body}>`);
  };
  const answersIn = (text: string) => text.match(/<[^>]*>/g);

  const REQUEST_KINDS = [
    get('/1'),
    get('/2', WISH),
    get('/3'),
    post('/4', 'wish', WISH),
    'CONNECT /5 HTTP/1.1\r\nHost: x\r\n\r\n',
    get('/6', WISH),
    get('/7', WISH),
    post('/8', '\r\n\r\nupgrade\n\n'),
    `POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${WISH}\r\n6\r\na\r\n\r\nb\r\n0\r\n\r\n`,
  ];
  const LAST_REQUEST = get('/9', LAST);
  const REQUESTS = [...REQUEST_KINDS, LAST_REQUEST].join('');
  const ANSWERS = [
    '<GET /1 >',
    '<GET /2 >',
    '<GET /3 >',
    '<POST /4 wish>',
    '<CONNECT /5 >',
    '<GET /6 >',
    '<GET /7 >',
    '<POST /8 \r\n\r\nupgrade\n\n>',
    '<POST /c a\r\n\r\nb>',
    '<GET /9 >',
  ];

  it('cut off who sends more than are kept ahead of an answer that does not come, and forget it', async () => {
    const gone = signal<number>();
    let lost = 0;
    const port = await serve(
      (exchange) => {
        exchange.onClose(() => {
          if (++lost === 16) gone.give(lost);
        });
      },
      { aheadTimeoutMillis: 30 },
    );
    const socket = await dial(port);
    socket.end(get('/waits').repeat(17));
    await once(socket.resume(), 'close');
    expect(await gone.promise).to.equal(16);
  });

  it('are not cut off for what others wait for: those that are kept are read after a while', async () => {
    const last = signal<void>();
    const port = await serve(
      ({ path }) => {
        if (path === '/last') last.give();
      },
      { aheadTimeoutMillis: 30 },
    );
    const crowd = await Promise.all(Array.from({ length: 130 }, () => dial(port)));
    for (const one of crowd) one.write(get('/waits').repeat(2));
    const socket = await dial(port);
    socket.write(get('/waits').repeat(2) + get('/last'));
    await last.promise;
    expect(socket.destroyed).to.equal(false);
    for (const one of [...crowd, socket]) one.destroy();
  });

  it('are cut off too when the answers that wait behind the first are long, or are refusals', async () => {
    for (const [behind, headers] of [
      ['/long', ''],
      ['/x', 'Expect: miracles\r\n'],
    ] as const) {
      const lost = signal<void>();
      const port = await serve(
        (exchange) => {
          if (exchange.path === '/waits') exchange.onClose(() => lost.give());
          else exchange.respond(200, {}, 'x'.repeat(50_000));
        },
        { aheadTimeoutMillis: 30 },
      );
      const socket = await dial(port);
      socket.end(get('/waits') + get(behind, headers).repeat(200));
      await lost.promise;
      await listener.close();
      service.close();
    }
    await serve(() => {});
  });

  it('are waited for as long as answers come', async () => {
    const waiting: HttpExchange[] = [];
    const port = await serve(
      (exchange) => {
        waiting.push(exchange);
      },
      { aheadTimeoutMillis: 100 },
    );
    const socket = await dial(port);
    const heard = collect(socket);
    socket.write(get('/waits').repeat(24));
    const answering = setInterval(() => waiting.shift()?.respond(200, {}, '<answer>'), 10);
    await heard.until((text) => text.split('<answer>').length === 25);
    clearInterval(answering);
    expect(socket.destroyed).to.equal(false);
    socket.destroy();
  });

  it('are all answered in their order, wishes for HTTP/2 among them', async () => {
    const port = await serve(echo);
    expect(answersIn(await askOnce(port, REQUESTS))).to.deep.equal(ANSWERS);
  });

  it('say whether they were sent before the answer to the one before', async () => {
    const first = signal<HttpExchange>();
    const port = await serve(async (exchange) => {
      if (exchange.path === '/1') {
        first.give(exchange);
        return;
      }
      const one = await first.promise;
      one.respond(200, {}, `</1 ${one.isBehind}>`);
      exchange.respond(200, {}, `<${exchange.path} ${exchange.isBehind}>`);
    });
    const text = await askOnce(port, [get('/1'), get('/2', LAST)].join(''));
    expect(answersIn(text)).to.deep.equal(['</1 false>', '</2 true>']);
  });

  it('are answered when one with a wish comes while the one before it waits', async () => {
    const arrived = signal<HttpExchange>();
    const port = await serve((exchange) => (exchange.path === '/slow' ? arrived.give(exchange) : echo(exchange)));
    const socket = await dial(port);
    const heard = collect(socket);
    socket.write(get('/slow'));
    const slow = await arrived.promise;
    socket.write(get('/wish', WISH));
    socket.write(get('/last', LAST));
    slow.respond(200, {}, '<slow>');
    await once(socket, 'close');
    expect(answersIn(heard.text)).to.deep.equal(['<slow>', '<GET /wish >', '<GET /last >']);
  });

  async function answersTo(port: number, parts: readonly string[]): Promise<readonly string[] | null> {
    const socket = await dial(port);
    const heard = collect(socket);
    const closed = once(socket, 'close');
    for (const part of parts) {
      await new Promise((sent) => socket.write(part, sent));
      await new Promise(setImmediate);
    }
    await closed;
    return answersIn(heard.text);
  }

  it('are answered wherever their bytes are cut', async () => {
    const port = await serve(echo);
    const words = [...REQUESTS.matchAll(/upgrade|connect|\n/gi)].map(({ index, 0: word }) => index + word.length);
    const cuts = [...words, ...Array.from({ length: Math.floor(REQUESTS.length / 9) }, (_, index) => 9 * index + 1)];
    for (const cut of cuts) {
      const answers = await answersTo(port, [REQUESTS.slice(0, cut), REQUESTS.slice(cut)]);
      expect(answers, `cut at ${cut}`).to.deep.equal(ANSWERS);
    }
  });

  it('are answered in any order and any pieces', async () => {
    const port = await serve(echo);
    const one = fc.constantFrom(...REQUEST_KINDS.keys());
    const places = fc.array(fc.nat(), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 6 }), places, async (kinds, cuts) => {
        const text = [...kinds.map((kind) => REQUEST_KINDS[kind]), LAST_REQUEST].join('');
        const bounds = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
        const parts = bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
        const answers = await answersTo(port, parts);
        expect(answers).to.deep.equal([...kinds.map((kind) => ANSWERS[kind]), '<GET /9 >']);
      }),
      { numRuns: runs(200) },
    );
  });

  it('wait while their answers are not taken', async () => {
    let answered = 0;
    const port = await serve((exchange) => {
      answered++;
      exchange.respond(200, {}, Buffer.alloc(200_000));
    });
    const socket = await dial(port);
    socket.pause();
    socket.write(get('/', WISH).repeat(200));
    // Loops until no more answers come for a while.
    for (let before = -1; before !== answered; ) {
      before = answered;
      for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    }
    expect(answered).to.be.within(1, 100);
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    while (bytes < 200 * 200_000) await once(socket, 'data');
    expect(answered).to.equal(200);
    socket.destroy();
  });

  it('are read a few at a time while they wait for their answers', async () => {
    const waiting: HttpExchange[] = [];
    let most = 0;
    let arrived = 0;
    const port = await serve((exchange) => {
      arrived++;
      most = Math.max(most, waiting.push(exchange));
    });
    const socket = await dial(port);
    const heard = collect(socket);
    socket.write(get('/').repeat(2000) + get('/', LAST));
    while (arrived < 2001) {
      await new Promise(setImmediate);
      waiting.shift()?.respond(200, {}, '<answer>');
    }
    for (const exchange of waiting) exchange.respond(200, {}, '<answer>');
    await once(socket, 'close');
    expect(answersIn(heard.text)).to.have.length(2001);
    expect(most).to.be.at.most(16 + 1024 / get('/').length);
  });

  it('are read two at a time while very many of all connections wait, and all are answered', async () => {
    let waiting = 0;
    const ends: (() => void)[] = [];
    const port = await serve(async (exchange) => {
      waiting++;
      await new Promise<void>((end) => ends.push(end));
      exchange.respond(200, {}, '<done>');
    });
    // A body keeps the next request out of the same piece.
    const long = post('/', 'x'.repeat(1100));
    const sockets = await Promise.all(Array.from({ length: 40 }, () => dial(port)));
    const heard = sockets.map((socket) => collect(socket));
    for (const socket of sockets) socket.write(long.repeat(20));
    while (waiting < 256) await new Promise(setImmediate);
    for (let turn = 0; turn < 300; turn++) await new Promise(setImmediate);
    expect(waiting).to.be.below(256 + 2 * 40);
    const answering = setInterval(() => {
      for (const end of ends.splice(0)) end();
    });
    await Promise.all(heard.map((collected) => collected.until((text) => text.split('<done>').length === 21)));
    clearInterval(answering);
    for (const socket of sockets) socket.destroy();
  });

  it('leave the event loop to others, however many there are', async () => {
    let [answered, turns, worst] = [0, 0, 0];
    const port = await serve((exchange) => {
      answered++;
      exchange.respond(200, {}, '<answer>');
    });
    const socket = await dial(port);
    const heard = collect(socket);
    socket.write(get('/').repeat(4000) + get('/', LAST));
    for (let before = 0; answered < 4001; before = answered) {
      await new Promise(setImmediate);
      turns++;
      worst = Math.max(worst, answered - before);
    }
    await once(socket, 'close');
    expect(answersIn(heard.text)).to.have.length(4001);
    expect(turns).to.be.above(40);
    expect(worst).to.be.below(400);
  });

  const handshake =
    'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  /** A text message as a client sends it, with a mask of zeros. */
  const frame = (text: string) =>
    Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

  it('become a WebSocket behind a request, whose answer comes first', async () => {
    const arrived = signal<HttpExchange>();
    const port = await serve(arrived.give);
    const socket = await dial(port);
    const heard = collect(socket);
    socket.write(Buffer.concat([Buffer.from(get('/slow') + handshake), frame('one'), frame('two')]));
    (await arrived.promise).respond(200, {}, '<slow>');
    const text = await heard.until((all) => all.includes('heard two'));
    expect(text).to.match(/^HTTP\/1.1 200 OK\r\n.*<slow>HTTP\/1.1 101 .*heard one.*heard two$/s);
    socket.destroy();
  });

  it('do not become a WebSocket when the client leaves before the answer', async () => {
    const arrived = signal<HttpExchange>();
    const port = await serve(arrived.give);
    const socket = await dial(port);
    socket.write(get('/slow') + handshake);
    const slow = await arrived.promise;
    await new Promise(setImmediate);
    socket.resetAndDestroy();
    // After another connection's round trip the server has noticed the reset.
    const other = collect((await dial(port)).end('rubbish\r\n\r\n'));
    await other.until((text) => text.includes('400'));
    slow.respond(200, {}, 'late');
    expect(sockets).to.have.length(0);
  });

  it('tell a stream behind a stream that the client has left', async () => {
    const streams: HttpStream[] = [];
    const both = signal<void>();
    const port = await serve((exchange) => {
      if (streams.push(exchange.stream(200, {})) === 2) both.give();
    });
    const socket = await dial(port);
    socket.write(get('/1') + get('/2'));
    await both.promise;
    const closed = streams.map((stream) => new Promise<string>((close) => stream.listen({ close })));
    socket.destroy();
    expect(await Promise.all(closed)).to.deep.equal(Array(2).fill('the client closed the stream'));
  });

  it('to HEAD have no body, not even that of a stream', async () => {
    const closed = signal<string>();
    const port = await serve((exchange) => {
      if (exchange.path !== '/stream') return void exchange.respond(200, {}, 'body');
      const stream = exchange.stream(200, { 'content-type': 'text/event-stream' });
      stream.listen({ close: closed.give });
      expect(stream.write('event')).to.equal(false);
    });
    const head = (path: string, headers = '') => `HEAD ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
    const text = await askOnce(port, head('/stream') + head('/body') + get('/last', LAST));
    expect(text.match(/HTTP\/1.1 200/g)).to.have.length(3);
    expect(text).to.match(/text\/event-stream.*content-length: 4.*content-length: 4.*\r\n\r\nbody$/s);
    expect(await closed.promise).to.equal('closed by this side');
  });
});
