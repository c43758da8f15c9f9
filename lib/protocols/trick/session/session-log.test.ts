// What a session's lines take of the log.
import { expect } from 'chai';
import { Ledger } from '../../../serving/scheduling/account.js';
import { ErrorCounts } from '../../../serving/session/error-counts.js';
import { ManualClock } from '../../../testing/aids/manual-clock.js';
import { SessionLog } from './session-log.js';

const LINE = 'x'.repeat(1000);

describe('the log of sessions', () => {
  function setUp() {
    const clock = new ManualClock();
    const parts = { clock, errors: new ErrorCounts(), ledger: new Ledger(clock) };
    const written: string[] = [];
    const logOf = (network?: string): SessionLog => new SessionLog(parts, (text) => written.push(text), network);
    const bytes = (): number => written.reduce((sum, { length }) => sum + length, 0);
    return { clock, written, logOf, bytes };
  }

  it('has room for all sessions of an address together, and counts what is left out', () => {
    const { clock, written, logOf, bytes } = setUp();
    const logs = Array.from({ length: 100 }, () => logOf('10.0.0.1'));
    for (const log of logs) for (let k = 0; k < 150; k++) log.printed(LINE);
    expect(bytes()).to.be.within(127_000, 131_072);
    const leftOut = 150 * logs.length - written.length;
    written.length = 0;
    clock.advance(1000);
    for (const log of logs) log.printed('next');
    const counts = written.filter((text) => text.endsWith('were left out')).map((text) => Number.parseInt(text, 10));
    expect(counts.reduce((sum, count) => sum + count)).to.equal(leftOut);
    expect(written.filter((text) => text === 'next')).to.have.length(100);
  });

  it('has room for each address, and no more than so much for all', () => {
    const { logOf, bytes } = setUp();
    for (let k = 0; k < 150; k++) logOf('10.0.0.1').printed(LINE);
    const before = bytes();
    logOf('10.0.0.2').printed(LINE);
    expect(bytes()).to.equal(before + 1000);
    for (let address = 3; address < 100; address++)
      for (let k = 0; k < 100; k++) logOf(`10.0.0.${address}`).printed(LINE);
    expect(bytes()).to.be.within(523_000, 524_288);
  });
});
