// A burst of datagrams leaves in turns, and counts while it waits.
import type { Socket } from 'node:dgram';
import { expect } from 'chai';
import { DatagramConnection } from './datagram-connection.js';
import { HeldBack } from './held-back.js';

const TARGET = { address: '10.0.0.1', port: 9 };

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a burst over UDP', () => {
  let sent: string[];
  let heldBack: HeldBack;
  let closed: number;
  let connection: DatagramConnection;

  beforeEach(async () => {
    // What the test before has sent is forgotten two turns later.
    await turn();
    await turn();
    [sent, closed] = [[], 0];
    heldBack = new HeldBack();
    const send = (bytes: Buffer, port: number, _address: string, done: (error: null) => void): void => {
      // Each takes a whole turn.
      for (const until = performance.now() + 5.5; performance.now() < until; );
      sent.push(`${bytes} to ${port}`);
      process.nextTick(done, null);
    };
    const sender = { send, getSendQueueSize: () => 0 } as unknown as Socket;
    const onClosed = (): void => void closed++;
    connection = new DatagramConnection({
      kind: 'udp',
      sender,
      local: '127.0.0.1:7000',
      target: TARGET,
      heldBack,
      onClosed,
    });
  });

  const write = (count: number): void => {
    for (let k = 0; k < count; k++) connection.write(`message ${k}`);
  };

  it('leaves in turns, is counted until then, and tells when it has gone', async () => {
    let drains = 0;
    connection.listen({ data: () => undefined, drain: () => drains++, close: () => undefined });
    write(5);
    expect([sent.length, connection.pendingWrites, connection.pendingBytes]).to.deep.equal([1, 4, 36]);
    while (drains === 0) await turn();
    expect(sent).to.deep.equal([0, 1, 2, 3, 4].map((k) => `message ${k} to 9`));
    expect([drains, connection.pendingBytes]).to.deep.equal([1, 0]);
  });

  it('goes to who was answered when it was written', async () => {
    write(2);
    connection.receive(Buffer.from('x'), { address: '10.0.0.1', port: 10 });
    connection.write('last');
    while (connection.pendingWrites > 0) await turn();
    expect(sent).to.deep.equal(['message 0 to 9', 'message 1 to 9', 'last to 10']);
  });

  it('leaves also when its session has ended, whose socket closes afterwards', async () => {
    write(3);
    connection.end();
    expect([connection.isClosed, connection.write('more'), closed, sent.length]).to.deep.equal([true, false, 0, 1]);
    while (closed === 0) await turn();
    expect([sent.length, closed, heldBack.counts.get('datagrams')]).to.deep.equal([3, 1, 0]);
  });

  it('is dropped and counted when its session is cut', async () => {
    write(3);
    connection.destroy();
    await turn();
    await turn();
    expect([sent.length, closed, heldBack.counts.get('datagrams')]).to.deep.equal([1, 1, 2]);
  });
});
