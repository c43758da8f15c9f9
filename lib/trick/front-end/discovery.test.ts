// The discovery datagram, field by field.
import { expect } from 'chai';
import { type DiscoveryFacts, discoveryMessage } from './discovery.js';

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
