// Requests whose Host headers name no one server, on each way in.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { askOnce } from '../../testing/aids/transport-peer.js';
import { HeldBack } from './held-back.js';
import { createHttp, type HttpHandler, listenHttp } from './http.js';
import { MountedHttp } from './mounted-http.js';
import { acceptWebSockets } from './websocket.js';

const WISH =
  'Connection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const SEVERAL = /^HTTP\/1.1 400 .*\r\n\r\na request has one Host header, not several\n$/s;
const NONE = /^HTTP\/1.1 400 .*\r\n\r\nan HTTP\/1.1 request needs a Host header\n$/s;

interface Door {
  readonly port: number;
  close(): Promise<unknown>;
}
type Service = Parameters<typeof acceptWebSockets>[0];

describe('the Host header of a request', () => {
  let handled: number;
  let opened: number;
  let door: Door;
  beforeEach(() => {
    [handled, opened] = [0, 0];
  });
  afterEach(() => door.close());

  const handler: HttpHandler = (exchange) => {
    handled++;
    exchange.respond(200, {}, 'ok');
  };
  const takeWebSockets = (service: Service): void =>
    acceptWebSockets(service, { accept: () => true }, (peer) => {
      opened++;
      peer.end();
    });

  const DOORS: readonly (readonly [string, () => Promise<Door>])[] = [
    [
      'a port of its own',
      async () => {
        const service = createHttp({}, handler);
        takeWebSockets(service);
        const listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, service);
        return { port: listener.port, close: () => listener.close().then(() => service.close()) };
      },
    ],
    [
      "a path of another program's server",
      async () => {
        const settings = { path: '', onHandlerError: () => undefined, unfinishedBodyBytes: 1e6 };
        const mounted = new MountedHttp({ ...settings, handler, heldBack: new HeldBack() });
        takeWebSockets(mounted);
        // Node would refuse a request without the header itself.
        const server = createServer({ requireHostHeader: false }, mounted.handle).on('upgrade', mounted.upgrade);
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        return { port: (server.address() as AddressInfo).port, close: () => once(server.close(), 'close') };
      },
    ],
  ];

  for (const [name, open] of DOORS)
    it(`must stand there once, at ${name}`, async () => {
      door = await open();
      const ask = (hosts: string, others = 'Connection: close\r\n', version = '1.1'): Promise<string> =>
        askOnce(door.port, `GET / HTTP/${version}\r\n${hosts}${others}\r\n`);
      expect(await ask('Host: x\r\nHost: y\r\n')).to.match(SEVERAL);
      expect(await ask('Host: x\r\nhOST: x\r\n')).to.match(SEVERAL);
      expect(await ask('Host: x\r\nHost: y\r\n', '', '1.0')).to.match(SEVERAL);
      expect(await ask('Host: x\r\nHost: y\r\n', WISH)).to.match(SEVERAL);
      expect(await ask('')).to.match(NONE);
      expect(await ask('', WISH)).to.match(NONE);
      expect([handled, opened]).to.deep.equal([0, 0]);
      expect(await ask('Host: x\r\nX-Host: y\r\n')).to.match(/^HTTP\/1.1 200 /);
      expect(await ask('', '', '1.0')).to.match(/^HTTP\/1.1 200 /);
      expect(await ask('Host: x\r\n', WISH)).to.match(/^HTTP\/1.1 101 /);
      expect([handled, opened]).to.deep.equal([2, 1]);
    });
});
