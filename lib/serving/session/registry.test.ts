// What a registry makes of who opens a session.
import { expect } from 'chai';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { DEFAULT_BOUNDS } from '../scheduling/holdings.js';
import { SessionRegistry } from './registry.js';
import type { Session } from './session.js';

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

describe('a client that gives way to others', () => {
  const facts = { frontEnd: 'trick', peer: '10.0.0.1:5' };

  it('has a connection of its own, which ends with a line in the log', () => {
    const said: string[] = [];
    const letGo = ({ id }: Session, reason: string): void => void said.push(`${id}: ${reason}`);
    const listener = { opened: () => undefined, closed: () => undefined, letGo };
    const registry = new SessionRegistry(new TestBall(), new ManualClock(), listener);
    const cut = (sink: { isCut: boolean }): void => {
      sink.isCut = true;
    };
    const open = (transport: string) => {
      const sink = { write: () => true, pendingBytes: 0, isCut: false, destroy: () => cut(sink) };
      return { sink, session: registry.create({ ...facts, transport }, sink) };
    };
    const [tcp, multicast] = [open('tcp'), open('multicast')];
    const { account } = registry.create({ ...facts, transport: 'none' }, { write: () => true, pendingBytes: 0 });
    expect([multicast.session.account.letGo, account.letGo]).to.deep.equal([undefined, undefined]);
    tcp.session.account.letGo?.('others need it');
    expect([tcp.sink.isCut, multicast.sink.isCut, said]).to.deep.equal([true, false, ['1: others need it']]);
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
