// Accounts: what a client may hold, what stays free for others, and how used time is forgotten.
import { expect } from 'chai';
import fc from 'fast-check';
import { type Account, Ledger, OverBoundError } from './account.js';
import { type Bounds, DEFAULT_BOUNDS } from './holdings.js';

describe('an account', () => {
  let now: number;
  let heldBack: string[];
  let ledger: Ledger;
  const bounds: Bounds = {
    ...DEFAULT_BOUNDS,
    subscriptions: { each: 40, all: 100 },
    unreadBytes: { each: 1000, all: 16_000 },
  };

  const takeAll = (client: Account): number => {
    for (let count = 0; ; count++)
      try {
        client.take('subscriptions');
      } catch {
        return count;
      }
  };

  beforeEach(() => {
    [now, heldBack] = [0, []];
    const clock = { nowMillis: () => now, after: () => () => undefined };
    ledger = new Ledger(clock, bounds, (client, sentence) => heldBack.push(`${client}: ${sentence}`));
  });

  it('is refused more than its bound, with a sentence, and holds what it held', () => {
    const client = ledger.open('10.0.0.1');
    client.take('subscriptions', 40);
    expect(() => client.take('subscriptions')).to.throw(OverBoundError, 'a client may have 40 subscriptions');
    expect([client.amountOf('subscriptions'), ledger.held('subscriptions')]).to.deep.equal([40, 40]);
    expect(heldBack).to.deep.equal(['10.0.0.1: a client may have 40 subscriptions']);
    expect(ledger.refusals('subscriptions')).to.equal(1);
    client.give('subscriptions', 10);
    client.take('subscriptions', 10);
  });

  it('holds at most as much as is left for the others', () => {
    const hogs = Array.from({ length: 20 }, (_, index) => takeAll(ledger.open(`hog ${index}`)));
    expect(hogs.slice(0, 3)).to.deep.equal([40, 30, 15]);
    expect(ledger.held('subscriptions')).to.be.below(100);
  });

  it('holds beside others of its address no more than it leaves for them', () => {
    const hogs = Array.from({ length: 8 }, (_, index) => takeAll(ledger.open(`10.0.0.1:${index}`)));
    expect(hogs).to.deep.equal([40, 17, 9, 4, 2, 1, 1, 0]);
    expect(() => ledger.open('10.0.0.1:9').take('subscriptions')).to.throw('together, each no more than it leaves');
  });

  it('of the address with most gives way to newcomers when nothing is left, but not with what passes', () => {
    const gone: string[] = [];
    const open = (name: string): Account => {
      const account = ledger.open(name);
      account.letGo = (reason) => gone.push(`${name}: ${reason}`);
      return account;
    };
    for (let client = 0; client < 8; client++) takeAll(open(`10.0.0.1:${client}`));
    const others = [12, 6, 3, 2, 1, 1].map((count, k) => {
      const other = open(`10.0.1.${k}:1`);
      other.take('subscriptions', count);
      return other;
    });
    expect(gone).to.deep.equal([]);
    open('10.0.2.1:1').take('subscriptions');
    expect(gone).to.deep.equal(['10.0.0.1:0: others need subscriptions, and its address has most']);
    expect(others.map((other) => other.amountOf('subscriptions'))).to.deep.equal([12, 6, 3, 2, 1, 1]);
    // Then there is as much as that client had.
    expect(open('10.0.2.2:1').tryTake('subscriptions', 15)).to.equal(true);
    for (let address = 1; address < 40; address++) open(`10.0.3.${address}`).tryTake('unreadBytes', 1000);
    expect([open('10.0.4.1').tryTake('unreadBytes', 1000), gone.length]).to.deep.equal([false, 1]);
  });

  it('of an address with less than twice as much does not give way', () => {
    const [one, other] = ['10.0.0.1:1', '10.0.0.2:1'].map((name) => ledger.open(name)) as [Account, Account];
    one.letGo = () => expect.fail('it should not be let go');
    one.take('subscriptions', 40);
    other.take('subscriptions', 25);
    expect(other.tryTake('subscriptions', 15)).to.equal(false);
    expect(other.tryTake('subscriptions', 35)).to.equal(false);
  });

  it('has of what passes what its address has left', () => {
    for (let port = 1; port <= 12; port++) ledger.open(`10.0.0.1:${port}`).take('unreadBytes', 1000);
    expect(() => ledger.open('10.0.0.1:13').take('unreadBytes')).to.throw(/together$/);
  });

  it('leaves a quarter to other addresses, whatever the number of its connections', () => {
    const take = (name: string, amount: number) => () => ledger.open(name).take('subscriptions', amount);
    for (let port = 1; port <= 36; port++) take(`10.0.0.1:${port}`, 2)();
    expect(take('10.0.0.1:37', 2)).to.throw('the clients of an address may have 75 subscriptions together');
    take('10.0.0.1:37', 1)();
    take('10.0.0.2:1', 12)();
    expect(ledger.figures.get('subscriptions')).to.deep.equal({ held: 85, refusals: 1 });
  });

  it('of a total of one has that one, and no other client', () => {
    const clock = { nowMillis: () => now, after: () => () => undefined };
    ledger = new Ledger(clock, { ...bounds, subscriptions: { each: 1, all: 1 } }, () => undefined);
    const [first, second, other] = ['10.0.0.1:1', '10.0.0.1:2', '10.0.0.2:1'].map((name) => ledger.open(name));
    first?.take('subscriptions');
    expect(() => first?.take('subscriptions')).to.throw('a client may have 1 subscriptions');
    expect(() => second?.take('subscriptions')).to.throw('the clients of an address may have 1 subscriptions together');
    expect(() => other?.take('subscriptions')).to.throw('too few subscriptions left');
    first?.give('subscriptions');
    other?.take('subscriptions');
    expect(ledger.held('subscriptions')).to.equal(1);
  });

  it('finds the address in its name, with and without a port', () => {
    const networks = (...names: string[]) => names.map((name) => ledger.open(name).network);
    const sixes = networks('2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:7000');
    expect(sixes).to.deep.equal(Array(3).fill('2001:db8:0:0::/64'));
    expect(networks('10.0.0.1', '10.0.0.1:7000')).to.deep.equal(['10.0.0.1', '10.0.0.1']);
  });

  it('counts the addresses of a network of IPv6 together', () => {
    for (let host = 1; host <= 5; host++) ledger.open(`[2001:db8::${host}]:7000`).take('subscriptions', 10);
    expect(() => ledger.open('[2001:db8::ffff]').take('subscriptions', 13)).to.throw('an address may have 75');
    ledger.open('[2001:db8:0:1::1]').take('subscriptions', 5);
    const [one, other] = [ledger.open('[2001:db8:5::1]:1'), ledger.open('[2001:db8:5::2]:1')];
    expect([one.network, other.share.address]).to.deep.equal(['2001:db8:5:0::/64', one.share.address]);
  });

  it('of a network is forgotten with its last client', () => {
    for (let round = 0; round < 3; round++) {
      const all = [ledger.open('10.0.0.1:1'), ledger.open('10.0.0.1:2')];
      all[0]?.take('subscriptions', 40);
      all[1]?.take('subscriptions', 17);
      for (const account of all) account.close();
    }
    expect(ledger.held('subscriptions')).to.equal(0);
  });

  it('holds nothing when its client has gone', () => {
    const client = ledger.open('a');
    client.take('subscriptions', 7);
    client.change('keptBytes', 0, 100);
    client.change('keptBytes', 100, 30);
    expect(ledger.held('keptBytes')).to.equal(30);
    client.close();
    client.close();
    client.give('subscriptions', 7);
    expect([ledger.held('subscriptions'), ledger.held('keptBytes')]).to.deep.equal([0, 0]);
  });

  it('never lets clients hold more than all, whatever they take and give', () => {
    const step = fc.record({ client: fc.nat(4), amount: fc.integer({ min: -50, max: 50 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const clients = Array.from({ length: 5 }, (_, index) => ledger.open(String(index)));
        for (const { client, amount } of steps) {
          const account = clients[client] as Account;
          if (amount < 0) account.give('subscriptions', Math.min(-amount, account.amountOf('subscriptions')));
          else if (amount > 0)
            try {
              account.take('subscriptions', amount);
            } catch {}
          const held = clients.map((each) => each.amountOf('subscriptions'));
          expect(Math.max(...held)).to.be.at.most(40);
          expect(held.reduce((sum, each) => sum + each, 0)).to.equal(ledger.held('subscriptions'));
          expect(ledger.held('subscriptions')).to.be.at.most(100);
        }
        for (const account of clients) account.close();
        expect(ledger.held('subscriptions')).to.equal(0);
      }),
    );
  });

  it('has one place in the queue for all requests of a connection that wait together', () => {
    const [one, other] = [ledger.open('10.0.0.1:1'), ledger.open('10.0.0.1:1')];
    expect(other.share).to.equal(one.share);
    expect(ledger.open('10.0.0.1:2').share).not.to.equal(one.share);
    one.close();
    expect(ledger.open('10.0.0.1:1').share).to.equal(other.share);
  });
});
