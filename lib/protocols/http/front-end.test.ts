// The HTTP front-end: its routes, its answers and its refusals.
import { hostname } from 'node:os';
import { expect } from 'chai';
import { z } from 'zod';
import type { Log } from '../../serving/session/log.js';
import { ComputingClock } from '../../testing/aids/computing.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestExchange, type TestRequest, TestServer, webSocketOf } from '../../testing/aids/http-exchange.js';
import { defineMethod } from '../json-rpc/method.js';

const GET = '{"jsonrpc":"2.0","id":1,"method":"var/get","params":{"aliases":["ball.position","ball.velocity"]}}';
const SET = '{"jsonrpc":"2.0","id":1,"method":"var/set","params":{"alias":"ball.position[0]","value":1}}';

describe('the HTTP front-end', () => {
  it('answers what curl posts, whatever its content type says', async () => {
    const { status, sentHeaders, body } = await new TestServer().post(GET, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(status).to.equal(200);
    expect(sentHeaders['content-type']).to.equal('application/json; charset=utf-8');
    expect(body).to.equal(
      '{"jsonrpc":"2.0","id":1,"result":{"frame":124,"sim_time":{"sec_si":1.23,"label":"sim_elapsed"},"values":{"ball.position":[0,9.1],"ball.velocity":[0,-3.2]}}}',
    );
  });

  it('answers a notification with 204 and no body', async () => {
    const { status, body } = await new TestServer().post(SET.replace('"id":1,', ''));
    expect([status, body]).to.deep.equal([204, '']);
  });

  it('refuses a body over 1 MB with one JSON error', async () => {
    const { status, json } = await new TestServer().post(' '.repeat(1_000_001));
    expect(status).to.equal(413);
    expect(json.error.code).to.equal(-32600);
    expect(json.id).to.equal(null);
  });

  const refused: readonly [asked: TestRequest, status: number, sentence: RegExp][] = [
    [{ path: '/jsonrpc' }, 405, /^\/jsonrpc takes POST, not GET$/m],
    [{ path: '/sse', method: 'POST' }, 405, /takes GET/],
    [{ path: '/sse' }, 400, /needs \?sub=/],
    [{ path: '/sse?sub=x' }, 404, /no subscription "x"/],
    [{ path: '/ws' }, 426, /WebSocket/],
    [{ path: '/constructor' }, 404, /nothing at \/constructor/],
    [{ path: '/nowhere' }, 404, /GET \/ shows what is served/],
  ];
  for (const [asked, status, sentence] of refused) {
    it(`answers ${asked.method ?? 'GET'} ${asked.path} with ${status} and a sentence`, async () => {
      const exchange = await new TestServer().ask(asked);
      expect(exchange.status).to.equal(status);
      expect(exchange.body).to.match(sentence);
    });
  }

  it('answers methods that another front-end adds', async () => {
    const hello = defineMethod({
      name: 'world.hello',
      about: 'Says hello.',
      params: z.strictObject({}),
      result: z.string(),
      run: () => 'hello',
    });
    const server = new TestServer(new TestBall(), { moreMethods: async () => [hello] });
    expect(await server.call('world.hello')).to.equal('hello');
    const { methods } = await server.call('rpc.discover');
    expect(methods.map(({ name }: { name: string }) => name)).to.include('world.hello');
  });

  it('logs what a method threw, stack and all, and tells the client nothing of it', async () => {
    const fault = new Error('no such register');
    const broken = defineMethod({
      name: 'world.broken',
      about: 'Fails.',
      params: z.strictObject({}),
      result: z.string(),
      run: () => {
        throw fault;
      },
    });
    const logged: unknown[] = [];
    const log: Log = (...said) => logged.push(said);
    const server = new TestServer(new TestBall(), { moreMethods: async () => [broken], log });
    expect((await server.respond('world.broken')).error).to.deep.equal({
      code: -32603,
      message: 'the server failed to answer this request',
    });
    expect(logged).to.deep.equal([['error', 'the method world.broken failed', { method: 'world.broken', err: fault }]]);
  });

  it('shows a page that may run its own files and nothing else', async () => {
    const server = new TestServer();
    const { status, sentHeaders, body } = await server.ask({ path: '/' });
    expect(status).to.equal(200);
    expect(sentHeaders['cache-control']).to.equal('no-store');
    expect(sentHeaders['content-security-policy']).to.match(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    // Relative addresses, for a proxy that serves the page below a path of its own; no inline script or style.
    expect([...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)).to.satisfy((all: string[]) =>
      all.every((address) => /^(assets\/|data:,$)/.test(address)),
    );
    expect(body).to.not.match(/<script[^>]*>[^<]|<style| style=| on[a-z]+=/);
  });

  it('serves the files of the page for ever, packed for clients that unpack', async () => {
    const server = new TestServer();
    const { body } = await server.ask({ path: '/' });
    for (const [, address, kind] of body.matchAll(/"(assets\/[a-z]+-[A-Z0-9]{8}\.(js|css))"/g)) {
      const plain = await server.ask({ path: `/${address}` });
      expect(plain.sentHeaders['cache-control']).to.equal('public, max-age=31536000, immutable');
      expect(plain.sentHeaders['content-type']).to.match(kind === 'js' ? /^text\/javascript/ : /^text\/css/);
      const packed = await server.ask({ path: `/${address}`, headers: { 'accept-encoding': 'br, gzip' } });
      expect(packed.sentHeaders['content-encoding']).to.equal('gzip');
      for (const refused of ['gzip;q=0', 'br, gzip; q=0.000', 'gzip;q=0, identity']) {
        const { sentHeaders } = await server.ask({ path: `/${address}`, headers: { 'accept-encoding': refused } });
        expect(sentHeaders, refused).to.not.have.property('content-encoding');
      }
      const weighed = await server.ask({ path: `/${address}`, headers: { 'accept-encoding': 'gzip;q=0.5, *;q=0' } });
      expect(weighed.sentHeaders['content-encoding']).to.equal('gzip');
      expect(plain.sentHeaders).to.not.have.property('content-encoding');
    }
    const client = await server.ask({ path: '/varwire.js' });
    expect([client.status, client.sentHeaders['cache-control']]).to.deep.equal([200, 'no-cache']);
    expect(client.body).to.match(/export\s*\{/);
  });

  it('answers /metrics in turns of who asks, and counts it until it is read', async () => {
    const clock = new ComputingClock();
    const ball = new TestBall();
    const server = new TestServer(ball, {}, ball, clock);
    const ask = (peer: string) => {
      const exchange = new TestExchange({ path: '/metrics', peer });
      exchange.isReading = false;
      return { exchange, answered: server.router.handle(exchange) };
    };
    // Each look at the clock finds a turn used up.
    clock.millisPerLook = 5;
    const all = Array.from({ length: 8 }, () => ask('10.0.0.9:1'));
    expect(all.filter(({ exchange }) => exchange.isAnswered)).to.have.length(1);
    await Promise.all(all.map(({ answered }) => answered));
    clock.millisPerLook = 0;
    const { ledger } = server.registry;
    const bytes = all.reduce((sum, { exchange }) => sum + exchange.body.length, 0);
    expect(ledger.held('unreadBytes')).to.equal(bytes).and.be.above(8000);
    for (let port = 2; port < 8; port++) {
      ledger.open(`10.0.0.9:${port}`).take('unreadBytes', 32 * 1024 * 1024 - (port === 7 ? bytes : 0));
    }
    const { exchange, answered } = ask('10.0.0.9:1');
    await answered;
    expect([exchange.status, exchange.body]).to.deep.equal([
      503,
      'the clients of an address may have 201326592 bytes of answers that it has not read together\n',
    ]);
    for (const { exchange } of all) exchange.cut();
    expect(ledger.held('unreadBytes')).to.equal(6 * 32 * 1024 * 1024 - bytes);
    expect(server.registry.size).to.equal(0);
  });

  it('shows in /metrics what the process uses, and calls over WebSockets', async () => {
    const server = new TestServer();
    const peer = server.open();
    const one = { jsonrpc: '2.0', id: 1, method: 'session/me' };
    await peer.say(one);
    await peer.say([one, one]);
    const { body } = await server.ask({ path: '/metrics' });
    expect(body).to.include('varwire_websocket_calls_total 3\n');
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
    expect(figure('process_cpu_seconds_total')).to.be.within(0.01, 10_000);
    expect(figure('process_resident_memory_bytes')).to.be.within(1e7, 1e11);
    expect(figure('process_start_time_seconds')).to.be.closeTo(performance.timeOrigin / 1000, 1);
  });

  it('lets pages of an allowed origin read why they are refused', async () => {
    const options = { corsOrigins: ['https://board.example'], tokens: new Map([['reader', 'read-only']] as const) };
    const server = new TestServer(new TestBall(), { ...options, requestsPerSecond: 1000 });
    const origin = 'https://board.example';
    const allowed = async (asked: object) =>
      (await server.ask({ headers: { origin }, ...asked })).sentHeaders['access-control-allow-origin'];
    expect(await allowed({ method: 'POST', path: '/jsonrpc', body: '{}' })).to.equal(origin);
    expect(await allowed({ path: '/metrics' })).to.equal(origin);
    const token = { origin, authorization: 'Bearer reader' };
    expect(await allowed({ path: '/nothing', headers: token })).to.equal(origin);
    expect(await allowed({ method: 'PUT', path: '/jsonrpc', headers: token })).to.equal(origin);
    expect(await allowed({ path: '/metrics', headers: { origin: 'https://evil.example' } })).to.equal(undefined);
  });

  it('begins its addresses with what a proxy has taken away, and with nothing odd', async () => {
    const server = new TestServer();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'var/subscribe',
      params: { aliases: ['ball.position'] },
    });
    const url = async (prefix: string) => {
      const { json } = await server.post(body, { 'x-forwarded-prefix': prefix });
      return json.result.sse_url.replace(/subscription-\d+/, 'ID');
    };
    expect(await url('/sim')).to.equal('/sim/sse?sub=ID');
    expect(await url('/a/b-c/')).to.equal('/a/b-c/sse?sub=ID');
    for (const odd of ['', 'sim', '//evil.example', '/a b', '/"', 'https://evil.example', `/${'x'.repeat(300)}`])
      expect(await url(odd), odd).to.equal('/sse?sub=ID');
  });

  it('counts in /metrics what Prometheus can read', async () => {
    const server = new TestServer();
    await server.call('var/get', { aliases: ['ball.position'] });
    await server.call('var/subscribe', { aliases: ['ball.position'] });
    const stream = await server.stream('subscription-1');
    const { body } = await server.ask({ path: '/metrics' });
    for (const line of body.trimEnd().split('\n')) {
      expect(line).to.match(
        /^# (HELP|TYPE) (varwire|process|nodejs)_|^(varwire|process|nodejs)_[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+$/,
      );
    }
    expect(body).to.include('varwire_http_requests_total 2\n');
    expect(body).to.include('varwire_job_seconds_total{job="fall"} 0.000246\n');
    expect(body).to.include('varwire_sessions{front_end="http",transport="sse"} 1\n');
    expect(body).to.include('varwire_messages_sent_total{front_end="http"} 1\n');
    stream.cut();
    expect((await server.ask({ path: '/metrics' })).body).to.include(
      'varwire_messages_sent_total{front_end="http"} 1\n',
    );
  });

  it('tells how much work waits for its turn', async () => {
    const server = new TestServer();
    const { turns, ledger } = server.registry;
    const account = ledger.open('10.0.0.9');
    for (let k = 0; k < 3; k++) turns.resume(account, () => undefined);
    const { body } = await server.ask({ path: '/metrics' });
    expect(Number(/^varwire_waiting_pieces (\d+)$/m.exec(body)?.[1])).to.be.within(1, 4);
  });

  it('is healthy', async () => {
    const { status, body } = await new TestServer().ask({ path: '/healthz' });
    expect([status, body]).to.deep.equal([200, 'ok\n']);
  });

  it('is not healthy for ten seconds after it was a second late', async () => {
    const server = new TestServer();
    server.registry.lag.start();
    server.clock.leap(50 + 1200);
    const { status, body } = await server.ask({ path: '/healthz' });
    expect([status, body]).to.deep.equal([503, 'the server came 1200 ms too late to what was due\n']);
    server.clock.advance(11_000);
    expect((await server.ask({ path: '/healthz' })).status).to.equal(200);
  });

  it('ends its streams when it closes', async () => {
    const server = new TestServer();
    await server.call('var/subscribe', { aliases: ['ball.position'] });
    const stream = await server.stream('subscription-1');
    server.frontEnd.close();
    expect(stream.isEnded).to.equal(true);
    expect(server.registry.size).to.equal(0);
  });
});

describe('the request policy', () => {
  const post = (server: TestServer, headers: Record<string, string>) => server.post(GET, headers);

  it('takes loopback names with any port, and no other name', async () => {
    const server = new TestServer();
    for (const host of ['localhost', 'localhost:7000', '127.0.0.1:9', '127.0.0.2', '[::1]:7000', 'LOCALHOST:1']) {
      expect((await post(server, { host })).status, host).to.equal(200);
    }
    for (const host of [
      'evil.example',
      'evil.example:7000',
      '10.0.0.1:7000',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      '',
    ]) {
      const { status, json } = await post(server, { host });
      expect(status, host).to.equal(403);
      expect(json.error.code).to.equal(-23416);
    }
  });

  it("takes this machine's own name, however it is spelled", async () => {
    for (const host of [hostname(), `${hostname().toUpperCase()}:7000`])
      expect((await post(new TestServer(), { host })).status, host).to.equal(200);
    expect((await post(new TestServer(), { host: `${hostname()}.evil` })).status).to.equal(403);
  });

  it('takes addresses and its own names when more than loopback is bound', async () => {
    const server = new TestServer(new TestBall(), { host: '0.0.0.0', hostNames: ['Sim.example'] });
    for (const host of ['10.0.0.1:7000', '[fe80::1]:7000', 'sim.example:7000', 'localhost']) {
      expect((await post(server, { host })).status, host).to.equal(200);
    }
    expect((await post(server, { host: 'evil.example' })).status).to.equal(403);
  });

  it('refuses pages from elsewhere, over every road', async () => {
    const server = new TestServer();
    const headers = { origin: 'http://evil.example' };
    expect((await post(server, headers)).status).to.equal(403);
    expect((await server.ask({ path: '/sse?sub=x', headers })).status).to.equal(403);
    expect((await server.ask({ method: 'OPTIONS', path: '/jsonrpc', headers })).status).to.equal(403);
    expect(server.router.accept(webSocketOf({ headers }).request)).to.deep.equal({
      status: 403,
      message: 'pages from http://evil.example may not use this server; allow them with --cors http://evil.example',
    });
    expect((await post(server, { origin: 'null' })).status).to.equal(403);
    expect((await post(server, { origin: 'http://127.0.0.1:8000' })).status).to.equal(403);
  });

  it('serves its own page without CORS headers', async () => {
    const { status, sentHeaders } = await post(new TestServer(), { origin: 'http://127.0.0.1:7000' });
    expect(status).to.equal(200);
    expect(sentHeaders).to.not.have.property('access-control-allow-origin');
  });

  it('lets the origins in that it is told of, with a preflight', async () => {
    const server = new TestServer(new TestBall(), { corsOrigins: ['http://localhost:5173'] });
    const headers = { origin: 'http://localhost:5173' };
    const preflight = await server.ask({ method: 'OPTIONS', path: '/jsonrpc', headers });
    expect(preflight.status).to.equal(204);
    expect(preflight.sentHeaders).to.include({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-methods': 'GET, POST',
    });
    const { status, sentHeaders } = await post(server, headers);
    expect(status).to.equal(200);
    expect(sentHeaders).to.include({ 'access-control-allow-origin': 'http://localhost:5173', vary: 'origin' });
    expect((await post(server, { origin: 'http://localhost:5174' })).status).to.equal(403);
  });

  const tokens = new Map([
    ['reader', 'read-only'],
    ['writer', 'read-write'],
  ] as const);

  it('needs one of its tokens, in a header or the query, except for /healthz', async () => {
    const server = new TestServer(new TestBall(), { tokens });
    expect((await post(server, {})).status).to.equal(401);
    expect((await post(server, {})).sentHeaders).to.include({ 'www-authenticate': 'Bearer' });
    expect((await post(server, { authorization: 'Bearer wrong' })).status).to.equal(401);
    expect((await post(server, { authorization: 'Bearer reader' })).status).to.equal(200);
    expect((await server.ask({ path: '/metrics' })).status).to.equal(401);
    expect((await server.ask({ path: '/metrics?token=reader' })).status).to.equal(200);
    expect((await server.ask({ path: '/healthz' })).status).to.equal(200);
    expect(server.router.accept(webSocketOf({ path: '/ws?token=writer' }).request)).to.equal(true);
    expect(server.router.accept(webSocketOf().request)).to.have.property('status', 401);
  });

  it('refuses changes to a token that may only read', async () => {
    const server = new TestServer(new TestBall(), { tokens });
    const { json } = await server.post(SET, { authorization: 'Bearer reader' });
    expect(json.error).to.deep.equal({
      code: -23416,
      message: 'your token may only read, and var/set changes the simulation',
    });
    const freeze = '{"jsonrpc":"2.0","id":1,"method":"sim/control","params":{"action":"freeze"}}';
    expect((await server.post(freeze, { authorization: 'Bearer reader' })).json.error.code).to.equal(-23416);
    expect(server.ball.requests).to.deep.equal([]);
    expect((await server.post(SET, { authorization: 'Bearer writer' })).json.result).to.deep.equal({ sequence: 1 });
  });

  it('holds a WebSocket to the rights of its token', async () => {
    const server = new TestServer(new TestBall(), { tokens });
    const peer = server.open(webSocketOf({ path: '/ws?token=reader' }));
    await peer.say(SET);
    expect(peer.texts[0].error.code).to.equal(-23416);
  });

  it('takes only so many requests of one address in a second', async () => {
    const server = new TestServer(new TestBall(), { requestsPerSecond: 5 });
    const statuses = async (count: number, peer: string) => {
      const all = [];
      for (let i = 0; i < count; i++) {
        all.push(
          (await server.ask({ method: 'POST', path: '/jsonrpc', body: GET, peer: `${peer}:${4000 + i}` })).status,
        );
      }
      return all;
    };
    expect(await statuses(11, '10.0.0.1')).to.deep.equal([...Array(10).fill(200), 429]);
    expect(await statuses(1, '10.0.0.2')).to.deep.equal([200]);
    server.clock.advance(400);
    expect(await statuses(3, '10.0.0.1')).to.deep.equal([200, 200, 429]);
  });
});
