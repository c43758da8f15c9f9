// The fair queue: who is next, and how much anybody gets beside others.
import { expect } from 'chai';
import fc from 'fast-check';
import { AddressShare, ClientShare, FairQueue } from './fair-queue.js';

const nothing = (): void => undefined;

describe('the fair queue', () => {
  let queue: FairQueue;
  let served: Map<ClientShare, number>;

  beforeEach(() => {
    [queue, served] = [new FairQueue(), new Map()];
  });

  /** Runs the next job, which takes so long; `again` pushes its client's next one. */
  const runNext = (millis: number, again: boolean): ClientShare => {
    const { client } = queue.next();
    if (again) queue.push(client, nothing);
    queue.charge(client, millis);
    served.set(client, (served.get(client) ?? 0) + millis);
    return client;
  };
  const clientsOf = (count: number, address = new AddressShare()): ClientShare[] =>
    Array.from({ length: count }, () => new ClientShare(address));
  const timeOf = (clients: readonly ClientShare[]): number =>
    clients.reduce((sum, client) => sum + (served.get(client) ?? 0), 0);

  it('runs the jobs of a client in their order', () => {
    const [client] = clientsOf(1) as [ClientShare];
    const ran: string[] = [];
    for (const name of ['a', 'b', 'c']) queue.push(client, () => ran.push(name));
    while (queue.length > 0) {
      queue.next().job();
      queue.charge(client, 1);
    }
    expect(ran).to.deep.equal(['a', 'b', 'c']);
  });

  it('gives equal time to addresses, and to the clients of each, whatever their jobs take', () => {
    const millis = fc.double({ min: 0.02, max: 10, noNaN: true });
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(sizes, fc.array(millis, { minLength: 200, maxLength: 200 }), (counts, jobs) => {
        [queue, served] = [new FairQueue(), new Map()];
        const addresses = counts.map((count) => clientsOf(count));
        for (const client of addresses.flat()) queue.push(client, nothing);
        for (const job of jobs) runNext(job, true);
        const longest = Math.max(...jobs);
        const ofAddresses = addresses.map(timeOf);
        expect(Math.max(...ofAddresses) - Math.min(...ofAddresses)).to.be.at.most(2 * longest);
        for (const clients of addresses) {
          const ofClients = clients.map((client) => timeOf([client]));
          expect(Math.max(...ofClients) - Math.min(...ofClients)).to.be.at.most(2 * longest);
        }
      }),
    );
  });

  it('lets who has slept run next, beside a thousand clients and addresses that always have more to do', () => {
    const [sleeper] = clientsOf(1) as [ClientShare];
    const crowd = [...clientsOf(500), ...Array.from({ length: 500 }, () => clientsOf(1)).flat()];
    for (const client of crowd) queue.push(client, nothing);
    for (let k = 0; k < 5000; k++) runNext(1, true);
    for (let k = 0; k < 20; k++) {
      queue.push(sleeper, nothing);
      expect(runNext(0.1, false)).to.equal(sleeper);
      for (let job = 0; job < 700; job++) runNext(1, true);
    }
  });

  it('lets nobody save up time by sleeping', () => {
    const [sleeper, busy] = [...clientsOf(1), ...clientsOf(1)] as [ClientShare, ClientShare];
    queue.push(busy, nothing);
    for (let k = 0; k < 100; k++) runNext(1, true);
    queue.push(sleeper, nothing);
    served.clear();
    for (let k = 0; k < 40; k++) runNext(1, true);
    expect(served.get(sleeper)).to.be.closeTo(20, 1);
  });

  it('counts what a client was served while nothing waited', () => {
    const [one, other] = [...clientsOf(1), ...clientsOf(1)] as [ClientShare, ClientShare];
    queue.charge(one, 10);
    expect([queue.isNext(one), queue.isNext(other)]).to.deep.equal([true, true]);
    for (const client of [one, other]) queue.push(client, nothing);
    expect([queue.isNext(one), queue.isNext(other)]).to.deep.equal([false, true]);
    expect(runNext(1, false)).to.equal(other);
  });
});
