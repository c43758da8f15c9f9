// A TCP port: its connections and how their writes are gathered.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { collect, dial, record, signal } from '../../testing/aids/transport-peer.js';
import type { Connection, Listener } from './connection.js';
import { ListenError } from './listen-error.js';
import { SocketConnection } from './socket-connection.js';
import { listenSockets } from './socket-server.js';
import { listenTcp } from './tcp.js';

const LOCAL = { host: '127.0.0.1', port: 0, closeGraceMillis: 50 };

async function refusal(options: { host: string; port: number }): Promise<ListenError> {
  const listener = await listenTcp(options, () => {}).catch((error: unknown) => error);
  if (listener instanceof ListenError) return listener;
  await (listener as Listener).close();
  throw new Error('the port was opened');
}

describe('a TCP port', () => {
  let listener: Listener;
  let accepted: ReturnType<typeof signal<Connection>>;

  beforeEach(async () => {
    accepted = signal<Connection>();
    listener = await listenTcp(LOCAL, (connection) => accepted.give(connection));
  });
  afterEach(() => listener.close());

  async function pair(): Promise<{ connection: Connection; peer: Socket }> {
    const peer = await dial(listener.port, { allowHalfOpen: true });
    return { connection: await accepted.promise, peer };
  }

  /** Sends bytes on another connection; afterwards, bytes sent before them had their chance to be read. */
  async function roundTrip(): Promise<void> {
    accepted = signal();
    const other = await dial(listener.port);
    const { received } = record(await accepted.promise);
    other.write('x');
    await received.until((text) => text === 'x');
  }

  it('takes a free port for 0 and says which', () => {
    expect(listener.address).to.equal('127.0.0.1');
    expect(listener.port).to.be.within(1, 65535);
  });

  it('names both ends of a connection', async () => {
    const { connection, peer } = await pair();
    expect(connection.kind).to.equal('tcp');
    expect(connection.peer).to.equal(`127.0.0.1:${peer.localPort}`);
    expect(connection.local).to.equal(`127.0.0.1:${listener.port}`);
  });

  it('hands on what came while reading was paused: little as one chunk, much without a copy', () => {
    const heard = (...sizes: number[]): number[] => {
      const socket = new PassThrough({ highWaterMark: 1_000_000 });
      const connection = new SocketConnection(socket as unknown as Socket);
      const lengths: number[] = [];
      connection.listen({ data: ({ length }) => lengths.push(length), close: () => undefined });
      connection.pauseReading();
      for (const size of sizes) socket.push(Buffer.alloc(size));
      connection.resumeReading();
      return lengths;
    };
    const little = heard(100, 200);
    const much = heard(20_000, 300);
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      expect(little).to.deep.equal([300]);
      expect(much).to.deep.equal([20_000, 300]);
    });
  });

  it('hands on no second chunk to whoever pauses reading at the first', async () => {
    const socket = new PassThrough({ highWaterMark: 1_000_000 });
    const connection = new SocketConnection(socket as unknown as Socket);
    const lengths: number[] = [];
    const data = ({ length }: Buffer): void => {
      lengths.push(length);
      connection.pauseReading();
    };
    connection.listen({ data, close: () => undefined });
    connection.pauseReading();
    for (const size of [20_000, 300, 400]) socket.push(Buffer.alloc(size));
    connection.resumeReading();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(lengths).to.deep.equal([20_000]);
    connection.resumeReading();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(lengths).to.deep.equal([20_000, 700]);
  });

  it('carries bytes both ways', async () => {
    const { connection, peer } = await pair();
    const { received } = record(connection);
    const heard = collect(peer);
    peer.write('ping\n');
    expect(await received.until((text) => text.endsWith('\n'))).to.equal('ping\n');
    expect(connection.write(Buffer.from('pong '))).to.equal(true);
    connection.write('größe\n');
    expect(await heard.until((text) => text.endsWith('\n'))).to.equal('pong größe\n');
  });

  it('keeps what arrives before anyone listens', async () => {
    const { connection, peer } = await pair();
    peer.write('early ');
    await roundTrip();
    const { received } = record(connection);
    peer.write('late');
    expect(await received.until((text) => text.endsWith('late'))).to.equal('early late');
  });

  it('delivers nothing while reading is paused', async () => {
    const { connection, peer } = await pair();
    const { received } = record(connection);
    peer.write('a');
    await received.until((text) => text === 'a');
    connection.pauseReading();
    peer.write('b');
    await roundTrip();
    expect(received.text).to.equal('a');
    connection.resumeReading();
    expect(await received.until((text) => text.length === 2)).to.equal('ab');
  });

  it('delivers at once all that arrived while reading was paused', async () => {
    const { connection, peer } = await pair();
    const chunks: string[] = [];
    connection.listen({
      data: (chunk) => {
        chunks.push(Buffer.from(chunk).toString());
        // A front-end pauses after each chunk while its work waits.
        connection.pauseReading();
      },
      close: () => undefined,
    });
    for (const text of ['a', 'b', 'c', 'd']) {
      peer.write(text);
      await roundTrip();
    }
    expect(chunks).to.deep.equal(['a']);
    connection.resumeReading();
    await roundTrip();
    expect(chunks).to.deep.equal(['a', 'bcd']);
    expect(connection.write('x')).to.equal(true);
  });

  it('counts pending bytes for a peer that does not read, still takes writes, and drains when it reads', async () => {
    const { connection, peer } = await pair();
    const message = Buffer.alloc(1_048_576, 'x');
    peer.pause();
    let sentBytes = 0;
    // Takes several turns, until the system's buffers are full.
    while (connection.pendingBytes < 4 * message.length) {
      expect(connection.write(message)).to.equal(true);
      sentBytes += message.length;
      await new Promise(setImmediate);
    }
    const { drained } = record(connection);
    let heardBytes = 0;
    peer.on('data', (chunk) => {
      heardBytes += chunk.length;
    });
    peer.resume();
    await drained;
    expect(connection.pendingBytes).to.equal(0);
    connection.end();
    await once(peer, 'end');
    expect(heardBytes).to.equal(sentBytes);
  });

  it('counts pending text in bytes', async () => {
    const { connection } = await pair();
    connection.write('gone');
    expect(connection.pendingBytes).to.equal(4);
    await new Promise(setImmediate);
    expect(connection.pendingBytes).to.equal(0);
    connection.write('ü');
    expect(connection.pendingBytes).to.equal(2);
  });

  it('sends what is queued before it ends, and takes no more', async () => {
    const { connection, peer } = await pair();
    const { closed } = record(connection);
    const heard = collect(peer);
    connection.write('last ');
    connection.write('words');
    connection.end();
    expect(connection.write('too late')).to.equal(false);
    await once(peer, 'end');
    expect(heard.text).to.equal('last words');
    peer.end();
    expect(await closed).to.equal('closed by this side');
  });

  it('delivers no data after end', async () => {
    const { connection, peer } = await pair();
    const { closed, log } = record(connection);
    connection.end();
    peer.end('unwanted');
    peer.resume();
    await closed;
    expect(log).to.deep.equal(['close']);
  });

  it('closes at once when destroyed', async () => {
    const { connection, peer } = await pair();
    const { closed } = record(connection);
    peer.on('error', () => {});
    const peerClosed = once(peer.resume(), 'end');
    connection.destroy();
    expect(connection.write('x')).to.equal(false);
    expect(await closed).to.equal('closed by this side');
    await peerClosed;
  });

  it('reports a peer that ends, once, after its last bytes', async () => {
    const { connection, peer } = await pair();
    const { closed, log, received } = record(connection);
    peer.resume();
    peer.end('bye');
    expect(await closed).to.equal('the peer closed the connection');
    await once(peer, 'close');
    expect(received.text).to.equal('bye');
    expect(log).to.deep.equal(['data', 'close']);
    expect(connection.write('x')).to.equal(false);
  });

  it('delivers every byte, in order, of many who send much at once and end', async () => {
    const taken: Buffer[][] = [];
    const many = await listenTcp(LOCAL, (connection) => {
      const chunks: Buffer[] = [];
      taken.push(chunks);
      connection.listen({
        data: (chunk) => chunks.push(Buffer.from(chunk)),
        ended: () => connection.end(),
        close: () => {},
      });
    });
    const peers = await Promise.all(Array.from({ length: 40 }, () => dial(many.port)));
    const sent = peers.map((_, index) => Buffer.from(`${index} `.repeat(20_000)));
    const ended = peers.map((peer) => once(peer.resume(), 'end'));
    for (const [index, peer] of peers.entries()) peer.end(sent[index] as Buffer);
    await Promise.all(ended);
    const texts = taken.map((chunks) => Buffer.concat(chunks).toString()).sort();
    expect(texts).to.have.lengthOf(40);
    expect(texts.join() === sent.map(String).sort().join()).to.equal(true);
    await many.close();
  });

  it('reports a peer that resets', async () => {
    const { connection, peer } = await pair();
    const { closed, log } = record(connection);
    peer.resetAndDestroy();
    expect(await closed).to.equal('the peer reset the connection');
    expect(log).to.deep.equal(['close']);
  });

  it('tells a late listener that the connection is closed already', async () => {
    const { connection } = await pair();
    const first = record(connection);
    connection.destroy();
    await first.closed;
    expect(await record(connection).closed).to.equal('closed by this side');
  });

  it('still replies to a peer that has ended, when the listener wants that', async () => {
    const { connection, peer } = await pair();
    const heard = collect(peer);
    const closed = signal<string>();
    connection.listen({
      data: () => {},
      ended: () =>
        setImmediate(() => {
          connection.write('reply');
          connection.end();
        }),
      close: closed.give,
    });
    peer.end('question');
    await once(peer, 'end');
    expect(heard.text).to.equal('reply');
    expect(await closed.promise).to.equal('the peer closed the connection');
  });

  it('closes its connections, those never listened to included, and then resolves', async () => {
    const { connection, peer } = await pair();
    const heard = collect(peer);
    const closed = signal<string>();
    await dial(listener.port);
    connection.listen({ data: () => {}, close: closed.give });
    connection.write('bye');
    const ended = once(peer, 'end');
    await listener.close();
    await ended;
    expect(heard.text).to.equal('bye');
    expect(await closed.promise).to.equal('closed by this side');
    expect((await refusedDial(listener.port)).code).to.equal('ECONNREFUSED');
  });

  it('says that a port is taken', async () => {
    const error = await refusal({ host: '127.0.0.1', port: listener.port });
    expect(error.message).to.equal(`port ${listener.port} on 127.0.0.1 is already in use`);
    expect(error.code).to.equal('EADDRINUSE');
  });

  it('says that an address is not local', async () => {
    const error = await refusal({ host: '192.0.2.77', port: 0 });
    expect(error.message).to.equal('192.0.2.77 is not an address of this machine');
  });

  it('says what a port number is', async () => {
    const error = await refusal({ host: '127.0.0.1', port: 70_000 });
    expect(error.message).to.equal('a port is a whole number from 0 to 65535, got 70000');
  });
});

