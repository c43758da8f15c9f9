// A server mounted in programs with HTTP servers of their own: Express, Fastify and node:http; and used in-process.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { type Mounted, type RunningServer, serve } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { healthOf } from './in-time.js';

interface Variables {
  readonly 'tank.level': number;
  readonly 'tank.valve': number;
  readonly 'tank.serial': bigint;
  readonly 'trick_sys.sched.mode': number;
}

const TANK = new URL('fixture/mounted-tank.js', import.meta.url);
const QUIET = { port: 0, discovery: false, messages: 'off', brp: 'off' } as const;
const GET = { jsonrpc: '2.0', id: 1, method: 'var/get', params: { aliases: ['tank.level'] } };

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
/** What a server that is mounted at /sim says of its health. */
const healthAt = (base: string): Promise<string> =>
  healthOf(200, async () => {
    const answer = await fetch(`${base}/sim/healthz`);
    return { status: answer.status, text: await answer.text() };
  });

async function listening(server: Server, host = '127.0.0.1'): Promise<Server> {
  server.listen(0, host);
  await once(server, 'listening');
  return server;
}

async function throughExpress({ handle, upgrade, connection }: Mounted): Promise<Server> {
  const app = express();
  app.use('/sim', handle);
  app.get('/own', (_, response) => void response.send('mine'));
  const server = createServer(app);
  server.on('connection', connection);
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head) || socket.destroy());
  return listening(server);
}

async function throughFastify({ handle, upgrade }: Mounted): Promise<Server> {
  const app = fastify();
  app.get('/own', () => 'mine');
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const path of ['/sim', '/sim/*']) {
      scope.all(path, (request, reply) => {
        reply.hijack();
        handle(request.raw, reply.raw);
      });
    }
  });
  app.server.on('upgrade', (request, socket, head) => upgrade(request, socket, head) || socket.destroy());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}

async function throughNode({ handle, upgrade }: Mounted): Promise<Server> {
  const server = createServer((request, response) => handle(request, response, () => response.end('mine')));
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head) || socket.destroy());
  return listening(server);
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

describe('a server mounted', () => {
  let server: RunningServer<Variables>;
  before(async () => {
    server = await serve<Variables>(TANK, { ...QUIET, http: 'off' });
  });
  after(() => server.close());

  for (const [program, start] of Object.entries({
    Express: throughExpress,
    Fastify: throughFastify,
    'node:http': throughNode,
  })) {
    describe(`in ${program}`, () => {
      let http: Server;
      let base: string;
      before(async () => {
        http = await start(server.mount('/sim'));
        base = `http://127.0.0.1:${portOf(http)}`;
      });
      after(() => closed(http));

      it('answers JSON-RPC, the health and its other routes below its path, and leaves the rest to the program', async () => {
        await server.set('tank.level', 7.5);
        const answer = (await (await post(`${base}/sim/jsonrpc`, GET)).json()) as { result: { values: object } };
        expect(answer.result.values).to.deep.equal({ 'tank.level': 7.5 });
        expect(await healthAt(base)).to.equal('ok\n');
        expect((await fetch(`${base}/sim/metrics`)).status).to.equal(200);
        expect((await fetch(`${base}/sim/nothing`)).status).to.equal(404);
        expect(await (await fetch(`${base}/own`)).text()).to.equal('mine');
        expect(await (await fetch(`${base}/simulacrum`)).text()).not.to.include('var/get');
      });

      it('has its page below its path, whose addresses are relative', async () => {
        const moved = await fetch(`${base}/sim?token=x`, { redirect: 'manual' });
        expect([moved.status, moved.headers.get('location')]).to.deep.equal([308, 'sim/?token=x']);
        const page = await fetch(`${base}/sim`);
        const html = await page.text();
        expect([page.status, page.url]).to.deep.equal([200, `${base}/sim/`]);
        const [, script = ''] = /src="([^"]+)"/.exec(html) ?? [];
        expect((await fetch(new URL(script, page.url))).status).to.equal(200);
      });

      it('names addresses below its path, and below that of a proxy before it', async () => {
        const subscribe = { ...GET, method: 'var/subscribe', params: { aliases: ['tank.level'] } };
        const addressOf = async (headers?: Record<string, string>): Promise<string> =>
          ((await (await post(`${base}/sim/jsonrpc`, subscribe, headers)).json()) as { result: { sse_url: string } })
            .result.sse_url;
        expect(await addressOf()).to.match(/^\/sim\/sse\?sub=/);
        expect(await addressOf({ 'x-forwarded-prefix': '/outer/' })).to.match(/^\/outer\/sim\/sse\?sub=/);
      });

      it('streams events', async () => {
        const subscribe = { ...GET, method: 'var/subscribe', params: { aliases: ['tank.level'], cycle_ms: 20 } };
        const response = await post(`${base}/sim/jsonrpc`, subscribe, { accept: 'text/event-stream' });
        const reader = (response.body as ReadableStream<Uint8Array>).getReader();
        let text = '';
        while (!text.includes('tank.level')) text += Buffer.from((await reader.read()).value ?? []).toString();
        expect(text).to.include('event: var\ndata: ');
        await reader.cancel();
      });

      it('opens WebSockets', async () => {
        const socket = new WebSocket(`ws://127.0.0.1:${portOf(http)}/sim/ws`);
        await once(socket, 'open');
        socket.send(JSON.stringify(GET));
        const [message] = await once(socket, 'message');
        expect(JSON.parse(message.toString()).result.values).to.have.property('tank.level');
        socket.close();
        await once(socket, 'close');
        const stray = new WebSocket(`ws://127.0.0.1:${portOf(http)}/other`);
        const [error] = await once(stray, 'error');
        expect(error).to.be.an.instanceOf(Error);
      });

      it('asks trust as its own port does: names and origins of others are refused', async () => {
        const rebound = connect(portOf(http), '127.0.0.1');
        rebound.end('GET /sim/metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
        let text = '';
        for await (const chunk of rebound) text += chunk;
        expect(text).to.match(/^HTTP\/1.1 403 /);
        expect(text).to.include('this server is not called \\"evil.example\\"'.replaceAll('\\', ''));
        const foreign = await post(`${base}/sim/jsonrpc`, GET, { origin: 'http://evil.example' });
        expect(foreign.status).to.equal(403);
      });
    });
  }
});

