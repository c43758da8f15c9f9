// What a registry makes of who opens a session.
import { expect } from 'chai';
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
