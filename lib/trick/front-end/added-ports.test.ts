// Ports that Trick's clients open while the server runs.
import { expect } from 'chai';
import { startTrickFixture, type TrickFixture } from '../../testing/aids/trick-server.js';
import type { Endpoint } from '../../transport/front-end.js';
import { AddedPorts } from './added-ports.js';

describe('ports that clients open', () => {
  let fixture: TrickFixture;
  const opened: string[] = [];
  beforeEach(async () => {
    fixture = await startTrickFixture();
    opened.length = 0;
  });
  afterEach(() => fixture.close());

  const open = async (endpoint: Endpoint): Promise<void> => {
    const { host, port } = endpoint.at as { host: string; port: number };
    opened.push(`${endpoint.kind} ${host}:${port}`);
  };
  const ports = (host = '127.0.0.1', hasTls = false) =>
    new AddedPorts({ host, hostname: 'vm.example.org', hasTls, open, trick: () => fixture.frontEnd });
  const refusal = (asked: Promise<void>) =>
    asked.then(
      () => 'opened',
      (error: Error) => error.message,
    );

  it('are on the main address unless another is named', async () => {
    const added = ports();
    await added.tcp('', 7001);
    await added.udp('0.0.0.0', 7002);
    await added.multicast('224.1.1.1', '127.0.0.2', 7003);
    expect(opened).to.deep.equal(['stream 127.0.0.1:7001', 'datagram 127.0.0.1:7002', 'multicast 127.0.0.2:7003']);
  });

  it('are on the main address when the name of this machine is named, and take localhost', async () => {
    const added = ports('127.0.0.1');
    await added.tcp('vm.example.org', 7001);
    await added.multicast('224.1.1.1', 'VM', 7002);
    await added.multicast('224.1.1.1', 'localhost', 7003);
    expect(opened).to.deep.equal(['stream 127.0.0.1:7001', 'multicast 127.0.0.1:7002', 'multicast localhost:7003']);
    expect(await refusal(added.tcp('other.example.org', 7001))).to.match(/^only loopback is served/);
  });

  it('stay on loopback where the operator has', async () => {
    expect(await refusal(ports().tcp('10.0.0.1', 7001))).to.equal('only loopback is served, 10.0.0.1 is not opened');
    expect(await refusal(ports('0.0.0.0').tcp('10.0.0.1', 7001))).to.equal('opened');
  });

  it('are on no address that the operator has not bound', async () => {
    expect(await refusal(ports('10.0.0.1').tcp('10.0.0.2', 7001))).to.equal(
      'only 10.0.0.1 is served, 10.0.0.2 is not opened',
    );
    await ports('10.0.0.1').tcp('::', 7001);
    await ports().tcp('::', 7002);
    await ports('::').tcp('10.0.0.2', 7003);
    expect(opened).to.deep.equal(['stream 10.0.0.1:7001', 'stream 127.0.0.1:7002', 'stream 10.0.0.2:7003']);
  });

  it('count only when they could be opened', async () => {
    const taken = async () => {
      throw new Error('taken');
    };
    const added = new AddedPorts({
      hostname: 'vm',
      host: '127.0.0.1',
      hasTls: false,
      open: taken,
      trick: () => fixture.frontEnd,
    });
    for (let port = 1; port <= 20; port++) expect(await refusal(added.tcp('', port))).to.equal('taken');
  });

  it('are no UDP where only TLS is spoken', async () => {
    expect(await refusal(ports('127.0.0.1', true).udp('', 1))).to.match(/^only TLS is spoken here/);
    expect(await refusal(ports('127.0.0.1', true).tcp('', 1))).to.equal('opened');
  });

  it('are sixteen at most', async () => {
    const added = ports();
    const by = (client: number) => `10.0.0.${client}:40000`;
    for (let port = 1; port <= 16; port++) await added.tcp('', port, by(port % 3));
    expect(await refusal(added.tcp('', 17, by(4)))).to.equal('clients may open at most 16 ports');
    expect(opened).to.have.length(16);
  });

  it('are eight of one address at most, whatever its connections, and as many as the operator wants', async () => {
    const added = ports();
    for (let port = 1; port <= 8; port++) await added.udp('', port, `10.0.0.1:${port}`);
    expect(await refusal(added.multicast('224.1.1.1', '', 9, '10.0.0.1:9'))).to.equal(
      'a client may open at most 8 ports',
    );
    await added.tcp('', 10, '10.0.0.2:9');
    for (let port = 100; port < 120; port++) await added.tcp('', port);
    expect(opened).to.have.length(29);
  });
});