describe('a mounted server', () => {
  it('keeps tokens, and what a token may not do', async () => {
    const server = await serveHere(TANK, { ...QUIET, tokens: new Map([['look', 'read-only']]) });
    const http = await throughNode(server.mount(''));
    const url = `http://127.0.0.1:${portOf(http)}/jsonrpc`;
    expect((await post(url, GET)).status).to.equal(401);
    const authorization = 'Bearer look';
    expect((await post(url, GET, { authorization })).status).to.equal(200);
    const set = { ...GET, method: 'var/set', params: { alias: 'tank.level', value: 1 } };
    expect(await (await post(url, set, { authorization })).text()).to.include('your token may only read');
    await closed(http);
    await server.close();
  });

  it('refuses other machines without an allow list or tokens, whatever name they use', async () => {
    const server = await serveHere(TANK, QUIET);
    const { handle, upgrade } = server.mount('');
    const from = (remoteAddress: string) => (socket: object) =>
      Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
    const http = createServer((request, response) => {
      from('192.0.2.7')(request.socket);
      handle(request, response);
    });
    http.on('upgrade', (request, socket, head) => {
      from('192.0.2.7')(request.socket);
      upgrade(request, socket, head);
    });
    await listening(http);
    const answer = await post(`http://localhost:${portOf(http)}/jsonrpc`, GET).catch(() =>
      post(`http://127.0.0.1:${portOf(http)}/jsonrpc`, GET),
    );
    expect(answer.status).to.equal(403);
    expect(await answer.text()).to.equal('other machines may come in here only with an allow list or tokens\n');
    const socket = new WebSocket(`ws://127.0.0.1:${portOf(http)}/ws`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).to.include('403');
    await closed(http);
    await server.close();
  });

  it('says so when a body was read before it came, and answers 503 once it has closed', async () => {
    const logged: string[] = [];
    const server = await serveHere(TANK, { ...QUIET, log: (_, text) => logged.push(text) });
    const app = express();
    app.use(express.json(), server.mount('/sim').handle);
    const http = await listening(createServer(app));
    const url = `http://127.0.0.1:${portOf(http)}/sim/jsonrpc`;
    expect((await post(url, GET)).status).to.equal(500);
    expect(logged.join()).to.include('POST /jsonrpc failed');
    const stream = await fetch(`${url}`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'text/plain' },
      body: JSON.stringify({ ...GET, method: 'var/subscribe', params: { aliases: ['tank.level'] } }),
    });
    await server.close();
    await stream.text();
    expect((await post(url, GET)).status).to.equal(503);
    await closed(http);
  });

  it('is mounted at a path', async () => {
    const server = await serveHere(TANK, QUIET);
    for (const path of ['sim', '/sim/', '/a?b', '/'])
      expect(() => server.mount(path)).to.throw(RangeError, 'a path to mount at looks like /sim, not');
    await server.close();
  });
});

