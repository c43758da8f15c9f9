// A shared port inside TLS, with a certificate made by openssl.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, PassThrough } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { collect, dial, signal } from '../../testing/aids/transport-peer.js';
import type { Listener } from './connection.js';
import { ConnectionLimits } from './connection-limits.js';
import { HeldBack } from './held-back.js';
import { createHttp, type HttpService } from './http.js';
import { listenSharedPort } from './shared-port.js';
import { fewHandshakes, MOST_HANDSHAKES, ONE_MORE_MILLIS, type TlsIdentity, tlsHandshakes } from './tls-handshakes.js';
import { acceptWebSockets } from './websocket.js';

/** A key and a self-signed certificate for localhost; undefined without openssl. */
function selfSigned(): TlsIdentity | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'transport-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    const files = ['-keyout', key, '-out', cert, '-subj', '/CN=localhost', '-days', '1'];
    execFileSync('openssl', [...request, ...files], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const MOST_BY_ADDRESS = 100;

/** The first bytes of a client. */
async function helloOf(): Promise<Buffer> {
  const pair = createServer();
  pair.listen(0, '127.0.0.1');
  await once(pair, 'listening');
  const client = connect({ port: (pair.address() as AddressInfo).port, host: '127.0.0.1' }).on(
    'error',
    () => undefined,
  );
  const [server] = (await once(pair, 'connection')) as [Socket];
  const [hello] = (await once(server, 'data')) as [Buffer];
  client.destroy();
  server.destroy();
  pair.close();
  return hello;
}

describe('a shared port inside TLS', () => {
  let http: HttpService;
  let listener: Listener;
  let tls: TlsIdentity | undefined;
  let nowMillis = 0;
  const heldBack = new HeldBack();
  const limits = new ConnectionLimits({ mostByAddress: MOST_BY_ADDRESS, nowMillis: () => nowMillis, heldBack });

  before(async function () {
    tls = selfSigned();
    if (tls === undefined) {
      console.log('    skipped: openssl is not here to make a certificate');
      this.skip();
    }
    http = createHttp({}, (exchange) => {
      exchange.respond(200, {}, 'secure');
    });
    acceptWebSockets(http, { accept: () => true }, (connection) => {
      connection.listen({ data: (chunk) => connection.write(chunk), close: () => {} });
    });
    listener = await listenSharedPort(
      { host: '127.0.0.1', port: 0, tls, limits, closeGraceMillis: 50 },
      {
        http,
        stream: (connection) => connection.listen({ data: (chunk) => connection.write(chunk), close: () => {} }),
      },
    );
  });
  after(async () => {
    await listener?.close();
    http?.close();
  });

  async function dialTls(): Promise<TLSSocket> {
    const socket = connect({ port: listener.port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  }

  it('speaks HTTP, cut at every byte', async () => {
    const socket = await dialTls();
    const heard = collect(socket);
    for (const byte of 'GET / HTTP/1.1\r\nHost: x\r\n\r\n') await new Promise((sent) => socket.write(byte, sent));
    expect(await heard.until((text) => text.endsWith('secure'))).to.match(/^HTTP\/1.1 200 OK/);
    socket.destroy();
  });

  it('carries streams', async () => {
    const socket = await dialTls();
    const heard = collect(socket);
    socket.write('trick.var_pause()\n');
    expect(await heard.until((text) => text.endsWith('\n'))).to.equal('trick.var_pause()\n');
    socket.destroy();
  });

  it('carries WebSockets', async () => {
    const client = new WebSocket(`wss://127.0.0.1:${listener.port}/`, { rejectUnauthorized: false });
    await once(client, 'open');
    const echo = once(client, 'message');
    client.send('hello');
    expect(String((await echo)[0])).to.equal('hello');
    client.terminate();
  });

  it('drops a peer that does not speak TLS and goes on serving', async () => {
    const plain = await dial(listener.port);
    collect(plain);
    plain.write('GET / HTTP/1.1\r\n\r\n');
    await once(plain, 'close');
    const socket = await dialTls();
    socket.destroy();
  });

  it('keeps nothing of a peer that leaves before its handshake is done', async () => {
    const hello = await helloOf();
    while (limits.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = heldBack.count('handshakes');
    for (const leave of [
      (peer: Socket) => peer.end(),
      (peer: Socket) => peer.resetAndDestroy(),
      (peer: Socket) => peer.end(hello.subarray(0, 40)),
      (peer: Socket) => peer.end(hello),
      (peer: Socket) => peer.write(hello, () => peer.resetAndDestroy()),
    ]) {
      const peer = await dial(listener.port);
      peer.on('error', () => undefined);
      while (limits.open === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      leave(peer);
      while (limits.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(heldBack.count('handshakes') - before).to.equal(5);
    const one = await dialTls();
    const heard = collect(one);
    one.write('trick.var_pause()\n');
    await heard.until((text) => text.endsWith('\n'));
    one.destroy();
    while (limits.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(heldBack.count('handshakes') - before).to.equal(5);
  });

  it('makes room for another when a peer says nothing', async () => {
    const mute = await Promise.all(Array.from({ length: MOST_BY_ADDRESS - limits.open }, () => dial(listener.port)));
    for (const peer of mute) peer.on('error', () => undefined);
    while (limits.open < MOST_BY_ADDRESS) await new Promise(setImmediate);
    nowMillis += 1001;
    const socket = await dialTls();
    socket.destroy();
    for (const peer of mute) peer.destroy();
    while (limits.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('answers everybody of a crowd, silent peers among them', async () => {
    const mute = await Promise.all(Array.from({ length: 3 * MOST_HANDSHAKES }, () => dial(listener.port)));
    const all = await Promise.all(Array.from({ length: 20 }, () => dialTls()));
    for (const peer of [...mute, ...all]) peer.destroy();
  });

  it('begins a few handshakes of an address, and one more when one is done, has gone or has been waited for', async () => {
    const clock = new ManualClock();
    const taken: Socket[] = [];
    const through: TLSSocket[] = [];
    const few = fewHandshakes(clock);
    const handshake = tlsHandshakes(tls as TlsIdentity, (inside) => through.push(inside), { few });
    const port = createServer({ pauseOnConnect: true }, (socket) => {
      taken.push(socket);
      handshake(socket);
    });
    port.listen(0, '127.0.0.1');
    await once(port, 'listening');
    const { port: number } = port.address() as AddressInfo;
    const [first] = await helloOf();
    const unfinished = await Promise.all(Array.from({ length: MOST_HANDSHAKES }, () => dial(number)));
    for (const peer of unfinished) peer.write(Buffer.of(first as number));
    while (taken.filter(({ bytesRead }) => bytesRead > 0).length < MOST_HANDSHAKES) await new Promise(setImmediate);
    const peers = Array.from({ length: 3 }, () =>
      connect({ port: number, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => undefined),
    );
    while (few.held < peers.length) await new Promise(setImmediate);
    expect(through).to.deep.equal([]);
    clock.advance(ONE_MORE_MILLIS);
    while (through.length < 1) await new Promise(setImmediate);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(through).to.have.length(1);
    for (const peer of unfinished) peer.destroy();
    while (through.length < peers.length) await new Promise(setImmediate);
    for (const socket of [...peers, ...through]) socket.destroy();
    port.close();
  });

  it('reads nothing from who is through, until its turn', async () => {
    const inside = signal<TLSSocket>();
    const handshake = tlsHandshakes(tls as TlsIdentity, inside.give, { isUnread: true });
    const port = createServer({ pauseOnConnect: true }, (socket) => handshake(socket));
    port.listen(0, '127.0.0.1');
    await once(port, 'listening');
    const address = port.address() as AddressInfo;
    const peer = connect({ port: address.port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(peer, 'secureConnect');
    const socket = await inside.promise;
    const heard = collect(socket);
    await new Promise<void>((sent) => peer.write('early', () => sent()));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(heard.text).to.equal('');
    socket.resume();
    await heard.until((text) => text === 'early');
    // Who has sent its last byte still gets its replies.
    const replies = collect(peer);
    const ended = once(socket, 'end');
    peer.end();
    await ended;
    socket.end('late');
    await replies.until((text) => text === 'late');
    port.close();
  });

  it('closes a connection whose client wants a new handshake, or sends what is no TLS', async () => {
    const renegotiating = connect({
      port: listener.port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.2',
    }).on('error', () => undefined);
    await once(renegotiating, 'secureConnect');
    const refused = once(renegotiating, 'close');
    const before = heldBack.count('handshakes');
    renegotiating.renegotiate({}, () => undefined);
    await refused;
    expect(heldBack.count('handshakes') - before).to.equal(1);
    const inner = new PassThrough();
    const outer = await dial(listener.port);
    const both = Duplex.from({ readable: outer, writable: inner });
    inner.pipe(outer);
    const client = connect({ socket: both, rejectUnauthorized: false }).on('error', () => undefined);
    await once(client, 'secureConnect');
    const closed = once(outer, 'close');
    outer.on('error', () => undefined).write('no record of TLS at all');
    await closed;
    expect(heldBack.count('handshakes') - before).to.equal(1);
    client.destroy();
  });

  it('closes streams, silent peers and unfinished handshakes with the port', async () => {
    const [silent, stream, plain] = [await dialTls(), await dialTls(), await dial(listener.port)];
    const heard = [silent, stream, plain].map(collect);
    stream.write('x\n');
    await heard[1]!.until((text) => text === 'x\n');
    const closed = Promise.all([silent, stream, plain].map((socket) => once(socket, 'close')));
    await listener.close();
    await closed;
  });

  it('says when the certificate cannot be used', async () => {
    const sides = { http, stream: () => {} };
    const nonsense = { cert: 'nonsense', key: 'nonsense' };
    const failure = await listenSharedPort({ host: '127.0.0.1', port: 0, tls: nonsense }, sides).catch(
      (error) => error.message,
    );
    expect(failure).to.match(/^the TLS certificate and key cannot be used: /);
  });
});
