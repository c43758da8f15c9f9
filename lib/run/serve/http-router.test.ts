// The routes of several front-ends on one HTTP port.
import { expect } from 'chai';
import type { HttpEndpoint, RouteHandler, WebSocketRoute } from '../../serving/transport/front-end.js';
import { BodyTooLargeError } from '../../serving/transport/http-exchange.js';
import { Trust, type TrustOptions } from '../../serving/trust/trust.js';
import { TestExchange, type TestRequest, webSocketOf } from '../../testing/aids/http-exchange.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { HttpRouter } from './http-router.js';

const say =
  (text: string): RouteHandler =>
  (exchange, { mayChange }) =>
    void exchange.respond(200, {}, `${text} ${mayChange}`);

const endpoint = (name: string, ...places: string[]): HttpEndpoint => ({
  kind: 'http',
  trust: 'request',
  at: 'main',
  name,
  speaks: [name],
  routes: places.map((place) => {
    const [method = '', path = ''] = place.split(' ');
    return { method, path, answer: say(name) };
  }),
});

describe('the routes of several front-ends', () => {
  const logged: string[] = [];
  beforeEach(() => {
    logged.length = 0;
  });
  const clock = new ManualClock();
  const routerOf = (endpoints: readonly HttpEndpoint[], options: TrustOptions = {}) =>
    new HttpRouter(endpoints, new Trust(options, '127.0.0.1', clock), (_, text) => logged.push(text));
  const ask = async (router: HttpRouter, asked: TestRequest): Promise<TestExchange> => {
    const exchange = new TestExchange(asked);
    await router.handle(exchange);
    return exchange;
  };

  it('share a port, and a path by method', async () => {
    const router = routerOf([endpoint('one', 'GET /a', 'GET /b'), endpoint('two', 'POST /b', 'GET /c')]);
    const said = async (asked: TestRequest) => (await ask(router, asked)).body;
    expect(await said({ path: '/a' })).to.equal('one true');
    expect(await said({ method: 'HEAD', path: '/b' })).to.equal('one true');
    expect(await said({ method: 'POST', path: '/b' })).to.equal('two true');
    expect(await ask(router, { method: 'DELETE', path: '/b' })).to.deep.include({
      status: 405,
      body: '/b takes GET, POST, not DELETE\n',
    });
    expect(await ask(router, { path: '/d' })).to.include({ status: 404, body: 'there is nothing at /d\n' });
  });

  it('are refused where two have the same place', () => {
    expect(() => routerOf([endpoint('one', 'GET /a'), endpoint('two', 'GET /a')])).to.throw(
      'GET /a is answered by one and by two',
    );
    const webSockets: readonly WebSocketRoute[] = [{ path: '/ws', open: () => undefined }];
    const [one, two] = [
      { ...endpoint('one'), webSockets },
      { ...endpoint('two'), webSockets },
    ];
    expect(() => routerOf([one, two])).to.throw('WebSockets at /ws are opened by one and by two');
    const [first, second] = [
      { ...endpoint('one'), fallback: say('rest') },
      { ...endpoint('two'), fallback: say('rest') },
    ];
    expect(() => routerOf([first, second])).to.throw('one and two both answer what nobody else does');
  });

  it('see nobody without a token, but for what is open to all', async () => {
    const open = { method: 'GET', path: '/healthz', isOpen: true, answer: say('open') };
    const one = { ...endpoint('one', 'GET /a', 'POST /healthz') };
    const router = routerOf([{ ...one, routes: [...one.routes, open] }], { tokens: new Map([['t', 'read-only']]) });
    expect(await ask(router, { path: '/a' })).to.include({ status: 401 });
    expect((await ask(router, { path: '/a' })).sentHeaders).to.include({ 'www-authenticate': 'Bearer' });
    expect(await ask(router, { path: '/a?token=t' })).to.include({ status: 200, body: 'one false' });
    expect(await ask(router, { path: '/healthz' })).to.include({ status: 200, body: 'open false' });
    expect(await ask(router, { method: 'POST', path: '/healthz' })).to.include({ status: 401 });
    const refusal =
      '127.0.0.1:40000 was refused: this server needs a token: Authorization: Bearer TOKEN, or ?token=TOKEN';
    expect(logged).to.deep.equal([refusal]);
    clock.advance(1000);
    await ask(router, { path: '/a' });
    expect(logged).to.deep.equal([refusal, `${refusal} (2 more like this since the last line)`]);
  });

  it('let a page of an allowed origin read every refusal, and no other page', async () => {
    const tokens = new Map([['t', 'read-only' as const]]);
    const rate = { requestsPerSecond: 2 };
    const origin = 'http://localhost:5173';
    const tooLong: RouteHandler = () => Promise.reject(new BodyTooLargeError(5));
    const long = { ...endpoint('long'), routes: [{ method: 'POST', path: '/long', answer: tooLong }] };
    const router = routerOf([endpoint('one', 'GET /a'), long], { tokens, corsOrigins: [origin], ...rate });
    const allowedIn = async (asked: TestRequest, from = origin) => {
      const { status, sentHeaders } = await ask(router, { ...asked, headers: { origin: from } });
      return [status, sentHeaders['access-control-allow-origin']];
    };
    expect(await allowedIn({ path: '/a' })).to.deep.equal([401, origin]);
    expect(await allowedIn({ path: '/a?token=x' })).to.deep.equal([401, origin]);
    expect(await allowedIn({ path: '/b?token=t' })).to.deep.equal([404, origin]);
    expect(await allowedIn({ method: 'DELETE', path: '/a?token=t' })).to.deep.equal([405, origin]);
    for (let count = 0; count < 5; count++) await ask(router, { path: '/a?token=t' });
    expect(await allowedIn({ path: '/a?token=t' })).to.deep.equal([429, origin]);
    clock.advance(1000);
    expect(await allowedIn({ method: 'POST', path: '/long?token=t' })).to.deep.equal([413, origin]);
    expect(await allowedIn({ path: '/b?token=t' }, 'http://evil.example')).to.deep.equal([403, undefined]);
  });

  it('look at no more tokens of an address that has sent many wrong ones, for a while', async () => {
    const router = routerOf([endpoint('one', 'GET /a')], { tokens: new Map([['t', 'read-only']]) });
    const statusOf = async (asked: TestRequest) => (await ask(router, asked)).status;
    for (let guess = 0; guess < 20; guess++) expect(await statusOf({ path: `/a?token=${guess}` })).to.equal(401);
    expect(await statusOf({ path: '/a?token=t' })).to.equal(429);
    expect(router.accept({ ...new TestExchange({ path: '/a?token=t' }), path: '/ws' })).to.not.equal(true);
    expect(await statusOf({ path: '/a?token=t', peer: '10.0.0.1:1' })).to.equal(200);
    clock.advance(1000);
    expect(await statusOf({ path: '/a?token=t' })).to.equal(200);
  });

  it('say a refusal in their own way, unless the address may not connect at all', async () => {
    const refuse: HttpEndpoint['refuse'] = (exchange, { status, message }, headers) =>
      void exchange.respond(status, headers, `{"no":"${message.slice(0, 4)}"}`);
    const router = routerOf([{ ...endpoint('one', 'GET /a'), refuse }, endpoint('two', 'GET /b')], {
      allow: ['127.0.0.1'],
    });
    const headers = { origin: 'http://evil.example' };
    expect(await ask(router, { path: '/a', headers })).to.include({ status: 403, body: '{"no":"page"}' });
    expect((await ask(router, { path: '/b', headers })).body).to.match(/^pages from http:\/\/evil\.example/);
    expect(await ask(router, { path: '/a', peer: '10.0.0.1:1' })).to.include({
      status: 403,
      body: 'this address may not connect\n',
    });
  });

  it('open a WebSocket a path each, with its own subprotocols', async () => {
    const opened: string[] = [];
    const socket = (path: string, ...subprotocols: string[]): WebSocketRoute => ({
      path,
      subprotocols,
      open: ({ peer }, { mayChange }) => opened.push(`${path} ${peer} ${mayChange}`),
    });
    const router = routerOf([
      { ...endpoint('one'), webSockets: [socket('/ws')] },
      { ...endpoint('two'), webSockets: [socket('/live', 'live.v1')] },
    ]);
    expect([router.subprotocols('/ws'), router.subprotocols('/live')]).to.deep.equal([[], ['live.v1']]);
    router.open(webSocketOf({ path: '/live', peer: '127.0.0.1:9' }));
    expect(opened).to.deep.equal(['/live 127.0.0.1:9 true']);
    const lost = webSocketOf({ path: '/nowhere' });
    router.open(lost);
    expect(lost.isClosed).to.equal(true);
    expect(router.accept(webSocketOf({ path: '/nowhere' }).request)).to.deep.equal({
      status: 404,
      message: 'WebSockets are opened at /ws, /live',
    });
    expect(await ask(router, { path: '/live' })).to.include({ status: 426, body: 'a WebSocket is opened here\n' });
  });

  it('count requests of an address together', async () => {
    const router = routerOf([endpoint('one', 'GET /a'), endpoint('two', 'GET /b')], { requestsPerSecond: 1 });
    const statuses = [];
    for (const path of ['/a', '/b', '/a']) statuses.push((await ask(router, { path })).status);
    expect(statuses).to.deep.equal([200, 200, 429]);
  });
});
