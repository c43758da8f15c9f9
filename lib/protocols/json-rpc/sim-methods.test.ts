// sim/status: what the server says of its own lateness.
import { expect } from 'chai';
import { TestServer } from '../../testing/aids/http-exchange.js';

describe('sim/status', () => {
  it('says how many cycles this server had no time for', async () => {
    const server = new TestServer();
    expect((await server.call('sim/status')).skipped_cycles).to.equal(0);
    server.registry.timetable.countSkipped(3);
    expect((await server.call('sim/status')).skipped_cycles).to.equal(3);
  });

  it('says how late this server was at worst in the last ten seconds', async () => {
    const server = new TestServer();
    expect((await server.call('sim/status')).loop_lag_ms).to.equal(0);
    server.registry.lag.start();
    server.clock.leap(50 + 70);
    expect((await server.call('sim/status')).loop_lag_ms).to.equal(70);
    server.clock.advance(11_000);
    expect((await server.call('sim/status')).loop_lag_ms).to.equal(0);
  });
});
