// Multicast groups as connections, where the system allows multicast.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'chai';
import { type PeerRecord, record } from '../../testing/aids/transport-peer.js';
import type { DatagramConnection } from './datagram-connection.js';
import { joinMulticast, type MulticastSender, multicastSender } from './multicast.js';

const GROUP = '239.255.77.77';
const LOOPBACK = '127.0.0.1';

interface Member {
  readonly connection: DatagramConnection;
  readonly recorded: PeerRecord;
  readonly port: number;
  close(): Promise<void>;
}

async function join(port: number): Promise<Member> {
  let connection: DatagramConnection | undefined;
  const listener = await joinMulticast({ group: GROUP, host: LOOPBACK, port, ttl: 0 }, (joined) => {
    connection = joined;
  });
  const recorded = record(connection!);
  return { connection: connection!, recorded, port: listener.port, close: () => listener.close() };
}

/** A port that is free now, for a group that all members must name alike. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, LOOPBACK);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

/** Undefined when a datagram sent to the group comes back; otherwise the reason why not. */
async function unavailable(): Promise<string | undefined> {
  let socket: Socket | undefined;
  try {
    socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.bind(0, GROUP);
    await once(socket, 'listening');
    socket.addMembership(GROUP, LOOPBACK);
    socket.setMulticastInterface(LOOPBACK);
    const heard = once(socket, 'message', { signal: AbortSignal.timeout(10_000) });
    socket.send('probe', socket.address().port, GROUP);
    await heard;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    socket?.close();
  }
}

describe('a multicast group', () => {
  const members: { close(): Promise<void> }[] = [];

  before(async function () {
    const reason = await unavailable();
    if (reason === undefined) return;
    console.log(`    skipped: multicast does not work on ${LOOPBACK} here (${reason})`);
    this.skip();
  });
  afterEach(async () => {
    for (const member of members.splice(0)) await member.close();
  });

  async function two(): Promise<[Member, Member]> {
    const port = await freePort();
    const pair: [Member, Member] = [await join(port), await join(port)];
    members.push(...pair);
    return pair;
  }

  async function sender(): Promise<MulticastSender> {
    const created = await multicastSender({ ttl: 0, interface: LOOPBACK });
    members.push(created);
    return created;
  }

  it('is a connection whose peer is the group', async () => {
    const [member] = await two();
    expect(member.connection.kind).to.equal('multicast');
    expect(member.connection.peer).to.equal(`${GROUP}:${member.port}`);
    expect(member.connection.local).to.equal(`${LOOPBACK}:${member.port}`);
  });

  it('hears other members on the same machine and not itself', async () => {
    const [a, b] = await two();
    a.connection.write('from a');
    await b.recorded.received.until((text) => text === 'from a');
    b.connection.write('from b');
    await a.recorded.received.until((text) => text !== '');
    expect(a.recorded.received.text).to.equal('from b');
    expect(b.recorded.received.text).to.equal('from a');
  });

  it('hears announcements, each as one message', async () => {
    const [a, b] = await two();
    const announcer = await sender();
    announcer.send(GROUP, a.port, 'one\n');
    announcer.send(GROUP, a.port, Buffer.from('two\n'));
    for (const { recorded } of [a, b]) {
      await recorded.received.until((text) => text.endsWith('two\n'));
      expect(recorded.received.chunks.map(String)).to.deep.equal(['one\n', 'two\n']);
    }
  });

  it('hears datagrams sent to this machine at its port, and answers the group', async () => {
    const port = await freePort();
    const told: string[] = [];
    const members_: DatagramConnection[] = [];
    const options = {
      group: GROUP,
      host: 'localhost',
      port,
      ttl: 0,
      say: (sentence: string) => void told.push(sentence),
    };
    const first = await joinMulticast(options, (joined) => members_.push(joined));
    members.push(first);
    const recorded = record(members_[0] as DatagramConnection);
    const socket = createSocket('udp4');
    socket.send('to the host', port, LOOPBACK);
    await recorded.received.until((text) => text === 'to the host');
    socket.close();
    expect(members_[0]?.peer).to.equal(`${GROUP}:${port}`);
    expect(told).to.deep.equal([]);
    // A second member on this machine hears the group alone, and says so.
    members.push(await joinMulticast(options, () => undefined));
    expect(told[0]).to.match(/^port \d+ on 127\.0\.0\.1 is already in use; datagrams to it do not reach/);
  });

  it('hears the datagrams of its own group only, whatever else is joined at its port', async () => {
    const [a] = await two();
    const other = await joinMulticast(
      { group: '239.255.77.78', host: LOOPBACK, port: a.port, ttl: 0 },
      () => undefined,
    );
    members.push(other);
    const announcer = await sender();
    announcer.send('239.255.77.78', a.port, 'for the others');
    announcer.send(GROUP, a.port, 'for us');
    await a.recorded.received.until((text) => text !== '');
    expect(a.recorded.received.text).to.equal('for us');
  });

  it('asks for each datagram whether its sender is allowed, to whatever address it was sent', async () => {
    const port = await freePort();
    const asked: string[] = [];
    const isAllowed = (peer: string): boolean => asked.push(peer) > 1;
    let joined: DatagramConnection | undefined;
    members.push(
      await joinMulticast({ group: GROUP, host: LOOPBACK, port, ttl: 0, isAllowed }, (connection) => {
        joined = connection;
      }),
    );
    const recorded = record(joined!);
    const socket = createSocket('udp4');
    for (const text of ['refused', 'taken']) socket.send(text, port, LOOPBACK);
    await recorded.received.until((text) => text !== '');
    socket.close();
    expect(recorded.received.text).to.equal('taken');
  });

  it('is left when its connection ends', async () => {
    const [a, b] = await two();
    a.connection.end();
    expect(await a.recorded.closed).to.equal('closed by this side');
    expect(a.connection.write('late')).to.equal(false);
    const announcer = await sender();
    announcer.send(GROUP, b.port, 'still here');
    await b.recorded.received.until((text) => text === 'still here');
    expect(a.recorded.received.text).to.equal('');
    await a.close();
  });

  it('counts announcements that cannot be sent', async () => {
    const announcer = await sender();
    announcer.send(GROUP, 9, Buffer.alloc(65_508));
    expect(announcer.droppedMessages).to.equal(1);
    await announcer.close();
    announcer.send(GROUP, 9, 'late');
    expect(announcer.droppedMessages).to.equal(2);
  });

  it('must be a multicast address', async () => {
    for (const group of ['10.0.0.1', '240.0.0.1', 'ff02::1', 'group']) {
      const failure = await joinMulticast({ group, host: LOOPBACK, port: 0 }, () => {}).catch((error) => error.message);
      expect(failure).to.equal(`a multicast group is an address from 224.0.0.0 to 239.255.255.255, got ${group}`);
    }
  });

  it('must be joined through an address of this machine', async () => {
    const options = { group: GROUP, host: LOOPBACK, port: 0, interface: '192.0.2.77' };
    const failure = await joinMulticast(options, () => {}).catch((error) => error.message);
    expect(failure).to.equal('192.0.2.77 is not an address of this machine');
  });
});
