// Ports that open and close while a server runs.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { Connection } from '../../serving/transport/connection.js';
import { ConnectionLimits } from '../../serving/transport/connection-limits.js';
import type { DatagramEndpoint, StreamEndpoint } from '../../serving/transport/front-end.js';
import { HeldBack } from '../../serving/transport/held-back.js';
import { Trust } from '../../serving/trust/trust.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { PortSet } from './port-set.js';
import { ServerLog } from './server-log.js';

const AT = { host: '127.0.0.1', port: 0 };

describe('the ports of a server', () => {
  const facts = { name: 'trick', speaks: ['Trick text'], trust: 'address', at: AT } as const;
  const accept = (connection: Connection): void => connection.listen({ data: () => undefined, close: () => undefined });
  const stream = (): StreamEndpoint => ({ ...facts, kind: 'stream', accept });
  const datagrams = (): DatagramEndpoint => ({ ...facts, kind: 'datagram', accept });
  let ports: PortSet;

  beforeEach(() => {
    const clock = new ManualClock();
    const heldBack = new HeldBack();
    ports = new PortSet({
      host: AT.host,
      tls: undefined,
      http: 'off',
      maxConnections: 10,
      limits: new ConnectionLimits({ mostByAddress: 10, heldBack }),
      heldBack,
      every: () => () => undefined,
      trust: new Trust({}, AT.host, clock),
      log: new ServerLog(new TestBall(), () => undefined),
      examples: () => ({ isTls: false, hasTokens: false, variable: undefined }) as never,
    });
  });
  afterEach(() => ports.close());

  const isOpen = async (port: number): Promise<boolean> => {
    const socket = connect(port, AT.host);
    const result = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error')]).catch(
      () => [],
    );
    socket.destroy();
    return result === true;
  };

  it('can be closed one by one, and say whether they are used', async () => {
    const [tcp, udp] = [await ports.add(stream()), await ports.add(datagrams())];
    expect(ports.endpoints).to.have.length(2);
    expect([tcp?.wasUsed(), udp?.wasUsed()]).to.deep.equal([false, false]);
    const peer = connect(tcp!.port, AT.host).on('error', () => undefined);
    await once(peer, 'connect');
    while (!tcp?.wasUsed()) await new Promise(setImmediate);
    expect(tcp.wasUsed()).to.equal(true);
    const sender = createSocket('udp4');
    sender.send('x', udp!.port, AT.host);
    while (!udp?.wasUsed()) await new Promise(setImmediate);
    expect(udp.wasUsed()).to.equal(false);
    sender.close();
    await tcp.close();
    expect([await isOpen(tcp.port), ports.endpoints.length]).to.deep.equal([false, 1]);
  });

  it('that open when the server ends are closed, which the end waits for', async () => {
    const late = [ports.add(stream()), ports.add(datagrams())].map((opening) =>
      opening.then(
        () => 'opened',
        ({ message }: Error) => message,
      ),
    );
    await ports.close();
    const sentence = 'the server ends, no port is opened';
    expect(await Promise.all(late)).to.deep.equal([sentence, sentence]);
    expect(ports.endpoints).to.deep.equal([]);
  });
});
