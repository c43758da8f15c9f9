// What a program's connections carry when two servers are mounted in it: its own requests, theirs, and WebSockets.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import {
  connect as connectHttp2,
  createServer as createHttp2,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { type RunningServer, serve } from '../lib/index.js';

const TANK = new URL('fixture/mounted-tank.js', import.meta.url);
const QUIET = { port: 0, discovery: false, messages: 'off', brp: 'off' } as const;
const GET = { jsonrpc: '2.0', id: 1, method: 'var/get', params: { aliases: ['tank.level'] } };

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('two mounted servers of one program, which tells both of its connections', () => {
  let servers: readonly RunningServer[];
  let http: Server;
  let base: string;
  before(async () => {
    servers = [await serve(TANK, QUIET), await serve(TANK, QUIET)];
    const mounted = servers.map((server, index) => server.mount(`/sim${index}`));
    const asText = (servers[0] as RunningServer).mount('/text');
    http = createServer((request, response) => {
      if (request.url === '/own') own(request, response);
      else if (request.url === '/text/jsonrpc') asText.handle(request.setEncoding('utf8'), response);
      else mounted[request.url?.startsWith('/sim0') ? 0 : 1]?.handle(request, response);
    });
    for (const { connection, upgrade } of mounted) {
      http.on('connection', connection);
      http.on('upgrade', upgrade);
    }
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    base = `http://127.0.0.1:${portOf(http)}`;
  });
  after(async () => {
    http.closeAllConnections();
    http.close();
    for (const server of servers) await server.close();
  });

  /** Answers with a digest of what has come. */
  function own(request: IncomingMessage, response: ServerResponse): void {
    const digest = createHash('sha256');
    request.on('data', (chunk: Buffer) => digest.update(chunk));
    request.on('end', () => response.end(digest.digest('hex')));
  }

  /** A WebSocket of one of them by its bytes, once it is open. */
  async function opened(path: string): Promise<Socket> {
    const socket = connect(portOf(http), '127.0.0.1').on('error', () => undefined);
    const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    socket.write(`${head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(`${answer}`).to.match(/^HTTP\/1.1 101/);
    return socket;
  }

  const ask = (agent: Agent, path: string, body: Buffer | string): Promise<string> =>
    new Promise((resolve, reject) => {
      const asked = request(`${base}${path}`, { method: 'POST', agent }, async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve(text);
      });
      asked.on('error', reject).end(body);
    });

  it('gets the bodies of its own requests whole, before and after both were asked on a connection', async () => {
    const body = Buffer.alloc(3_000_000, 'Upgrade 0123456789 ');
    const sent = createHash('sha256').update(body).digest('hex');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 2; round++) {
      expect(await ask(agent, '/own', body)).to.equal(sent);
      for (const path of ['/sim0/jsonrpc', '/sim1/jsonrpc'])
        expect(await ask(agent, path, JSON.stringify(GET))).to.include('tank.level');
    }
    agent.destroy();
  });

  it('takes nothing of a WebSocket for HTTP, on its connection or another', async () => {
    const socket = await opened('/sim0/ws');
    const idle = connect(portOf(http), '127.0.0.1');
    await once(idle, 'connect');
    let heard = '';
    idle.on('data', (chunk) => {
      heard += chunk;
    });
    const ended = once(socket, 'close');
    socket.write('GET /own HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50));
    await ended;
    expect(await ask(new Agent(), '/sim1/jsonrpc', JSON.stringify(GET))).to.include('tank.level');
    expect(heard).to.equal('');
    idle.destroy();
  });

  it('answers over HTTP/2, without headers of a connection', async () => {
    const { handle } = (servers[0] as RunningServer).mount('');
    const http2 = createHttp2((request, response) =>
      handle(request as unknown as IncomingMessage, response as unknown as ServerResponse),
    );
    http2.listen(0, '127.0.0.1');
    await once(http2, 'listening');
    const session = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`);
    const ask = async (headers: OutgoingHttpHeaders, body = ''): Promise<string> => {
      const stream = session.request(headers, { endStream: body === '' });
      if (body !== '') stream.end(body);
      const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      let text = '';
      for await (const chunk of stream) text += chunk;
      return `${answered[':status']} ${text}`;
    };
    expect(await ask({ ':path': '/ws' })).to.match(/^426 /);
    expect(await ask({ ':path': '/jsonrpc', ':method': 'POST' }, JSON.stringify(GET))).to.match(/^200 .*tank.level/);
    session.close();
    http2.close();
  });

  it('takes a body that the program has asked for as text', async () => {
    expect(await ask(new Agent(), '/text/jsonrpc', JSON.stringify(GET))).to.include('tank.level');
  });

  it('carries each message of a WebSocket out once', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${portOf(http)}/sim0/ws`);
    await once(socket, 'open');
    const ids: unknown[] = [];
    const all = new Promise<void>((resolve) => {
      socket.on('message', (message) => {
        ids.push((JSON.parse(`${message}`) as { id: number }).id);
        if (ids.length === 100) resolve();
      });
    });
    for (let id = 0; id < 100; id++) socket.send(JSON.stringify({ ...GET, id, padding: 'x'.repeat(50 * id) }));
    await all;
    expect(ids.toSorted((a, b) => Number(a) - Number(b))).to.deep.equal(Array.from({ length: 100 }, (_, id) => id));
    socket.terminate();
  });
});
