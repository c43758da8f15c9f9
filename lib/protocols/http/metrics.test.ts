// What /metrics says of computing.
import { expect } from 'chai';
import { TestServer } from '../../testing/aids/http-exchange.js';
import type { ManualClock } from '../../testing/aids/manual-clock.js';

describe('GET /metrics', () => {
  /** The sample of a name, labels and all. */
  async function sample(server: TestServer, name: string): Promise<number> {
    const { body } = await server.ask({ path: '/metrics' });
    const line = body.split('\n').find((line) => line.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  }

  it('has the computing time of all clients, of those who have gone too', async () => {
    const server = new TestServer();
    const { ledger, turns, clock } = server.registry;
    const before = await sample(server, 'varwire_computed_seconds_total');
    const gone = ledger.open('10.0.0.1:5');
    turns.begin(gone, () => (clock as ManualClock).leap(1750));
    gone.close();
    const after = await sample(server, 'varwire_computed_seconds_total');
    // Asking for it is counted as well.
    expect(after - before).to.be.within(1.75, 1.76);
  });
});
