// Unread answers on a connection: how they are counted, and when a client is disconnected.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Ledger } from '../scheduling/account.js';
import { Unread } from './unread.js';

const MIB = 1024 * 1024;

function setUp() {
  const clock = new ManualClock();
  const account = new Ledger(clock).open('client');
  const sink = { pendingBytes: 0 };
  const reasons: string[] = [];
  const met: string[] = [];
  const metBound = (bound: string): void => void met.push(bound);
  const unread = new Unread(account, sink, { clock, metBound }, (reason) => reasons.push(reason));
  const write = (bytes: number): void => {
    account.take('unreadBytes', bytes);
    sink.pendingBytes += bytes;
    unread.add(bytes);
  };
  return { clock, account, sink, reasons, unread, write, met };
}

describe('answers that are not read', () => {
  it('are counted until the connection has taken them, other messages are not', () => {
    const { account, sink, unread, write } = setUp();
    write(1000);
    sink.pendingBytes += 5000;
    expect(account.amountOf('unreadBytes')).to.equal(1000);
    sink.pendingBytes = 400;
    unread.settle();
    expect(account.amountOf('unreadBytes')).to.equal(400);
    sink.pendingBytes = 0;
    write(0);
    expect(account.amountOf('unreadBytes')).to.equal(0);
  });

  it('may wait for ever where they are few', () => {
    const { clock, reasons, write } = setUp();
    write(MIB / 2);
    expect(clock.pending).to.equal(0);
    expect(reasons).to.deep.equal([]);
  });

  it('end the connection when they become no fewer for ten seconds and a second for each 64 KB', () => {
    const { clock, reasons, write, met } = setUp();
    write(2 * MIB);
    clock.advance(10_000 + (2 * MIB) / 64 - 1);
    expect([reasons, met]).to.deep.equal([[], []]);
    clock.advance(1);
    expect(met).to.deep.equal(['unread']);
    expect(reasons).to.deep.equal([
      'its answers were not taken: 2097152 bytes wait, and they have not become fewer for long',
    ]);
  });

  it('do not when they were taken meanwhile, or the connection has ended', () => {
    for (const end of [true, false]) {
      const { clock, reasons, sink, unread, write } = setUp();
      write(2 * MIB);
      if (end) unread.close();
      else sink.pendingBytes = 0;
      clock.advance(600_000);
      expect(reasons).to.deep.equal([]);
      expect(clock.pending).to.equal(0);
    }
  });
});
