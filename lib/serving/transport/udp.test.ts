// A UDP port as one connection.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'chai';
import { record, signal } from '../../testing/aids/transport-peer.js';
import type { Listener } from './connection.js';
import type { DatagramConnection } from './datagram-connection.js';
import { HeldBack } from './held-back.js';
import { listenUdp } from './udp.js';

describe('a UDP port', () => {
  let listener: Listener;
  let opened: DatagramConnection[];
  let first: ReturnType<typeof signal<DatagramConnection>>;
  let clients: Socket[];
  let heldBack: HeldBack;

  beforeEach(async () => {
    opened = [];
    clients = [];
    heldBack = new HeldBack();
    first = signal();
    listener = await listenUdp({ host: '127.0.0.1', port: 0, heldBack }, (connection) => {
      opened.push(connection);
      first.give(connection);
    });
  });
  afterEach(async () => {
    await listener.close();
    for (const client of clients) client.close();
  });

  async function client(address = '127.0.0.1'): Promise<Socket> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    clients.push(socket);
    return socket;
  }

  const send = (socket: Socket, text: string) => socket.send(text, listener.port, '127.0.0.1');
  const next = async (socket: Socket): Promise<string> => String((await once(socket, 'message'))[0]);

  /** The connection, which echoes, once `socket` has sent it something. */
  async function echoing(socket: Socket): Promise<DatagramConnection> {
    send(socket, 'hello');
    const connection = await first.promise;
    const reply = next(socket);
    connection.listen({ data: (chunk) => connection.write(chunk), close: () => {} });
    expect(await reply).to.equal('hello');
    return connection;
  }

  it('is one connection that answers the address that sent last', async () => {
    const [a, b] = [await client(), await client()];
    const connection = await echoing(a);
    expect(connection.peer).to.equal(`127.0.0.1:${a.address().port}`);
    const reply = next(b);
    send(b, 'from b');
    expect(await reply).to.equal('from b');
    expect(connection.peer).to.equal(`127.0.0.1:${b.address().port}`);
    expect(connection.kind).to.equal('udp');
    expect(connection.local).to.equal(`127.0.0.1:${listener.port}`);
    expect(opened).to.have.length(1);
  });

  it('passes to a sender of another address as a new session, at most once a second', async () => {
    let now = 0;
    const peers: string[] = [];
    const reasons: string[] = [];
    const options = { host: '127.0.0.1', port: 0, heldBack, nowMillis: () => now };
    const passing = await listenUdp(options, (connection) => {
      peers.push(connection.peer);
      connection.listen({ data: (chunk) => connection.write(chunk), close: (reason) => reasons.push(reason) });
    });
    const [a, b] = [await client(), await client('127.0.0.2')];
    const ask = async (socket: Socket, text: string): Promise<string> => {
      const reply = next(socket);
      socket.send(text, passing.port, '127.0.0.1');
      return reply;
    };
    expect([await ask(a, 'a1'), await ask(b, 'b1')]).to.deep.equal(['a1', 'b1']);
    const [first, second] = [`127.0.0.1:${a.address().port}`, `127.0.0.2:${b.address().port}`];
    expect([peers, reasons]).to.deep.equal([[first, second], ['closed by this side']]);
    now = 999;
    a.send('a2', passing.port, '127.0.0.1');
    expect(await ask(b, 'b2')).to.equal('b2');
    expect(heldBack.counts.get('datagrams')).to.equal(1);
    now = 1000;
    expect(await ask(a, 'a3')).to.equal('a3');
    expect(peers).to.deep.equal([first, second, first]);
    await passing.close();
  });

  it('takes no datagram of a sender that is not allowed, nor answers it, whoever came first', async () => {
    const [friend, stranger] = [await client(), await client()];
    const allowed = `127.0.0.1:${friend.address().port}`;
    const guarded = await listenUdp(
      { host: '127.0.0.1', port: 0, isAllowed: (peer) => peer === allowed },
      (connection) => connection.listen({ data: (chunk) => connection.write(chunk), close: () => {} }),
    );
    stranger.on('message', () => expect.fail('the stranger was answered'));
    const ask = async (text: string): Promise<string> => {
      stranger.send('mine', guarded.port, '127.0.0.1');
      friend.send(text, guarded.port, '127.0.0.1');
      return next(friend);
    };
    expect([await ask('one'), await ask('two')]).to.deep.equal(['one', 'two']);
    await guarded.close();
  });

  it('takes each datagram whole, without waiting for a newline, and the empty one too', async () => {
    const socket = await client();
    send(socket, 'no newline');
    send(socket, '');
    send(socket, 'a\nb\n');
    const { received } = record(await first.promise);
    await received.until((text) => text.endsWith('b\n'));
    expect(received.chunks.map(String)).to.deep.equal(['no newline', '', 'a\nb\n']);
  });

  it('sends messages of up to 65,507 bytes and drops and counts longer ones', async () => {
    const socket = await client();
    const connection = await echoing(socket);
    const reply = next(socket);
    expect(connection.write(Buffer.alloc(65_508))).to.equal(true);
    expect(connection.write('y'.repeat(65_507))).to.equal(true);
    expect(await reply).to.have.length(65_507);
    expect(connection.droppedMessages).to.equal(1);
  });

  it('holds datagrams while reading is paused', async () => {
    const socket = await client();
    send(socket, 'a');
    const connection = await first.promise;
    const { received } = record(connection);
    await received.until((text) => text === 'a');
    connection.pauseReading();
    connection.receive(Buffer.from('b'));
    expect(received.text).to.equal('a');
    connection.resumeReading();
    expect(received.text).to.equal('ab');
  });

  it('counts datagrams lost because too many were held', async () => {
    const socket = await client();
    const connection = await echoing(socket);
    connection.pauseReading();
    for (let index = 0; index < 17; index += 1) connection.receive(Buffer.alloc(65_507));
    expect(connection.droppedMessages).to.equal(2);
  });

  it('holds a bounded number of tiny ones', async () => {
    const socket = await client();
    const connection = await echoing(socket);
    connection.pauseReading();
    for (let index = 0; index < 3000; index += 1) connection.receive(Buffer.alloc(0));
    expect(connection.droppedMessages).to.equal(3000 - 1_048_576 / 512);
  });

  it('opens a new connection for the first datagram after one has ended', async () => {
    const socket = await client();
    send(socket, 'a');
    const { closed, log } = record(await first.promise);
    opened[0]!.end();
    expect(opened[0]!.write('late')).to.equal(false);
    expect(await closed).to.equal('closed by this side');
    first = signal();
    const second = await echoing(socket);
    expect(second).not.to.equal(opened[0]);
    expect(log.at(-1)).to.equal('close');
  });

  it('sends what waits before it closes', async () => {
    const socket = await client();
    let heard = 0;
    socket.on('message', () => heard++);
    const connection = await echoing(socket);
    for (let count = 0; count < 100; count++) connection.write(`message ${count}`);
    await listener.close();
    expect([connection.isClosed, connection.droppedMessages]).to.deep.equal([true, 0]);
    while (heard < 101) await new Promise(setImmediate);
  });

  it('closes its connection with the port', async () => {
    const socket = await client();
    send(socket, 'a');
    const connection = await first.promise;
    const { closed } = record(connection);
    await listener.close();
    expect(await closed).to.equal('closed by this side');
    expect(connection.pendingBytes).to.equal(0);
    expect(await record(connection).closed).to.equal('closed by this side');
  });

  it('says that a port is taken or an address not local', async () => {
    const taken = await listenUdp({ host: '127.0.0.1', port: listener.port }, () => {}).catch((error) => error.message);
    expect(taken).to.equal(`port ${listener.port} on 127.0.0.1 is already in use`);
    const foreign = await listenUdp({ host: '192.0.2.77', port: 0 }, () => {}).catch((error) => error.message);
    expect(foreign).to.equal('192.0.2.77 is not an address of this machine');
  });

  it('drops and counts answers that cannot be sent, to port 0 too', async () => {
    const asker = await client();
    const connection = await echoing(asker);
    connection.receive(Buffer.from('from nowhere'), { address: '127.0.0.1', port: 0 });
    expect(connection.write('lost')).to.equal(true);
    // After its next answer, the lost ones have been counted.
    const reply = next(asker);
    send(asker, 'again');
    expect(await reply).to.equal('again');
    expect(connection.droppedMessages).to.equal(2);
    expect(heldBack.count('datagrams')).to.equal(2);
  });
});
