// What /metrics says of computing.
import { expect } from 'chai';
import { TestServer } from '../testing/aids/http-exchange.js';

describe('GET /metrics', () => {
  /** The sample of a name, labels and all. */
  async function sample(server: TestServer, name: string): Promise<number> {
    const { body } = await server.ask({ path: '/metrics' });
    const line = body.split('\n').find((line) => line.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  }

  it('has the computing time of all clients, of those who have gone too', async () => {
    const server = new TestServer();
    const { ledger } = server.registry;
    const before = await sample(server, 'varwire_computed_seconds_total');
    const [gone, payer] = [ledger.open('10.0.0.1:5'), ledger.open('10.0.0.2:5')];
    gone.spend(1500);
    gone.close();
    ledger.open('10.0.0.3:5', payer).spend(250);
    const after = await sample(server, 'varwire_computed_seconds_total');
    // Asking for it is counted as well.
    expect(after - before).to.be.within(1.75, 1.76);
  });

  it('has how often work waited because its client had used nearly all the time', async () => {
    const server = new TestServer();
    const { ledger, turns } = server.registry;
    const busy = ledger.open('10.0.0.1:5');
    turns.resume(busy, () => undefined);
    expect(await sample(server, 'varwire_came_last_total')).to.equal(0);
    busy.spend(600);
    for (let time = 0; time < 2; time++) turns.resume(busy, () => undefined);
    expect(await sample(server, 'varwire_came_last_total')).to.equal(2);
  });
});
