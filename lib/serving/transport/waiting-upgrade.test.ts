// A wish for a WebSocket behind a request that is not answered yet.
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Listener } from './connection.js';
import { HeldBack } from './held-back.js';
import { createHttp, type HttpService, listenHttp } from './http.js';
import type { HttpExchange } from './http-exchange.js';
import { MOST_AHEAD_BYTES } from './waiting-upgrade.js';
import { acceptWebSockets } from './websocket.js';

const WISH =
  'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const OPEN = 'GET /open HTTP/1.1\r\nHost: x\r\n\r\n';
/** A message `hi` of a client, with a mask of zeros. */
const FRAME = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]);

describe('an upgrade that waits', () => {
  let service: HttpService;
  let listener: Listener;
  let client: Socket;
  let begun: Promise<HttpExchange>;
  let heldBack: HeldBack;

  beforeEach(async () => {
    let begin: (exchange: HttpExchange) => void;
    begun = new Promise((resolve) => {
      begin = resolve;
    });
    heldBack = new HeldBack();
    service = createHttp({ heldBack }, (exchange) => begin(exchange));
    acceptWebSockets(service, { accept: () => true }, (peer) =>
      peer.listen({ data: (message) => peer.write(`heard ${message}`), close: () => {} }),
    );
    listener = await listenHttp({ host: '127.0.0.1', port: 0, closeGraceMillis: 50 }, service);
    client = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => undefined);
  });
  afterEach(async () => {
    client.destroy();
    await listener.close();
    service.close();
  });

  const ended = (exchange: HttpExchange) => new Promise<void>((resolve) => exchange.onClose(resolve));

  for (const [how, leave] of [
    ['closes', () => client.destroy()],
    ['resets', () => client.resetAndDestroy()],
    ['has sent its last byte', () => client.end()],
    ['sends much ahead', () => client.write(Buffer.alloc(MOST_AHEAD_BYTES + 1))],
  ] as const)
    it(`ends what its client waits for when the client ${how}`, async () => {
      client.write(OPEN + WISH);
      const exchange = await begun;
      // The wish may come in a later chunk than the request.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      leave();
      await ended(exchange);
      expect(exchange.respond(200, {}, 'late')).to.equal(false);
      expect(heldBack.count('far_ahead')).to.equal(how === 'sends much ahead' ? 1 : 0);
    });

  it('is carried out after the answer, with all that has come meanwhile, byte by byte too', async () => {
    client.write(OPEN + WISH);
    const exchange = await begun;
    for (const byte of FRAME) {
      client.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    let text = '';
    const heard = (count: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (text.split('heard hi').length > count) resolve();
        };
        client.on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1');
          look();
        });
      });
    const first = heard(1);
    exchange.respond(200, {}, 'answered');
    await first;
    expect(text).to.match(/^HTTP\/1\.1 200 .*answeredHTTP\/1\.1 101 /s);
    const second = heard(2);
    client.write(FRAME);
    await second;
  });
});
