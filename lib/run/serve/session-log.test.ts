// The log's lines about a server that is short of time.
import { expect } from 'chai';
import { SessionRegistry } from '../../serving/session/registry.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { sessionLog } from './session-log.js';

describe('the log of a server', () => {
  let clock: ManualClock;
  let lines: unknown[];
  let registry: SessionRegistry;

  beforeEach(() => {
    clock = new ManualClock();
    lines = [];
    registry = new SessionRegistry(
      new TestBall(),
      clock,
      sessionLog((...line) => lines.push(line)),
    );
  });
  afterEach(() => registry.close());

  it('has a line a second at most when the server leaves out cycles all the time', () => {
    for (let tenth = 0; tenth < 21; tenth++) {
      registry.timetable.countSkipped(2);
      clock.advance(100);
    }
    const sentence = (total: number): string =>
      `the server has no time for all that is due to its clients: ${total} cycles have been left out so far`;
    expect(lines).to.deep.equal([
      ['warning', sentence(22), { skippedCycles: 22 }],
      ['warning', `${sentence(42)} (9 more like this since the last line)`, { skippedCycles: 42, leftOut: 9 }],
    ]);
  });

  it('has no line of a moment in which cycles were left out', () => {
    registry.timetable.countSkipped(200);
    expect([lines, registry.timetable.skipped]).to.deep.equal([[], 200]);
  });

  it('names of a session that another one has opened the number of that one, and nothing behind it', () => {
    const sink = { write: () => true, pendingBytes: 0 };
    const client = registry.create({ frontEnd: 'http', peer: '10.0.0.1:5', transport: 'tcp' }, sink);
    const facts = { frontEnd: 'trick', peer: '10.0.0.1:5', transport: 'json-rpc', openedBy: client };
    registry.create(facts, sink).close();
    const logged = lines.map((line) => (line as unknown[])[2]) as object[];
    expect(logged[1]).to.include({ openedBy: client.id, frontEnd: 'trick', peer: '10.0.0.1:5' });
    for (const each of logged) {
      for (const [name, fact] of Object.entries(each)) expect(fact, name).not.to.be.an('object');
    }
    expect(logged).to.have.length(3);
  });

  it('has a line when the server comes more than 100 ms too late', () => {
    registry.lag.start();
    clock.leap(50 + 90);
    expect(lines).to.deep.equal([]);
    clock.leap(50 + 300.4);
    expect(lines).to.deep.equal([
      ['warning', 'the server is at its limit: it came 300 ms too late to what was due', { lagMillis: 300 }],
    ]);
  });
});
