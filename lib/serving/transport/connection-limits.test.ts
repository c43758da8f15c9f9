// The limits on open connections, per address and in all.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { askOnce, collect, dial } from '../../testing/aids/transport-peer.js';
import { networkOf } from '../network/network.js';
import type { Connection, Listener } from './connection.js';
import { type ConnectionLimitOptions, ConnectionLimits } from './connection-limits.js';
import { HeldBack } from './held-back.js';
import { createHttp, type HttpService } from './http.js';
import { listenSharedPort } from './shared-port.js';
import { listenTcp } from './tcp.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('the number of connections', () => {
  let listeners: Listener[];
  let http: HttpService;
  let limits: ConnectionLimits;
  let heldBack: HeldBack;
  let said: string[];
  let nowMillis: number;

  beforeEach(() => {
    [listeners, nowMillis] = [[], 5000];
    said = [];
    heldBack = new HeldBack((sentence) => said.push(sentence));
    http = createHttp({}, (exchange) => void exchange.respond(200, {}, 'ok'));
  });
  afterEach(async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    http.close();
  });

  const echo = (connection: Connection) =>
    connection.listen({ data: (chunk) => void connection.write(chunk), close: () => {} });

  async function open(options: ConnectionLimitOptions): Promise<number> {
    limits = new ConnectionLimits({ ...options, heldBack, nowMillis: () => nowMillis });
    const at = { host: '127.0.0.1', port: 0, closeGraceMillis: 50, limits };
    const shared = await listenSharedPort(at, { http, stream: echo });
    listeners.push(shared, await listenTcp(at, echo));
    return shared.port;
  }

  /** A connection that has sent a line and was answered. */
  async function speaking(port: number): Promise<Socket> {
    const socket = await dial(port);
    const heard = collect(socket);
    socket.write('hello\n');
    await heard.until((text) => text === 'hello\n');
    return socket;
  }

  it('of an address is bounded over all ports, and HTTP is told so', async () => {
    const port = await open({ mostByAddress: 3 });
    const held = [await speaking(port), await speaking(port), await speaking(listeners[1]!.port)];
    expect(limits.open).to.equal(3);
    const answer = await askOnce(port, GET);
    expect(answer).to.match(
      /^HTTP\/1.1 503 .*3 connections of this address are open; close some or try again later\n$/s,
    );
    expect(await askOnce(port, 'trick.var_pause()\n')).to.equal('');
    expect(heldBack.count('connections_by_address')).to.equal(2);
    expect(said).to.have.length(1);
    held[0]!.destroy();
    while (limits.open > 2) await new Promise(setImmediate);
    held.push(await speaking(port));
    for (const socket of held) socket.destroy();
  });

  it('in all is bounded too', async () => {
    const port = await open({ mostInAll: 1 });
    const held = await speaking(port);
    expect(await askOnce(port, GET)).to.match(/503 .*1 connections are open, as many as this server takes; try again/s);
    expect(heldBack.count('connections')).to.equal(1);
    held.destroy();
  });

  it('leaves room for the newest: those that have sent nothing give way, the oldest first', async () => {
    const port = await open({ mostByAddress: 3 });
    const speaker = await speaking(port);
    const silent = [await dial(port), await dial(port)];
    const closed = silent.map((socket) => once(socket.resume(), 'close'));
    for (const socket of silent) socket.on('error', () => {});
    while (limits.open < 3) await new Promise(setImmediate);
    // The first bytes of these connections may still be on their way.
    nowMillis += 999;
    expect(await askOnce(port, GET)).to.match(/^HTTP\/1.1 503 /);
    nowMillis += 1;
    const third = await speaking(port);
    await closed[0];
    expect(silent[1]!.readyState).to.equal('open');
    const fourth = await speaking(port);
    await closed[1];
    expect(speaker.readyState).to.equal('open');
    for (const socket of [speaker, third, fourth]) socket.destroy();
  });

  it('leaves room for the newest: those over which nothing comes or goes give way, the idlest first', async () => {
    const port = await open({ mostByAddress: 3 });
    const [idlest, idle, busy] = [await speaking(port), await speaking(port), await speaking(port)];
    const say = async (socket: Socket): Promise<void> => {
      socket.write('more\n');
      await once(socket, 'data');
    };
    const gone = [idlest, idle].map((socket) => once(socket.resume(), 'close'));
    nowMillis += 600;
    await say(idle);
    // Looked at: something has gone over one of them.
    expect(await askOnce(port, GET)).to.match(/^HTTP\/1.1 503 /);
    nowMillis += 400;
    await say(busy);
    const first = await speaking(port);
    await gone[0];
    expect([idle.readyState, busy.readyState]).to.deep.equal(['open', 'open']);
    expect(await askOnce(port, GET)).to.match(/^HTTP\/1.1 503 /);
    nowMillis += 600;
    await say(first);
    await say(busy);
    const second = await speaking(port);
    await gone[1];
    expect([first.readyState, busy.readyState, said.length]).to.deep.equal(['open', 'open', 1]);
    for (const socket of [busy, first, second]) socket.destroy();
  });

  it('leaves room for another address: an idle one of the address with most gives way', () => {
    const sockets: string[] = [];
    const socket = (remoteAddress: string): Socket =>
      ({
        ...{ remoteAddress, bytesRead: 7, bytesWritten: 0, once: () => undefined },
        destroy: () => sockets.push(remoteAddress),
      }) as unknown as Socket;
    limits = new ConnectionLimits({ mostInAll: 4, nowMillis: () => nowMillis });
    const admit = (address: string): boolean => limits.admit(socket(address)) === undefined;
    expect(['10.0.0.2', '10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.3'].map(admit)).to.deep.equal([
      ...[true, true, true, true],
      false,
    ]);
    nowMillis += 1000;
    expect([admit('10.0.0.3'), sockets]).to.deep.equal([true, ['10.0.0.1']]);
  });

  it('leaves descriptors for files and refusals', () => {
    const most = (descriptors: number) => {
      const all = new ConnectionLimits({ descriptors, mostByAddress: 1e9 });
      const admittedOf = (remoteAddress: string) => {
        const socket = () =>
          ({ remoteAddress, bytesRead: 0, bytesWritten: 0, once: () => undefined }) as unknown as Socket;
        let admitted = 0;
        while (admitted < 30_000 && all.admit(socket()) === undefined) admitted++;
        return admitted;
      };
      return [admittedOf('10.0.0.1'), admittedOf('10.0.0.2'), admittedOf('10.0.0.3')];
    };
    // The second address gets the connections that one address alone may not have.
    expect([256, 1024, 1_048_576].map(most)).to.deep.equal([
      [96, 32, 0],
      [576, 192, 0],
      [15_000, 5000, 0],
    ]);
  });
});

describe('the network of an address', () => {
  const cases: [address: string, network: string][] = [
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ];
  for (const [address, network] of cases) {
    it(`${address} is ${network}`, () => expect(networkOf(address)).to.equal(network));
  }
});
