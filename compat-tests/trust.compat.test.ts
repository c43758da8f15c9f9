// What addresses, tokens, TLS, names, origins and limits allow on a running server.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectInsideTls } from 'node:tls';
import { expect } from 'chai';
import WebSocket from 'ws';
import { type Asked, ask, rpc } from './asking.js';
import { healthOf } from './in-time.js';
import { LaunchedServer, ServerHere, showOutputOfFailure } from './launch.js';
import { selfSigned } from './self-signed.js';

const EXISTS = 'trick.var_exists("ball.position")\n';
const GET = rpc('var/get', { aliases: ['ball.position'] });
const SET = rpc('var/set', { alias: 'ball.position[0]', value: 3 });
const FREEZE = rpc('sim/control', { action: 'freeze' });

/** An address of this machine that is not loopback: a connection to it looks like one from another machine. */
const elsewhere = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** Sends one Trick line and returns what comes back until the server closes or has answered; empty when it refuses. */
function trick(port: number, { host = '127.0.0.1', localAddress = '', ca = '' } = {}): Promise<string> {
  const from = localAddress === '' ? {} : { localAddress };
  const socket = ca === '' ? connect({ port, host, ...from }) : connectInsideTls({ port, host, ca, ...from });
  return new Promise((resolve) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n')) socket.destroy();
    });
    socket.write(EXISTS);
  });
}

/** Sends one Trick line by UDP and receives what comes back. */
async function datagrams(port: number, host: string) {
  const socket = createSocket('udp4');
  const heard: string[] = [];
  socket.on('message', (message) => heard.push(message.toString()));
  socket.bind(0, host);
  await once(socket, 'listening');
  return {
    heard,
    send: () => socket.send(EXISTS, port, '127.0.0.1'),
    next: () => once(socket, 'message'),
    close: () => socket.close(),
  };
}

/** The status with which an upgrade is refused; 101 when it is not. */
async function upgrade(url: string, options: WebSocket.ClientOptions = {}): Promise<number> {
  const socket = new WebSocket(url, options);
  const status = await new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => resolve(0));
  });
  socket.on('error', () => undefined).terminate();
  return status;
}

const status = async (asked: Asked): Promise<number> => (await ask(asked)).status;

