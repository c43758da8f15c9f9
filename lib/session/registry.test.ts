// What a registry makes of who opens a session.
import { expect } from 'chai';
import { DEFAULT_BOUNDS } from '../scheduling/holdings.js';
import { TestBall } from '../testing/aids/http-ball.js';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { SessionRegistry } from './registry.js';

describe('an account', () => {
  it('of what runs for an address without a connection counts for that address', () => {
    const registry = new SessionRegistry(new TestBall(), new ManualClock());
    const nowhere = { write: () => true, pendingBytes: 0 };
    const networkOf = (owner: string) =>
      registry.create({ frontEnd: 'trick', peer: `events of ${owner}`, transport: 'none', owner }, nowhere).account
        .network;
    expect(networkOf('10.0.0.1')).to.equal('10.0.0.1');
    expect(networkOf('2001:db8:0:0::/64')).to.equal('2001:db8:0:0::/64');
    expect(networkOf('')).to.equal('events of ');
  });
});

describe('the log of a registry', () => {
  it('says once a second that a client is held back, and of how many refusals more it does not tell', () => {
    const clock = new ManualClock();
    const lines: unknown[] = [];
    const heldBack = (...line: unknown[]): void => void lines.push(line);
    const subscriptions = { each: 2, all: 4 };
    const listener = { opened: () => undefined, closed: () => undefined, heldBack };
    const registry = new SessionRegistry(new TestBall(), clock, listener, { ...DEFAULT_BOUNDS, subscriptions });
    const account = registry.ledger.open('10.0.0.1:4000');
    const ask = () => account.take('subscriptions', 1);
    for (let count = 0; count < 2; count++) ask();
    expect(lines).to.deep.equal([]);
    for (let count = 0; count < 10; count++) expect(ask).to.throw('a client may have 2 subscriptions');
    clock.advance(1000);
    expect(ask).to.throw();
    const text = '10.0.0.1:4000 is held back: a client may have 2 subscriptions';
    const peer = '10.0.0.1:4000';
    expect(lines).to.deep.equal([
      ['warning', text, { peer }],
      ['warning', `${text} (9 more like this since the last line)`, { peer, leftOut: 9 }],
    ]);
    registry.close();
  });
});
