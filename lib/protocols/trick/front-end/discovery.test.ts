// The discovery datagram, field by field.
import { expect } from 'chai';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { Discovery, type DiscoveryFacts, discoveryMessage, type Reach } from './discovery.js';

/** As Trick 25.1.1-beta announced a simulation of its own. */
const RECORDED =
  'vm\t41000\troot\t18115\t/path/to/SIM_fixture\tS_main_Linux_12.2_x86_64.exe\tRUN_golden/record.py\t25.1.1-beta\t\t41000\t1\t5\n';

const FACTS: DiscoveryFacts = {
  server: { hostname: 'vm', port: 41000, userTag: '', isEnabled: true },
  user: 'root',
  processId: 18115,
  directory: '/path/to/SIM_fixture',
  program: 'S_main_Linux_12.2_x86_64.exe',
  inputFile: 'RUN_golden/record.py',
  mode: 5,
};

describe('the discovery message', () => {
  it('is what Trick sends', () => {
    expect(discoveryMessage(FACTS)).to.equal(RECORDED);
  });

  it('shows the tag, whether sessions are taken, and the mode', () => {
    const server = { ...FACTS.server, userTag: 'mine', isEnabled: false };
    expect(discoveryMessage({ ...FACTS, server, mode: 1 })).to.match(/\t25\.1\.1-beta\tmine\t41000\t0\t1\n$/);
  });
});

describe('discovery', () => {
  let fixture: TrickFixture;
  const sent: string[] = [];
  const reaches: Reach[] = [];
  let open = 0;
  beforeEach(async () => {
    fixture = await startTrickFixture();
    sent.length = 0;
    reaches.length = 0;
    open = 0;
  });
  afterEach(() => fixture.close());

  function discovery(host = '127.0.0.1', openSender = senderOf): Discovery {
    return new Discovery({ registry: fixture.registry, server: fixture.server, host, version: '1.2.3', openSender });
  }
  async function senderOf(reach: Reach) {
    reaches.push(reach);
    open++;
    const send = (group: string, port: number, message: string) => void sent.push(`${group}:${port} ${message}`);
    return { send, close: async () => void open-- };
  }

  it('sends to both groups through each sender every two seconds, until it is stopped', async () => {
    const announced = discovery();
    await announced.started();
    fixture.server.userTag = 'mine';
    fixture.clock.advance(1);
    expect(sent).to.have.length(4);
    // Trick's clients read the version of Trick in its own field.
    expect(sent[0]?.split('\t').slice(5, 8)).to.deep.equal(['varwire-1.2.3', 'fixture.ts', '25.1.1-beta']);
    fixture.clock.advance(1900);
    expect(sent).to.have.length(4);
    fixture.clock.advance(200);
    expect(sent).to.have.length(8);
    expect(sent.every((message) => message.includes('\t7000\t') && message.includes('\tmine\t'))).to.equal(true);
    expect(new Set(sent.map((message) => message.split(' ')[0]))).to.deep.equal(
      new Set(['239.3.14.15:9265', '224.3.14.15:9265']),
    );
    await announced.close();
    fixture.clock.advance(10_000);
    expect([sent.length, open]).to.deep.equal([8, 0]);
  });

  it('stays on this machine where only loopback is served', async () => {
    await discovery().started();
    expect(reaches).to.deep.equal([{ ttl: 0 }, { ttl: 0, interface: '127.0.0.1' }]);
    reaches.length = 0;
    await discovery('0.0.0.0').started();
    expect(reaches).to.deep.equal([{}]);
  });

  it('says in the log where there is no multicast', async () => {
    await discovery('0.0.0.0', () => Promise.reject(new Error('no route'))).started();
    expect(fixture.log).to.include('the simulation is not announced everywhere: no route');
  });

  it('leaves nothing open when it is stopped while it starts', async () => {
    const announced = discovery();
    const started = announced.started();
    await announced.close();
    await started;
    fixture.clock.advance(10_000);
    expect([sent.length, open]).to.deep.equal([0, 0]);
  });
});
