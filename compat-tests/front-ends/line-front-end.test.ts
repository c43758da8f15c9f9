// A front-end of an embedding program: served beside the others, subject to trust, refused when two collide.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type RunningServer, type ServeOptions, serve } from '../../lib/index.js';
import { serveHere } from '../../lib/testing/aids/serve-here.js';
import { ask, rpc } from '../asking.js';
import { LineFrontEnd } from './line-front-end.js';

const BALL = new URL('../../sims/ball.js', import.meta.url);
const POSITION = /^ball\.position \[[-\d.e]+,[-\d.e]+\]\n?$/;
const SOURCES = new URL('../../../compat-tests/front-ends/', import.meta.url);
/** What the files of the front-end may import: the public interface and each other. */
const PUBLIC = ['../../lib/index.js', './line-front-end.js', './line-route.js'];
const FREE = { host: '127.0.0.1', port: 0 } as const;

describe('a front-end through the public interface alone', () => {
  const running: RunningServer[] = [];
  /** One server for all tests that ask for no options. */
  let shared: ReturnType<typeof start> | undefined;
  const sockets: Socket[] = [];
  const logged: string[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of running.splice(0)) await server.close();
    logged.length = 0;
  });
  after(async () => (await shared)?.server.close());

  const usual = (): ReturnType<typeof start> => {
    shared ??= start({}, [], serve);
    return shared;
  };
  // The one for most tests is that of the public interface; others do without a thread of the simulation.
  async function start(
    options: ServeOptions = {},
    kept = running,
    by: typeof serve | typeof serveHere = serveHere,
  ): Promise<{ server: RunningServer; port: number }> {
    const server = await by(BALL, {
      port: 0,
      discovery: false,
      frontEnds: [(parts) => new LineFrontEnd(parts, FREE)],
      log: (_, text) => logged.push(text),
      ...options,
    });
    kept.push(server);
    return { server, port: server.endpoints.find(({ name }) => name === 'line')?.port ?? 0 };
  }

  function dial(port: number, localAddress = '127.0.0.1') {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
    sockets.push(socket);
    const lines = socket.setEncoding('utf8')[Symbol.asyncIterator]();
    let text = '';
    const line = async (): Promise<string | undefined> => {
      while (!text.includes('\n')) {
        const { value, done } = await lines.next();
        if (done) return undefined;
        text += value;
      }
      const [first = '', ...others] = text.split('\n');
      text = others.join('\n');
      return first;
    };
    return { socket, line, send: (said: string) => socket.write(said) };
  }

  it('takes sixty lines at most, and imports the public interface alone', () => {
    const [text, route] = ['line-front-end.ts', 'line-route.ts'].map((file) =>
      readFileSync(new URL(file, SOURCES), 'utf8'),
    );
    expect(text?.trimEnd().split('\n').length).to.be.at.most(60);
    const imported = [...`${text}${route}`.matchAll(/\b(?:from|import)\b[\s(]*'([^']+)'/g)].map(([, target]) => target);
    expect(imported).to.include('../../lib/index.js');
    expect(imported.filter((target) => !PUBLIC.includes(`${target}`))).to.deep.equal([]);
  });

  it('answers what a client has sent before it sent its end', async () => {
    const { port } = await usual();
    const client = dial(port);
    client.socket.end('get ball.position\nget ball.nosuch\n');
    expect(await client.line()).to.match(POSITION);
    expect(await client.line()).to.match(/^error: .*nosuch/);
    expect(await client.line()).to.equal(undefined);
  });

  it('lets a client that sends and never reads wait alone', async () => {
    const { port } = await usual();
    const flooding = dial(port);
    flooding.socket.pause();
    flooding.send('get ball.position\n'.repeat(200_000));
    const client = dial(port);
    for (let asked = 0; asked < 20; asked++) {
      client.send('get ball.position\n');
      expect(await client.line()).to.match(POSITION);
    }
    flooding.socket.destroy();
    const other = dial(port);
    other.send('get ball.position\n');
    expect(await other.line()).to.match(POSITION);
  });

  it('ends a client whose line does not end', async () => {
    const { port } = await usual();
    const client = dial(port);
    client.send('x'.repeat(5000));
    expect(await client.line().catch(() => undefined)).to.equal(undefined);
  });

  it('answers get, watch and nonsense on its own port', async () => {
    const { port } = await usual();
    const client = dial(port);
    client.send('get ball.position\nget ball.nosuch\nhello\n');
    expect(await client.line()).to.match(POSITION);
    expect(await client.line()).to.match(/^error: .*nosuch/);
    expect(await client.line()).to.equal('error: there are get NAME and watch NAME');
    client.send('watch ball.position\n');
    const seen = [await client.line(), await client.line(), await client.line()];
    for (const line of seen) expect(line).to.match(POSITION);
    expect(new Set(seen)).to.have.property('size', 3);
  });

  it('answers on the main port beside Trick and JSON-RPC, and is counted with them', async () => {
    const { server, port } = await usual();
    const main = { port: server.port };
    expect((await ask({ ...main, path: '/line?name=ball.position' })).text).to.match(POSITION);
    expect(await ask({ ...main, path: '/line?name=x' })).to.include({ status: 404 });
    expect(await ask({ ...main, path: '/line', body: 'x' })).to.include({
      status: 405,
      text: '/line takes GET, not POST\n',
    });
    expect((await ask({ ...main, body: rpc('var/get', { aliases: ['ball.position'] }) })).text).to.include(
      '"ball.position":',
    );
    const client = dial(port);
    client.send('get ball.position\n');
    await client.line();
    // The sessions of the tests before end a moment after their clients.
    const counted = async () =>
      /^varwire_sessions\{front_end="line",transport="tcp"\} (\d+)$/m.exec(
        (await ask({ ...main, path: '/metrics' })).text,
      )?.[1];
    while ((await counted()) !== '1') await new Promise((resolve) => setTimeout(resolve, 10));
    expect(logged.some((line) => /opened: line over tcp/.test(line))).to.equal(true);
  });

  it('is listed among the endpoints, in their order', async () => {
    const { server } = await start({ udp: 'off' });
    expect(server.endpoints.map(({ name, protocol, speaks }) => [name, protocol, speaks.join()])).to.deep.equal([
      ['trick', 'tcp', 'Trick text'],
      ['messages', 'tcp', "Trick's messages"],
      ['http', 'tcp', 'JSON-RPC,SSE,WebSocket'],
      ['foxglove', 'tcp', 'Foxglove WebSocket'],
      ['edge', 'tcp', 'edges'],
      ['line', 'tcp', 'lines'],
      ['line', 'tcp', 'lines'],
    ]);
    const [trick, , http, , , own, route] = server.endpoints;
    expect([trick?.port, http?.port, route?.port]).to.deep.equal([server.port, server.port, server.port]);
    expect(own?.port).not.to.equal(server.port);
  });

  it('never sees an address that may not connect, nor a request without its token', async () => {
    const { server, port } = await start({ allow: ['127.0.0.1/32'], tokens: new Map([['secret', 'read-only']]) });
    const stranger = dial(port, '127.0.0.2');
    stranger.send('get ball.position\n');
    expect(await stranger.line().catch(() => undefined)).to.equal(undefined);
    expect(logged.some((line) => /^127\.0\.0\.2:\d+ was refused$/.test(line))).to.equal(true);
    const startMillis = performance.now();
    await Promise.all(
      Array.from({ length: 60 }, () =>
        dial(port, '127.0.0.2')
          .line()
          .catch(() => undefined),
      ),
    );
    const seconds = (performance.now() - startMillis) / 1000;
    // One line a second, whoever comes how often.
    expect(logged.filter((line) => /^127\.0\.0\.2:\d+ was refused/.test(line)).length).to.be.at.most(seconds + 2);
    const path = '/line?name=ball.position';
    expect(await ask({ port: server.port, path, localAddress: '127.0.0.2' })).to.include({ status: 403 });
    expect(await ask({ port: server.port, path })).to.include({ status: 401 });
    expect(await ask({ port: server.port, path: `${path}&token=secret` })).to.include({ status: 200 });
    const friend = dial(port);
    friend.send('get ball.position\n');
    expect(await friend.line()).to.match(POSITION);
  });

  it('is refused at start where two front-ends want the same place', async () => {
    const refused = (...frontEnds: NonNullable<ServeOptions['frontEnds']>) =>
      start({ frontEnds }).then(
        () => 'it serves',
        (error: Error) => error.message,
      );
    const line = (at: 'main' | typeof FREE) => (parts: ConstructorParameters<typeof LineFrontEnd>[0]) =>
      new LineFrontEnd(parts, at);
    expect(await refused(line(FREE), line(FREE))).to.equal('GET /line is answered by line and by line');
    expect(await refused(line('main'))).to.equal('trick and line both want the main port');
    const open = (parts: ConstructorParameters<typeof LineFrontEnd>[0]) =>
      new LineFrontEnd(parts, { host: '0.0.0.0', port: 0 });
    expect(await refused(open)).to.match(/^0\.0\.0\.0 can be reached from other machines: name who may connect/);
  });

  it('closes what is open when the server does', async () => {
    const { server, port } = await start();
    const client = dial(port);
    client.send('watch ball.position\n');
    await client.line();
    const closed = once(client.socket, 'close');
    client.socket.resume();
    await server.close();
    await closed;
  });
});
