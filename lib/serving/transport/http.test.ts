// An HTTP port: requests, bodies, answers and streams.
import { once } from 'node:events';
import { expect } from 'chai';
import { askOnce, collect, dial, signal } from '../../testing/aids/transport-peer.js';
import type { Listener } from './connection.js';
import { createHttp, type HttpHandler, type HttpOptions, type HttpService, listenHttp } from './http.js';
import { BodyAbortedError } from './http-body.js';
import type { HttpExchange, HttpStream } from './http-exchange.js';
import { splitTarget } from './http-request.js';

const LAST = 'Host: varwire\r\nConnection: close\r\n';

describe('an HTTP port', () => {
  let service: HttpService;
  let listener: Listener;

  async function serve(handler: HttpHandler, options: HttpOptions = {}): Promise<number> {
    service = createHttp(options, handler);
    listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, service);
    return listener.port;
  }
  afterEach(async () => {
    await listener.close();
    service.close();
  });

  const ok: HttpHandler = (exchange) => {
    exchange.respond(200, {}, 'ok');
  };

  async function exchangeOf(request: string): Promise<HttpExchange> {
    const seen = signal<HttpExchange>();
    const port = await serve((exchange) => {
      seen.give(exchange);
      exchange.respond(204, {});
    });
    await askOnce(port, request);
    return seen.promise;
  }

  it('describes a request', async () => {
    const exchange = await exchangeOf(`PUT /a%20b?x=1&y=two HTTP/1.1\r\n${LAST}X-Thing: yes\r\n\r\n`);
    expect([exchange.method, exchange.path, exchange.host]).to.deep.equal(['PUT', '/a%20b', 'varwire']);
    expect([...exchange.query]).to.deep.equal([
      ['x', '1'],
      ['y', 'two'],
    ]);
    expect(exchange.headers['x-thing']).to.equal('yes');
    expect(exchange.peer).to.match(/^127\.0\.0\.1:\d+$/);
    expect(exchange.local).to.equal(`127.0.0.1:${listener.port}`);
  });

  it('answers whole, with a length', async () => {
    const port = await serve((exchange) => {
      exchange.respond(201, { 'x-a': 'b', date: 'now' }, 'größe');
    });
    expect(await askOnce(port, `GET / HTTP/1.1\r\n${LAST}\r\n`)).to.equal(
      'HTTP/1.1 201 Created\r\nx-a: b\r\ndate: now\r\ncontent-length: 7\r\nConnection: close\r\n\r\ngröße',
    );
  });

  it('answers only once', async () => {
    const answers: boolean[] = [];
    const port = await serve((exchange) => {
      answers.push(exchange.respond(200, {}, 'a'), exchange.respond(200, {}, 'b'));
      expect(() => exchange.stream(200, {})).to.throw('GET / was answered already');
    });
    expect(await askOnce(port, `GET / HTTP/1.1\r\n${LAST}\r\n`)).to.match(/\r\n\r\na$/);
    expect(answers).to.deep.equal([true, false]);
  });

  it('leaves out the body where HTTP has none', async () => {
    const port = await serve((exchange) => {
      exchange.respond(exchange.method === 'HEAD' ? 200 : 304, {}, 'body');
    });
    expect(await askOnce(port, `HEAD / HTTP/1.1\r\n${LAST}\r\n`)).to.match(/content-length: 4\r\n.*\r\n\r\n$/s);
    expect(await askOnce(port, `GET / HTTP/1.1\r\n${LAST}\r\n`)).to.match(/^HTTP\/1.1 304 .*\r\n\r\n$/s);
  });

  describe('reading a body', () => {
    const echo: HttpHandler = async (exchange) => {
      exchange.respond(200, {}, await exchange.readBody(10));
    };

    it('takes one of exactly the limit, plain or in chunks', async () => {
      const port = await serve(echo);
      const plain = `POST / HTTP/1.1\r\n${LAST}Content-Length: 10\r\n\r\n0123456789`;
      expect(await askOnce(port, plain)).to.match(/\r\n\r\n0123456789$/);
      const chunked = `POST / HTTP/1.1\r\n${LAST}Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n`;
      expect(await askOnce(port, chunked)).to.match(/\r\n\r\n0123456789$/);
    });

    it('answers 413 to one byte more, announced or not', async () => {
      const port = await serve(echo);
      const sentence = /^HTTP\/1.1 413 .*\r\n\r\nthe request body is longer than the 10 bytes allowed\n$/s;
      expect(await askOnce(port, `POST / HTTP/1.1\r\n${LAST}Content-Length: 11\r\n\r\n01234567890`)).to.match(sentence);
      const chunked = `POST / HTTP/1.1\r\n${LAST}Transfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n`;
      expect(await askOnce(port, chunked)).to.match(sentence);
    });

    it('reads past a body that was too large, to the next request', async () => {
      const port = await serve(echo);
      const tooLarge = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`;
      const text = await askOnce(port, `${tooLarge}POST / HTTP/1.1\r\n${LAST}Content-Length: 2\r\n\r\nok`);
      expect(text).to.match(/^HTTP\/1.1 413 .*HTTP\/1.1 200 OK.*\r\n\r\nok$/s);
    });

    it('rejects when the client goes away in the middle', async () => {
      const failure = signal<unknown>();
      const port = await serve((exchange) => exchange.readBody(10).then(() => {}, failure.give));
      const socket = await dial(port);
      collect(socket);
      socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123');
      const error = await failure.promise;
      expect(error).to.be.instanceOf(BodyAbortedError);
      expect((error as BodyAbortedError).message).to.equal('the request body ended early, after 4 bytes');
    });
  });

  describe('streaming', () => {
    async function openStream(): Promise<{ stream: HttpStream; client: Awaited<ReturnType<typeof dial>> }> {
      const opened = signal<HttpStream>();
      const port = await serve((exchange) => {
        opened.give(exchange.stream(200, { 'content-type': 'text/event-stream' }));
      });
      const client = await dial(port);
      client.write('GET /sse HTTP/1.1\r\nHost: x\r\n\r\n');
      return { stream: await opened.promise, client };
    }

    it('sends the headers at once and each write as one chunk', async () => {
      const { stream, client } = await openStream();
      const heard = collect(client);
      expect(await heard.until((text) => text.endsWith('\r\n\r\n'))).to.contain('content-type: text/event-stream\r\n');
      expect(stream.write('data: 1\n\n')).to.equal(true);
      stream.write(Buffer.from('data: ü\n\n'));
      stream.end();
      expect(stream.write('late')).to.equal(false);
      const text = await heard.until((all) => all.endsWith('0\r\n\r\n'));
      expect(text.split('\r\n\r\n').slice(1).join('|')).to.equal('9\r\ndata: 1\n\n\r\na\r\ndata: ü\n\n\r\n0|');
    });

    it('tells when the client goes away', async () => {
      const { stream, client } = await openStream();
      const closed = signal<string>();
      stream.listen({ close: closed.give });
      client.destroy();
      expect(await closed.promise).to.equal('the client closed the stream');
      expect(stream.write('x')).to.equal(false);
      const late = signal<string>();
      stream.listen({ close: late.give });
      expect(await late.promise).to.equal('the client closed the stream');
    });

    it('closes at once when destroyed', async () => {
      const { stream, client } = await openStream();
      const closed = signal<string>();
      collect(client);
      stream.listen({ close: closed.give });
      stream.destroy();
      expect(await closed.promise).to.equal('closed by this side');
      if (!client.destroyed) await once(client, 'close');
    });

    it('counts what a slow client has not taken, and drains', async () => {
      const { stream, client } = await openStream();
      client.pause();
      while (stream.pendingBytes < 2_000_000) {
        expect(stream.write(Buffer.alloc(500_000, 'x'))).to.equal(true);
        await new Promise(setImmediate);
      }
      const drained = signal<void>();
      stream.listen({ drain: drained.give, close: () => {} });
      client.on('data', () => {});
      client.resume();
      await drained.promise;
      expect(stream.pendingBytes).to.equal(0);
    });

    it('ends complete when the port closes', async () => {
      const { stream, client } = await openStream();
      const heard = collect(client);
      stream.write('last');
      const ended = once(client, 'end');
      await listener.close();
      await ended;
      expect(heard.text).to.match(/4\r\nlast\r\n0\r\n\r\n$/);
    });
  });

  describe('given what is not proper HTTP', () => {
    const malformed: [name: string, request: string, answer: RegExp][] = [
      ['an unknown method', 'FETCH / HTTP/1.1\r\n\r\n', /400 .*\r\n\r\nthis is not valid HTTP: .+\n$/s],
      [
        'a header without a colon',
        'GET / HTTP/1.1\r\nnonsense\r\n\r\n',
        /400 .*\r\n\r\nthis is not valid HTTP: .+\n$/s,
      ],
      ['binary rubbish', '\x16\x03\x01\x00\xff', /400 .*\r\n\r\nthis is not valid HTTP: .+\n$/s],
      ['two lengths', `POST / HTTP/1.1\r\n${LAST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, /400 /],
      [
        'no Host',
        'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
        /400 .*\r\n\r\nan HTTP\/1.1 request needs a Host header\n$/s,
      ],
    ];
    for (const [name, request, answer] of malformed) {
      it(`answers 400 with a sentence to ${name}, and goes on serving`, async () => {
        const port = await serve(ok);
        expect(await askOnce(port, request)).to.match(answer);
        expect(await askOnce(port, `GET / HTTP/1.1\r\n${LAST}\r\n`)).to.match(/200 OK.*ok$/s);
      });
    }

    it('answers 431 to a request line of 1 MB, even while the rest is still coming', async () => {
      const port = await serve(ok);
      const socket = await dial(port);
      const heard = collect(socket);
      socket.write(`GET /${'x'.repeat(20_000)}`);
      await heard.until((text) => text.includes('allows'));
      socket.write('x'.repeat(1_048_576));
      socket.end();
      await once(socket, 'close');
      expect(heard.text).to.match(
        /^HTTP\/1.1 431 .*\r\n\r\nthe request line and headers are longer than this server allows\n$/s,
      );
      expect(await askOnce(port, `GET /${'x'.repeat(1_048_576)} HTTP/1.1\r\n${LAST}\r\n`)).to.match(/^HTTP\/1.1 431 /);
    });

    it('closes without a word when rubbish follows in the middle of an answer', async () => {
      const port = await serve((exchange) => {
        exchange.stream(200, {}).write('begun');
      });
      const socket = await dial(port);
      const heard = collect(socket);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await heard.until((text) => text.includes('begun'));
      socket.write('rubbish\r\n\r\n');
      await once(socket, 'close');
      expect(heard.text).not.to.contain('400');
    });
  });

  it('answers 408 to headers that do not come to an end', async () => {
    const port = await serve(ok, { headersTimeoutMillis: 20, requestTimeoutMillis: 40, timeoutCheckMillis: 10 });
    expect(await askOnce(port, 'GET / HTTP/1.1\r\n')).to.match(
      /^HTTP\/1.1 408 .*the request did not arrive in the time allowed\n$/s,
    );
  });

  it('looks each second whether a request has had its time', async function () {
    this.timeout(4000);
    const port = await serve(ok, { headersTimeoutMillis: 1 });
    const begunMillis = performance.now();
    expect(await askOnce(port, 'GET / HTTP/1.1\r\n')).to.match(/^HTTP\/1.1 408 /);
    expect(performance.now() - begunMillis).to.be.below(3000);
  });

  it('answers 417 with a sentence to an expectation that it does not meet', async () => {
    const port = await serve(ok);
    expect(await askOnce(port, `GET / HTTP/1.1\r\nExpect: miracles\r\n${LAST}\r\n`)).to.match(
      /^HTTP\/1.1 417 .*the only "Expect" that this server meets is 100-continue\n$/s,
    );
  });

  it('answers 503 to connections over its limit', async () => {
    const port = await serve(ok, { maxConnections: 1 });
    const first = await dial(port);
    const heard = collect(first);
    first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await heard.until((text) => text.endsWith('ok'));
    expect(await askOnce(port, '')).to.match(/^HTTP\/1.1 503 /);
    // The service has room again only after it has noticed that the first one closed.
    await listener.close();
    listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, service);
    expect(await askOnce(listener.port, `GET / HTTP/1.1\r\n${LAST}\r\n`)).to.match(/ok$/);
  });

  it('answers 500 and reports what a handler throws', async () => {
    const errors: unknown[] = [];
    const port = await serve(
      async () => {
        throw new Error('no such thing');
      },
      { onHandlerError: (error) => errors.push(error) },
    );
    const text = await askOnce(port, `GET / HTTP/1.1\r\n${LAST}\r\n`);
    expect(text).to.match(/^HTTP\/1.1 500 .*the server failed to answer this request\n$/s);
    expect(String(errors[0])).to.equal('Error: no such thing');
  });

  it('ends a stream whose handler throws', async () => {
    const port = await serve(
      (exchange) => {
        exchange.stream(200, {}).write('begun');
        throw new Error('no such thing');
      },
      { onHandlerError: () => {} },
    );
    expect(await askOnce(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).to.match(/5\r\nbegun\r\n0\r\n\r\n$/);
  });

  it('answers a request that wishes for HTTP/2 as if it had not', async () => {
    const port = await serve(async (exchange) => {
      const body = await exchange.readBody(100);
      exchange.respond(200, {}, `${body} ${exchange.headers.upgrade} ${exchange.headers['x-kept']}`);
    });
    service.onWebSocket((_request, socket) => () => socket.destroy());
    const wish = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const text = await askOnce(
      port,
      `POST / HTTP/1.1\r\nHost: x\r\n${wish}X-Kept: yes\r\nContent-Length: 4\r\n\r\nbody`,
    );
    expect(text).to.match(/^HTTP\/1.1 200 .*\r\n\r\nbody undefined yes$/s);
  });

  it('lets a request in progress be answered while the port closes', async () => {
    const arrived = signal<HttpExchange>();
    const port = await serve(arrived.give);
    const answer = askOnce(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const exchange = await arrived.promise;
    const closed = listener.close();
    exchange.respond(200, {}, 'just in time');
    await closed;
    expect(await answer).to.match(/Connection: close\r\n.*just in time$/s);
  });
});

describe('a request target', () => {
  const cases: [target: string, path: string, query: string][] = [
    ['/', '/', ''],
    ['/a?b=c?d', '/a', 'b=c%3Fd'],
    ['http://host:1/a?b=c', '/a', 'b=c'],
    ['http://host', '/', ''],
    ['http://host?x=1', '/', 'x=1'],
    ['*', '*', ''],
    ['//host/a', '//host/a', ''],
  ];
  for (const [target, path, query] of cases) {
    it(`${target} is the path ${path}`, () => {
      const split = splitTarget(target);
      expect([split.path, split.query.toString()]).to.deep.equal([path, query]);
    });
  }
});
