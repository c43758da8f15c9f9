// What a program's connections carry when two servers are mounted in it: its own requests, theirs, and WebSockets.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
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
    http = createServer((request, response) => {
      if (request.url === '/own') own(request, response);
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