describe('a server in its own program', () => {
  let server: RunningServer<Variables>;
  before(async () => {
    server = await serve<Variables>(TANK, QUIET);
  });
  after(() => server.close());

  const refusal = (promise: Promise<unknown>): Promise<Error> =>
    promise.then(
      (value) => new Error(`it was answered ${String(value)}`),
      (error: Error) => error,
    );

  it('reads and writes variables, in units', async () => {
    await server.set('tank.level', 250, 'cm');
    const level: number | undefined = await server.get('tank.level');
    expect(level).to.equal(2.5);
    expect(await server.get('tank.level', 'mm')).to.equal(2500);
    await server.set('tank.serial', 2n ** 60n);
    expect(await server.get('tank.serial')).to.equal(2n ** 60n);
    // @ts-expect-error the compiler knows the type of a variable
    expect((await refusal(server.set('tank.level', 'high'))).name).to.equal('AssignmentError');
    const half = await refusal(server.set('tank.valve', 0.5));
    expect([half.name, half.message]).to.deep.equal([
      'AssignmentError',
      'tank.valve is a Valve; the number 0.5 does not fit',
    ]);
    // @ts-expect-error and its name
    const missing = await refusal(server.get('tank.levle'));
    expect(missing.name).to.equal('UnknownVariableError');
    expect(missing.message).to.include('tank.level');
  });

  it('takes texts for names, which a program without types may not give', async () => {
    const untyped = server as unknown as Record<'get' | 'set' | 'call', (...given: unknown[]) => Promise<unknown>>;
    expect((await refusal(untyped.get())).message).to.equal('the path of a variable is a text, not undefined');
    expect((await refusal(untyped.set(5, 1))).message).to.equal('the path of a variable is a text, not 5');
    expect((await refusal(untyped.call())).message).to.equal('the name of a function is a text, not undefined');
  });

  it('calls functions and controls the simulation, and sees what they did', async () => {
    expect(await server.call('fill', 3)).to.equal(3);
    expect(await server.get('tank.level')).to.equal(3);
    const misfit = await refusal(server.call('fill', 'full'));
    expect(misfit.name).to.equal('RequestError');
    expect(misfit.message).to.include('level is a double; the text "full" does not fit');
    expect((await refusal(server.call('drain'))).message).to.include('drain');
    await server.control('freeze');
    expect(await server.get('trick_sys.sched.mode')).to.equal(1);
    await server.control({ action: 'step', frames: 2 });
    const unknown = await refusal(server.control('fly' as 'run'));
    expect([unknown.name, unknown.message]).to.deep.equal([
      'RequestError',
      'there is no control fly; there are run, freeze, stop, step and others',
    ]);
    await server.control('run');
    expect(await server.get('trick_sys.sched.mode')).to.equal(5);
  });
});

describe('docs/embedding.md', () => {
  const page = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('## In the program that serves it'));
  const blocks = [...section.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const blockWith = (word: string): string => blocks.find((block) => block.includes(word)) ?? '';
  /** What a block makes. */
  async function madeBy<Made>(block: string, names: string): Promise<Made & { readonly server: RunningServer }> {
    // Inside the project, so that the package varwire is found.
    const directory = mkdtempSync(fileURLToPath(new URL('../mounted-', import.meta.url)));
    const file = join(directory, 'program.mjs');
    writeFileSync(file, `${block}\nexport { server, ${names} };`);
    try {
      return await import(file);
    } finally {
      rmSync(directory, { recursive: true });
    }
  }
  const health = (http: Server): Promise<string> => healthAt(`http://127.0.0.1:${portOf(http)}`);

  it('reads, writes, calls and controls', async () => {
    const block = blockWith('server.control').replace("'sims/ball.js'", "'build/sims/ball.js'").replace('7000', '0');
    const shown = block.replace('console.log(', 'const shown = (');
    const { server, shown: position } = await madeBy<{ readonly shown: unknown }>(shown, 'shown');
    await server.close();
    expect(position).to.deep.equal([0, 2.5]);
  });

  it('mounts in Express', async () => {
    const block = blockWith("from 'express'").replace('listen(8080)', "listen(0, '127.0.0.1')");
    const { server, http } = await madeBy<{ readonly http: Server }>(at(block), 'http');
    expect(await health(http)).to.equal('ok\n');
    await closed(http);
    await server.close();
  });

  it('mounts in Fastify', async () => {
    const block = blockWith("from 'fastify'").replace('port: 8080', 'port: 0');
    const { server, app } = await madeBy<{ readonly app: FastifyInstance }>(at(block), 'app');
    expect(await health(app.server)).to.equal('ok\n');
    await app.close();
    await server.close();
  });
});

/** With the compiled simulation, and on free ports. */
const at = (block: string): string =>
  block.replace("'sims/ball.js'", "'build/sims/ball.js', { port: 0, discovery: false }");
