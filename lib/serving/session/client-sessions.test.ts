// Clients of plain HTTP: each address is one, and a network of IPv6 has a bounded number of them.

import { expect } from 'chai';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { ClientSessions } from './client-sessions.js';
import { SessionRegistry } from './registry.js';

describe('clients of plain HTTP', () => {
  let clients: ClientSessions;
  let registry: SessionRegistry;
  beforeEach(() => {
    registry = new SessionRegistry(new TestBall(), new ManualClock());
    clients = new ClientSessions(registry);
  });

  it('are one for each address, and those of a network of IPv6 give way to each other', () => {
    const [first, other] = [clients.of('10.0.0.1'), clients.of('[2001:db8:0:1::1]')];
    const held = clients.of('[2001:db8::1]');
    held.account.take('subscriptions');
    for (let host = 2; host <= 300; host++) clients.of(`[2001:db8::${host.toString(16)}]`);
    expect(registry.size).to.equal(102);
    expect([clients.of('10.0.0.1'), clients.of('[2001:db8:0:1::1]')]).to.deep.equal([first, other]);
    expect(clients.of('[2001:db8::1]')).to.equal(held);
  });

  it('give way to others, and begin anew', () => {
    const session = clients.of('10.0.0.1');
    session.account.take('subscriptions', 3);
    session.account.letGo?.('others need it');
    expect([registry.size, registry.ledger.held('subscriptions')]).to.deep.equal([0, 0]);
    const anew = clients.of('10.0.0.1');
    anew.account.take('subscriptions');
    expect([anew === session, registry.ledger.held('subscriptions')]).to.deep.equal([false, 1]);
  });

  it('are a thousand, of which the quietest is forgotten', () => {
    const first = clients.of('10.0.0.1');
    for (let host = 2; host <= 1000; host++) clients.of(`10.0.${host >> 8}.${host & 255}`);
    expect(clients.of('10.0.0.1')).to.equal(first);
    const second = clients.of('10.0.0.2');
    clients.of('10.9.9.9');
    expect(registry.size).to.equal(1000);
    expect(clients.of('10.0.0.2')).to.equal(second);
    expect(clients.of('10.0.0.1')).to.equal(first);
  });
});