describe('varwire run', () => {
  let folder: string;
  const running: ServerHere[] = [];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'varwire-trust-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(async function () {
    for (const server of running) showOutputOfFailure(this, server);
    await Promise.all(running.splice(0).map((server) => server.stop()));
  });

  async function start(...options: string[]): Promise<ServerHere> {
    const server = await ServerHere.start('sims/ball.js', { options: ['--no-discovery', ...options] });
    running.push(server);
    return server;
  }

  function fileOf(name: string, text: string): string {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  }

  for (const option of [
    ['--host', '0.0.0.0'],
    ['--tcp', '0.0.0.0:0'],
    ['--udp', '0.0.0.0:0'],
    ['--host', '::'],
  ]) {
    it(`refuses ${option.join(' ')} without an allow list or tokens, in one sentence`, async () => {
      const refused = await start(...option).then(
        () => 'it serves',
        (error: Error) => error.message,
      );
      const address = option[1]?.replace(/:0$/, '');
      expect(refused).to.include(`${address} can be reached from other machines: name who may connect`);
    });
  }

  it('prints a refusal as one sentence, and ends with 1', async () => {
    const refused = await LaunchedServer.start('sims/ball.js', { options: ['--host', '0.0.0.0'] }).then(
      () => 'it serves',
      (error: Error) => error.message,
    );
    expect(refused).to.match(/^varwire: 0\.0\.0\.0 can be reached from other machines: name who .*\n\[exit 1\]\n$/m);
    expect(refused).not.to.include('    at ');
  });

  it('with tokens: asks every HTTP client for one, and lets a read-only one read', async () => {
    const { port } = await start(
      '--host',
      '0.0.0.0',
      '--token-file',
      fileOf('tokens', 'may-write\nmay-read read-only\n'),
    );
    const with_ = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const refused = await ask({ port, body: GET });
    expect(refused).to.include({ status: 401 });
    expect(refused.headers).to.include({ 'www-authenticate': 'Bearer' });
    expect(JSON.parse(refused.text).error.message).to.match(/needs a token/);
    expect(await status({ port, body: GET, ...with_('guessed') })).to.equal(401);
    for (const path of ['/sse?sub=1', '/metrics', '/openrpc.json', '/page.json', '/panels/0.js', '/recordings/a.csv']) {
      expect(await status({ port, path }), path).to.equal(401);
    }
    // The page itself asks for the token; it says nothing of the simulation.
    const page = await ask({ port, path: '/' });
    expect(page).to.include({ status: 200 });
    expect(page.text).not.to.match(/ball/i);
    expect(await healthOf(200, () => ask({ port, path: '/healthz' }))).to.equal('ok\n');
    expect((await ask({ port, body: GET, ...with_('may-read') })).text).to.include('"ball.position":[');
    for (const change of [SET, FREEZE]) {
      const { text } = await ask({ port, body: change, ...with_('may-read') });
      expect(JSON.parse(text).error).to.include({ code: -23416 });
      expect(JSON.parse((await ask({ port, body: change, ...with_('may-write') })).text)).to.have.property('result');
    }
    expect(await upgrade(`ws://127.0.0.1:${port}/ws`)).to.equal(401);
    expect(await upgrade(`ws://127.0.0.1:${port}/ws?token=may-read`)).to.equal(101);
  });

  it('with tokens: speaks no Trick text, which carries none, unless it is told to', async () => {
    const tokens = fileOf('tokens', 'secret\n');
    const silent = await start('--token-file', tokens);
    expect(silent.output).to.not.match(/^ {2}(Trick|UDP) /m);
    expect(silent.output).to.include('--trick local opens it to this machine');
    expect(await trick(silent.port)).to.not.match(/^1\t/);
    const headers = { authorization: 'Bearer secret' };
    expect(await status({ port: silent.port, path: '/metrics', headers })).to.equal(200);
    const listed = await start('--token-file', tokens, '--allow', '127.0.0.1/32');
    expect(await trick(listed.port)).to.not.match(/^1\t/);
    const asked = await start('--token-file', tokens, '--allow', '127.0.0.1/32', '--trick', 'on');
    expect(await trick(asked.port)).to.equal('1\t1\n');
  });

  it('speaks no Trick text with --trick off, and only to this machine with --trick local', async function () {
    const off = await start('--trick', 'off');
    expect(await trick(off.port)).to.not.match(/^1\t/);
    expect(await status({ port: off.port, body: GET })).to.equal(200);
    if (elsewhere === undefined) return this.skip();
    const local = await start('--host', '0.0.0.0', '--allow', '0.0.0.0/0', '--trick', 'local');
    expect(await trick(local.port)).to.equal('1\t1\n');
    expect(await trick(local.port, { host: elsewhere })).to.equal('');
  });

  it('with tokens and --trick local: takes Trick clients from this machine only, which carry none', async function () {
    if (elsewhere === undefined) {
      console.log('      skipped: this machine has no address besides loopback');
      return this.skip();
    }
    const { port } = await start('--host', '0.0.0.0', '--token-file', fileOf('tokens', 'secret\n'), '--trick', 'local');
    expect(await trick(port)).to.equal('1\t1\n');
    expect(await trick(port, { host: elsewhere })).to.equal('');
    const headers = { authorization: 'Bearer secret' };
    expect(await status({ host: elsewhere, port, path: '/metrics', headers })).to.equal(200);
  });

  it('with an allow list: takes HTTP, WebSocket, Trick TCP and UDP clients from its ranges only', async () => {
    const server = await start('--allow', '127.0.0.1/32', '--allow', '127.0.0.8/30');
    const { port } = server;
    const statusFrom = (localAddress: string) => status({ port, path: '/metrics', localAddress });
    const refused = await ask({ port, body: GET, localAddress: '127.0.0.2' });
    expect(refused).to.include({ status: 403, text: 'this address may not connect\n' });
    expect([await statusFrom('127.0.0.1'), await statusFrom('127.0.0.11')]).to.deep.equal([200, 200]);
    const url = `ws://127.0.0.1:${port}/ws`;
    expect(await upgrade(url, { localAddress: '127.0.0.2' })).to.equal(403);
    expect(await upgrade(url, { localAddress: '127.0.0.1' })).to.equal(101);
    expect(await trick(port, { localAddress: '127.0.0.2' })).to.equal('');
    expect(await trick(port, { localAddress: '127.0.0.9' })).to.equal('1\t1\n');
    // The stranger comes while a session is open that answers the address that sent last.
    const [friend, stranger] = [
      await datagrams(server.udpPort, '127.0.0.1'),
      await datagrams(server.udpPort, '127.0.0.2'),
    ];
    for (let round = 0; round < 3; round++) {
      stranger.send();
      const answer = friend.next();
      friend.send();
      await answer;
    }
    expect(friend.heard).to.deep.equal(['1\t1\n', '1\t1\n', '1\t1\n']);
    expect(stranger.heard).to.deep.equal([]);
    friend.close();
    stranger.close();
  });

  it('with a certificate: speaks HTTP, WebSocket and Trick inside TLS, and nothing outside', async function () {
    const made = selfSigned(folder);
    if (typeof made === 'string') {
      console.log(`      skipped: ${made}`);
      return this.skip();
    }
    const { cert, key, ca } = made;
    const server = await start('--cert', cert, '--key', key, '--http', '0');
    const { port } = server;
    const httpPort = server.portAfter(/https:\/\/127\.0\.0\.1:(\d+)/);
    expect((await ask({ port: httpPort, body: GET, ca })).text).to.include('"ball.position":[');
    expect(await upgrade(`wss://127.0.0.1:${httpPort}/ws`, { ca })).to.equal(101);
    expect(await trick(port, { ca })).to.equal('1\t1\n');
    expect(await trick(port)).not.to.match(/^1\t/);
    expect(await status({ port: httpPort, body: GET }).catch((error: Error) => error.message)).to.match(
      /hang up|ECONNRESET/,
    );
  });

  it('with a certificate: speaks kRPC inside TLS, and says that its own clients do not', async function () {
    const made = selfSigned(folder);
    if (typeof made === 'string') {
      console.log(`      skipped: ${made}`);
      return this.skip();
    }
    const server = await start('--cert', made.cert, '--key', made.key, '--krpc', '0');
    const port = server.portAfter(/kRPC +wss:\/\/127\.0\.0\.1:(\d+)\//);
    expect(await upgrade(`wss://127.0.0.1:${port}/?name=test`, { ca: made.ca })).to.equal(101);
    expect(server.output)
      .to.match(/its own clients need a tunnel/)
      .and.not.match(/krpc\.connect/);
  });

  it('with a certificate: opens no UDP session unless it is asked to', async function () {
    const made = selfSigned(folder);
    if (typeof made === 'string') {
      console.log(`      skipped: ${made}`);
      return this.skip();
    }
    const silent = await start('--cert', made.cert, '--key', made.key);
    expect((await ask({ port: silent.port, body: GET, ca: made.ca })).status).to.equal(200);
    expect(silent.output)
      .to.match(/Browser +https:/)
      .and.not.match(/UDP/);
    const asked = await start('--cert', made.cert, '--key', made.key, '--udp', '127.0.0.1:0');
    expect(asked.udpPort).to.be.above(0);
  });

  it('answers to its own names and pages only, and to the origins it is told', async () => {
    const { port } = await start('--cors', 'https://screens.example', '--host-name', 'sim.example');
    const asHost = (name: string) => status({ port, path: '/metrics', headers: { host: `${name}:${port}` } });
    expect([await asHost('127.0.0.1'), await asHost('localhost'), await asHost('sim.example')]).to.deep.equal([
      200, 200, 200,
    ]);
    expect([await asHost('evil.example'), await asHost('127.0.0.1.evil.example')]).to.deep.equal([403, 403]);
    const forged = await ask({ port, body: SET, headers: { host: 'evil.example' } });
    expect(forged.status).to.equal(403);
    const foreign = { origin: 'http://evil.example' };
    for (const path of ['/', '/sse?sub=1', '/metrics']) {
      expect(await status({ port, path, headers: foreign }), path).to.equal(403);
    }
    expect(await status({ port, body: SET, headers: foreign })).to.equal(403);
    expect(await upgrade(`ws://127.0.0.1:${port}/ws`, { origin: 'http://evil.example' })).to.equal(403);
    expect(await upgrade(`ws://127.0.0.1:${port}/ws`, { headers: { host: 'evil.example' } })).to.equal(403);
    expect(await upgrade(`ws://127.0.0.1:${port}/ws`, { origin: `http://127.0.0.1:${port}` })).to.equal(101);
    const allowed = { origin: 'https://screens.example' };
    const preflight = await ask({ port, method: 'OPTIONS', path: '/jsonrpc', headers: allowed });
    expect(preflight).to.include({ status: 204 });
    expect(preflight.headers).to.include({ 'access-control-allow-origin': allowed.origin });
    expect((await ask({ port, body: GET, headers: allowed })).headers).to.include({
      'access-control-allow-origin': allowed.origin,
    });
    expect((await ask({ port, method: 'OPTIONS', path: '/jsonrpc', headers: foreign })).status).to.equal(403);
  });

  it('limits requests a second, bodies, headers and connections, and says so', async () => {
    const { port } = await start('--rate', '10', '--max-connections', '3');
    const burst = await Promise.all(Array.from({ length: 3 }, () => ask({ port, body: GET })));
    expect(burst.map((answer) => answer.status)).to.deep.equal([200, 200, 200]);
    let last = await ask({ port, body: GET });
    while (last.status === 200) last = await ask({ port, body: GET });
    expect(last.status).to.equal(429);
    expect(last.headers).to.include({ 'retry-after': '1' });
    expect(JSON.parse(last.text).error).to.include({ code: -23418 });
    const long = await ask({ port, path: '/healthz', headers: { x: 'x'.repeat(20_000) } });
    expect(long).to.include({ status: 431 });
    const held = Array.from({ length: 3 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    for (const socket of held) socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await Promise.all(held.map((socket) => once(socket, 'data')));
    expect(await ask({ port, path: '/healthz' })).to.deep.include({
      status: 503,
      text: 'this server has as many HTTP connections as it allows; try again later\n',
    });
    for (const socket of held) socket.destroy();
  });

  it('refuses a body over 1 MB, however its length is told', async () => {
    const { port } = await start();
    const body = `[${' '.repeat(1_100_000)}]`;
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const { status, text } = await ask({ port, body, headers });
      expect(status).to.equal(413);
      expect(JSON.parse(text).error.message).to.equal('the request body is longer than the 1000000 bytes allowed');
    }
  });
});
