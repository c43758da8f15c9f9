// Requests of connections that another server reads.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { collect, dial } from '../../testing/aids/transport-peer.js';
import { MOST_WAITING_REQUESTS, MountedConnections } from './mounted-connections.js';
import { MOST_UNANSWERED } from './requests-ahead.js';

const requests = (count: number): string =>
  Array.from({ length: count }, (_, k) => `GET /${k} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');

function count(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => response.end(`${bytes} bytes;`));
}

describe('requests of a mounted server', () => {
  let server: Server;
  let begun: { readonly path: string; readonly response: ServerResponse }[];
  let own: ServerResponse[];
  let told: Socket[];
  let handed: number;
  let beginning: () => void;
  let connections: MountedConnections;
  const tooMany = (socket: Socket): unknown => told.push(socket);

  beforeEach(async () => {
    [begun, own, told, handed, beginning] = [[], [], [], 0, () => undefined];
    connections = new MountedConnections();
    server = createServer((request, response) => {
      handed++;
      if (request.url === '/later') {
        const countBody = (): void => connections.take(request, response, () => count(request, response), tooMany);
        // By then so much has come that node has paused the socket.
        const look = (): void => void (request.socket.isPaused() ? countBody() : setImmediate(look));
        look();
        return;
      }
      if (request.url === '/body') {
        count(request, response);
        return;
      }
      // Some the other program answers itself.
      if (request.url === '/own' || request.url === '/slow') {
        connections.sees(request, response);
        own.push(response);
        return;
      }
      const take = (): void =>
        connections.take(
          request,
          response,
          () => {
            begun.push({ path: request.url ?? '', response });
            beginning();
          },
          tooMany,
        );
      // As middleware that takes its time.
      if (request.url === '/late') setImmediate(() => setImmediate(take));
      else if (request.url === '/left') {
        request.socket.once('close', () => {
          take();
          beginning();
        });
      } else take();
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

  it('are not begun, nor their connection known, when the other program hands them over after their client has left', async () => {
    const left = new Promise<void>((resolve) => {
      beginning = resolve;
    });
    let met = 0;
    const track = connections.track.bind(connections);
    connections.track = (...given) => {
      met++;
      return track(...given);
    };
    const peer = await client();
    peer.write('GET /left HTTP/1.1\r\nHost: x\r\n\r\n', () => peer.destroy());
    await left;
    expect([begun.length, met]).to.deep.equal([0, 0]);
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

  it('are too many when a chunk has more than anybody sends ahead; none of the rest is begun', async () => {
    const peer = await client();
    const closed = once(peer, 'close');
    peer.on('error', () => undefined).resume();
    peer.write(requests(1000));
    await closed;
    expect(told.length).to.equal(1);
    expect(begun.length).to.equal(1);
    // The next connection is served as if nothing had been.
    const next = await client();
    next.write(requests(1));
    await atLeast(2);
    next.destroy();
  });

  it('are read to their end when the other program hands them over late', async () => {
    const peer = await client();
    const heard = collect(peer);
    const body = Buffer.alloc(400_000, 'x');
    peer.write(`POST /later HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    peer.write(body);
    expect(await heard.until((text) => text.includes(' bytes;'))).to.include('400000 bytes;');
    peer.destroy();
  });

  it('are answered before one behind them becomes something else', async () => {
    server.on('upgrade', (_request, socket: Socket, head: Buffer) =>
      connections.afterAnswers(socket, head, (whole) => socket.end(`taken with ${whole.length};`)),
    );
    const peer = await client();
    const heard = collect(peer);
    const wish = 'GET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n';
    peer.write(`${requests(1)}GET /own HTTP/1.1\r\nHost: x\r\n\r\n${wish}four`);
    await atLeast(1);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    begun[0]?.response.end('first;');
    await heard.until((text) => text.includes('first;'));
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(heard.text).to.not.include('taken');
    own[0]?.end('second;');
    expect(await heard.until((text) => text.includes('taken'))).to.match(/first;[\s\S]*second;taken with 4;/);
  });

  describe('of which the program tells', () => {
    beforeEach(() => {
      server.on('connection', (socket: Socket) => connections.track(socket, tooMany));
    });

    it('are read no further while some wait, and all are answered', async () => {
      const peer = await client();
      const heard = collect(peer);
      peer.write(requests(1000));
      for (let k = 0; k < 1000; k++) {
        await atLeast(k + 1);
        // A piece may have a few more.
        expect(handed - k).to.be.at.most(MOST_WAITING_REQUESTS);
        if (k === 0) expect(handed).to.be.at.least(MOST_UNANSWERED);
        begun[k]?.response.end(`answer ${k};`);
      }
      await heard.until((text) => text.includes('answer 999;'));
      expect(told.length).to.equal(0);
      peer.destroy();
    });

    for (const [whose, path] of [
      ['one', '/0'],
      ['one of the other program', '/own'],
    ])
      it(`are cut off when they wait long behind ${whose} without an answer`, async () => {
        connections = new MountedConnections(20);
        const peer = await client();
        const closed = once(peer, 'close');
        peer.on('error', () => undefined).resume();
        peer.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n${requests(1000)}`);
        await closed;
        expect(told.length).to.equal(1);
        expect(begun.length).to.be.at.most(1);
      });

    it('are read once by a server that gets the socket of a tunnel again', async () => {
      server.on('connect', (_request, socket: Socket, head: Buffer) => {
        socket.write('HTTP/1.1 200 Established\r\n\r\n');
        socket.unshift(head);
        server.emit('connection', socket);
      });
      const peer = await client();
      const heard = collect(peer);
      peer.write('GET /0 HTTP/1.1\r\nHost: x\r\n\r\n');
      await atLeast(1);
      begun[0]?.response.end('before;');
      peer.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
      await heard.until((text) => text.includes('Established'));
      for (let k = 1; k <= 3; k++) {
        peer.write(`GET /${k} HTTP/1.1\r\nHost: x\r\n\r\n`);
        await atLeast(k + 1);
        begun[k]?.response.end(`answer ${k};`);
        await heard.until((text) => text.includes(`answer ${k};`));
      }
      expect(begun.map(({ path }) => path)).to.deep.equal(['/0', '/1', '/2', '/3']);
      expect(heard.text.match(/answer/g)).to.have.length(3);
      peer.destroy();
    });

    it('come to an end, whatever length a body announces', async () => {
      const lenient = createServer({ insecureHTTPParser: true }, (_request, response) => void response.end('done;'));
      lenient.on('connection', (socket: Socket) => void connections.track(socket, tooMany));
      lenient.on('upgrade', (_request, socket: Socket) => socket.end('done;'));
      lenient.listen(0, '127.0.0.1');
      await once(lenient, 'listening');
      const peer = await dial((lenient.address() as AddressInfo).port);
      const heard = collect(peer);
      const lengths = 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n';
      peer.write(`POST / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n${lengths}\r\n5\r\nhello\r\n0\r\n\r\n`);
      await heard.until((text) => text.includes('done;'));
      peer.destroy();
      lenient.closeAllConnections();
      lenient.close();
    });

    it('leave the bodies of the other program whole', async () => {
      const body = Buffer.alloc(300_000, 'x');
      const peer = await client();
      const heard = collect(peer);
      peer.write(`POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
      peer.write(body);
      peer.write(requests(1));
      expect(await heard.until((text) => text.includes(' bytes;'))).to.include('300000 bytes;');
      await atLeast(1);
      peer.destroy();
    });

    it('end where the other program takes a connection over', async () => {
      server.on('upgrade', (_request, socket: Socket, head: Buffer) => {
        let text = head.toString();
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (text.endsWith('!')) socket.end(`got ${text.length}`);
        });
      });
      const peer = await client();
      const heard = collect(peer);
      const wish = 'Connection: Upgrade\r\nUpgrade: own\r\n';
      peer.write(`GET /up HTTP/1.1\r\nHost: x\r\n${wish}\r\n${'upgrade '.repeat(1000)}`);
      peer.write('the rest!');
      expect(await heard.until((text) => text.includes('got'))).to.equal('got 8009');
    });
  });
});
