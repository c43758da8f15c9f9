// Connections that could hold, starve or end a server: it keeps serving, refuses with a reason, and ends on request.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { millisToEnd, mostMillisToEnd } from './end-in-time.js';
import { endAfterFailure, LaunchedServer, ServerHere } from './launch.js';

const GET = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const WISH = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';

/** Everything that a server sends until it closes. */
async function ask(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(text);
  await closed;
  return heard;
}

const health = (port: number): Promise<string> => ask(port, `${GET}Connection: close\r\n\r\n`);

/** Repeats the request until the answer matches. */
async function until(port: number, expected: RegExp, meanwhile: () => void = () => undefined): Promise<void> {
  while (!expected.test(await health(port))) {
    meanwhile();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const OPTIONS = ['--no-discovery', '--udp', 'off'];

describe('connections', () => {
  let server: LaunchedServer | ServerHere | undefined;
  const sockets: Socket[] = [];

  afterEach(async function () {
    for (const socket of sockets.splice(0)) socket.destroy();
    if (!(await endAfterFailure(this, server))) await server?.stop();
    server = undefined;
  });

  async function start(...options: string[]): Promise<number> {
    server = await ServerHere.start('sims/ball.js', { options: [...OPTIONS, ...options] });
    return server.port;
  }

  function open(port: number): Socket {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket.resume());
    return socket;
  }

  it('that wish for HTTP/2 between other requests are answered and end nothing', async () => {
    const port = await start();
    const answers = await ask(
      port,
      `${GET}\r\n${GET}${WISH}\r\n${GET}\r\n${GET}${WISH}\r\n${GET}Connection: close\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).to.have.length(5);
    expect(await health(port)).to.match(/200 OK/);
  });

  it('to HEAD end on every route, streams too', async () => {
    const port = await start();
    const call = { jsonrpc: '2.0', id: 1, method: 'var/subscribe', params: { aliases: ['ball.position'] } };
    const response = await fetch(`http://127.0.0.1:${port}/jsonrpc`, { method: 'POST', body: JSON.stringify(call) });
    const { subscription_id: id } = ((await response.json()) as { result: { subscription_id: string } }).result;
    // The stream first: a subscription that nobody reads ends after a while.
    for (const path of [`/sse?sub=${id}`, '/', '/metrics', '/healthz', '/openrpc.json']) {
      const head = `HEAD ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${GET}Connection: close\r\n\r\n`;
      const answer = await ask(port, head);
      expect(answer.match(/HTTP\/1\.1 200 OK/g), `${path}: ${answer}`).to.have.length(2);
    }
  });

  it('of one address are as many as it may have, and those that say nothing give way', async () => {
    const port = await start('--max-connections-per-address', '20');
    for (let count = 0; count < 50; count++) open(port);
    // After a second of silence.
    await until(port, /200 OK/);
    const speak = () => void open(port).write('trick.var_pause()\n');
    await until(port, /^HTTP\/1\.1 503 .*20 connections of this address are open/s, speak);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(port, /200 OK/);
  });

  it('that wait for computations do not keep a server from ending', async () => {
    const mostMillis = await mostMillisToEnd('sims/ball.js', { options: OPTIONS });
    const launched = await LaunchedServer.start('sims/ball.js', { options: OPTIONS });
    server = launched;
    const { port } = server;
    const reads = open(port);
    for (let count = 0; count < 60; count++) reads.write('trick.add_read(0.0, "while True: pass")\n');
    for (let count = 0; count < 5; count++) open(port).write('while True: pass\n'.repeat(100));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await millisToEnd(launched)).to.be.below(mostMillis);
    expect(server.output).to.match(/\[exit 0\]\n$/);
  });
});

describe('a server with few descriptors', () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  const command = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
  const simulation = fileURLToPath(new URL('../sims/ball.js', import.meta.url));

  async function start(descriptors: number): Promise<number> {
    const options = '--port 0 --no-discovery --udp off';
    const shell = `ulimit -n ${descriptors}; exec "${process.execPath}" "${command}" run "${simulation}" ${options}`;
    child = spawn('sh', ['-c', shell], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      text += chunk;
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) return Number(port);
    }
    throw new Error(`varwire has not started: ${text}`);
  }

  it('refuses with a sentence, goes on, and serves again when there is room', async function () {
    if (process.platform === 'win32') this.skip();
    const port = await start(256);
    const held = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    for (const socket of held) socket.resume().write('trick.var_pause()\n');
    await until(port, /^HTTP\/1\.1 503 .*96 connections of this address are open/s);
    for (const socket of held) socket.destroy();
    await until(port, /200 OK/);
    expect(child?.exitCode).to.equal(null);
  });
});