async function refusedDial(port: number): Promise<NodeJS.ErrnoException> {
  return dial(port).then(
    () => new Error('connected'),
    (error) => error as NodeJS.ErrnoException,
  );
}

describe('the writes of one turn', () => {
  it('leave at its end, in order and in one socket write', async () => {
    const writes: number[] = [];
    const accepted = signal<{ connection: SocketConnection; socket: Socket }>();
    const listener = await listenSockets(LOCAL, (socket) => {
      countWrites(socket, writes);
      accepted.give({ connection: new SocketConnection(socket), socket });
      return () => socket.destroy();
    });
    const peer = await dial(listener.port);
    const heard = collect(peer);
    const { connection } = await accepted.promise;
    for (let index = 0; index < 100; index += 1) connection.write(`${index}\n`);
    const expected = Array.from({ length: 100 }, (_, index) => `${index}\n`).join('');
    expect(await heard.until((text) => text.length >= expected.length)).to.equal(expected);
    connection.write('next turn');
    await heard.until((text) => text.endsWith('next turn'));
    expect(writes).to.deep.equal([100, 1]);
    await listener.close();
  });
});

/** Records how many messages each write to the operating system contained. */
function countWrites(socket: Socket, writes: number[]): void {
  const { _write, _writev } = socket;
  socket._write = (...args: Parameters<typeof _write>) => {
    writes.push(1);
    _write.apply(socket, args);
  };
  socket._writev = (chunks, callback) => {
    writes.push(chunks.length);
    _writev?.call(socket, chunks, callback);
  };
}

describe('a connection that has ended', () => {
  it('gives up on a peer that takes nothing for the linger time', async () => {
    const accepted = signal<SocketConnection>();
    const listener = await listenSockets(LOCAL, (socket) => {
      const connection = new SocketConnection(socket, undefined, 20);
      accepted.give(connection);
      return () => connection.destroy();
    });
    const peer = await dial(listener.port, { allowHalfOpen: true });
    peer.on('error', () => {});
    peer.pause();
    const connection = await accepted.promise;
    const { closed } = record(connection);
    connection.write(Buffer.alloc(32 * 1_048_576));
    connection.end();
    expect(await closed).to.equal('closed by this side');
    peer.destroy();
    await listener.close();
  });
});
