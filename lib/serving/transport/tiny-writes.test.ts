// Many writes of a few bytes to a peer that does not read.
import { expect } from 'chai';
import { dial, record, signal } from '../../testing/aids/transport-peer.js';
import type { Connection, Listener } from './connection.js';
import { listenTcp } from './tcp.js';

describe('a TCP connection', () => {
  let listener: Listener;
  const accepted = signal<Connection>();

  before(async () => {
    const options = { host: '127.0.0.1', port: 0, closeGraceMillis: 50 };
    listener = await listenTcp(options, (connection) => accepted.give(connection));
  });
  after(() => listener.close());

  it('counts the writes in which bytes wait, and drains after many of a byte', async () => {
    const peer = await dial(listener.port, { allowHalfOpen: true });
    const connection = await accepted.promise;
    peer.pause();
    const filling = Buffer.alloc(1_048_576, 'x');
    while (connection.pendingBytes === 0) {
      connection.write(filling);
      await new Promise(setImmediate);
    }
    const before = connection.pendingWrites ?? 0;
    expect(before).to.be.above(0);
    for (let count = 0; count < 1000; count++) {
      connection.write('x');
      await new Promise(setImmediate);
    }
    expect(connection.pendingWrites).to.equal(before + 1000);
    const { drained } = record(connection);
    peer.resume();
    await drained;
    expect(connection.pendingWrites).to.equal(0);
    const { drained: drainedAgain } = record(connection);
    for (let count = 0; count < 100; count++) connection.write('x');
    await drainedAgain;
    expect(connection.pendingBytes).to.equal(0);
  });
});
