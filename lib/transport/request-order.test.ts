// Requests of connections that another server reads.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { collect, dial } from '../testing/aids/transport-peer.js';
import { crowdReading, MOST_BYTES_IN_TURN, MOST_EXEMPT } from './crowd-reading.js';
import { holdReading } from './kernel-reading.js';
import { MOST_WAITING_REQUESTS, RequestOrder } from './request-order.js';

const requests = (count: number): string =>
  Array.from({ length: count }, (_, k) => `GET /${k} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');

describe('requests of a mounted server', () => {
  let server: Server;
  let begun: { readonly path: string; readonly response: ServerResponse }[];
  let own: ServerResponse[];
  let told: Socket[];
  let handed: number;
  let beginning: () => void;
  let order: RequestOrder;

  beforeEach(async () => {
    [begun, own, told, handed, beginning] = [[], [], [], 0, () => undefined];
    order = new RequestOrder((socket) => told.push(socket));
    server = createServer((request, response) => {
      handed++;
      // Some the other program answers itself.
      if (request.url === '/own' || request.url === '/slow') {
        own.push(response);
        return;
      }
      const take = (): void =>
        order.take(request, response, () => {
          begun.push({ path: request.url ?? '', response });
          beginning();
        });
      // As middleware that takes its time.
      if (request.url === '/late') setImmediate(() => setImmediate(take));
      else take();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const client = (): Promise<Socket> => dial((server.address() as AddressInfo).port);
  const atLeast = async (count: number): Promise<void> => {
    while (begun.length < count)
      await new Promise<void>((resolve) => {
        beginning = resolve;
      });
  };

  it('are begun one after another, in their order', async () => {
    const peer = await client();
    const heard = collect(peer);
    const count = 1 + MOST_WAITING_REQUESTS;
    peer.write(requests(count));
    for (let k = 0; k < count; k++) {
      await atLeast(k + 1);
      expect(begun.length).to.equal(k + 1);
      expect(begun[k]?.path).to.equal(`/${k}`);
      begun[k]?.response.end(`answer ${k};`);
      await heard.until((text) => text.includes(`answer ${k};`));
    }
    peer.destroy();
  });

  it('are not begun when their client leaves, and what is begun hears of it', async () => {
    const peer = await client();
    peer.on('error', () => undefined);
    peer.write(requests(5));
    await atLeast(1);
    const closed = once(begun[0]?.response as ServerResponse, 'close');
    peer.resetAndDestroy();
    await closed;
    expect(begun.length).to.equal(1);
  });

  it('wait for the answer of the other program, in whatever order it hands them over', async () => {
    const peer = await client();
    const heard = collect(peer);
    peer.write('GET /own HTTP/1.1\r\nHost: x\r\n\r\nGET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    peer.write(requests(1));
    while (own.length < 2) await new Promise(setImmediate);
    own[0]?.end('mine;');
    await heard.until((text) => text.includes('mine;'));
    own[1]?.end('slow;');
    await atLeast(1);
    begun[0]?.response.end('last;');
    expect(await heard.until((text) => text.includes('last;'))).to.match(/mine;.*slow;.*last;/s);
    peer.destroy();
  });

  it('are begun in their order where the other program hands a later one over first', async () => {
    const peer = await client();
    const heard = collect(peer);
    peer.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\nGET /early HTTP/1.1\r\nHost: x\r\n\r\n');
    await atLeast(1);
    expect(begun.map(({ path }) => path)).to.deep.equal(['/late']);
    begun[0]?.response.end('first;');
    await atLeast(2);
    begun[1]?.response.end('second;');
    expect(await heard.until((text) => text.includes('second;'))).to.match(/first;.*second;/s);
    peer.destroy();
  });

  it('are read by and by when a crowd sends much, also before the first of a connection', async () => {
    const met: Socket[] = [];
    server.on('connection', (socket: Socket) => {
      order.meet(socket);
      met.push(socket);
    });
    const crowd = await Promise.all(Array.from({ length: MOST_EXEMPT + 2 }, client));
    while (met.length < crowd.length) await new Promise(setImmediate);
    const [first] = met as [Socket];
    crowdReading.hasRead(first, MOST_BYTES_IN_TURN);
    // Its reading is held already.
    expect(holdReading(first)).to.equal(false);
    for (const peer of crowd) peer.write(requests(1));
    await atLeast(crowd.length);
    for (const peer of crowd) peer.destroy();
  });

  it('are too many when more wait than anybody sends ahead', async () => {
    const peer = await client();
    const closed = once(peer, 'close');
    peer.on('error', () => undefined).resume();
    peer.write(requests(MOST_WAITING_REQUESTS + 1));
    await atLeast(1);
    expect(told.length).to.equal(0);
    peer.write(requests(1000));
    await closed;
    expect(told.length).to.equal(1);
    expect(begun.length).to.equal(1);
    // The parser is used again by the next connection.
    expect(handed).to.equal(MOST_WAITING_REQUESTS + 2);
    const next = await client();
    next.write(requests(2));
    await atLeast(2);
    expect(handed).to.equal(MOST_WAITING_REQUESTS + 4);
    next.destroy();
  });
});
