// Ports that Trick's clients open while the server runs.
import { isIP } from 'node:net';
import { expect } from 'chai';
import { Ledger } from '../../../serving/scheduling/account.js';
import type { Endpoint, OpenPort } from '../../../serving/transport/front-end.js';
import { ManualClock } from '../../../testing/aids/manual-clock.js';
import { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { AddedPorts } from './added-ports.js';

describe('ports that clients open', () => {
  let fixture: TrickFixture;
  const opened: string[] = [];
  const log: string[] = [];
  let looks: (() => void) | undefined;
  beforeEach(async () => {
    fixture = await startTrickFixture();
    opened.length = 0;
    log.length = 0;
    looks = undefined;
  });
  afterEach(() => fixture.close());

  let isUsed = false;
  const open = async (endpoint: Endpoint): Promise<OpenPort> => {
    const { host, port } = endpoint.at as { host: string; port: number };
    const name = `${endpoint.kind} ${host}:${port}`;
    opened.push(name);
    const close = async (): Promise<void> => void opened.splice(opened.indexOf(name), 1);
    return { port, wasUsed: () => isUsed, close };
  };
  const every = (seconds: number, call: () => void) => {
    expect(seconds).to.equal(60);
    looks = call;
    return () => {
      looks = undefined;
    };
  };
  const isNumber = (address: string): boolean => isIP(address) !== 0;
  const parts = {
    isNumber,
    hostname: 'vm.example.org',
    every,
    usual: new Map([[15702, "Bevy's protocol"]]),
    log: (line: string) => log.push(line),
    trick: () => fixture.frontEnd,
  };
  const ports = (host = '127.0.0.1', hasTls = false) => new AddedPorts({ ...parts, host, hasTls, open });
  const ledger = new Ledger(new ManualClock());
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
    const added = new AddedPorts({ ...parts, host: '127.0.0.1', hasTls: false, open: taken });
    const by = ledger.open('10.0.0.1:1');
    for (let port = 1; port <= 20; port++) expect(await refusal(added.tcp('', port, by))).to.equal('taken');
  });

  it('are at no name of another machine, which is not looked up', async () => {
    const complaint = 'an address of this machine is a number or localhost, not asked.example.org';
    expect(await refusal(ports('0.0.0.0').tcp('asked.example.org', 7001))).to.equal(complaint);
    expect(await refusal(ports('::').multicast('224.1.1.1', 'asked.example.org', 7001))).to.equal(complaint);
    for (const text of ['x:asked.example.org', '999.1.1.1', '300.300.300.300'])
      expect(await refusal(ports('0.0.0.0').tcp(text, 7001))).to.match(/^an address of this machine is a number/);
    expect(await refusal(ports('sim.example.org').tcp('sim.example.org', 7001))).to.equal('opened');
    expect(await refusal(ports('0.0.0.0').tcp('localhost', 7001))).to.equal('opened');
    expect(opened).to.deep.equal(['stream sim.example.org:7001', 'stream localhost:7001']);
  });

  it('are closed when their client has gone and nobody has used them for ten minutes', async () => {
    const added = ports();
    const by = ledger.open('10.0.0.1:1');
    await added.udp('', 7001, by);
    await added.udp('', 7002);
    expect(looks).to.equal(undefined);
    by.close();
    isUsed = true;
    for (let minute = 0; minute < 30; minute++) looks?.();
    isUsed = false;
    for (let minute = 0; minute < 9; minute++) looks?.();
    expect([opened.length, added.counts.held, log]).to.deep.equal([2, 1, []]);
    looks?.();
    expect(opened).to.deep.equal(['datagram 127.0.0.1:7002']);
    expect([added.counts.held, looks]).to.deep.equal([0, undefined]);
    expect(log).to.deep.equal(['port 7001 is closed: its client has gone, and nobody has used it for 10 minutes']);
    // A client that goes while its port opens.
    const gone = ledger.open('10.0.0.1:2');
    gone.close();
    await added.tcp('', 7003, gone);
    expect(looks).not.to.equal(undefined);
  });

  it('of a group have one session, in which the address of their client shares', async () => {
    const { frontEnd, registry } = fixture;
    const at = { host: '127.0.0.1', port: 7001 };
    const peer = '224.1.1.1:7001';
    frontEnd.multicast('224.1.1.1', at, '10.0.0.1').accept(new MemoryConnection('multicast', peer));
    frontEnd.multicast('224.1.1.1', at).accept(new MemoryConnection('multicast', peer));
    const networks = [...registry.sessions].slice(-2).map(({ account }) => account.network);
    expect(networks).to.deep.equal(['10.0.0.1', '224.1.1.1']);
  });

  it('are no UDP where only TLS is spoken', async () => {
    expect(await refusal(ports('127.0.0.1', true).udp('', 1))).to.match(/^only TLS is spoken here/);
    expect(await refusal(ports('127.0.0.1', true).tcp('', 1))).to.equal('opened');
  });

  it('are none where others look for servers, unless the operator opens them', async () => {
    const added = ports();
    const by = ledger.open('10.0.0.1:1');
    const announced = 'clients open no port 9265: simulations announce themselves there';
    for (const asked of [added.tcp('', 9265, by), added.udp('', 9265, by), added.multicast('224.1.1.1', '', 9265, by)])
      expect(await refusal(asked)).to.equal(announced);
    for (const group of ['239.3.14.15', '224.3.14.15'])
      expect(await refusal(added.multicast(group, '127.0.0.1', 7001, by))).to.equal(
        `clients join no group ${group}: simulations announce themselves there`,
      );
    expect(await refusal(added.tcp('', 15702, by))).to.equal(
      "clients open no port 15702: there clients of Bevy's protocol look for a server",
    );
    expect([opened, added.counts.held]).to.deep.equal([[], 0]);
    await added.tcp('', 15702);
    await added.multicast('239.3.14.15', '127.0.0.1', 9265);
    expect(opened).to.deep.equal(['stream 127.0.0.1:15702', 'multicast 127.0.0.1:9265']);
  });

  it('are sixteen at most', async () => {
    const added = ports();
    const by = (client: number) => ledger.open(`10.0.0.${client}:40000`);
    for (let port = 1; port <= 16; port++) await added.tcp('', port, by(port % 3));
    expect(await refusal(added.tcp('', 17, by(4)))).to.equal('clients may open at most 16 ports');
    expect(opened).to.have.length(16);
  });

  it('are eight of one address at most, whatever its connections, and as many as the operator wants', async () => {
    const added = ports();
    for (let port = 1; port <= 8; port++) await added.udp('', port, ledger.open(`10.0.0.1:${port}`));
    expect(await refusal(added.multicast('224.1.1.1', '', 9, ledger.open('10.0.0.1:9')))).to.equal(
      'a client may open at most 8 ports',
    );
    await added.tcp('', 10, ledger.open('10.0.0.2:9'));
    for (let port = 100; port < 120; port++) await added.tcp('', port);
    expect(opened).to.have.length(29);
  });
});
